"""`derive sweep`: a formula over ranges of its letters, as a table or a file."""

from __future__ import annotations

import click

from derive.cli import options

HELP = """Compute a formula over ranges of its letters.

\b
--over T=1024:131072:*2         times 2 from 1024 to 131072
--over B=1:64                   in steps of 1 (B=0:4096:+256 in steps of 256)
--over d=64,128,256             just these
--over W='1 TB/s:8 TB/s:#100'   100 values

Several ranges give all their combinations, the last varying fastest. With --out the points are
written to F.csv or F.parquet, any number of them, or plotted to F.png or F.svg.

\b
derive sweep attention.naive_intensity --over T=1024:131072:*2 --set d=128
derive sweep matmul.time --over n=512,4096 --over m=1:65536:*1.1 --set k=4096 --on h100-sxm --out t.svg
"""

_SHOWN = 1000


@click.command(
    "sweep", cls=options.Command, help=HELP, short_help="A formula over ranges, as a table, file or plot."
)
@options.one_id
@click.option(
    "--over",
    "over",
    metavar="RANGE",
    multiple=True,
    required=True,
    help="A letter's range, as T=1024:131072:*2.",
)
@click.option("--out", metavar="FILE", help="Write .csv, .parquet, .png or .svg.")
@options.filling(several=False)
@options.to_unit
def command(
    id: str,
    over: tuple[str, ...],
    out: str | None,
    on: str | None,
    model: str | None,
    given: tuple[str, ...],
    convention: tuple[str, ...],
    hardware: str | None,
    to: str | None,
) -> None:
    from derive.cli import console, progress, targets
    from derive.errors import DeriveError
    from derive.sweeping import sweep, write

    values, conventions = options.given_values(given), options.chosen_conventions(convention)
    options.check_hardware(hardware, (on,) if on else ())
    swept = sweep(targets.one(id), over, values, on, model, conventions, hardware, to)
    if out is None:
        if swept.size > _SHOWN:
            raise DeriveError(f"{swept.size:,} points are too many to print: give --out FILE.csv")
        table = console.table(*(f">{name}" for name in swept.header))
        for columns in swept.chunks():
            for row in zip(*columns, strict=True):
                table.add_row(*("" if value != value else f"{value:.6g}" for value in row))
        console.show(table)
        return
    with progress.bar() as advance:
        done = 0

        def heard(points: int) -> None:
            nonlocal done
            done += points
            advance(done, swept.size, "points")

        write(swept, out, heard)
    console.show(out)

"""`derive report`: worked-derivation documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from derive.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from derive.derivation import Derivation

HELP = """Write worked-derivation documents: formulas, chapters, files of your own, or all.

A formula gets a document of its own, a chapter one for all its formulas, and so does a file that
holds several; all is the book of the catalogue, and so is a folder of files with a book.toml
(title, about, chapters). Every link is proved and, where values are given, worked out. The paths
of the files written are printed.

\b
derive report attention.naive_intensity --on h100-sxm --set T=4096 d=128
derive report attention --format md,tex --out out/
derive report attention.flops --compare mask=full,causal
derive report all --on h100-sxm --format md,html,pdf --out book/
derive report mine.py
"""


@click.command("report", cls=options.Command, help=HELP, short_help="Worked-derivation documents.")
@click.argument(
    "targets",
    metavar="ID|CHAPTER|FILE.py|FOLDER|all...",
    nargs=-1,
    required=True,
    shell_complete=options.complete_id,
)
@click.option(
    "--format",
    "formats",
    metavar="md,tex,html,pdf",
    default="md",
    show_default=True,
    help="One or more formats.",
)
@click.option(
    "--out", metavar="DIR", default=".", help="The folder to write to; the current one unless given."
)
@click.option(
    "--compare", metavar="C=A,B", help="Two choices of a convention side by side, as mask=full,causal."
)
@click.option(
    "--measured", metavar="F.json", help="Measurements (derive measure writes them) beside what is derived."
)
@click.option(
    "--digits", metavar="N", type=int, help="Significant digits of rounded results; 4 unless given."
)
@click.option(
    "--template",
    "templates",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="Jinja templates of your own in place of ours (which they may extend as derive/NAME).",
)
@options.filling(several=False)
def command(
    targets: tuple[str, ...],
    formats: str,
    out: str,
    compare: str | None,
    measured: str | None,
    digits: int | None,
    templates: str | None,
    on: str | None,
    model: str | None,
    given: tuple[str, ...],
    convention: tuple[str, ...],
    hardware: str | None,
) -> None:
    from derive.cli.progress import bar
    from reports import Compare, write

    notes: list[str] = []
    values, conventions = options.given_values(given), options.chosen_conventions(convention)
    options.check_hardware(hardware, (on,) if on else ())
    with bar() as advance:
        paths = write(
            [target for text in targets for target in _targets(text)],
            [name.strip() for name in formats.split(",")],
            out,
            on=on,
            model=model,
            given=values,
            conventions=conventions,
            hardware=hardware,
            measured=measured,
            compare=Compare.read(compare) if compare is not None else None,
            digits=digits,
            templates=templates,
            progress=advance,
            note=notes.append,
        )
    for told in notes:
        click.echo(told, err=True)
    for path in paths:
        click.echo(path)


def _targets(text: str) -> Iterator[str | Path | Derivation]:
    """What `reports.write` is to make of a word: "all", a chapter's name, a book's folder, or derivations."""
    from derive import catalogue
    from derive.cli.targets import many

    if text == "all" or text in catalogue.chapters():
        yield text
        return
    if Path(text).is_dir():
        yield Path(text)
        return
    found = many((text,))
    if len(found) > 1:
        yield found[0].id.partition(".")[0]
    else:
        yield from found

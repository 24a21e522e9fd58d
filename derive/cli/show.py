"""`derive show`: one formula with everything that is known of it, proved as it is shown."""

from __future__ import annotations

import click

from derive.cli import options
from derive.errors import DeriveError

HELP = """Show a formula: what is counted, the chain of steps, facts, examples and sources.

Every link is proved as it is shown; the exit status is 1 when one is not.
With --reduce it is a lesson: how the formula reduces under each assumption, what that drops and
costs at the numbers given, and what to remember.
ID is a formula of the catalogue (derive list), or mine.py:NAME, or mine.py where it holds one.

\b
derive show attention.naive_intensity
derive show mine.py:my_intensity --json
derive show matmul.intensity --reduce --set m=64 k=4096 n=4096
"""


@click.command(
    "show", cls=options.Command, help=HELP, short_help="A formula with its ledgers, proved steps and sources."
)
@options.one_id
@click.option("--reduce", "reduced", is_flag=True, help="Show how it reduces, as a lesson.")
@options.filling(several=False)
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    id: str,
    reduced: bool,
    on: str | None,
    model: str | None,
    given: tuple[str, ...],
    convention: tuple[str, ...],
    hardware: str | None,
    as_json: bool,
) -> None:
    from derive.cli import console, description, targets

    derivation = targets.one(id)
    if reduced:
        from derive.cli import lesson

        options.check_hardware(hardware, (on,) if on else ())
        values, conventions = options.given_values(given), options.chosen_conventions(convention)
        ctx.exit(lesson.show(derivation, values, on, model, conventions, hardware, as_json=as_json))
    if given or on or model or convention or hardware:
        raise DeriveError("show takes values only with --reduce: derive eval works a formula out")
    found = description.describe(derivation)
    if as_json:
        console.show_json(found)
    else:
        console.show(*description.parts(derivation, found))
    if any(link["verdict"] != "proved" for kind in ("chain", "facts", "examples") for link in found[kind]):
        ctx.exit(1)

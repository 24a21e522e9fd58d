"""`derive show`: one formula with everything that is known of it, proved as it is shown."""

from __future__ import annotations

import click

from derive.cli import options

HELP = """Show a formula: what is counted, the chain of steps, facts, examples and sources.

Every link is proved as it is shown; the exit status is 1 when one is not.
ID is a formula of the catalogue (derive list), or mine.py:NAME, or mine.py where it holds one.

\b
derive show attention.naive_intensity
derive show mine.py:my_intensity --json
"""


@click.command("show", help=HELP, short_help="A formula with its ledgers, proved steps and sources.")
@options.one_id
@options.as_json
@click.pass_context
def command(ctx: click.Context, id: str, as_json: bool) -> None:
    from derive.cli import console, description, targets

    derivation = targets.one(id)
    found = description.describe(derivation)
    if as_json:
        console.show_json(found)
    else:
        console.show(*description.parts(derivation, found))
    if any(link["verdict"] != "proved" for kind in ("chain", "facts", "examples") for link in found[kind]):
        ctx.exit(1)

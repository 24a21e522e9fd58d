"""`derive reconcile`: why somebody else's number differs from ours."""

from __future__ import annotations

import re

import click

from derive.cli import options

HELP = """Explain a number that differs from ours.

WHAT is a formula of the catalogue or a line of arithmetic as for derive calc. Conventions, unit
confusions, wrong peaks and counting slips are tried, alone and in pairs; those that give the
claimed number within its digits are ranked, simplest first.

\b
derive reconcile memory.training_state --set N='7e9 parameter' --claimed '126 GB'
derive reconcile '2*7/8 * 2 GB / (450 GB/s)' --claimed '7.24 ms'
"""

_ID = re.compile(r"[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*|.*\.py(:\w+)?")


@click.command(
    "reconcile", cls=options.Command, help=HELP, short_help="Why another number differs from ours."
)
@click.argument("what", metavar="WHAT", shell_complete=options.complete_id)
@click.option("--claimed", metavar="V", required=True, help="Somebody's number, with its unit.")
@options.filling(several=False)
@options.as_json
def command(
    what: str,
    claimed: str,
    on: str | None,
    model: str | None,
    given: tuple[str, ...],
    convention: tuple[str, ...],
    hardware: str | None,
    as_json: bool,
) -> None:
    from derive.cli import console, targets
    from derive.errors import DeriveError
    from derive.reconcile import reconcile_derivation, reconcile_line

    values, conventions = options.given_values(given), options.chosen_conventions(convention)
    if _ID.fullmatch(what):
        options.check_hardware(hardware, (on,) if on else ())
        derivation = targets.one(what)
        found = reconcile_derivation(derivation, claimed, values, on, model, conventions, hardware)
    elif values or conventions or on or model or hardware:
        raise DeriveError(
            "a line of arithmetic takes no --set, --on, --model or --convention: write the numbers into it"
        )
    else:
        found = reconcile_line(what, claimed)
    if as_json:
        console.show_json(found.as_json())
        return
    ratio = "none, ours is 0" if found.ratio is None else f"{found.ratio:.6g}"
    console.show(f"ours     {found.ours}", f"claimed  {found.claimed}", f"ratio    {ratio}", "")
    if found.agrees:
        console.show("They agree within the digits claimed.")
        return
    if not found.explanations:
        console.show("No convention and no known slip, alone or in pairs, gives the claimed number.")
        return
    table = console.table(">", "cause", "how it gives the claimed number")
    for number, explanation in enumerate(found.explanations, 1):
        table.add_row(str(number), explanation.cause, explanation.says)
    console.show(table)

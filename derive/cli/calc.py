"""`derive calc`: unit-checked arithmetic in the terminal."""

from __future__ import annotations

import json
import sys

import click

from derive.errors import DeriveError


@click.command(
    name="calc",
    context_settings={"ignore_unknown_options": True},
    short_help="Unit-checked arithmetic: the value with its unit, or a refusal that teaches.",
)
@click.argument("expression", nargs=-1, required=True, metavar="EXPR")
@click.option("--to", metavar="UNIT", help="Convert the value to this unit, such as GiB or token/s.")
@click.option(
    "--digits", type=click.IntRange(1, 30), help="Significant digits; as many as the input has if not given."
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help='Print {"value", "unit", "text"}, or {"error", "message"} if refused.',
)
def command(expression: tuple[str, ...], to: str | None, digits: int | None, as_json: bool) -> None:
    """Work out EXPR with its units.

    \b
      derive calc '16 GB / 3.35 TB/s'
      derive calc '7B params * 4 bit/param' --to GiB
      derive calc 'h100-sxm.peak[bf16] / h100-sxm.bandwidth'

    `b` is bit and `B` byte. Kinds stand in brackets: [dense], [sparse], [each-way],
    [both-ways], [nominal], a precision. A line that mixes units or kinds is refused
    (exit status 2) with the place, the reason and what was probably meant.
    """
    from derive.calc import CalcError, calculate

    try:
        answer = calculate(" ".join(expression), to=to, digits=digits)
    except CalcError as error:
        _refuse(error.kind, str(error), error.show(), as_json)
    except DeriveError as error:
        _refuse("error", str(error), str(error), as_json)
    else:
        if as_json:
            click.echo(json.dumps(answer.as_json(), ensure_ascii=False))
            return
        click.echo(answer.text)
        if answer.reading:
            click.echo(f"  read as: {answer.reading}")
        for step in answer.steps:
            click.echo(f"  step: {step}")


def _refuse(kind: str, message: str, shown: str, as_json: bool) -> None:
    """Print the refusal where its reader looks for it, and leave with status 2."""
    if as_json:
        click.echo(json.dumps({"error": kind, "message": message}, ensure_ascii=False))
    else:
        click.echo(shown, err=True)
    sys.exit(2)

"""`derive eval`: the worked calculation."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import click

from derive.cli import options

if TYPE_CHECKING:
    from derive.result import Evaluation

HELP = """Work a formula out with numbers.

ID is a formula of the catalogue (derive list), or mine.py:NAME, or mine.py where it holds one.
Letters are filled by --set, the conventions, the machine of --on and the model of --model, and
by the formulas that compute them. Several machines or models give a table.

\b
derive eval attention.naive_intensity --on h100-sxm --set T=4096 d=128
derive eval roofline.ridge --on h100-sxm a100-80gb-sxm b200-sxm
derive eval matmul.time --on h100-sxm --set m=512 k=512 n=512 --to us
"""


@click.command("eval", cls=options.Command, help=HELP, short_help="The worked calculation.")
@options.one_id
@options.filling(several=True)
@options.to_unit
@options.as_json
def command(
    id: str,
    on: tuple[str, ...],
    model: tuple[str, ...],
    given: tuple[str, ...],
    convention: tuple[str, ...],
    hardware: str | None,
    to: str | None,
    as_json: bool,
) -> None:
    from derive.cli import calculation, comparison, console, targets
    from derive.evaluation import evaluate_derivation

    values, conventions = options.given_values(given), options.chosen_conventions(convention)
    options.check_hardware(hardware, on)
    derivation = targets.one(id)
    found = [
        evaluate_derivation(
            derivation, given=values, on=machine, model=name, conventions=conventions, extra=hardware, to=to
        )
        for machine, name in product(on or (None,), model or (None,))
    ]
    if as_json:
        console.show_json(found[0].as_json() if len(found) == 1 else [_named(one) for one in found])
    elif len(found) == 1:
        console.show(*calculation.parts(found[0], hardware, conventions), *calculation.notes(found))
    else:
        console.show(*comparison.parts(found, hardware, conventions), *calculation.notes(found))


def _named(evaluation: Evaluation) -> dict[str, Any]:
    return {"on": evaluation.hardware, "model": evaluation.model, **evaluation.as_json()}

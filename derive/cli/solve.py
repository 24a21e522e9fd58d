"""`derive solve`: the inverse of a formula, proved by substituting back."""

from __future__ import annotations

from itertools import product

import click

from derive.cli import options

HELP = """Solve a formula for one of its letters.

With --equals the value of the letter that gives this result; without it the letter's formula.
Other letters are filled as in derive eval and may stay open. Every solution is proved by
substituting it back.

\b
derive solve attention.naive_intensity --for T --equals 60 --set d=128
derive solve matmul.batched_decode_intensity --for B --equals '295 FLOP/byte' --set d=4096
derive solve roofline.ridge --for W
"""


@click.command(
    "solve", cls=options.Command, help=HELP, short_help="The value of a letter that gives a result."
)
@options.one_id
@click.option("--for", "letter", metavar="K", required=True, help="The letter to solve for.")
@click.option("--equals", metavar="V", help="The result that is wanted, with its unit.")
@options.filling(several=True)
@options.to_unit
@options.as_json
def command(
    id: str,
    letter: str,
    equals: str | None,
    on: tuple[str, ...],
    model: tuple[str, ...],
    given: tuple[str, ...],
    convention: tuple[str, ...],
    hardware: str | None,
    to: str | None,
    as_json: bool,
) -> None:
    from derive.cli import console, inverse, targets
    from derive.solving import solve_derivation

    values, conventions = options.given_values(given), options.chosen_conventions(convention)
    options.check_hardware(hardware, on)
    derivation = targets.one(id)
    places = list(product(on or (None,), model or (None,)))
    found = [
        solve_derivation(derivation, letter, equals, values, machine, name, conventions, hardware)
        for machine, name in places
    ]
    inverse.check_unit(found[0].letter, to)
    if as_json:
        texts = [inverse.as_json(one, to) for one in found]
        named = [
            {"on": place[0], "model": place[1], **text} for place, text in zip(places, texts, strict=True)
        ]
        console.show_json(named if len(found) > 1 else texts[0])
        return
    for number, (place, one) in enumerate(zip(places, found, strict=True)):
        where = ", ".join(name for name in place if name) if len(found) > 1 else ""
        console.show(*inverse.parts(one, to, where, first=number == 0))

"""Boards that the catalogue lacks because their name is that of another one: the PCI Express cards of A100 and V100.

Their power limit and the rate of their memory are smaller than those of the modules, which texts give them.
"""

from __future__ import annotations

from collections.abc import Iterator

from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.machine_counts import WATTS, is_rated
from derive.checking.machine_facts import MEMORY
from derive.checking.published import BOARDS, POWERS, Board
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.statements import BANDWIDTH, hindered, measured, said, words_by
from derive.checking.subjects import Mention, machines

_NAME = Sought(
    r"\b(?P<name>[AV]100)s?[ -]?(?:(?P<size>40|80) ?GB[ -]?)?PCI-?[Ee]\b(?:[ -](?P<behind>40|80) ?GB\b)?|"
    r"\bPCI-?[Ee] (?P<other>[AV]100)s?\b(?:[ -](?P<last>40|80) ?GB\b)?",
    ("PCI",),
)
_SAME = 0.001
_MODULES = (900.0e9, 1555.0e9, 2039.0e9)
"""Bytes a second of the memories of the modules."""


def claims(clause: Clause) -> Iterator[Claim]:
    """The power limits and memory rates that a sentence gives to the one such board that it names."""
    if clause.row:
        return
    found = list(_NAME.finditer(clause.text))
    if len(found) != 1 or len(machines(clause.text)) != 1:
        return
    name, size = (
        found[0]["name"] or found[0]["other"],
        found[0]["size"] or found[0]["behind"] or found[0]["last"],
    )
    board = BOARDS.get((name, size or ""))
    mention = Mention((), found[0].start(), found[0].end())
    for quantity in clause.quantities if board is not None else ():
        if board is None or quantity.start < mention.end:
            continue
        dimension = quantity.literal.options[0].dimension
        if dimension == WATTS and is_rated(clause, quantity, mention):
            others = POWERS[name.lower()]
            yield from _held(
                clause, quantity, board, (quantity.base(WATTS) or 0.0, board.power, others, "W", 1.0)
            )
        elif (
            dimension == BANDWIDTH
            and MEMORY.search(words_by(clause, quantity))
            and not measured(clause, quantity)
        ):
            yield from _held(
                clause,
                quantity,
                board,
                (quantity.base(BANDWIDTH) or 0.0, board.bandwidth, _MODULES, "GB/s", 1e9),
            )


def _held(
    clause: Clause,
    quantity: Quantity,
    board: Board,
    told: tuple[float, float, tuple[float, ...], str, float],
) -> Iterator[Claim]:
    """A number held against that of a board. told: the two, those of its namesakes, the unit and its size."""
    own, right, others, unit, size = told
    text, expected = clause.piece(quantity), f"{right / size:,.0f} {unit}"
    if abs(own / right - 1) <= _SAME:
        yield said(clause, quantity.start, text, expected, "true", "", "hardware", board.title)
    elif any(abs(own / one - 1) <= _SAME for one in others):
        reason = hindered(clause, quantity)
        cause = f"another machine: {own / size:,.0f} {unit} is that of another board of the name"
        verdict: Verdict = "unsure" if reason else "false"
        yield said(clause, quantity.start, text, expected, verdict, reason or cause, "hardware", board.title)

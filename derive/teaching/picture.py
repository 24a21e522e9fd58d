"""The picture of a lesson: which part of a sum dominates where, or which branch of a roofline.

Rows of one size (the four T×d tensors of attention) are drawn together, since they grow together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy

from derive.derivation import Derivation
from derive.dimensions import dimension_of, dimension_text
from derive.facts import Limit
from derive.ledger import Row
from derive.steps import Put
from derive.symbols import Letter, letters_of, without_units
from derive.teaching.exercise import Maths, Text
from derive.teaching.numbers import Numbers, base_text
from derive.total import expanded

WIDTH = 40
_SIGNS = "ABCDEFGH"
_STEPS = (Fraction(1, 64), Fraction(1, 8), Fraction(1), Fraction(8), Fraction(64))
_BRANCHING = (sympy.Max, sympy.Min)


@dataclass(frozen=True)
class Bar:
    """A line: where it stands, how many of its `WIDTH` signs each part takes, and what it comes to."""

    at: str
    parts: tuple[int, ...]
    value: str
    here: bool

    @property
    def drawn(self) -> str:
        return "".join(sign * size for sign, size in zip(_SIGNS, self.parts, strict=False))


@dataclass(frozen=True)
class Picture:
    """Bars over the values of a letter, and what each sign stands for."""

    title: str
    bars: tuple[Bar, ...]
    legend: tuple[tuple[str, Text], ...]
    says: str


def picture(derivation: Derivation, numbers: Numbers, over: str = "") -> Picture | None:
    """The picture over a letter, or over the one that the formula's limits send to infinity.

    None for a formula that is a single term, or lacks a number.
    """
    named = _parts(derivation)
    formulas = [formula for _, formula in named]
    if len(named) < 2 or not all(formula.is_positive for formula in formulas):
        return None
    letter = _over(derivation, formulas, over)
    if letter is None or any(numbers.of(formula) is None for formula in formulas):
        return None
    bars = tuple(_bars(derivation, numbers, formulas, letter))
    same = len({bar.parts for bar in bars}) == 1
    bars = tuple(bar for bar in bars if bar.here) if same else bars
    signs = _SIGNS[: len(named)]
    legend = tuple(
        (sign, (f"{name}: " if name else "", Maths(formula)))
        for sign, (name, formula) in zip(signs, named, strict=True)
    )
    what = "which branch decides" if _branches(derivation) else f"what makes up the {_whole(formulas)}"
    grows = f"the same for every {letter.name}" if same else f"as {letter.name} ({letter.meaning}) grows"
    return Picture(f"{what}, {grows}", bars, legend, _crossing(bars, letter))


def _whole(formulas: Sequence[sympy.Expr]) -> str:
    dimension = dimension_of(formulas[0])
    unit = dimension_text(dimension) if dimension else "sum"
    return {"byte": "number of bytes", "FLOP": "number of operations", "second": "time"}.get(unit, unit)


def _branches(derivation: Derivation) -> sympy.Expr | None:
    nodes = sympy.preorder_traversal(derivation.result)
    return next((node for node in nodes if isinstance(node, _BRANCHING)), None)


def _parts(derivation: Derivation) -> list[tuple[str, sympy.Expr]]:
    """The parts of which one may dominate: branches, ledger rows of one size together, terms of a sum."""
    branching = _branches(derivation)
    if branching is not None:
        return [("", branch) for branch in sorted(branching.args, key=sympy.default_sort_key)]
    base = derivation
    while base.starts_from is not None and not base.ledgers:
        base = base.starts_from
    ledgers = sorted(base.ledgers, key=lambda ledger: -len(_grouped(ledger.rows)))
    if ledgers and len(_grouped(ledgers[0].rows)) > 1:
        groups = _grouped(ledgers[0].rows)
        for step in derivation.steps if base is not derivation else ():
            if isinstance(step, Put):
                groups = [(name, formula.xreplace({step.letter: step.value})) for name, formula in groups]
        return groups[: len(_SIGNS)]
    sums = [node for node in sympy.preorder_traversal(expanded(derivation.result)) if node.is_Add]
    terms = [term for node in sums[:1] for term in node.args]
    return [("", term) for term in terms]


def _grouped(rows: Sequence[Row]) -> list[tuple[str, sympy.Expr]]:
    groups: dict[sympy.Expr, list[tuple[str, sympy.Expr]]] = {}
    for row in rows:
        amount = row.amount.doit()
        groups.setdefault(amount.as_coeff_Mul()[1], []).append((row.what, amount))
    return [
        (", ".join(name for name, _ in group), sympy.Add(*(amount for _, amount in group)))
        for group in groups.values()
    ]


def _over(derivation: Derivation, formulas: Sequence[sympy.Expr], over: str) -> Letter | None:
    letters = {letter.name: letter for formula in formulas for letter in letters_of(formula)}
    if over:
        return letters.get(over)
    sent = [fact.letters[0].name for fact in derivation.facts if isinstance(fact, Limit)]
    plain = [name for name, letter in letters.items() if letter.unit == "dimensionless"]
    return next((letters[name] for name in (*sent, *plain, *letters) if name in letters), None)


def _bars(
    derivation: Derivation, numbers: Numbers, formulas: Sequence[sympy.Expr], letter: Letter
) -> Iterator[Bar]:
    own = numbers.of(letter) or Fraction(1)
    seen: set[Fraction] = set()
    for step in _STEPS:
        value = own * step
        if letter.at_least:
            value = max(Fraction(letter.at_least), Fraction(round(value)))
        if value in seen:
            continue
        seen.add(value)
        sizes = [numbers.of(formula, {letter: value}) for formula in formulas]
        result = numbers.of(without_units(derivation.result), {letter: value})
        if result is None or None in sizes:
            continue
        shown = base_text(value, letter.unit)
        parts = _split([size for size in sizes if size is not None])
        yield Bar(f"{letter.name} = {shown}", parts, base_text(result, derivation.unit), value == own)


def _split(sizes: Sequence[Fraction]) -> tuple[int, ...]:
    """`WIDTH` signs shared out in proportion, the largest remainders rounded up."""
    whole = sum(sizes)
    if not whole:
        return tuple(0 for _ in sizes)
    exact = [size / whole * WIDTH for size in sizes]
    parts = [int(one) for one in exact]
    order = sorted(range(len(sizes)), key=lambda place: parts[place] - exact[place])
    for place in order[: WIDTH - sum(parts)]:
        parts[place] += 1
    return tuple(parts)


def _crossing(bars: Sequence[Bar], letter: Letter) -> str:
    """Which part is the largest at either end."""
    if len(bars) < 2:
        return ""
    ends = [(bar.parts.index(max(bar.parts)), max(bar.parts)) for bar in (bars[0], bars[-1])]
    (first, _), (last, _) = ends
    if first == last:
        return f"{_SIGNS[first]} is the largest part at both ends."
    return f"{_SIGNS[first]} dominates while {letter.name} is small, {_SIGNS[last]} where it is large."

"""What a picture divides: the parts of a formula of which one may dominate, each with its name.

Rows of one size (the four T×d tensors of attention) are taken together, since they grow together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import sympy

from derive.derivation import Derivation
from derive.dimensions import dimension_of, dimension_text
from derive.errors import DeriveError
from derive.facts import Inequality, Limit
from derive.ledger import Ledger, Row
from derive.steps import Approx, Bound, Put
from derive.symbols import letters_of
from derive.total import expanded

Named = tuple[str, sympy.Expr]
_BRANCHING = (sympy.Max, sympy.Min)


@dataclass(frozen=True)
class Parts:
    """title: what the parts make up. value: what a bar comes to, in `unit`."""

    title: str
    named: tuple[Named, ...]
    value: sympy.Expr
    unit: str


def parts(
    derivation: Derivation,
    result: sympy.Expr,
    shows: str = "",
    names: Mapping[str, str] | None = None,
) -> Parts | None:
    """The parts of a derivation's result, or of the line of its chain that holds; None for a single term.

    shows: which parts, a key of `_SHOWN`; the branches, the rows or the terms unless given.
    names: what a part is called, by a letter that it alone has.
    """
    if shows and shows not in _SHOWN:
        raise DeriveError(f"{derivation.id}: no parts {shows!r}: one of {', '.join(_SHOWN)}")
    found = _SHOWN[shows](derivation, result) if shows else _usual(derivation, result)
    if found is None or len(found.named) < 2:
        return None
    return Parts(found.title, tuple(_called(found.named, names or {})), found.value, found.unit)


def _called(named: Sequence[Named], names: Mapping[str, str]) -> Iterator[Named]:
    for name, formula in named:
        own = {letter.name for letter in letters_of(formula)}
        yield next((words for letter, words in names.items() if letter in own), name), formula


def _usual(derivation: Derivation, result: sympy.Expr) -> Parts | None:
    """The branches of a roofline, or ledger rows of one size together, or the terms of a sum."""
    exact = _exact(derivation) if result == derivation.result else result
    branching = next((one for one in sympy.preorder_traversal(exact) if isinstance(one, _BRANCHING)), None)
    if branching is not None:
        branches = [("", branch) for branch in sorted(branching.args, key=sympy.default_sort_key)]
        return Parts("which branch decides", tuple(branches), exact, derivation.unit)
    named = _rows(derivation) or _terms(exact)
    return Parts(_made_up(named), named, exact, derivation.unit) if named else None


def _exact(derivation: Derivation) -> sympy.Expr:
    """The last line of the chain before anything is dropped."""
    for line, step in zip(derivation.chain, derivation.steps, strict=False):
        if isinstance(step, Approx | Bound):
            return line
    return derivation.result


def _made_up(named: Sequence[Named]) -> str:
    if not named:
        return ""
    dimension = dimension_of(named[0][1])
    unit = dimension_text(dimension) if dimension else "sum"
    whole = {"byte": "number of bytes", "FLOP": "number of operations", "s": "time"}.get(unit, unit)
    return f"what makes up the {whole}"


def _rows(derivation: Derivation) -> tuple[Named, ...]:
    """The rows of the ledger that has the most kinds of them, as the chain's own values leave them."""
    base = derivation
    while base.starts_from is not None and not base.ledgers:
        base = base.starts_from
    ledgers = sorted(base.ledgers, key=lambda ledger: -len(_grouped(ledger.rows)))
    if not ledgers or len(_grouped(ledgers[0].rows)) < 2:
        return ()
    groups = _grouped(ledgers[0].rows)
    for step in derivation.steps if base is not derivation else ():
        if isinstance(step, Put):
            groups = [(name, formula.xreplace({step.letter: step.value})) for name, formula in groups]
    return tuple(groups)


def _grouped(rows: Sequence[Row]) -> list[Named]:
    groups: dict[sympy.Expr, list[Named]] = {}
    for row in rows:
        amount = row.amount.doit()
        groups.setdefault(amount.as_coeff_Mul()[1], []).append((row.what, amount))
    return [
        (", ".join(name for name, _ in group), sympy.Add(*(amount for _, amount in group)))
        for group in groups.values()
    ]


def _terms(formula: sympy.Expr) -> tuple[Named, ...]:
    """The terms of a formula that is a sum, or becomes one multiplied out; else of the first sum in it."""
    whole = expanded(formula)
    candidates = (whole, sympy.expand(whole), *sympy.preorder_traversal(whole))
    found = next((one for one in candidates if one.is_Add and not _subtracts(one)), None)
    return (
        () if found is None else tuple(("", term) for term in sorted(found.args, key=sympy.default_sort_key))
    )


def _subtracts(formula: sympy.Add) -> bool:
    return any(term.could_extract_minus_sign() for term in formula.args)


def _outermost(derivation: Derivation, result: sympy.Expr) -> Parts | None:
    """The terms of the result as it stands, a roofline among them whole."""
    terms = tuple(("", term) for term in sympy.Add.make_args(result))
    return Parts(_made_up(terms), terms, result, derivation.unit)


def _saved(derivation: Derivation, result: sympy.Expr) -> Parts | None:
    """Of two ledgers of one unit: what the smaller one leaves of the larger, and what it saves."""
    pair = list(_of_one_unit(derivation.ledgers))
    if len(pair) != 2:
        return None
    larger, smaller = (ledger.total.doit() for ledger in pair)
    named = (("what is left", smaller), ("what is saved", larger - smaller))
    return Parts("what is left and what is saved", named, result, derivation.unit)


def _of_one_unit(ledgers: Sequence[Ledger]) -> Iterator[Ledger]:
    for ledger in ledgers[:2]:
        if ledger.dimension == ledgers[0].dimension:
            yield ledger


def _ratio(derivation: Derivation, result: sympy.Expr) -> Parts | None:
    """What stands above and below the line of a ratio."""
    above, below = sympy.fraction(sympy.together(result))
    return Parts("which of the two is larger", (("", above), ("", below)), result, derivation.unit)


def _sides(derivation: Derivation, result: sympy.Expr) -> Parts | None:
    """The two sides of the first inequality."""
    fact = next((one for one in derivation.facts if isinstance(one, Inequality)), None)
    if fact is None:
        return None
    named = (("", fact.left), ("", fact.right))
    return Parts("which side is larger", named, result, derivation.unit)


def _short(derivation: Derivation, result: sympy.Expr) -> Parts | None:
    """The result, and what it lacks to the first limit of its own."""
    fact = next((one for one in derivation.facts if isinstance(one, Limit) and one.of is None), None)
    if fact is None:
        return None
    named = (("reached", result), ("short of the limit", fact.value - result))
    return Parts("how near it comes to its limit", named, result, derivation.unit)


_SHOWN = {"terms": _outermost, "saved": _saved, "ratio": _ratio, "sides": _sides, "short": _short}

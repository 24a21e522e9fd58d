"""Signs: that an expression is positive, or at least another, throughout a region.

The expression becomes numerator over denominator. A polynomial in positive
letters whose coefficients all have one sign has that sign; a factor to an even
power is at least zero. A region such as T ≥ d enters by substitution: T = d + u
with u ≥ 0, and T ≤ d as T = d/(1 + u). A region between expressions (F/Q ≥ P/W)
also enters as a ratio: when the statement is a positive multiple of the
condition, it holds where the condition does. Max and Min are opened a branch at
a time, and floor(x) is x − u with 0 ≤ u < 1. Where this does not decide, points of
the region are tried for a counterexample. To debug: print what `_coefficient_sign` sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

import sympy
from sympy.core.relational import GreaterThan, LessThan, Relational, StrictGreaterThan, StrictLessThan

from derive.proofs.points import Point, line_in, points, sign_at
from derive.proofs.verdict import Verdict, proved, refuted, shown, undecided
from derive.symbols import Letter, UnitSymbol
from derive.total import expanded

_DEPTH = 6
_FIRST = 3  # points tried before the algebra, which is slower to see that a statement is false


def prove_at_least(
    left: sympy.Expr,
    right: sympy.Expr,
    conditions: Sequence[Relational] = (),
    *,
    strict: bool = False,
    names: tuple[str, str] | None = None,
) -> Verdict:
    """Whether left ≥ right (> with strict) for all positive letters that meet the conditions.

    names: what a refutation calls the two sides, where not by their formulas. A region
    in which no point is found leaves the statement undecided: it would say nothing.
    """
    backwards = backward_sum((left, right), conditions)
    if backwards is not None:
        return backwards
    difference = expanded(left - right).doit()
    symbols = sorted(
        set().union(*(one.free_symbols for one in (left, right, *conditions))), key=lambda s: s.name
    )
    tried = points(symbols, conditions, (left, right))
    first = list(islice(tried, _FIRST))
    if not first:
        return undecided(
            f"no values of the letters were found where {region_words(conditions)}: is it empty?"
        )
    against = _counterexample(difference, first, strict)
    if against is None:
        if holds_by_signs(difference, conditions, strict=strict):
            where = f" where {region_words(conditions)}" if conditions else ""
            return proved(f"left − right is a quotient of one sign{where}")
        against = _counterexample(difference, tried, strict)
    relation = ">" if strict else "≥"
    if against is None:
        return undecided(f"neither proved nor refuted: {shown(left)} {relation} {shown(right)}")
    sides = [shown(_short(expanded(side).doit().xreplace(against))) for side in (left, right)]
    named = {symbol: value for symbol, value in against.items() if not isinstance(symbol, UnitSymbol)}
    told = [
        side if name == side else f"{side} ({name})"
        for name, side in zip(names or (shown(left), shown(right)), sides, strict=True)
    ]
    return refuted(f"{told[0]} is not {relation} {told[1]}", named)


def _counterexample(difference: sympy.Expr, tried: Iterable[Point], strict: bool) -> Point | None:
    """The first point at which the difference is below zero (or zero, with strict)."""
    for point in tried:
        sign = sign_at(difference, point)
        if sign == -1 or (strict and sign == 0):
            return point
    return None


def holds_by_signs(
    difference: sympy.Expr, conditions: Sequence[Relational] = (), *, strict: bool = False
) -> bool:
    """Whether algebra shows the difference to be ≥ 0 (> 0) in the region. False means only that it did not."""
    factors = sympy.Mul.make_args(sympy.factor_terms(difference))  # what is above zero decides no sign
    difference = sympy.Mul(*(factor for factor in factors if not factor.is_positive))
    region = [part for condition in conditions for part in _halves(condition)]
    return _holds(difference, (*region, *_domain(difference, region)), strict, 0)


def _halves(condition: Relational) -> tuple[Relational, ...]:
    """An equation as its two inequalities."""
    if not isinstance(condition, sympy.Eq):
        return (condition,)
    sides = condition.args
    return GreaterThan(*sides, evaluate=False), LessThan(*sides, evaluate=False)


def backward_sum(expressions: Sequence[sympy.Expr], conditions: Sequence[Relational] = ()) -> Verdict | None:
    """What keeps a sum from being one: its last index below its first. None where all run upwards.

    SymPy gives Σ from 5 to 1 the value −(2 + 3 + 4), where a reader sees no terms.
    """
    for one in {node for each in expressions for node in each.atoms(sympy.Sum, sympy.Product)}:
        for number, (index, first, last) in enumerate(one.limits):
            outer = [
                end
                for other, least, most in one.limits[number + 1 :]
                if (last - first).has(other)
                for end in (
                    GreaterThan(other, least, evaluate=False),
                    LessThan(other, most, evaluate=False),
                )
            ]
            verdict = prove_at_least(last, first - 1, [*conditions, *outer])
            if not verdict.proved:
                reason = f"the sum over {index.name} from {shown(first)} to {shown(last)} may run backwards"
                return undecided(f"{reason}: {verdict.text}")
    return None


def prove_positive(expression: sympy.Expr, conditions: Sequence[Relational] = ()) -> Verdict:
    """Whether the expression is above 0 throughout the region."""
    return prove_at_least(expression, sympy.Integer(0), conditions, strict=True)


def region_text(condition: Relational) -> str:
    """A condition as a reader writes it: T ≥ d."""
    sign = {">=": "≥", "<=": "≤", ">": ">", "<": "<", "==": "=", "!=": "≠"}[condition.rel_op]
    return f"{shown(condition.lhs)} {sign} {shown(condition.rhs)}"


def region_words(conditions: Sequence[Relational]) -> str:
    """Conditions as a reader writes them: T ≥ d and d > 2."""
    return " and ".join(map(region_text, conditions))


def _domain(difference: sympy.Expr, conditions: Sequence[Relational]) -> tuple[Relational, ...]:
    """n ≥ 1 for every count, and q ≤ 1 for every share, that no condition speaks of."""
    spoken = {symbol for condition in conditions for symbol in condition.free_symbols}
    free = [
        s for s in sorted(difference.free_symbols - spoken, key=lambda s: s.name) if isinstance(s, Letter)
    ]
    return (
        *(GreaterThan(one, one.at_least, evaluate=False) for one in free if one.at_least),
        *(LessThan(one, one.at_most, evaluate=False) for one in free if one.at_most is not None),
    )


def _holds(difference: sympy.Expr, conditions: tuple[Relational, ...], strict: bool, depth: int) -> bool:
    if depth > _DEPTH:
        return False
    if difference.is_positive or (difference.is_nonnegative and not strict):
        return True
    branching = next(
        (n for n in sympy.preorder_traversal(difference) if isinstance(n, sympy.Max | sympy.Min)), None
    )
    if branching is not None:
        return _holds_in_every_branch(difference, branching, conditions, strict, depth)
    rounded = next(
        (n for n in sympy.preorder_traversal(difference) if isinstance(n, sympy.floor | sympy.ceiling)), None
    )
    if rounded is not None:
        rest = sympy.Dummy("u", nonnegative=True)
        down = isinstance(rounded, sympy.floor)
        opened = difference.xreplace({rounded: rounded.args[0] - rest if down else rounded.args[0] + rest})
        within = StrictLessThan(rest, 1, evaluate=False)
        return _holds(opened, (*conditions, within), strict, depth + 1)
    without = tuple(c for c in conditions if not _is_count_bound(c))
    if _one_sign(difference, strict) or any(_is_multiple(difference, c, strict) for c in without):
        return True
    for number, condition in enumerate(conditions):
        for letter, replacement in _substitutions(condition, strict):
            rest = tuple(c.xreplace({letter: replacement}) for i, c in enumerate(conditions) if i != number)
            kept = tuple(c for c in rest if isinstance(c, Relational))
            if sympy.false in rest:
                return True  # the region is empty on this branch
            if _holds(sympy.together(difference.xreplace({letter: replacement})), kept, strict, depth + 1):
                return True
        if depth == 0 and number > 6:
            break
    return False


def _holds_in_every_branch(
    difference: sympy.Expr, node: sympy.Expr, conditions: tuple[Relational, ...], strict: bool, depth: int
) -> bool:
    """Each argument of Max (Min) in turn, where it is the largest (smallest)."""
    for chosen in node.args:
        others = [argument for argument in node.args if argument != chosen]
        region = [
            GreaterThan(chosen, o, evaluate=False)
            if isinstance(node, sympy.Max)
            else LessThan(chosen, o, evaluate=False)
            for o in others
        ]
        if not _holds(difference.xreplace({node: chosen}), (*conditions, *region), strict, depth + 1):
            return False
    return True


def _is_count_bound(condition: Relational) -> bool:
    return condition.rhs.is_Integer and isinstance(condition.lhs, Letter)


def _is_multiple(difference: sympy.Expr, condition: Relational, strict: bool) -> bool:
    """Whether the difference is a positive multiple of what the condition says is positive."""
    gap = _gap(condition)
    if gap is None or gap == 0 or (strict and not _is_strict(condition)):
        return False
    return _one_sign(sympy.cancel(sympy.together(difference / gap)), strict=True)


def _gap(condition: Relational) -> sympy.Expr | None:
    if isinstance(condition, GreaterThan | StrictGreaterThan):
        return expanded(condition.lhs - condition.rhs)
    if isinstance(condition, LessThan | StrictLessThan):
        return expanded(condition.rhs - condition.lhs)
    return None


def _is_strict(condition: Relational) -> bool:
    return isinstance(condition, StrictGreaterThan | StrictLessThan)


def _substitutions(condition: Relational, strict: bool) -> list[tuple[sympy.Symbol, sympy.Expr]]:
    """Ways to write the region with one letter replaced: x = root + u, x = root/(1 + u) or x = root − u.

    The second leaves x = 0 out, so a letter that may be 0 has it only where no sign is strict.
    """
    gap = _gap(condition)
    if gap is None:
        return []
    top, bottom = sympy.fraction(sympy.together(gap))
    if not _one_sign(bottom, strict=True):
        return []
    found = []
    free = sympy.Dummy("u", positive=True) if _is_strict(condition) else sympy.Dummy("u", nonnegative=True)
    for letter in sorted(top.free_symbols, key=lambda s: s.name):
        line = None if isinstance(letter, UnitSymbol) else line_in(top, letter)
        if line is None:
            continue
        slope, rest = line
        root = sympy.cancel(-rest / slope)
        if _one_sign(slope, strict=True):
            found.append((letter, root + free))
        elif _one_sign(-slope, strict=True):
            inside = letter.is_positive or (letter.is_nonnegative and not strict)
            if not inside:
                found.append((letter, root - free))
            elif _one_sign(root, strict=True):
                found.append((letter, root / (1 + free)))
    return found


def _one_sign(expression: sympy.Expr, strict: bool) -> bool:
    """Whether the quotient is ≥ 0 (> 0) by the signs of its factors' coefficients."""
    top, bottom = sympy.fraction(sympy.cancel(sympy.together(expression)))
    above, below = _coefficient_sign(top), _coefficient_sign(bottom)
    if below in (None, 0) or above is None or abs(below or 0) != 2:
        return False
    product = above * below
    return product >= 4 if strict else (product > 0 or above == 0)


def one_sign(polynomial: sympy.Expr) -> bool:
    """Whether a polynomial is above zero, or below, for all values of its letters."""
    return abs(_coefficient_sign(polynomial) or 0) == 2


def _coefficient_sign(polynomial: sympy.Expr) -> int | None:
    """2: above zero; 1: at least zero; 0: zero; −1, −2 likewise; None: not decided."""
    if polynomial.is_number:
        return 2 * int(sympy.sign(polynomial)) if polynomial.is_real else None
    whole = _terms_sign(sympy.expand(polynomial))
    if whole is not None:
        return whole
    if not polynomial.is_polynomial():
        return None
    constant, factors = sympy.factor_list(polynomial)
    sign, strict = int(sympy.sign(constant)), True
    for factor, power in factors:
        found = _terms_sign(sympy.expand(factor))
        if found is None:
            if power % 2:
                return None
            strict = False
            continue
        if found == 0:
            return 0
        strict = strict and abs(found) == 2
        sign *= (1 if found > 0 else -1) if power % 2 else 1
    return sign * (2 if strict else 1)


def _terms_sign(polynomial: sympy.Expr) -> int | None:
    """The sign that all terms share, each term being a number times nonnegative symbols."""
    signs, strict = set(), False
    for term in sympy.Add.make_args(polynomial):
        if term == 0:
            return 0
        if term.is_positive or term.is_negative:
            signs.add(1 if term.is_positive else -1)
            strict = True
        elif term.is_nonnegative or term.is_nonpositive:
            signs.add(1 if term.is_nonnegative else -1)
        else:
            return None
    if len(signs) != 1:
        return None
    return signs.pop() * (2 if strict else 1)


def _short(value: sympy.Expr) -> sympy.Expr:
    return value if value.is_Rational and len(str(value)) < 24 else value.evalf(6)

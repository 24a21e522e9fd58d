"""Columns that are products and quotients of others, up to a constant: the relations that the rows bear out.

The target is c · Π column^±1 of up to three columns; shares, savings and overheads are such products after 1 − x,
1 + x or 1/x − 1. The constant is 1, one of the table itself (its first row, the sum of a column), one that stands
beside the table, one of nature (2, 6, 8, 730 hours …), or free, which costs what one row says.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product

from derive.checking.evidence import Fit, Span, agreement, fits, held_to, information, meeting
from derive.checking.forms import FORMS, PLAIN, Form
from derive.checking.relation import Budget, Kind, Relation, Sheet
from derive.checking.terms import Bound, Constant, Term, gathered, joined, unit_of
from derive.checking.words import Dimension

_CHANGED = re.compile(
    r"chang|sav|reduc|gain|overhead|faster|slower|improv|increas|decreas|less|more|lower|higher|longer|shorter|"
    r"\bvs\b|Δ|delta|diff|growth|\+/?-|share|fraction|bubble|idle|loss|lost|hit|free|left|part\b|smaller|larger|%",
    re.IGNORECASE,
)
_OF_WHOLE = re.compile(r"\bof\b|\bpeak\b|\bMFU\b|utili", re.IGNORECASE)
_NATURAL = tuple(  # constants that need no name, by their logarithms
    (sign * math.log(value), f"{value:g}" if sign > 0 else f"1/{value:g}")
    for value in (
        2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 64.0, 100.0, 128.0, 1000.0, 1024.0, 60.0, 3600.0, 365.0, 720.0,
        730.0, 8760.0, 86400.0, 1e6, 1e9, 1.5, 0.75,
    )
    for sign in (1, -1)
)  # fmt: skip
_BINARY = tuple(
    (sign * math.log(value), f"{value**sign:.4g}")
    for value in (1.024**power for power in (1, 2, 3, 4))
    for sign in (1, -1)
)
_PRIOR, _UNSAID = 4.0, 2.0
_CLOSE, _FIRST, _PROBED, _TOO_MANY = 1e-9, 3, 4, 3_000
_PREFIXES, _THOUSAND = (0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5), math.log(1000.0)
_BYTE, _DOLLARS, _TIMES = (("byte", 1),), (("dollar", 1),), ((("second", 1),), (("second", -1),))
_AMOUNTS = (_BYTE, (("FLOP", 1),), (("FLOP", 1), ("second", -1)), _DOLLARS)


def relations(target: Term, given: Sheet, budget: Budget, hinted: bool) -> Iterator[Relation]:
    """The products that a column may be; hinted: its heading speaks of a calculation."""
    sources = [one for one in given.terms if one is not target and one.distinct > 1]
    forms = [PLAIN, *(FORMS if not target.dimension and _CHANGED.search(target.says) else ())]
    for form in forms:
        spans = form.spans(target.claimed)
        if sum(one is not None for one in spans) < _FIRST:
            continue
        search = _Search(target, form, spans, form.spans(target.rounded), given, hinted)
        for many in (1, 2, 3):
            tried = search.vectors(sources, many)
            if not tried or len(tried) > _TOO_MANY or not budget.spend(len(tried)):
                continue
            spent = math.log2(len(tried) * len(forms))
            for terms, powers in tried:
                found = search.judge(terms, powers, spent)
                if found is not None:
                    yield found


def of_formula(target: Term, told: Term, given: Sheet, spent: float) -> Relation | None:
    """The relation of a column to a formula that is told for it, up to a constant."""
    spans, near = PLAIN.spans(target.claimed), PLAIN.spans(target.rounded)
    return _Search(target, PLAIN, spans, near, given, True, True).judge((told,), (1,), spent)


def borrowing(target: Term, given: Sheet, budget: Budget) -> Iterator[Relation]:
    """The products of a borrowed column with up to two of the table, under a constant that is known."""
    sources = [one for one in given.terms if one is not target and one.distinct > 1]
    search = _Search(target, PLAIN, PLAIN.spans(target.claimed), PLAIN.spans(target.rounded), given, True)
    ways: dict[tuple[Dimension, int], list[tuple[tuple[Term, ...], tuple[int, ...]]]] = {}
    tried = []
    ways_of = [*((one, (0, 1, 2)) for one in given.borrowed), *((one, (0,)) for one in given.alike)]
    for lent, counts in ways_of:
        for many in counts:
            kind = lent.dimension, many
            if kind not in ways:
                ways[kind] = [
                    (terms, powers)
                    for terms in combinations(sources, many)
                    for powers in product((1, -1), repeat=many + 1)
                    if search.is_amount((*terms, lent), powers)
                ]
            tried += [((*terms, lent), powers) for terms, powers in ways[kind]]
    tried += [
        (two, (1, -1))
        for two in permutations((*given.borrowed, *given.alike), 2)
        if target.dimension and search.is_amount(two, (1, -1))
    ]
    if tried and budget.spend(len(tried)):
        spent = math.log2(len(tried))
        for terms, powers in tried:
            found = search.judge(terms, powers, spent)
            if found is not None and _is_known(found):
                yield found


def _is_known(found: Relation) -> bool:
    """Whether the constant of what is borrowed is known; another table alone may tell the same of another case."""
    if len(found.sources) > 1:
        return found.kind in ("table", "text", "one")
    return found.kind == "text" or (found.kind == "table" and found.sources[0].is_fact)


@dataclass
class _Search:
    target: Term
    form: Form
    spans: tuple[Bound | None, ...]
    rounded: tuple[Bound | None, ...]
    given: Sheet
    hinted: bool
    told: bool = False

    def vectors(self, sources: Sequence[Term], many: int) -> list[tuple[tuple[Term, ...], tuple[int, ...]]]:
        """The powers of so many columns to try; three only where the units fit."""
        found = []
        for terms in combinations(sources, many):
            if many > 1 and not self.hinted and self._alike(terms):
                continue
            for powers in product((1, -1), repeat=many):
                fitting = self._left(terms, powers) == ()
                if self.form is not PLAIN and (not fitting or many > 2):
                    continue
                units = fitting and any(term.dimension for term in terms)
                if many > 2 and not units and not _extents(terms, powers):
                    continue
                found.append((terms, powers))
        return found

    def is_amount(self, terms: Sequence[Term], powers: Sequence[int]) -> bool:
        """Whether the constant is a bare number, or operations or bytes for each thing counted."""
        left = self._left(terms, powers)
        return left in ((), (("FLOP", 1),), _BYTE) or (len(terms) <= 2 and not self.target.dimension)

    def _alike(self, terms: Sequence[Term]) -> bool:
        """Whether all columns bear one unit: a ratio of two of them seldom makes a third."""
        return len({(term.dimension, unit_of(term)) for term in (self.target, *terms)}) == 1

    def _left(self, terms: Sequence[Term], powers: Sequence[int]) -> Dimension:
        """The dimension of the constant."""
        left = self.target.dimension if self.form is PLAIN else ()
        for term, power in zip(terms, powers, strict=True):
            left = joined(left, term.dimension, -power)
        return left

    @cached_property
    def _rows(self) -> list[tuple[int, Bound, Bound]]:
        """The rows that have a target, each with its span and that of rounding alone."""
        every = zip(self.spans, self.rounded, strict=True)
        return [
            (row, own, near) for row, (own, near) in enumerate(every) if own is not None and near is not None
        ]

    def judge(self, terms: tuple[Term, ...], powers: tuple[int, ...], spent: float) -> Relation | None:
        """The relation that the rows bear out, if they do."""
        rows: list[int] = []
        wide: list[Span] = []
        spans: list[Span] = []
        columns = [term.above if power > 0 else term.below for term, power in zip(terms, powers, strict=True)]
        for row, own, near in self._rows:
            low = high = 0.0
            for column in columns:
                one = column[row]
                if one is None:
                    break
                low += one[0]
                high += one[1]
            else:
                rows.append(row)
                wide.append((own[0] + low, own[2] + high))
                spans.append((near[0] + low, near[2] + high))
                if len(rows) == _PROBED and not meeting(wide):
                    return None
        if len(rows) < _FIRST:
            return None
        exact = held_to(wide, 0.0) if self._left(terms, powers) == () else None
        met = [exact] if exact is not None else fits(spans, wide)
        found = [self._weighed(terms, powers, rows, spans, fit, spent) for fit in met]
        likely = [one for one in found if one is not None and (len(met) == 1 or one.kind != "free")]
        return max(likely, key=lambda one: one.bits, default=None)

    def _weighed(
        self,
        terms: tuple[Term, ...],
        powers: tuple[int, ...],
        rows: Sequence[int],
        spans: Sequence[Span],
        fit: Fit,
        spent: float,
    ) -> Relation | None:
        wrong = None if fit.wrong is None else rows[fit.wrong]
        said: list[float] = []
        met: set[tuple[float, ...]] = set()
        for at, row in enumerate(rows):
            if at == fit.wrong:
                continue
            own = self.target.bounds[row]
            values = tuple(bound[1] for term in terms if (bound := term.bounds[row]) is not None)
            if own is None or (own[1], *values) in met:
                continue
            met.add((own[1], *values))
            if len(terms) > 1 and own[1] in values:
                continue  # the others make 1 of it: a copy
            said.append(self._says(row, spans[at]))
        if len(said) < 2:
            return None
        named = self._constant(terms, powers, rows, fit, max(said))
        if named is None:
            return None
        span, text, kind, cost = named
        return Relation(
            self.target,
            terms,
            self._told(terms, powers, text),
            tuple(rows),
            sum(said) - cost - spent,
            wrong,
            self._value(terms, powers, span),
            self._needed(terms, powers, span),
            kind,
            written=self.told,
        )

    def _says(self, row: int, span: Span) -> float:
        number = self.target.numbers[row] if self.target.numbers else None
        told = agreement(span[1] - span[0])
        return told if number is None else min(told, information(number.quantity.literal.digits))

    def _constant(
        self, terms: tuple[Term, ...], powers: tuple[int, ...], rows: Sequence[int], fit: Fit, most: float
    ) -> tuple[Span, str, Kind, float] | None:
        """The constant where the rows meet: its span, how it is told, and what naming it has spent."""
        low, high = fit.span
        left = self._left(terms, powers)
        single = len(terms) == 1

        def inside(value: float) -> bool:
            return low - _CLOSE <= value <= high + _CLOSE

        if self.told:
            powers_of_ten = round((low + high) / 2 / math.log(10))
            if (not left or left in _AMOUNTS) and inside(powers_of_ten * math.log(10)):
                return (
                    (powers_of_ten * math.log(10),) * 2,
                    f"10^{powers_of_ten}" if powers_of_ten else "1",
                    "text",
                    0.0,
                )
        if not left and inside(0.0):
            told_twice = single and self.form is PLAIN and unit_of(self.target) == unit_of(terms[0])
            if told_twice and not any(one is not None and one.is_shape for one in terms[0].numbers):
                return None
            return (0.0, 0.0), "1", "one", -_PRIOR if self.target.dimension or len(terms) > 1 else 0.0
        shift = self._printed(terms, powers) if len(terms) > 1 and left else None
        bearing = all(term.dimension for term in (self.target, *terms))
        if shift is not None and (not bearing or self._is_priced(terms, left)):
            for thousands in _PREFIXES:  # a heading may leave its unit out
                off = shift + thousands * _THOUSAND
                if inside(off):
                    text = f"10^{3 * thousands}" if thousands else "1"
                    return (
                        (off, off),
                        text,
                        "one",
                        _UNSAID + (math.log2(len(_PREFIXES)) if thousands else 0.0),
                    )
        if not self.target.dimension:
            agreeing = [row for at, row in enumerate(rows) if at != fit.wrong]
            for span, text in self._of_table(terms, powers, agreeing):
                if span[0] <= high + _CLOSE and low - _CLOSE <= span[1]:
                    told = 0.0 if self.hinted and "their" in text else 2.0 + (0.0 if single else 1.0)
                    return span, text, "table", told
        bare = any(not term.dimension for term in (self.target, *terms))
        shift = self._printed(terms, powers) if bare else None
        for constants in (self.given.near, self.given.constants):
            named = self._beside(constants, "text", left, shift, fit, most)
            if named is not None:
                return named
        counts = all(not term.dimension for term in terms)
        if not left or (counts and self.form is PLAIN and (left in _AMOUNTS)):
            for logarithm, text in _NATURAL:
                if inside(logarithm):
                    return (logarithm, logarithm), text, "natural", math.log2(len(_NATURAL))
            for logarithm, text in _BINARY if self.target.dimension == _BYTE else ():
                if inside(logarithm):
                    return (logarithm, logarithm), text, "natural", 3.0
        named = self._beside(self.given.pairs, "pair", left, shift, fit, most) or self._beside(
            self.given.far, "text", left, shift, fit, most
        )
        return named or ((low, high), "", "free", most)

    def _beside(
        self,
        constants: Sequence[Constant],
        kind: Kind,
        left: Dimension,
        shift: float | None,
        fit: Fit,
        most: float,
    ) -> tuple[Span, str, Kind, float] | None:
        """The one of the constants beside the table where the rows meet, unless naming it has spent too much.

        left: the dimension that it must have. shift: where a column has no unit of its own and may be in any, how much
        more its logarithm is than that of the printed digits, which count then.
        """
        operations = left in _AMOUNTS and (self.told or "FLOP" in dict(left))
        below, above = fit.span[0] - _CLOSE, fit.span[1] + _CLOSE
        turned = [one.inverse for one in constants if left and joined(one.dimension, left, 1) == ()]
        for place, one in enumerate((*constants, *turned)):
            fitting = one.dimension == left or (operations and not one.dimension)
            offs = [0.0] if fitting else []
            if shift is not None:
                offs.append(shift - one.printed)
            for off in offs:
                low, high = one.span[0] + off, one.span[1] + off
                if low <= above and below <= high:
                    loose = max(0.0, most - agreement(high - low))
                    cost = math.log2(len(constants) + 1) + loose + (0.0 if fitting and not off else 2.0)
                    if cost < most:
                        named = place < len(constants) or _OF_WHOLE.search(self.target.says)
                        return (low, high), one.says, kind if named else "pair", cost
        return None

    def _is_priced(self, terms: Sequence[Term], left: Dimension) -> bool:
        """Whether money and hours are left with a time, as where a price does not say that it is one of an hour."""
        return left in _TIMES and any(term.dimension == _DOLLARS for term in (self.target, *terms))

    def _printed(self, terms: Sequence[Term], powers: Sequence[int]) -> float | None:
        """How much more the logarithm of the constant is than that of the printed digits."""
        if self.form is not PLAIN or not all(term.factor for term in (self.target, *terms)):
            return None
        return math.log(self.target.factor) - sum(
            power * math.log(term.factor) for term, power in zip(terms, powers, strict=True)
        )

    def _of_table(
        self, terms: tuple[Term, ...], powers: tuple[int, ...], rows: Sequence[int]
    ) -> Iterator[tuple[Span, str]]:
        """Constants that the table itself has: what the first row gives, the sum of a column, its largest."""
        for at, name in ((rows[0], "the first row"), (rows[-1], "the last row")):
            low = high = 0.0
            for term, power in zip(terms, powers, strict=True):
                one = term.logs[at]
                if one is None:
                    return
                low, high = (low - one[2], high - one[0]) if power > 0 else (low + one[0], high + one[2])
            yield (low, high), f"{name} = 1"
        if len(terms) == 1 and powers[0] > 0:
            (term,) = terms
            held = [term.bounds[row] for row in range(len(term.bounds)) if term.bounds[row] is not None]
            parts = [one for one in held if one is not None]
            low, high = sum(one[0] for one in parts), sum(one[2] for one in parts)
            for one, name in (((low, low, high), "sum"), *((whole, "total") for whole in term.wholes)):
                if one[0] > 0:
                    yield (-math.log(one[2]), -math.log(one[0])), f"1 / their {name}"

    def _told(self, terms: Sequence[Term], powers: Sequence[int], constant: str) -> str:
        above = [f"{{{at}}}" for at, power in enumerate(powers) if power > 0]
        below = [f"{{{at}}}" for at, power in enumerate(powers) if power < 0]
        if constant not in ("", "1"):
            above.insert(0, constant if "=" not in constant else f"(with {constant})")
        text = " / ".join((" × ".join(above) or "1", *below))
        return self.form.says.replace("{}", text)

    def _value(self, terms: tuple[Term, ...], powers: tuple[int, ...], span: Span) -> Callable[[int], Bound]:
        def value(row: int) -> Bound:
            low, mid, high = gathered(span, [term.logs[row] for term in terms], powers)
            ends = [self.form.back(math.exp(one)) for one in (low, mid, high)]
            return min(ends), ends[1], max(ends)

        return value

    def _needed(
        self, terms: tuple[Term, ...], powers: tuple[int, ...], span: Span
    ) -> Callable[[int, int], float]:
        value = self._value(terms, powers, span)

        def needed(row: int, index: int) -> float:
            own, source = self.spans[row], terms[index].bounds[row]
            made = self.form.turn(value(row)[1])
            if own is None or source is None or made <= 0:
                return 0.0
            off = own[1] - math.log(made)
            return source[1] * math.exp(off * powers[index])

        return needed


def _extents(terms: Sequence[Term], powers: Sequence[int]) -> bool:
    """Whether bare numbers are multiplied, as the extents of a model are."""
    return all(power > 0 and not term.dimension for term, power in zip(terms, powers, strict=True))

"""The walk that gives every part of a line its unit and kind, or refuses it with the place.

Values are worked out on the way wherever no free letter is in them, so that a
division by zero is refused where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from derive.calc import explain, tree
from derive.calc.catalogue import constant
from derive.calc.convert import convert, read
from derive.calc.errors import CalcError, Span
from derive.calc.naming import name_unit
from derive.calc.tree import Node
from derive.calc.typed import Typed, computed, in_flop, merged, number, powers, scaled
from units import Dimension, kinds

_SCOPES = ("device", "node", "layer")
_HIGHEST_POWER = 18
_ROUNDING = ("ceil", "floor", "round")
_PLAIN_ONLY = ("log2", "log10", "ln", "exp")
_COUNTABLE = (
    "token",
    "sequence",
    "parameter",
    "element",
    "device",
    "node",
    "layer",
    "transfer",
    "cycle",
    "FLOP",
    "OP",
    "MAC",
    "byte",
)
_VERBS = {"+": "added", "-": "subtracted", "min": "compared", "max": "compared"}


class Checker:
    """Checks one line. steps: the named conversions made, as they are to be printed."""

    def __init__(self, line: str, letters: Mapping[str, Typed]) -> None:
        self.line, self.letters = line, letters
        self.steps: list[str] = []

    def check(self, node: Node) -> Typed:
        """The typed part. Raises CalcError."""
        match node:
            case tree.Number(value=value):
                return number(value, node.span)
            case tree.Name(name=name):
                return replace(self.letters[name], span=node.span)
            case tree.Quantity():
                return self._quantity(node)
            case tree.Entry():
                found, step = constant(node)
                self.steps.append(step)
                return found
            case tree.Unary(operand=operand):
                part = self.check(operand)
                return _like(part, computed("negate", (part,), node.span))
            case tree.Binary(operator="^", left=left, right=right):
                return self._power(self.check(left), self.check(right), node.span)
            case tree.Binary(operator="*" | "/" as operator, left=left, right=right):
                return self._product(operator, self.check(left), self.check(right), node.span)
            case tree.Binary(operator=operator, left=left, right=right):
                return self._alike(operator, self.check(left), self.check(right), node.span)
            case tree.Call(function=function, arguments=arguments):
                return self._call(function, [self.check(argument) for argument in arguments], node.span)
            case tree.Tagged(operand=operand, kinds=tags):
                return self._tagged(self.check(operand), tags, node.span)
            case tree.Read(operand=operand, axis=axis, value=value):
                return read(self.check(operand), axis, value, node.span, self)
            case tree.Convert():
                return convert(self.check(node.operand), node, self)
        raise CalcError("syntax", "this has no value", node.span)

    def text(self, part: Typed) -> str:
        """What stands in the line for a part, shortened."""
        text = self.line[part.span[0] : part.span[1]].strip()
        return text if len(text) <= 60 else f"{text[:57]}…"

    def _quantity(self, node: tree.Quantity) -> Typed:
        inner = self.check(node.number)
        factor = Fraction(1)
        for unit, power in node.uses:
            factor *= unit.factor ** int(power)
        own = powers(*((unit.dimension, power) for unit, power in node.uses))
        made = inner if factor == 1 else computed("*", (inner, number(factor, node.span)), node.span)
        _bounded(own, node.span)
        single = len(own) == 1 and own[0][0] in _SCOPES and own[0][1] == 1
        return replace(
            made,
            span=node.span,
            dimension=powers((inner.dimension, 1), (own, 1)),
            uses=merged((inner.uses, 1), (node.uses, 1)),
            kinds=inner.kinds,
            counts=own if single and not inner.dimension else inner.counts,
        )

    def _product(self, operator: str, left: Typed, right: Typed, span: Span) -> Typed:
        if operator == "/" and right.value == 0:
            divisor = self.text(right)
            said = "" if divisor == "0" else f": {divisor} is 0"
            raise CalcError("domain", f"division by zero{said}", right.span, hint="check the divisor")
        sign = 1 if operator == "*" else -1
        inverse = powers((right.dimension, sign))
        dimension = powers((left.dimension, 1), (inverse, 1))
        try:
            found = kinds.product(left.kinds, left.dimension, right.kinds, inverse, dimension)
        except kinds.KindError as error:
            verb = "multiplied" if sign > 0 else "divided"
            raise explain.kinds_clash(error, right.span, (self.text(left), self.text(right)), verb) from error
        shares = [dict(part.kinds).get("utilization") for part in (left, right)]
        if all(shares) and operator == "*":
            found = tuple(sorted((*found, ("utilization", shares[0] or ""))))
        return replace(
            computed(operator, (left, right), span),
            dimension=dimension,
            uses=merged((left.uses, 1), (right.uses, sign)),
            kinds=found,
            counts=powers((left.counts, 1), (right.counts, sign)),
        )

    def _alike(self, operator: str, left: Typed, right: Typed, span: Span) -> Typed:
        """A sum, difference, comparison, minimum or maximum: one dimension, one kind."""
        verb = _VERBS.get(operator, "compared")
        left, right = self._as_flop(left, right)
        if left.dimension != right.dimension:
            place = left if not left.dimension else right
            raise explain.clash(self._side(left), self._side(right), place.span, verb)
        try:
            found = kinds.alike(left.kinds, right.kinds, left.dimension)
        except kinds.KindError as error:
            raise explain.kinds_clash(error, right.span, (self.text(left), self.text(right)), verb) from error
        made = computed(operator, (left, right), span)
        if operator not in _VERBS:
            return replace(made, name="truth")
        uses = left.uses if left.uses else right.uses
        return replace(
            made,
            dimension=left.dimension,
            uses=uses,
            kinds=found,
            counts=left.counts if left.counts == right.counts else (),
        )

    def _side(self, part: Typed) -> explain.Side:
        return explain.Side(self.text(part), part.dimension, name_unit(part.uses, part.dimension).text)

    def _as_flop(self, left: Typed, right: Typed) -> tuple[Typed, Typed]:
        """A MAC beside a FLOP becomes 2 FLOP, as a step."""
        if left.dimension == right.dimension or in_flop(left.dimension) != in_flop(right.dimension):
            return left, right
        return self.flop(left), self.flop(right)

    def flop(self, part: Typed) -> Typed:
        """The same in FLOP where it is in MAC, with a step that says so."""
        power = dict(part.dimension).get("MAC", Fraction(0))
        if not power:
            return part
        self.steps.append(f"{self.text(part)}: 1 MAC = 2 FLOP, a multiplication and an addition")
        uses = tuple(
            (tree.Unit(unit.name.replace("MAC", "FLOP"), unit.factor, (("FLOP", Fraction(1)),)), times)
            if dict(unit.dimension).get("MAC")
            else (unit, times)
            for unit, times in part.uses
        )
        return replace(scaled(part, Fraction(2) ** int(power)), dimension=in_flop(part.dimension), uses=uses)

    def _power(self, base: Typed, exponent: Typed, span: Span) -> Typed:
        if exponent.dimension:
            raise CalcError(
                "dimension",
                f"the exponent {self.text(exponent)} is in {explain.unit_text(exponent.dimension)}",
                exponent.span,
                why="a power counts factors, so it is a plain number",
                hint="divide it by its unit",
            )
        made = computed("^", (base, exponent), span)
        if not base.dimension:
            return made
        times = exponent.value
        if not isinstance(times, Fraction):
            raise CalcError(
                "dimension",
                f"{self.text(base)} bears a unit, so its exponent must be a rational number",
                exponent.span,
                why="the unit would have an irrational power",
                hint="take the power of a ratio",
            )
        dimension = powers((base.dimension, times))
        _bounded(dimension, span)
        return replace(
            made,
            dimension=dimension,
            uses=merged((base.uses, times)),
            counts=powers((base.counts, times)),
            kinds=base.kinds if dimension else (),
        )

    def _call(self, function: str, arguments: list[Typed], span: Span) -> Typed:
        first = arguments[0]
        if function == "sqrt":
            return self._power(first, number(Fraction(1, 2), first.span), span)
        if function in ("min", "max"):
            found = first
            for other in arguments[1:]:
                found = self._alike(function, found, other, span)
            return found
        if function in _PLAIN_ONLY and first.dimension:
            raise CalcError(
                "dimension",
                f"{function} of {self.text(first)}, which is in {explain.unit_text(first.dimension)}",
                first.span,
                why="its value would depend on the unit that is chosen",
                hint="divide by a unit first",
            )
        if function in _ROUNDING and not _is_count(first):
            unit = explain.unit_text(first.dimension)
            raise CalcError(
                "dimension",
                f"{function} of {self.text(first)}, which is in {unit}",
                first.span,
                why="what is rounded depends on the unit that is chosen",
                hint=f"round a count: {function}(… / (1 {unit}))",
            )
        made = computed(function, (first,), span)
        return made if function in _PLAIN_ONLY else _like(first, made)

    def _tagged(self, part: Typed, tags: kinds.Kinds, span: Span) -> Typed:
        held = dict(part.kinds)
        for axis, value in tags:
            if not kinds.speaks_of(axis, part.dimension):
                what = explain.unit_text(part.dimension)
                raise CalcError(
                    "kind",
                    f"{self.text(part)} is {'in ' if part.dimension else ''}{what}: [{value}] says nothing of it",
                    span,
                    why="a tag that cannot apply hides what was meant",
                    hint=_belongs(axis),
                )
            if held.get(axis, value) != value and axis != "utilization":
                raise CalcError(
                    "kind",
                    f"{self.text(part)} is [{held[axis]}] already, and not [{value}]",
                    span,
                    why="a tag says what a value is; it does not change it",
                    hint=f"write {self.text(part)} as {value} to convert it",
                )
            held[axis] = value
        made = replace(part, kinds=tuple(sorted(held.items())), span=span)
        return self.guarded(made) if "utilization" in dict(tags) else made

    def guarded(self, part: Typed) -> Typed:
        """A utilization, held to be between 0 and 1."""
        name = dict(part.kinds).get("utilization", "utilization")
        if part.value is not None and not 0 <= part.value <= 1:
            shown = (
                f"{float(part.value) * 100:.4g} %" if -(10**9) < part.value < 10**9 else "far more than 100 %"
            )
            raise explain.utilization(part.span, name, shown, part.value < 0)
        return (
            part if part.value is not None else replace(part, operation="guard", arguments=(part,), name=name)
        )


def _bounded(dimension: Dimension, span: Span) -> None:
    if any(abs(power) > _HIGHEST_POWER for _, power in dimension):
        raise CalcError(
            "too-large", f"a unit to a power above {_HIGHEST_POWER}", span, hint="look at the exponents"
        )


def _is_count(part: Typed) -> bool:
    """Whether a part counts whole things, so that rounding it means something."""
    if not part.dimension:
        return True
    single = len(part.dimension) == 1 and part.dimension[0][1] == 1 and part.dimension[0][0] in _COUNTABLE
    return single and all(
        unit.factor == 1 for unit, power in part.uses if unit.dimension == part.dimension and power
    )


def _like(part: Typed, made: Typed) -> Typed:
    return replace(made, dimension=part.dimension, uses=part.uses, kinds=part.kinds, counts=part.counts)


def _belongs(axis: str) -> str:
    return {
        "sparsity": "dense and sparse belong to FLOP/s",
        "direction": "each-way and both-ways belong to byte/s",
        "capacity": "nominal belongs to bytes of memory",
        "precision": "a precision belongs to FLOP/s or to bytes",
        "utilization": "a utilization is a plain ratio, such as 400 TFLOP/s / (989 TFLOP/s), or one in parentheses: "
        "400 TFLOP/s / (0.54 MFU)",
    }[axis]

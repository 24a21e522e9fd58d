"""A line read and checked once: its value, its unit, and a function of its free letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import units
from derive.calc import present
from derive.calc.check import Checker
from derive.calc.errors import CalcError
from derive.calc.naming import Named, as_written, name_unit
from derive.calc.numbers import Value, bounded
from derive.calc.parser import Parser
from derive.calc.tree import Convert, Node
from derive.calc.typed import Typed
from units import Dimension, kinds

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_SMALLEST, _LARGEST = Fraction(1, 10**300), 10**300
_MOST_SHOWN = 30


@dataclass(frozen=True)
class Answer:
    """The value of a line.

    value: in `unit`; an int or Fraction where it is rational, a float where not,
        a bool for a comparison.
    unit: text, "dimensionless" for a plain number.  tags: the kinds that hold.
    text: what is printed.  reading: the line as it was understood, where that
        could be in doubt.  steps: the conversions that the line named.
    """

    value: int | Fraction | float | bool
    unit: str
    tags: tuple[str, ...]
    text: str
    reading: str
    steps: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """{"value", "unit", "text"} with a plain number for the value."""
        plain = float(self.value) if isinstance(self.value, Fraction) else self.value
        return {"value": plain, "unit": self.unit, "text": self.text}


@dataclass(frozen=True)
class Expression:
    """A line whose units and kinds are checked.

    letters: its free letters with the units that were declared for them.
    unit: that of its value.  dimension, kinds: as `units` says them.
    """

    text: str
    letters: Mapping[str, str]
    unit: str
    dimension: Dimension
    kinds: kinds.Kinds
    reading: str
    steps: tuple[str, ...]
    node: Node
    typed: Typed
    named: Named

    def answer(self, digits: int | None = None) -> Answer:
        """The value of a line without free letters. Raises CalcError where it has some."""
        if self.typed.value is None:
            given = ", ".join(self.letters)
            raise CalcError(
                "unknown-name",
                f"the line has free letters ({given})",
                hint="compile it and call it with their values",
            )
        return _answer(self, self.typed.value, digits)

    def compile(self) -> Callable[..., Any]:
        """A function of the letters, each in its declared unit, by keyword; in `unit`.

        Takes numbers or NumPy arrays that broadcast together and computes in
        float64, so that large counts do not overflow. Raises CalcError where a
        utilization leaves 0 to 1, TypeError for letters that are missing or
        too many.
        """
        from derive.calc.compiling import compiled

        scales = {name: units.factor(_split(unit)[0])[0] for name, unit in self.letters.items()}
        run = compiled(self.typed, scales, 1 / self.named.factor)
        names = set(self.letters)

        def function(**given: ArrayLike) -> Any:
            if set(given) != names:
                raise TypeError(
                    f"give exactly the letters {', '.join(sorted(names))}, not {', '.join(sorted(given)) or 'none'}"
                )
            return run(given)

        return function


def parse(text: str, letters: Mapping[str, str] | Iterable[str] = (), to: str | None = None) -> Expression:
    """A line read and checked, with free letters where they are declared.

    letters: names, each with its unit and kinds such as "TFLOP/s [dense]";
        a plain list of names declares plain numbers.
    to: a unit that the value is converted to.
    Raises CalcError: see its kinds.
    """
    try:
        declared = dict(letters) if isinstance(letters, Mapping) else dict.fromkeys(letters, "dimensionless")
        free = {name: _letter(name, unit) for name, unit in declared.items()}
        if to is not None and not to.strip():
            raise CalcError("empty", "no unit is asked for", hint="give one, such as GB or token/s")
        target = Parser(to).parse_target() if to is not None else None
    except CalcError as error:
        error.line = error.line or (to or "")
        raise
    try:
        return _checked(text, declared, free, target)
    except CalcError as error:
        error.line = text
        raise


def calculate(text: str, to: str | None = None, digits: int | None = None) -> Answer:
    """The value of a line of unit-checked arithmetic.

    text: as people write it, such as "16 GB / 3.35 TB/s".  to: the unit asked for.
    digits: significant digits of the text; as many as the input has if not given.
    Raises CalcError with the reason, the place and a hint.
    """
    if digits is not None and not 1 <= digits <= _MOST_SHOWN:
        raise CalcError("syntax", f"{digits} digits cannot be shown", hint=f"give 1 to {_MOST_SHOWN}")
    return parse(text, to=to).answer(digits)


def _checked(
    text: str, declared: dict[str, str], free: dict[str, Typed], target: Convert | None
) -> Expression:
    parser = Parser(text, free)
    node = _aimed(parser.parse(), target)
    if parser.ambiguous is None:
        return _expression(text, declared, free, node, parser)
    other = Parser(text, free, split=True)
    both = [(node, parser), (_aimed(other.parse(), target), other)]
    fitting = []
    for reading, own in both:
        try:
            fitting.append(_expression(text, declared, free, reading, own))
        except CalcError:
            continue
    if len(fitting) == 1 and isinstance(node, Convert):
        return fitting[0]
    readings = " or as ".join(present.reading(reading, text) for reading, _ in both)
    raise CalcError(
        "ambiguous",
        f"does the second / belong to the unit? The line can be read as {readings}",
        parser.ambiguous.span,
        why="the two readings differ in their unit",
        hint="write the unit without spaces, as in 3.35 TB/s, or use parentheses",
    )


def _aimed(node: Node, target: Convert | None) -> Node:
    if target is None:
        return node
    return replace(target, span=node.span, operand=node)


def _expression(
    text: str, declared: dict[str, str], free: dict[str, Typed], node: Node, parser: Parser
) -> Expression:
    checker = Checker(text, free)
    typed = checker.check(node)
    held = dict(typed.dimension)
    if not isinstance(node, Convert) and "MAC" in held and "FLOP" in held and typed.operation in ("*", "/"):
        typed = checker.flop(typed)
    if "utilization" in dict(typed.kinds):
        typed = checker.guarded(typed)
    named = as_written(typed.uses) if typed.name == "asked" else name_unit(typed.uses, typed.dimension)
    read = present.reading(node, text) if parser.bound or parser.ambiguous else ""
    return Expression(
        text,
        declared,
        "dimensionless" if typed.name == "truth" else named.text,
        typed.dimension,
        typed.kinds,
        read,
        (*parser.notes, *checker.steps),
        node,
        typed,
        named,
    )


def _answer(expression: Expression, base: Value, digits: int | None) -> Answer:
    typed, named, node = expression.typed, expression.named, expression.node
    tags = tuple(value for _, value in typed.kinds)
    if typed.name == "truth":
        truth = bool(base)
        return Answer(truth, "dimensionless", tags, str(truth).lower(), expression.reading, expression.steps)
    bounded(base, node.span)
    if base and not _SMALLEST <= abs(Fraction(base)) / named.factor <= _LARGEST:
        raise CalcError("too-large", "the value lies outside 1e±300", node.span, hint="look at the exponents")
    value: Value = base / named.factor if isinstance(base, Fraction) else float(base) / float(named.factor)
    shown = digits or present.digits_of(node)
    whole = digits is None and present.whole_line(node)
    text = present.text_of(base, named, typed.dimension, typed.kinds, shown, whole, typed.name == "asked")
    whole_value = int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
    return Answer(whole_value, named.text, tags, text, expression.reading, expression.steps)


def _letter(name: str, unit: str) -> Typed:
    """A free letter of that unit. Raises CalcError for a name or unit that cannot be."""
    if not name.isascii() or not name.isidentifier() or len(name) > 40:
        raise CalcError(
            "unknown-name",
            f"{name[:40]!r} cannot name a letter",
            hint="give a plain name such as T or d_model",
        )
    bare, tags = _split(unit)
    uses = Parser(bare).parse_target().uses
    try:
        found = kinds.parse(tags) if tags else ()
        dimension = units.factor(bare)[1]
    except units.UnitError as error:
        raise CalcError("unknown-unit", f"letter {name}: {error}") from error
    return Typed("letter", (), (0, 0), dimension, uses, found, name=name)


def _split(unit: str) -> tuple[str, str]:
    bare, _, tags = unit.partition("[")
    return bare.strip() or "dimensionless", tags.rstrip("] ")

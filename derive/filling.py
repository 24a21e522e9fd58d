"""Where a letter's value comes from, in this order: given by the reader, a
convention, the machine or model, the value that the chain puts, another
derivation that computes it, its own default. Each value keeps its source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING

import sympy

import units
from derive.constants import Constant, Entry
from derive.conventions import CONVENTIONS, chosen
from derive.errors import DeriveError, NoValue
from derive.number_formats import find, with_role
from derive.rounding import quantity_text, significant
from derive.symbols import Letter, without_units

if TYPE_CHECKING:
    from derive.derivation import Derivation

Given = Mapping[str, object]
_SUFFIXES = {"k": 1, "K": 1, "M": 2, "G": 3}
"""What people glue to a plain number, with the power of 1000 or of 1024 that it stands for."""


@dataclass(frozen=True)
class Filled:
    """A letter's value in base units, in exact arithmetic, and where it came from."""

    letter: Letter
    value: Fraction
    source: str
    constant: Constant | None = None

    @property
    def amount(self) -> Fraction:
        """The value in the letter's own unit."""
        return self.value / units.factor(self.letter.unit)[0]

    @property
    def text(self) -> str:
        """The value with a readable unit; whole numbers in full."""
        if self.letter.unit == "dimensionless" and self.value.denominator == 1:
            return str(self.value.numerator)
        return quantity_text(self.amount, self.letter.unit, 6)


class Context:
    """What one question gives: values by letter, a machine, a model, choices of conventions."""

    def __init__(
        self,
        given: Given,
        hardware: Entry | None,
        model: Entry | None,
        conventions: Mapping[str, str],
    ) -> None:
        self.given = dict(given)
        self.hardware, self.model = hardware, model
        self.wanted = chosen(conventions)
        self.used: set[str] = set()
        self.in_force: dict[str, str] = {}

    def choice(self, convention: str, default: str | None = None) -> str:
        """The choice in force of a convention: asked for, the model's own, or the default; noted as in force."""
        picked = self.wanted.get(convention) or self._of_model(convention)
        picked = picked or default or CONVENTIONS[convention].default
        self.in_force[convention] = picked
        return picked

    def _of_model(self, convention: str) -> str | None:
        known = CONVENTIONS[convention]
        flags = self.model.constants if self.model and known.flag else ()
        yes, no = tuple(known.choices)[:2]
        return next((yes if flag.value else no for flag in flags if flag.role == known.flag), None)

    def fill(self, letter: Letter) -> Filled | None:
        """The letter's value from the reader, a convention, the machine or the model; None where none has it."""
        if letter.name in self.given:
            self.used.add(letter.name)
            value = read(letter, self.given[letter.name])
            return Filled(letter, value, "given")
        if letter.role is None:
            return None
        owner, _, role = letter.role.partition(".")
        if owner == "convention":
            return self._from_convention(letter)
        if owner == "format":
            return self._from_format(letter, role)
        entry = {"hardware": self.hardware, "model": self.model}.get(owner)
        if entry is None or not any(constant.role == role for constant in entry.constants):
            return None
        constant = entry.pick(role, **self._wanted_tags(letter))
        if constant.tags.get("capacity") == "nominal":
            constant = constant.read_as(self.choice("capacity"))
        return Filled(letter, self._amount(letter, constant), entry.name, constant)

    def _from_convention(self, letter: Letter) -> Filled | None:
        for convention in CONVENTIONS.values():
            values = convention.roles.get(letter.role or "")
            if values is not None:
                choice = self.choice(convention.name)
                value = read(letter, values[choice])
                return Filled(letter, value, f"convention {convention.name} = {choice}")
        return None

    def _from_format(self, letter: Letter, role: str) -> Filled | None:
        """What the number format says that `format` names among the values given."""
        if "format" not in self.given:
            return None
        self.used.add("format")
        named = find(self.given["format"])
        value = named.value(role)
        if value < letter.at_least:
            raise NoValue(f"{letter.name} ({letter.meaning}) is {value} in {named.name}")
        return Filled(letter, value, named.name)

    def _wanted_tags(self, letter: Letter) -> dict[str, str]:
        """The tags that a constant must bear; "@precision" asks for the choice in force."""
        return {tag: self.choice(want[1:]) if want.startswith("@") else want for tag, want in letter.wants}

    def _amount(self, letter: Letter, constant: Constant) -> Fraction:
        where = f"{constant.entry}.{constant.role}"
        if isinstance(constant.value, bool) and letter.is_positive:
            raise DeriveError(f"{where} is yes or no, and {letter.name} ({letter.meaning}) is a number")
        if units.dimension_of(constant.unit) != units.dimension_of(letter.unit):
            raise DeriveError(
                f"{where} is {constant.text}, and {letter.name} ({letter.meaning}) is a {letter.unit}"
            )
        return constant.base


def read(letter: Letter, value: object) -> Fraction:
    """A given value as an exact number in base units.

    value: text with a unit ("2 GB", "4096"), an int, a float (read by its decimal
    digits), a Fraction or a pint quantity. Raises DeriveError naming the letter
    and what to give.
    """
    need = "a plain number" if letter.unit == "dimensionless" else f"a value in {letter.unit}"
    ask = f"{letter.name} ({letter.meaning}) is {need}"
    number, unit = _parts(value, ask)
    tags = ""
    if "[" in unit:
        unit, _, rest = unit.partition("[")
        unit, tags = unit.strip() or "dimensionless", rest.rstrip("] ")
    if letter.unit == "dimensionless" and unit in _SUFFIXES:
        thousands, binary = (significant(number * base ** _SUFFIXES[unit], 15) for base in (1000, 1024))
        raise DeriveError(
            f"{ask}, and {_shown(value)!r} may be {thousands} or {binary}: give the number itself"
        )
    try:
        scale, dimension = units.factor(unit)
        due = units.dimension_of(letter.unit)
    except units.UnitError as error:
        raise DeriveError(f"{letter.name}: {error}") from error
    if dimension != due:
        example = (
            f"{letter.name}='{_shown(value)} {letter.unit}'"
            if not dimension
            else f"{letter.name} in {letter.unit}"
        )
        hint = f": give {example}" if due else ": give it without a unit"
        raise DeriveError(f"{ask}, and {_shown(value)!r} is not{hint}")
    _check_tags(letter, tags, str(value))
    exact = number * scale
    if (outside := domain(letter, exact)) is not None:
        raise DeriveError(f"{letter.name} ({letter.meaning}) must be {outside}, not {_shown(value)}")
    return exact


def domain(letter: Letter, value: Fraction) -> str | None:
    """Where the letter's values lie, in words, if this is none of them; else None."""
    if letter.at_most is not None and value > letter.at_most:
        return f"at most {letter.at_most}"
    if not letter.is_nonnegative or (value >= letter.at_least and (value or not letter.is_positive)):
        return None
    return (
        f"at least {letter.at_least}" if letter.at_least else "above 0" if letter.is_positive else "0 or more"
    )


def _check_tags(letter: Letter, tags: str, text: str) -> None:
    """A tag in brackets behind a value must be the kind that the letter asks for."""
    opposite = {"sparse": "2:4", "2:4": "2:4", "dense": "dense", "both-ways": "both-ways"}
    opposite |= {"each-way": "each-way", "per-direction": "each-way"}
    wants = dict(letter.wants)
    for tag in filter(None, (part.strip() for part in tags.split(","))):
        kind = opposite.get(tag)
        if kind is None:
            raise DeriveError(f"{letter.name}: unknown tag [{tag}] in {text!r}: one of {', '.join(opposite)}")
        wanted = wants.get("direction" if kind.endswith("s") or kind == "each-way" else "sparsity")
        if wanted and not wanted.startswith("@") and wanted != kind:
            raise DeriveError(
                f"{letter.name} ({letter.meaning}) is {wanted}, and {text!r} is {kind}: give half of it as [{wanted}]"
            )
        if wanted == "@sparsity" and kind == "2:4":
            raise DeriveError(
                f"{letter.name} ({letter.meaning}) is dense, and {text!r} is the 2:4 sparse peak: "
                "give half of it, as [dense]"
            )


def _parts(value: object, ask: str) -> tuple[Fraction, str]:
    if isinstance(value, bool):
        raise DeriveError(f"{ask}, and {value} is yes or no")
    if isinstance(value, int | Fraction):
        return Fraction(value), "dimensionless"
    if isinstance(value, float):
        try:
            return Fraction(Decimal(repr(value))), "dimensionless"
        except (InvalidOperation, ValueError, OverflowError) as error:
            raise DeriveError(f"{ask}, and {value} is no finite number") from error
    if isinstance(value, str):
        text, bracket, tags = value.partition("[")
        try:
            number, unit = units.split(text)
        except units.UnitError as error:
            raise DeriveError(f"{ask}: {error}") from error
        return number, unit + bracket + tags
    if hasattr(value, "magnitude") and hasattr(value, "units"):
        return Fraction(Decimal(repr(float(value.magnitude)))), f"{value.units:D}".replace(" ", "")
    raise DeriveError(f"{ask}, and {type(value).__name__} is no number: give a number or a text with a unit")


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "…"


def put_value(letter: Letter, value: sympy.Expr, derivation: Derivation) -> Filled | None:
    """The value that a chain puts for a letter, where it is a number; None where it is a formula."""
    plain = without_units(value)
    if not plain.is_Rational:
        return None
    return Filled(letter, Fraction(int(plain.p), int(plain.q)), f"put in {derivation.id or derivation.title}")


def _asked(letter: Letter) -> str:
    """What a reader gives for a letter: a format's numbers by its name."""
    return "format" if (letter.role or "").startswith("format.") else letter.name


def missing(letters: list[Letter], name: str, below: Mapping[Letter, list[Letter]]) -> str:
    """The message for letters that nothing fills: each with its unit and meaning; a format's by its name.

    below: what is missing for those that other derivations compute.
    """
    own = [letter for letter in letters if _asked(letter) == letter.name]
    asked = ", ".join(
        f"{letter.name} ({letter.meaning}{'' if letter.unit == 'dimensionless' else f', in {letter.unit}'})"
        for letter in own
    )
    hints = [f"--set {letter.name}=…" for letter in own]
    if len(own) < len(letters):
        bits = [letter for letter in letters if letter not in own]
        names = with_role((bits[0].role or "").removeprefix("format."))
        asked += f"{', ' if own else ''}format (a number format: {', '.join(names)})"
        hints.append(f"--set format=…, or one by one {', '.join(letter.name for letter in bits)}")
    everything = [*letters, *(inner for found in below.values() for inner in found)]
    owners = {letter.role.partition(".")[0] for letter in everything if letter.role}
    options = [flag for owner, flag in (("hardware", "--on"), ("model", "--model")) if owner in owners]
    also = f", or {' and '.join(options)}" if options else ""
    computed = "".join(
        f"; {letter.filled_by} computes {letter.name} from {', '.join(dict.fromkeys(map(_asked, found)))}"
        for letter, found in below.items()
    )
    return f"{name} needs {asked}: give {' '.join(hints)}{also}{computed}"

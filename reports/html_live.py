"""Live numbers: a filled formula as what a page needs to compute it again as the reader moves its letters.

The letters at the bottom of the evaluation become inputs, and every derivation
between them and the result becomes a node: moving T moves the cache that the
step time is computed from. Beside the value stand what limits the kernel and the
error of each approximation.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Context as Decimals
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import sympy

import units
from derive.bottleneck import bottleneck
from derive.constants import catalogue
from derive.errors import DeriveError
from derive.evaluation import Evaluation
from derive.filling import Context, Filled, put_value
from derive.rounding import readable_unit
from derive.steps import Approx, Bound, Put
from derive.symbols import Letter, letters_of
from reports.html_beside import against_ridge, beside, refusals, regimes
from reports.javascript import array, constant, fraction, function, object_, text
from reports.latex import letter_latex
from reports.point import Point
from reports.quantities import significant_digits, unit_text
from reports.setting import Setting
from reports.view import Formula
from reports.worked import is_number

_MACHINE = "h100-sxm"  # holds an intensity against its ridge where the reader named no machine
_EXACT = Decimals(prec=60)


@dataclass(frozen=True)
class Input:
    """A letter that the reader moves. ridge: only what the value is held against has it.

    also: names under which formulas further down know the same number of a model.
    """

    filled: Filled
    unit: str
    ridge: bool = False
    also: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        found: str = self.filled.letter.name
        return found

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.also)

    @property
    def letter(self) -> Formula:
        return Formula(letter_latex(self.name))

    @property
    def meaning(self) -> str:
        return self.filled.letter.meaning

    @property
    def shown_unit(self) -> str:
        return unit_text(self.unit)

    @property
    def text(self) -> str:
        """The value at first, in the unit of the field."""
        return self.in_unit(self.filled.value)

    @property
    def slider(self) -> tuple[int, int]:
        """The ends of its slider: doublings of a whole power of two, twelfths of a decade otherwise."""
        first = self.filled.value
        whole = first.denominator == 1 and first > 0 and self.filled.letter.at_least > 0
        if whole and first.numerator.bit_count() == 1:
            return 1 - first.numerator.bit_length(), 10
        return -24, 24

    def is_at(self, filled: Filled) -> bool:
        """Whether a letter has this input's unit and first value."""
        return filled.letter.unit == self.filled.letter.unit and filled.value == self.filled.value

    def in_unit(self, value: Fraction) -> str:
        """A value in base units as a decimal in the unit of the field."""
        return _decimal(value / units.factor(self.unit)[0])


@dataclass(frozen=True)
class Live:
    """A formula that a page computes: the inputs, the machines that fill some of them, the code, and its labels.

    nearby: the approximations and limits that the code gives values for, in its order.
    """

    inputs: tuple[Input, ...]
    machines: tuple[tuple[str, str], ...]
    machine: str
    code: str
    nearby: tuple[Formula, ...]
    has_roofline: bool


def live_view(point: Point, setting: Setting) -> Live | None:
    """The live form of a derivation at the values at hand; None where nothing can be moved."""
    evaluation = point.evaluation
    if evaluation is None or not is_number(evaluation):
        return None
    try:
        made = _Builder(evaluation, setting)
    except DeriveError:
        return None  # the formula has no closed form: the page shows the worked calculation alone
    return made.live() if made.inputs else None


@dataclass
class _Builder:
    evaluation: Evaluation
    setting: Setting
    inputs: list[Input] = field(default_factory=list)
    puts: dict[int, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._computed: dict[str, int] = {}
        self._names = {name for one in _all(self.evaluation) for name in one.computed}
        self._collect(self.evaluation)
        self.machine = self.evaluation.hardware or ""
        self._ridge = self._ridge_letters()
        self.nodes: list[str] = []
        self.places = self._node(self.evaluation)

    def live(self) -> Live:
        result = f"v => v[{len(self.inputs) + len(self.nodes) - 1}]"
        derivation = self.evaluation.derivation
        if self._ridge is not None:
            held = against_ridge(*self._ridge, result, self.letters)
        else:
            held = regimes(derivation, self.places)
        nearby = list(beside(derivation, self.places))
        machines = self._machines()
        code = object_(
            letter=text(derivation.letter),
            unit=text(self.evaluation.unit),
            factor=constant(units.factor(self.evaluation.unit)[0]),
            digits=str(significant_digits()),
            inputs=array(self._input(one) for one in self.inputs),
            nodes=array(self.nodes),
            puts=array(array([str(place), constant(value)]) for place, value in self.puts.items()),
            regimes=array(held.regimes),
            nearby=array(code for _, code in nearby),
            machines=object_(**{text(name): _texts(values) for name, (_, values) in machines.items()}),
            **({"dot": held.dot} if held.dot else {}),
        )
        titles = tuple((name, title) for name, (title, _) in machines.items())
        labels = tuple(label for label, _ in nearby)
        return Live(tuple(self.inputs), titles, self.machine, code, labels, bool(held.dot))

    @property
    def letters(self) -> dict[Letter, int]:
        """Where the input of each letter stands."""
        return {one.filled.letter: place for place, one in enumerate(self.inputs)}

    def _collect(self, evaluation: Evaluation) -> None:
        """Inputs for the letters at the bottom, those of the result first."""
        derivation = evaluation.derivation
        filled = {one.letter: one for one in evaluation.inputs}
        for letter in letters_of(_opened(evaluation)):
            if letter.name in evaluation.computed:
                continue
            put = derivation.defaults.get(letter)
            one = filled.get(letter) or (put_value(letter, put, derivation) if put is not None else None)
            if one is None or letter.name in self._names or self._known(one):
                continue
            if evaluation is self.evaluation and put is not None:
                default = put_value(letter, put, derivation)
                self.puts |= {len(self.inputs): default.value} if default is not None else {}
            self.inputs.append(_input(one))
        for inner in evaluation.computed.values():
            self._collect(inner)

    def _known(self, filled: Filled) -> bool:
        """Whether an input has the letter's name, or already stands for the same number of the model."""
        letter = filled.letter
        for place, one in enumerate(self.inputs):
            if letter.name in one.names:
                return True
            if letter.role is not None and one.filled.letter.role == letter.role and one.is_at(filled):
                self.inputs[place] = dataclasses.replace(one, also=(*one.also, letter.name))
                return True
        return False

    def _ridge_letters(self) -> tuple[Letter, Letter] | None:
        """The peak and the bandwidth whose ratio an intensity is held against, as inputs of their own."""
        on = self.evaluation.hardware or _MACHINE
        limit = bottleneck(dataclasses.replace(self.evaluation, hardware=on), self.setting.hardware)
        if limit is None or limit.ridge is None:
            return None
        self.machine = on
        peak, bandwidth = (one for one in limit.ridge.inputs)
        for filled in (peak, bandwidth):
            if self._known(filled):
                return None
        self.inputs += [dataclasses.replace(_input(filled), ridge=True) for filled in (peak, bandwidth)]
        return peak.letter, bandwidth.letter

    def _node(self, evaluation: Evaluation) -> dict[Letter, int]:
        """Adds the node of an evaluation behind those it needs; the places of its letters."""
        inner = {}
        for name, one in evaluation.computed.items():
            if one.derivation.id not in self._computed:
                self._node(one)
            inner[name] = self._computed[one.derivation.id]
        places: dict[Letter, int] = {}
        fixed: dict[sympy.Basic, sympy.Basic] = {}
        numbers = {filled.letter: filled.value for filled in evaluation.inputs}
        for letter in dict.fromkeys([*evaluation.derivation.all_letters, *numbers]):
            place = inner.get(letter.name, self._place(letter, numbers.get(letter)))
            if place is not None:
                places[letter] = place
            elif letter in numbers:
                fixed[letter] = sympy.Rational(numbers[letter].numerator, numbers[letter].denominator)
        expression = _opened(evaluation).xreplace(fixed)
        self.nodes.append(
            object_(
                value=function(expression, places),
                **refusals(evaluation.derivation, places),
            )
        )
        self._computed[evaluation.derivation.id] = len(self.inputs) + len(self.nodes) - 1
        return places

    def _place(self, letter: Letter, value: Fraction | None) -> int | None:
        """Where the input of a letter stands; None where another letter of its name has another value or unit."""
        for place, one in enumerate(self.inputs):
            same_value = value is None or value == one.filled.value
            if letter.name in one.names and one.filled.letter.unit == letter.unit and same_value:
                return place
        return None

    def _input(self, one: Input) -> str:
        letter = one.filled.letter
        most = {} if letter.at_most is None else {"most": fraction(letter.at_most)}
        return object_(
            name=text(letter.name),
            meaning=text(letter.meaning),
            unit=text(one.shown_unit),
            factor=constant(units.factor(one.unit)[0]),
            least=fraction(letter.at_least),
            zero="true" if letter.at_least or not letter.is_positive else "false",
            signed="false" if letter.is_nonnegative else "true",
            whole="true" if letter.at_least else "false",
            first=text(one.text),
            **most,
        )

    def _machines(self) -> dict[str, tuple[str, dict[int, str]]]:
        """Each machine that has a value for all letters that a machine fills: its title and the texts by place."""
        wanted = {
            place: one
            for place, one in enumerate(self.inputs)
            if (one.filled.letter.role or "").startswith("hardware.")
        }
        found: dict[str, tuple[str, dict[int, str]]] = {}
        extra = Path(self.setting.hardware) if self.setting.hardware is not None else None
        for name, entry in catalogue("hardware", extra).items() if wanted else ():
            context = Context({}, entry, None, dict(self.setting.conventions))
            try:
                filled = {place: context.fill(one.filled.letter) for place, one in wanted.items()}
            except DeriveError:
                continue  # the machine has no such value
            texts = {p: wanted[p].in_unit(one.value) for p, one in filled.items() if one is not None}
            if len(texts) == len(wanted):
                found[name] = (entry.title, texts)
        return found


def _opened(evaluation: Evaluation) -> sympy.Expr:
    """The formula with every letter that may be moved: those that the chain puts a default for, too."""
    derivation = evaluation.derivation
    first = next(
        (n for n, step in enumerate(derivation.steps) if isinstance(step, Put) and not step.fixed), None
    )
    if first is None or any(isinstance(step, Approx | Bound) for step in derivation.steps[first:]):
        return evaluation.formula
    return derivation.general


def _all(evaluation: Evaluation) -> Iterable[Evaluation]:
    yield evaluation
    for inner in evaluation.computed.values():
        yield from _all(inner)


def _input(filled: Filled) -> Input:
    constant = filled.constant
    own = constant is not None and not isinstance(constant.value, bool)
    unit = constant.unit if constant is not None and own else filled.letter.unit
    if not own and unit != "dimensionless":
        unit = readable_unit(filled.amount, unit)
    return Input(filled, unit)


def _decimal(value: Fraction) -> str:
    """A value's digits: all of them where they end, else those of the nearest float."""
    exact = _EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{exact.normalize(_EXACT):f}" if Fraction(exact) == value else repr(float(value))


def _texts(values: Mapping[int, str]) -> str:
    return object_(**{str(place): text(shown) for place, shown in values.items()})

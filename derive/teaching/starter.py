"""A file for a learner's own derivation: letters and rows are there, the formulas are blanks to fill.

The file is valid Python, each blank being `...`; `blanks` finds them without running it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy

from derive.computed import Computed
from derive.derivation import Derivation
from derive.dimensions import dimension_text
from derive.examples import Example
from derive.facts import Fact, Identity, Inequality, Limit, NoSolution, Regime, SpecialCase
from derive.ledger import Ledger
from derive.proofs.verdict import shown
from derive.steps import Approx, Bound, Equal, Minimise, Put, Solve, Step, Use
from derive.symbols import Letter, UnitSymbol
from derive.total import Total

_UNITS = "BYTE CYCLE DEVICE DOLLAR ELEMENT FLOP JOULE LAYER NODE OP PARAMETER SECOND SEQUENCE TOKEN TRANSFER"
_WORDS = (
    "Approx Bound Computed Derivation Equal Example Identity Inequality Ledger Limit Minimise NoSolution Put "
    "Regime Solve SpecialCase Use count get number oo quantity"
)
_LEDGERS = {"FLOP": "work", "byte": "traffic", "second": "times"}
_INDENT = "    "


def starter(derivation: Derivation, path: str = "mine.py") -> str:
    """The text of the file for any derivation of the catalogue."""
    parts = list(_declared(derivation.all_letters))
    names = _ledger_names(derivation)
    for ledger, name in zip(derivation.ledgers, names, strict=True):
        parts += ["", *_ledger(ledger, name)]
    parts += ["", *(_computed(derivation) if isinstance(derivation, Computed) else _chain(derivation, names))]
    body = "\n".join(parts)
    return f"{_head(derivation, path)}\n{_imports(derivation, body)}\n{body}\n"


def _head(derivation: Derivation, path: str) -> str:
    return (
        f'"""{derivation.title}, derived by yourself.\n\n'
        "Put a formula in the place of each ... and run\n\n"
        f"    derive verify {path} --explain\n\n"
        "It names the blanks that are left. What you have not come to yet you can take out, line by line:\n"
        "the rest is checked. Facts that hold the formula beside others are left out here.\n"
        f'The solution: derive show {derivation.id}\n"""\n'
    )


def _imports(derivation: Derivation, body: str) -> str:
    """The imports that the body and its solution need."""
    units = [unit for unit in _UNITS.split() if unit in _units_of(derivation)]
    used = [word for word in _WORDS.split() if f"{word}(" in body or (word == "oo" and ", oo," in body)]
    return "from derive import (\n" + "".join(f"    {word},\n" for word in [*units, *used]) + ")\n"


def _units_of(derivation: Derivation) -> set[str]:
    return {
        ("DOLLAR" if symbol.unit == "dollar" else symbol.unit.upper())
        for formula in derivation.chain
        for symbol in formula.atoms(UnitSymbol)
    }


def _declared(letters: Sequence[Letter]) -> Iterator[str]:
    for letter in letters:
        parts = [_quoted(letter.name), _quoted(letter.meaning)]
        named = (("role", letter.role), ("filled_by", letter.filled_by))
        options = [f"{name}={_quoted(value)}" for name, value in named if value]
        kind = "number"
        if letter.unit != "dimensionless":
            kind = "quantity"
            parts.append(_quoted(letter.unit))
            options += [] if letter.is_positive else ["nonnegative=True"]
            options += [f"{tag}={_quoted(value)}" for tag, value in letter.wants]
        elif letter.whole:
            kind = "count"
            options += [] if letter.default is None else [f"default={letter.default}"]
            options += [] if letter.at_least == 1 else [f"at_least={letter.at_least}"]
        else:
            if not letter.is_positive:
                options.append("nonnegative=True" if letter.is_nonnegative else "signed=True")
            options += [f"at_least={letter.at_least}"] if letter.at_least else []
            if letter.at_most is not None:
                options.append(f"at_most={letter.at_most}")
        yield f"{letter.name} = {kind}({', '.join([*parts, *options])})"


def _ledger_names(derivation: Derivation) -> list[str]:
    taken = {letter.name for letter in derivation.all_letters}
    names: list[str] = []
    for ledger in derivation.ledgers:
        name = _LEDGERS.get(dimension_text(ledger.dimension) if ledger.dimension else "", "counted")
        while name in taken:
            name += "_2" if not name[-1].isdigit() else "0"
        taken.add(name)
        names.append(name)
    return names


def _ledger(ledger: Ledger, name: str) -> Iterator[str]:
    unit = dimension_text(ledger.dimension) if ledger.dimension else "plain numbers"
    yield f"{name} = Ledger(  # what is counted, in {unit}"
    for row in ledger.rows:
        why = f"{_quoted(row.why)}, " if row.why else ""
        yield f"{_INDENT}({_quoted(row.what)}, {why}...),"
    yield ")"


def _chain(derivation: Derivation, names: Sequence[str]) -> Iterator[str]:
    yield f"my_{derivation.id.partition('.')[2] or 'formula'} = Derivation("
    yield f"{_INDENT}{_quoted(derivation.letter)},"
    yield f"{_INDENT}{_quoted(derivation.title)},"
    yield f"{_INDENT}unit={_quoted(derivation.unit)},"
    yield f"{_INDENT}{_start(derivation, names)}"
    if derivation.steps:
        yield f"{_INDENT}steps=["
        yield from (f"{_INDENT * 2}{_step(step)}," for step in derivation.steps)
        yield f"{_INDENT}],"
    facts = [told for told in map(_fact, derivation.facts) if told]
    if facts:
        yield f"{_INDENT}facts=["
        yield from (f"{_INDENT * 2}{told}," for told in facts)
        yield f"{_INDENT}],"
    yield from _examples(derivation.examples)
    yield ")"


def _start(derivation: Derivation, names: Sequence[str]) -> str:
    if derivation.starts_from is not None and derivation.steps:
        return f"start=get({_quoted(derivation.starts_from.id)}),"
    if isinstance(derivation.start, Total) and names:
        return f"start={names[0]},"
    made_of = f"  # made of {' and '.join(f'{name}.total' for name in names)}" if names else ""
    if derivation.steps and isinstance(derivation.steps[0], Solve):
        return f"start={derivation.steps[0].letter.name},"
    return f"start=...,{made_of}"


def _step(step: Step) -> str:
    because = f"because={_quoted(step.because)}"
    if isinstance(step, Put):
        fixed = ", fixed=True" if step.fixed and not step.value.free_symbols else ""
        return f"Put({step.letter.name}, ..., {because}{fixed})"
    if isinstance(step, Use):
        return f"Use({step.letter.name}, get({_quoted(step.derivation.id)}), {because})"
    if isinstance(step, Minimise):
        return f"Minimise({step.letter.name}, ..., gives=..., {_where(step.where)}{because})"
    if isinstance(step, Solve):
        return f"Solve({step.letter.name}, ..., ..., gives=..., {_where(step.where)}{because})"
    if isinstance(step, Approx):
        return f"Approx(..., error_at_most=..., {_where(step.where)}{because})"
    if isinstance(step, Bound):
        return f"Bound(..., relation={_quoted(step.relation)}, {_where(step.where)}{because})"
    return f"{Equal.__name__}(..., {because})"


def _where(where: Sequence[object]) -> str:
    return "where=..., " if where else ""


def _fact(fact: Fact | Approx) -> str:
    """A fact with blanks; "" for one that needs other formulas."""
    because = f"because={_quoted(fact.because)}"
    if isinstance(fact, Approx):
        return f"Approx(..., error_at_most=..., {_where(fact.where)}{because})"
    if fact.of is not None:
        return ""
    if isinstance(fact, Limit) and not fact.put:
        letters = ", ".join(letter.name for letter in fact.letters)
        letters = f"({letters})" if len(fact.letters) > 1 else letters
        to = "oo" if fact.to == sympy.oo else shown(fact.to)
        return f"Limit({letters}, {to}, ..., {because})"
    if isinstance(fact, SpecialCase):
        put = ", ".join(f"{letter.name}: ..." for letter in fact.put)
        return f"SpecialCase({{{put}}}, ..., {because})"
    if isinstance(fact, Regime):
        name = f", name={_quoted(fact.name)}" if fact.name else ""
        return f"Regime(..., when=..., {because}{name})"
    if isinstance(fact, Inequality) and not fact.where:
        sign = {"≤": "<=", "≥": ">="}.get(fact.relation, fact.relation)
        return f"Inequality(..., {_quoted(sign)}, ..., {because})"
    if isinstance(fact, Identity):
        return f"Identity(..., ..., {because})"
    if isinstance(fact, NoSolution):
        return f"NoSolution(when=..., says={_quoted(fact.says)}, {because})"
    return ""


def _examples(examples: Sequence[Example]) -> Iterator[str]:
    if not examples:
        return
    yield f"{_INDENT}examples=["
    for one in examples:
        options = [f"{name}={value!r}" for name, value in (("on", one.on), ("model", one.model)) if value]
        options += [f"conventions={one.conventions!r}"] if one.conventions else []
        value: object = one.answer if isinstance(one.answer, bool) else one.value
        if isinstance(one.answer, tuple):
            value = [str(number) for number in one.answer]
        line = f"Example({', '.join([repr(one.given), repr(value), *options])})".replace("'", '"')
        yield f"{_INDENT * 2}{line},"
    yield f"{_INDENT}],"


def _computed(derivation: Derivation) -> Iterator[str]:
    names = ", ".join(sorted(letter.name for letter in derivation.all_letters))
    yield f"my_{derivation.id.partition('.')[2]} = Computed("
    yield f"{_INDENT}{_quoted(derivation.letter)},"
    yield f"{_INDENT}{_quoted(derivation.title)},"
    yield f"{_INDENT}letters=[{names}],"
    yield f"{_INDENT}compute=...,  # a function from the letters' values by name to the result"
    yield f"{_INDENT}explain=...,  # a function from the result and the values to a sentence"
    yield from _examples(derivation.examples)
    yield ")"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

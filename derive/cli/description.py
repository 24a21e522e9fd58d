"""What `derive show` says of a formula, as data and as tables under the same names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.text import Text

from derive.cli import console
from derive.cli.worked import formula_text, line_text
from derive.dimensions import dimension_text
from derive.steps import Minimise, Put, Solve, Step, Use
from derive.symbols import without_units

if TYPE_CHECKING:
    import sympy
    from rich.table import Table

    from derive.derivation import Derivation, Link
    from derive.ledger import Ledger
    from derive.symbols import Letter

_STYLES = {"proved": "green", "refuted": "bold red", "undecided": "bold red"}


def describe(derivation: Derivation) -> dict[str, Any]:
    """Everything of a derivation, with the verdict of every link."""
    links = derivation.verify()  # checks of a computed result, steps, facts, examples
    examples = links[len(links) - len(derivation.examples) :]
    checks = links[: len(links) - len(derivation.steps) - len(derivation.facts) - len(examples)]
    steps = links[len(checks) : len(checks) + len(derivation.steps)]
    facts = checks + links[len(checks) + len(steps) : len(links) - len(examples)]
    return {
        "id": derivation.id,
        "title": derivation.title,
        "letter": derivation.letter,
        "unit": derivation.unit,
        "formula": line_text(without_units(derivation.result)),
        "about": derivation.about,
        "letters": [_letter(letter) for letter in derivation.all_letters],
        "ledgers": [_ledger(ledger) for ledger in derivation.ledgers],
        "start": line_text(without_units(derivation.start)),
        "chain": [
            {"relation": _relation(step), "right": line_text(without_units(after)), **_verdict(link)}
            for step, after, link in zip(derivation.steps, derivation.chain[1:], steps, strict=True)
        ],
        "facts": [_statement(link) for link in facts],
        "examples": [_statement(link) for link in examples],
        "uses": _uses(derivation),
        "conventions": _choices(derivation),
        "sources": list(derivation.sources),
    }


def parts(derivation: Derivation, found: dict[str, Any]) -> list[Any]:
    """The same for the terminal."""
    width = console.console().width
    formula = formula_text(
        without_units(derivation.result), f"{derivation.letter} = ", width, unicode=console.unicode_output()
    )
    unit = "a plain number" if derivation.unit == "dimensionless" else f"in {derivation.unit}"
    shown: list[Any] = [
        Text.assemble((derivation.id, "bold"), f"  {derivation.title}, {unit}\n"),
        Text(formula),
        Text(),
    ]
    if derivation.about:
        shown += [Text(derivation.about), Text()]
    shown += _section("Letters", found["letters"], ("symbol", "meaning", "unit", "filled by"))
    for ledger in found["ledgers"]:
        title = f"Counted{': ' if ledger['title'] else ''}{ledger['title']}, in {ledger['unit']}"
        rows = [*ledger["rows"], {"what": "total", "why": "", "amount": ledger["total"]}]
        columns = ("what", "why", "amount") if any(row["why"] for row in rows) else ("what", "amount")
        shown += _section(title, rows, columns)
    if found["chain"]:
        start = {"relation": "", "right": found["start"], "because": "the start", "verdict": "", "reason": ""}
        rows = [start, *found["chain"]]
        if console.console().is_terminal:
            rows = [
                {**row, "right": _pretty(after)} for row, after in zip(rows, derivation.chain, strict=True)
            ]
        shown += _section("Derivation", rows, ("relation", "right", "because", "verdict", "reason"))
    shown += _section("Facts", found["facts"], ("statement", "because", "verdict", "reason"))
    shown += _section("Examples", found["examples"], ("statement", "verdict", "reason"))
    for title, lines in (("Uses", found["uses"]), ("Sources", found["sources"])):
        if lines:
            shown += [
                Text(title, style="bold"),
                *(Padding(Text(line), (0, 0, 0, 2)) for line in lines),
                Text(),
            ]
    shown += _section(
        "Under other conventions", found["conventions"], ("convention", "choice", "id", "formula")
    )
    return shown[:-1]


def _section(title: str, rows: Sequence[dict[str, str]], columns: tuple[str, ...]) -> list[Any]:
    """A titled table; the reasons of proofs are left out where all hold and the terminal is narrow."""
    if not rows:
        return []
    all_proved = all(row.get("verdict") in ("proved", "") for row in rows)
    if "reason" in columns and all_proved and console.console().is_terminal:
        columns = tuple(name for name in columns if name != "reason")
    return [Text(title, style="bold"), _table(rows, columns), Text()]


def _table(rows: Sequence[dict[str, str]], columns: tuple[str, ...]) -> Table:
    made = console.table(*columns)
    tall = any("\n" in row[name] for row in rows for name in columns)
    for column in made.columns:
        column.vertical = "middle" if tall else "top"
    for row in rows:
        if tall and made.row_count:
            made.add_row()
        styles = {"verdict": _STYLES.get(row.get("verdict", ""), "")}
        made.add_row(*(Text(row[name], style=styles.get(name, "")) for name in columns))
    return made


def _pretty(formula: sympy.Expr) -> str:
    """A link's right side in two dimensions where that leaves room for the reason beside it."""
    return formula_text(
        without_units(formula), "", console.console().width // 2 - 4, unicode=console.unicode_output()
    )


def _letter(letter: Letter) -> dict[str, str]:
    source = letter.filled_by or letter.role or ""
    if letter.default is not None:
        source = f"{source}, else {letter.default}".removeprefix(", else ")
    return {"symbol": letter.name, "meaning": letter.meaning, "unit": letter.unit, "filled by": source}


def _ledger(ledger: Ledger) -> dict[str, Any]:
    return {
        "title": ledger.title,
        "unit": dimension_text(ledger.dimension),
        "rows": [
            {"what": row.what, "why": row.why, "amount": line_text(without_units(row.amount))}
            for row in ledger.rows
        ],
        "total": line_text(without_units(ledger.total.doit())),
    }


def _relation(step: Step) -> str:
    if isinstance(step, Put):
        return f"put {step.letter.name} = {line_text(step.value)}"
    if isinstance(step, Use):
        return f"put {step.letter.name} = {step.derivation.name}"
    if isinstance(step, Solve):
        left, right = line_text(without_units(step.left)), line_text(without_units(step.right))
        solved = f"solve {left} = {right} for {step.letter.name}"
        if isinstance(step, Minimise):
            return f"minimise {line_text(without_units(step.formula))}: {solved}"
        return solved
    return step.relation


def _statement(link: Link) -> dict[str, str]:
    return {"relation": link.relation, "statement": link.statement.replace("**", "^"), **_verdict(link)}


def _verdict(link: Link) -> dict[str, str]:
    return {
        "because": link.because,
        "verdict": link.verdict.outcome,
        "reason": link.verdict.text.replace("**", "^"),
    }


def _uses(derivation: Derivation) -> list[str]:
    """The formulas that it goes on from, puts in, or lets fill its letters."""
    filled = [letter.filled_by for letter in derivation.letters if letter.filled_by]
    return list(dict.fromkeys([*(used.name for used in derivation.uses), *filled]))


def _choices(derivation: Derivation) -> list[dict[str, str]]:
    if derivation.choice is None:
        return []
    return [
        {
            "convention": derivation.choice.convention,
            "choice": choice,
            "id": other.name,
            "formula": line_text(without_units(other.result)),
        }
        for choice, other in derivation.choice.others.items()
    ]

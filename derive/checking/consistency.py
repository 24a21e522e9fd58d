"""One document, two values: the same number once in GB and once in GiB, the same quantity with two values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from derive.checking.blocks import Document, Table
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.columns import heading_unit
from derive.checking.inline import unmarked
from derive.checking.quantities import quantities
from derive.checking.seeking import Sought
from derive.checking.subjects import machines, models

_BINARY = {"GiB": "GB", "MiB": "MB", "TiB": "TB"}
_NOT_NAMES = {
    "the",
    "and",
    "for",
    "with",
    "size",
    "total",
    "gib",
    "gb",
    "per",
    "each",
    "this",
    "that",
    "single",
    "sequence",
}
_NAMED = Sought(
    r"\b(ridge(?: point)?|critical batch size|memory bandwidth|vocabulary size|head dimension|hidden size|"
    r"arithmetic intensity|KV cache per token)\b(?: of (?:the |an? )?[\w.-]+(?: [A-Z0-9][\w.-]*)?)?"
    r" (?:is|=|≈|of|are) ?(?:about |~|roughly |only )?",
    ("ridge", "size", "bandwidth", "dimension", "intensity", "token"),
    ignore_case=True,
)


def relabelled(document: Document, true: Sequence[Claim]) -> Iterator[Claim]:
    """Table cells in GiB that repeat the digits of a result which the text computed in GB."""
    results: dict[tuple[str, str], Claim] = {}
    for claim in true:
        found = quantities(claim.claimed)
        if claim.rule == "chain" and len(found) == 1 and claim.expected and "." in found[0].literal.digits:
            results[found[0].literal.digits, found[0].literal.unit] = claim
    if results:
        for table in document.tables:
            yield from _cells(table, document, results)


def _cells(table: Table, document: Document, results: dict[tuple[str, str], Claim]) -> Iterator[Claim]:
    printed = {digits for digits, _ in results}
    for row in table.rows[:200]:
        for index, cell in enumerate(row):
            text = unmarked(cell.text)
            if text not in printed:
                continue
            label = unmarked(table.header[index].text) if index < len(table.header) else ""
            names = [label, unmarked(row[0].text)] if index else [label]
            unit = next((found[0] for name in names if (found := heading_unit(name))), "")
            claim = results.get((text, _BINARY[unit])) if unit in _BINARY else None
            if claim is None or not _shared(" ".join(names), document, claim):
                continue
            power = {"M": 2, "G": 3, "T": 4}[unit[0]]
            yield Claim(
                line=cell.line(0),
                text=f"{text} {unit}",
                verdict="false",
                expected=f"{quantities(claim.expected)[0].literal.value / 1.024**power:.3g} {unit}",
                claimed=f"{text} {unit}",
                cause=f"GB and GiB: line {claim.line} has {claim.claimed}, and the table calls it {unit}",
                rule="two-values",
                because=claim.because,
                cell=cell.cell,
            )


def _shared(label: str, document: Document, claim: Claim) -> bool:
    """Whether the label of a cell names what the text computed."""
    words = {word.lower() for word in re.findall(r"[A-Za-z]{2,}", label)} - _NOT_NAMES
    near = [block.text for block in document.blocks if abs(block.lines[0] - claim.line) <= 4]
    return bool(words & {word.lower() for word in re.findall(r"[A-Za-z]{2,}", " ".join(near))})


def twice(clauses: Iterable[Clause]) -> Iterator[Claim]:
    """A quantity by name that the document gives another value further up, of the same machine or model."""
    held: dict[tuple[str, ...], tuple[Claim, float, float]] = {}
    for clause in clauses:
        if clause.row:
            continue
        for found in _NAMED.finditer(clause.text):
            behind = [one for one in quantities(clause.text[found.end() : found.end() + 40]) if one.start < 3]
            if not behind:
                continue
            quantity = behind[0]
            dimension = quantity.literal.options[0].dimension
            value, slack = quantity.base(dimension) or 0.0, quantity.slack(dimension)
            subject = sorted(
                {name for one in (*machines(clause.text), *models(clause.text)) for name in one.names}
            )
            key = (found[1].lower().removesuffix(" point"), str(dimension), str(clause.section), *subject)
            text = unmarked(clause.text[found.start() : found.end() + quantity.end])
            claim = Claim(
                clause.line(found.start()), text, "unsure", "", text, "", "two-values", cell=clause.block.cell
            )
            first = held.setdefault(key, (claim, value, slack))
            if abs(first[1] - value) > first[2] + slack + 0.02 * abs(value):
                cause = f"line {first[0].line} says {first[0].text!r}"
                yield Claim(claim.line, text, "unsure", "", text, cause, "two-values", cell=clause.block.cell)

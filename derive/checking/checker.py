"""A document checked: every rule in turn, the parts switched off left out, the false claims explained."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from derive.checking import (
    added,
    cached_tokens,
    carried,
    chains,
    clock,
    compared,
    concluded,
    consistency,
    defaults,
    definitions,
    derived,
    entities,
    estimates,
    facts,
    fitting,
    groups,
    hints,
    keyed,
    laws,
    layered,
    ledgers,
    line_rates,
    listed_amounts,
    lists,
    model_columns,
    model_settings,
    one_model,
    options,
    parallel,
    parts,
    phrases,
    recalled,
    recaps,
    reciprocals,
    references,
    requantized,
    restated,
    rows_compared,
    rows_told,
    settings,
    shares,
    sizes,
    specifications,
    stretches,
    structured,
    tables,
    tied,
    token_prices,
    twins,
    wholes,
    worded_changes,
)
from derive.checking.blocks import Document
from derive.checking.causes import UNKNOWN, Explainer, slip
from derive.checking.claims import Claim, Report
from derive.checking.clauses import Clause, clauses
from derive.checking.columns import grids
from derive.checking.grammar import Operation
from derive.checking.names import mentions
from derive.checking.one_sided import is_turned
from derive.checking.pairs import Pair
from derive.checking.quantities import quantities
from derive.checking.relations import Budget
from derive.checking.rules import RULES, chosen
from derive.checking.scope import Scope
from derive.checking.sources import Source, document, open_source
from derive.checking.values import Literal

_WHOLE, _ROWS = 3, 40
"""How many equal slips in a column, and in how many lines, are no slips."""
_GUESSED = ("a factor of the text", "prefix: it is 1e-06", "prefix: it is 1e+06")
"""Causes that two paragraphs together do not bear out: a heading may say that it counts by the million."""
MOST = 20_000
"""How many claims of a document are told; more are counted as skipped."""


def check_file(path: str | Path, rules: frozenset[str] | None = None) -> Report:
    """Check a file. Raises DeriveError for one that cannot be read.

    rules: those in force, from `derive.checking.rules.chosen`; the default ones unless given.
    """
    return check_source(open_source(path), rules)


def check_text(text: str, format: str = "markdown", rules: frozenset[str] | None = None) -> Report:
    """Check a text of a format: markdown, latex, html, notebook, rst, text or figures."""
    return check_source(Source(f"<{format}>", text, format), rules)


def check_source(source: Source, rules: frozenset[str] | None = None) -> Report:
    """Check a source at hand."""
    rules = chosen((), ()) if rules is None else rules
    budget = Budget()
    found = structured.claims(source) if source.format == "figures" else _all(source, rules, budget)
    kept: list[Claim] = []
    skipped = 0
    off = source.off()
    for claim in _told(found, rules):
        if any(begin <= claim.line <= end for begin, end in off) or len(kept) >= MOST:
            skipped += 1
        else:
            kept.append(claim)
    kept.sort(key=lambda claim: claim.line)
    notes = []
    if len(kept) >= MOST:
        notes.append(f"{skipped} claims beyond the first {MOST} are left out")
    if budget.left <= 0:
        notes.append(f"more relation signs than the {Budget().left} that are read: split the file")
    return Report(source.name, tuple(kept), skipped, tuple(notes))


def _all(source: Source, rules: frozenset[str], budget: Budget) -> Iterator[Claim]:
    """The claims of a document by every rule in force."""
    read, scope = document(source), Scope()
    definitions.define(read, scope)
    equalities = list(_explained(chains.claims(read, scope, budget)))
    yield from tied.claims(source)
    yield from equalities
    every = list(clauses(read))
    worded = list(_worded(read, every))
    worded = list(_of_right_numbers(worded, [*equalities, *worded]))
    yield from worded
    known = entities.sizes(block.text for block in read.everything())
    every_grid = list(grids(read))
    stated = _of_columns(
        [
            *facts.claims(read, every, known),
            *model_columns.claims(every_grid, known),
            *model_settings.claims(every_grid, read.everything()),
        ]
    )
    yield from stated
    yield from shares.claims(every_grid, every)
    yield from rows_told.claims(every_grid, every)
    yield from rows_compared.claims(every_grid, every)
    yield from keyed.claims(every_grid, every)
    sure = frozenset(
        (claim.line, claim.claimed.partition(" ")[0], claim.place)
        for claim in stated
        if claim.verdict == "true"
    )
    wrong = {claim.line for claim in stated if claim.verdict == "false"}
    rows = [
        _following(claim, wrong)
        for claim in tables.claims(read, every_grid, scope, sure)
        if not _is_decided(claim, stated)
    ]
    specified = list(specifications.claims(read, every_grid))
    right = {claim.line for claim in specified if claim.verdict == "true"}
    rows = [
        claim
        for claim in _of_right_numbers(rows, rows)
        if claim.verdict != "false" or claim.line not in right
    ]
    yield from rows
    told = {(claim.line, claim.claimed) for claim in rows}
    yield from (claim for claim in specified if (claim.line, claim.claimed) not in told)
    totals = {claim.line for claim in rows if claim.rule == "table-total"}
    yield from (claim for claim in ledgers.claims(source) if claim.line not in totals)
    every_number = list(mentions(every))
    yield from laws.claims(every_number, known)
    yield from one_model.claims(every, every_number, known)
    yield from cached_tokens.claims(every, known)
    yield from estimates.claims(every, known)
    if "two-values" in rules:
        yield from defaults.claims(read)
        yield from settings.claims(source, read)
        yield from options.claims(read, every)
        yield from references.claims(read, every_number)
        judged = [*equalities, *worded, *stated, *rows]
        yield from twins.claims(every_number, judged)
        yield from recaps.claims(read.blocks, every_number, judged)
        yield from recalled.claims(every_number, judged)
        yield from consistency.relabelled(read, [claim for claim in equalities if claim.verdict == "true"])
        yield from consistency.twice(every)
    if any(RULES[name].hint for name in rules):
        for clause in every:
            yield from hints.claims(clause)


def _worded(read: Document, every: Sequence[Clause]) -> Iterator[Claim]:
    """What sentences say in words of their numbers."""
    for clause in every:
        yield from restated.claims(clause)
        yield from phrases.claims(clause)
        yield from sizes.claims(clause)
    yield from derived.claims(every)
    yield from _of_stretches(read, every)
    yield from compared.claims(every)
    yield from worded_changes.claims(every)
    yield from clock.claims(every)
    yield from added.claims(every)
    yield from groups.claims(every)
    yield from fitting.claims(every)
    yield from token_prices.claims(every)
    yield from reciprocals.claims(every)
    yield from listed_amounts.claims(every)
    yield from wholes.claims(every)
    yield from layered.claims(every)
    yield from parts.claims(every)
    yield from requantized.claims(every)
    yield from line_rates.claims(every)
    yield from carried.claims(every)
    yield from concluded.claims(every)
    yield from lists.claims(read)
    yield from parallel.claims(every)


def _of_stretches(read: Document, every: Sequence[Clause]) -> Iterator[Claim]:
    """What paragraphs conclude from those before them, but for what they say alone."""
    together, lines = stretches.stretched(read)
    if together:
        rules = (derived, concluded, fitting)
        alone = {(one.line, one.claimed) for rule in rules for one in rule.claims(every)}
        for rule in rules:
            for one in rule.claims(together):
                guessed = one.verdict == "false" and one.cause.startswith(_GUESSED)
                if one.line in lines and (one.line, one.claimed) not in alone and not guessed:
                    yield one


def _of_right_numbers(found: Iterable[Claim], told: Sequence[Claim]) -> Iterator[Claim]:
    """A number that follows from one that is called false itself is not told twice."""
    wrong = {claim.claimed.replace(",", ""): claim.line for claim in told if claim.verdict == "false"}
    every = "|".join(map(re.escape, wrong))
    used = re.compile(rf"(?<![\d.])(?:{every})(?![\w.]*\d)") if wrong else None
    for claim in found:
        made = (
            used.search(claim.because.replace(",", ""))
            if claim.verdict == "false" and used is not None
            else None
        )
        if made is not None and wrong[made[0]] != claim.line:
            claim = replace(claim, verdict="unsure", cause="another number of its calculation is false")
        yield claim


def _of_columns(found: Sequence[Claim]) -> list[Claim]:
    """The statements about machines, but where one slip would explain three rows: the column means something else."""
    kinds = Counter(_column_of(claim) for claim in found if claim.verdict == "false" and claim.place)
    return [
        replace(claim, verdict="unsure", cause="its whole column has such numbers")
        if claim.verdict == "false" and kinds[_column_of(claim)] >= _WHOLE
        else claim
        for claim in found
    ]


def _column_of(claim: Claim) -> tuple[str, int, int, str]:
    """What claims of one column have in common: the rule, the cell of the row, about where it stands, the slip."""
    return claim.rule, claim.place, claim.line // _ROWS, claim.cause.partition(":")[0]


def _is_decided(claim: Claim, stated: Sequence[Claim]) -> bool:
    """Whether a cell that is called false has its verdict from the catalogue already."""
    digits = claim.claimed.partition(" ")[0]
    return claim.verdict == "false" and any(
        one.line == claim.line
        and one.verdict != "unsure"
        and (one.claimed == claim.claimed or (one.verdict == "false" and one.claimed == digits))
        for one in stated
    )


def _following(claim: Claim, wrong: set[int]) -> Claim:
    """A cell computed from another number of its row that is false itself is not told twice."""
    if claim.verdict == "false" and claim.line in wrong and claim.rule == "table-formula":
        return replace(claim, verdict="unsure", cause="another number of its row is false")
    return claim


def _explained(found: Iterable[tuple[Claim, Pair]]) -> Iterator[Claim]:
    """Claims with the cause of the false ones."""
    explainer = Explainer()
    for claim, pair in found:
        if claim.verdict != "false":
            yield claim
            continue
        yield replace(claim, cause=_cause(explainer, pair, claim.expected))


def _cause(explainer: Explainer, pair: Pair, right: str) -> str:
    turned = isinstance(pair.left, Literal) and isinstance(pair.right, Operation)
    side, other = (pair.left, pair.right) if turned else (pair.right, pair.left)
    values, others = (pair.lefts, pair.rights) if turned else (pair.rights, pair.lefts)
    for _, value in values:
        for _, expected in others:
            if value.dimension == expected.dimension:
                literal = side if isinstance(side, Literal) else None
                return explainer.cause(other, pair.evaluator.used, literal, expected.mid, value)
    shown = quantities(right)[:1]  # only one side bears a unit
    if isinstance(side, Literal) and is_turned(other, others[0][1].mid, side):
        return "ratio: the quotient is told upside down"
    return slip(side, shown[0].literal.value) if shown and isinstance(side, Literal) else UNKNOWN


def _told(found: Iterable[Claim], rules: frozenset[str]) -> Iterator[Claim]:
    """Claims of the rules in force, each once, decided where one rule can; a number is false for one reason."""
    told: dict[tuple[int, str, str, int | None, int], Claim] = {}
    false: set[tuple[int, str, int | None, int]] = set()
    for claim in found:
        key = (claim.line, claim.text, claim.claimed, claim.cell, claim.place)
        number = (claim.line, claim.claimed, claim.cell, claim.place)
        if claim.rule not in rules or (claim.verdict == "false" and number in false):
            continue
        if key in told and (told[key].verdict != "unsure" or claim.verdict == "unsure"):
            continue
        if claim.verdict == "false":
            false.add(number)
        told[key] = claim
    yield from told.values()

"""Statements about machines, models and number formats, clause by clause."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence

from derive.checking import (
    block_formats,
    dense_peaks,
    entities,
    extents,
    format_facts,
    impossible,
    machine_boards,
    machine_counts,
    machine_details,
    machine_facts,
    machine_paragraphs,
    model_experts,
    model_extents,
    model_facts,
    model_sizes,
    ridges,
    utilizations,
)
from derive.checking.blocks import Document
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes
from derive.checking.machine_subjects import variants, wired

_NEAR = 12
_SPARSITY = ("spars", "2:4", "稀疏")


def claims(document: Document, clauses: Sequence[Clause], known: Sizes) -> Iterator[Claim]:
    """The claims of all clauses that the catalogue can decide. known: the models of the document by size."""
    told = sorted(
        block.lines[0]
        for block in document.everything()
        if any(map(block.text.lower().__contains__, _SPARSITY))
    )
    meant = variants(block.text for block in document.everything())
    linked = wired((block.text for block in document.everything()), meant)
    alone = machine_paragraphs.only_one((block.text for block in document.everything()), meant)
    joined = machine_paragraphs.only_links((block.text for block in document.everything()), linked)
    model = model_facts.only_one(document.everything())
    only = entities.only_one(list(document.everything()))
    points = ridges.of_document([block.text for block in document.everything()], meant)
    limits = machine_counts.limits_listed(document.blocks)
    rate = impossible.line_rate(document.blocks)
    for clause in clauses:
        yield from impossible.claims(clause, rate)
        yield from machine_facts.claims(clause, _near(clause.line(0), told), meant, linked)
        yield from machine_paragraphs.claims(clause, _near(clause.line(0), told), alone, joined)
        yield from ridges.claims(clause, meant, points)
        yield from utilizations.claims(clause, known, meant)
        yield from machine_counts.claims(clause, linked, alone, limits)
        yield from machine_boards.claims(clause)
        yield from machine_details.claims(clause, meant)
        yield from dense_peaks.claims(clause)
        yield from format_facts.claims(clause, clause.listed)
        yield from block_formats.claims(clause)
        yield from model_extents.claims(clause, known, only)
        yield from model_experts.claims(clause, known)
        yield from model_sizes.claims(clause, known, only)
        yield from model_facts.claims(clause, known, model)
    yield from extents.claims(clauses)


def _near(line: int, told: list[int]) -> bool:
    """Whether a line lies near one of those told, which are in order."""
    at = bisect(told, line - _NEAR)
    return at < len(told) and told[at] <= line + _NEAR

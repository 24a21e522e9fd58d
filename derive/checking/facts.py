"""Statements about machines, models and number formats, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from derive.checking import format_facts, impossible, machine_facts, model_facts
from derive.checking.blocks import Document
from derive.checking.claims import Claim
from derive.checking.clauses import Clause

_SPARSITY = re.compile(r"spars|2:4", re.IGNORECASE)


def claims(document: Document, clauses: Iterable[Clause]) -> Iterator[Claim]:
    """The claims of all clauses that the catalogue can decide."""
    told = {block.section for block in document.everything() if _SPARSITY.search(block.text)}
    for clause in clauses:
        yield from machine_facts.claims(clause, clause.section in told)
        yield from format_facts.claims(clause, clause.listed)
        yield from model_facts.claims(clause)
        yield from impossible.claims(clause)

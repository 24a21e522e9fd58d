"""What a check says: claims with their verdicts, and the report of a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal["true", "false", "unsure"]


@dataclass(frozen=True)
class Claim:
    """One number of a document held against what it should be.

    line: the physical line of the file, from 1. text: the smallest piece that makes
    the claim. expected, claimed: with units; expected is "" where nothing could be
    computed. cause: why it is false, or why nobody can say. because: the computation.
    cell: of a notebook, from 0. place: the cell of a table's row, or how often a sentence has
    the number before, from 0, which tells equal numbers apart.
    """

    line: int
    text: str
    verdict: Verdict
    expected: str
    claimed: str
    cause: str
    rule: str
    because: str = ""
    cell: int | None = None
    place: int = 0

    def as_json(self) -> dict[str, Any]:
        """The claim as `derive check --format json` prints it."""
        found: dict[str, Any] = {
            "line": self.line,
            "text": self.text,
            "verdict": self.verdict,
            "expected": self.expected,
            "claimed": self.claimed,
            "cause": self.cause,
            "rule": self.rule,
        }
        if self.because:
            found["because"] = self.because
        if self.cell is not None:
            found["cell"] = self.cell
        return found


@dataclass(frozen=True)
class Report:
    """All claims found in one file in the order of its lines.

    skipped: how many claims were passed over, in parts switched off and beyond the
    bounds. notes: what the bounds left out, a line each.
    """

    file: str
    claims: tuple[Claim, ...]
    skipped: int = 0
    notes: tuple[str, ...] = field(default=())

    def count(self, verdict: Verdict) -> int:
        """How many claims have this verdict."""
        return sum(claim.verdict == verdict for claim in self.claims)

    def as_json(self) -> dict[str, Any]:
        """The report as `derive check --format json` prints it."""
        found: dict[str, Any] = {
            "file": self.file,
            "claims": [claim.as_json() for claim in self.claims],
            "skipped": self.skipped,
        }
        if self.notes:
            found["notes"] = list(self.notes)
        return found

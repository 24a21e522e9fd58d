"""A report as text, JSON, GitHub annotations or SARIF."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from derive.checking.claims import Claim, Report
from derive.checking.rules import RULES

FORMATS = ("text", "json", "github", "sarif")
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LONGEST = 160
_NAMED = ("hardware", "model", "number-format", "impossible", "two-values")
"""Rules whose reason names a document, a place or a limit."""
_WORKED_OUT = re.compile(r"\d.*[×/+*^−]|[×/+*^−].*\d|\d - \d|\d times \d")


def shown(reports: Sequence[Report], form: str, unsure: bool = False) -> str:
    """The reports in one of FORMATS; unsure: the text and the annotations tell unsure claims too."""
    if form == "json":
        found = [report.as_json() for report in reports]
        return json.dumps(found[0] if len(found) == 1 else found, ensure_ascii=False, indent=2)
    if form == "sarif":
        return json.dumps(_sarif(reports), ensure_ascii=False, indent=2)
    lines = _github(reports, unsure) if form == "github" else _text(reports, unsure)
    return "\n".join(lines)


def _told(report: Report, unsure: bool) -> list[Claim]:
    """The claims that a reader is told of: false ones, hints that were asked for, and unsure ones if wanted."""
    return [
        claim
        for claim in report.claims
        if claim.verdict == "false" or (claim.verdict == "unsure" and (unsure or RULES[claim.rule].hint))
    ]


def _text(reports: Sequence[Report], unsure: bool) -> list[str]:
    lines: list[str] = []
    for report in reports:
        for claim in _told(report, unsure):
            where = f"{report.file}:{claim.line}" + (
                f" (cell {claim.cell})" if claim.cell is not None else ""
            )
            lines.append(f"{where}: {claim.verdict} [{claim.rule}] {_short(claim.text)}")
            if claim.expected:
                lines.append(f"    expected {claim.expected}{_because(claim)}; claimed {claim.claimed}")
            if claim.cause:
                lines.append(f"    {claim.cause}")
        lines.extend(f"{report.file}: {note}" for note in report.notes)
        counts = ", ".join(f"{report.count(verdict)} {verdict}" for verdict in ("true", "false", "unsure"))
        skipped = f", {report.skipped} skipped" if report.skipped else ""
        lines.append(f"{report.file}: {len(report.claims)} claims: {counts}{skipped}")
    return lines


def _because(claim: Claim) -> str:
    """Where the expected value comes from: a calculation behind an equals sign, a place or a source in brackets."""
    if not claim.because:
        return ""
    worked_out = claim.rule == "conversion" or (
        claim.rule not in _NAMED and _WORKED_OUT.search(claim.because) and " and " not in claim.because
    )
    reason = _short(claim.because.rstrip(" ,;:"))
    return f" = {reason}" if worked_out else f" ({reason})"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def message(claim: Claim) -> str:
    """A claim in one sentence."""
    parts = [f"{_short(claim.text)}: "]
    if claim.expected:
        parts.append(f"expected {claim.expected}, claimed {claim.claimed}")
        parts.append(f" ({_short(claim.because)})" if claim.because else "")
    else:
        parts.append(f"claimed {claim.claimed}")
    return "".join(parts) + (f"; {claim.cause}" if claim.cause else "")


def _github(reports: Sequence[Report], unsure: bool) -> list[str]:
    """Workflow commands as GitHub Actions reads them from a job's output."""
    return [
        f"::{'error' if claim.verdict == 'false' else 'notice'} file={_property(report.file)},line={claim.line},"
        f"title={_property(f'derive check: {claim.rule}')}::{_data(message(claim))}"
        for report in reports
        for claim in _told(report, unsure)
    ]


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _sarif(reports: Sequence[Report]) -> dict[str, Any]:
    """SARIF 2.1.0 (OASIS): false claims as errors, unsure ones as notes."""
    names = list(RULES)
    results = [
        {
            "ruleId": claim.rule,
            "ruleIndex": names.index(claim.rule),
            "level": "error" if claim.verdict == "false" else "note",
            "message": {"text": message(claim)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": report.file.replace("\\", "/").replace(" ", "%20")},
                        "region": {"startLine": claim.line},
                    }
                }
            ],
        }
        for report in reports
        for claim in report.claims
        if claim.verdict != "true"
    ]
    rules = [
        {
            "id": rule.name,
            "shortDescription": {"text": rule.title},
            "fullDescription": {"text": rule.explanation},
            "defaultConfiguration": {"level": "note" if rule.hint else "error", "enabled": rule.default},
        }
        for rule in RULES.values()
    ]
    driver = {"name": "derive check", "rules": rules}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }

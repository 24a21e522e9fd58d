"""A machine's measured constants as a file in the catalogue's own format, for `--hardware`."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from derive.constants_file import entries, tables
from derive.rounding import quantity_text
from measuring.roofline import Rate, Roofline
from measuring.session import Session

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Line:
    """One constant of the file: role, value in its unit, tags, and how it was taken."""

    role: str
    value: float
    unit: str
    note: str
    tags: dict[str, str] = field(default_factory=dict)
    trusted: bool = True


def lines_of(roofline: Roofline, device: str) -> list[Line]:
    """The constants of a roofline that the catalogue has roles for."""
    found = [_line(rate) for rate in _chosen(roofline)]
    if device == "cpu":
        # the ordinary lanes of a CPU are the ones that multiply its fp32 matrices
        peak = next((rate for rate in roofline.peaks if rate.tags["precision"] == "fp32"), None)
        if peak is not None:
            note = f"{_note(peak)}; a CPU's matrix peak is its vector peak"
            tags, trusted = {"precision": "fp32"}, peak.timing.trusted
            found.append(Line("vector_peak", peak.value, peak.unit, note, tags, trusted))
    return found


def text(session: Session, name: str, lines: Sequence[Line]) -> str:
    """The file's text."""
    versions = ", ".join(f"{what} {number}" for what, number in session.versions.items())
    head = [
        "# Measured on this machine; give it as --hardware FILE --on NAME.",
        f"[{name if _BARE.fullmatch(name) else _quoted(name)}]",
        f"title = {_quoted(f'{session.machine.name} (measured)')}",
        f"source = {_quoted(f'measured by derive measure ({versions})')}",
        f"date = {session.date.isoformat()}",
        'tags = { basis = "measured" }',
    ]
    by_role: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_role[line.role].append(line)
    for role, values in by_role.items():
        head += [f"{role} = [", *(f"  {_constant(value)}," for value in values), "]"]
    return "\n".join(head) + "\n"


def files(
    session: Session, roofline: Roofline, name: str, *, accept_busy: bool
) -> tuple[dict[str, str], str]:
    """hardware.toml, checked as `--hardware` would read it, and a remark on what it lacks.

    Constants that no undisturbed window measured are left out unless `accept_busy`; without
    any left there is no file. Raises DeriveError for a name that cannot stand in the file.
    """
    lines = lines_of(roofline, session.device)
    kept = [line for line in lines if line.trusted or accept_busy]
    content = text(session, name, kept)
    entries(tables(content, "hardware.toml"), "hardware", "hardware.toml")
    lacking = ", ".join(dict.fromkeys(line.role for line in lines if line not in kept))
    if not lacking:
        return {"hardware.toml": content}, ""
    remark = f"hardware.toml lacks {lacking}: no undisturbed window measured it. --accept-busy puts it in."
    return (
        ({"hardware.toml": content}, remark) if kept else ({}, remark.replace("lacks", "is not written:", 1))
    )


def _chosen(roofline: Roofline) -> list[Rate]:
    """The rates that the catalogue has roles for, the fastest where several are of one kind."""
    return [*roofline.peaks, roofline.bandwidth, roofline.exponentials]


def _line(rate: Rate) -> Line:
    return Line(rate.role, rate.value, rate.unit, _note(rate), rate.tags, rate.timing.trusted)


def _note(rate: Rate) -> str:
    return f"{rate.name}: {rate.how}; {rate.timing.remark}"


def _constant(line: Line) -> str:
    tags = ", ".join(f"{name} = {_quoted(value)}" for name, value in line.tags.items())
    kind = f", tags = {{ {tags} }}" if tags else ""
    value = quantity_text(Fraction(line.value), line.unit)
    return f"{{ value = {_quoted(value)}{kind}, note = {_quoted(line.note)} }}"


def _quoted(line: str) -> str:
    """A basic string of TOML; JSON's escapes are among TOML's."""
    return json.dumps(line, ensure_ascii=False)

"""Findings as tables on the terminal and as a Markdown document."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from derive.cli import console
from derive.measurements import dump
from measuring.session import Findings, Section, Session


def show(findings: Findings) -> None:
    """Print every table with its remarks."""
    for section in findings.sections:
        table = console.table(*section.columns)
        for row in section.rows:
            table.add_row(*row)
        # as a line of its own: a table would break its title at its own width
        console.show(Text(section.title, style="bold"), table, *section.notes, "")


def write(session: Session, findings: Findings, folder: Path) -> list[Path]:
    """Write measurements.json, report.md and the findings' own files, and give their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = dict(findings.files)
    if findings.measurements:
        contents["measurements.json"] = dump(findings.measurements)
    contents["report.md"] = markdown(session, findings)
    for name, content in contents.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return [folder / name for name in sorted(contents)]


def markdown(session: Session, findings: Findings) -> str:
    """The tables as a document that says where and when they were measured."""
    versions = ", ".join(f"{name} {number}" for name, number in session.versions.items())
    lines = [
        "# Derived against measured",
        "",
        f"{session.machine.name} ({session.device}), {session.machine.system}; {versions}; "
        f"{session.date.isoformat()}.",
        "",
        _verdict(findings),
    ]
    for section in findings.sections:
        lines += ["", f"## {section.title}", "", *_table(section)]
        for note in section.notes:
            lines += ["", _plain(note)]
    if "roofline.svg" in findings.files:
        lines += ["", "![Roofline of this machine](roofline.svg)"]
    return "\n".join(lines) + "\n"


def _verdict(findings: Findings) -> str:
    if not findings.wrong:
        return "Every exact count agrees with its formula."
    return "\n".join(["These differ:", "", *(f"- {_plain(line)}" for line in findings.wrong)])


def _table(section: Section) -> list[str]:
    names = [_plain(column.lstrip(">")) for column in section.columns]
    rules = ["---:" if column.startswith(">") else "---" for column in section.columns]
    rows = [names, rules, *([_plain(cell) for cell in row] for row in section.rows)]
    return [f"| {' | '.join(row)} |" for row in rows]


def _plain(text: str) -> str:
    """Text in which Markdown sees no markup of its own."""
    for mark in ("\\", "|", "*", "_", "<", "`"):
        text = text.replace(mark, f"\\{mark}")
    return text

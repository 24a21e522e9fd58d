"""A learner's file in the terminal: the blanks that are left, and for each link why it holds or where it fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from derive.cli import console

if TYPE_CHECKING:
    from derive.derivation import Derivation
    from derive.proofs.verdict import Outcome
    from derive.teaching.blanks import Blank
    from derive.teaching.explaining import Explained
    from derive.teaching.partly import Partly

_OUTCOMES: tuple[Outcome, ...] = ("proved", "refuted", "undecided")
_STYLES = {"proved": "green", "refuted": "bold red", "undecided": "bold red"}


def blanks_of(targets: Sequence[str]) -> dict[str, list[Blank]]:
    """The blanks of the files among the targets; files that are not there are left to those that load them."""
    from pathlib import Path

    files = dict.fromkeys(f"{text.partition('.py')[0]}.py" for text in targets if ".py" in text)
    existing = [path for path in files if Path(path).is_file()]
    if not existing:
        return {}
    from derive.teaching.blanks import blanks

    found = {path: blanks(path) for path in existing}
    return {path: left for path, left in found.items() if left}


def show_blanks(found: dict[str, list[Blank]], *, as_json: bool) -> None:
    """Print what is left to fill in each file, and what is said of what is filled.

    Raises DeriveError where that cannot be run.
    """
    from derive.teaching.partly import partly

    if as_json:
        left = {
            path: [{"line": one.line, "what": one.what} for one in blanks] for path, blanks in found.items()
        }
        console.show_json({"blanks": left, "filled": {path: _partly_json(partly(path)) for path in found}})
        return
    for path, blanks in found.items():
        _show_left(path, blanks)
        _show_partly(partly(path))
    console.show("", "What you have not come to yet you can take out: the rest is then checked.")


def _show_left(path: str, blanks: list[Blank]) -> None:
    from rich.text import Text

    number = len(blanks)
    told = "a blank is" if number == 1 else f"{number} blanks are"
    console.show(Text(f"{path}: {told} left to fill", style="bold"))
    table = console.table(">line", "what is due in the place of ...")
    for one in blanks:
        table.add_row(str(one.line), one.what)
    console.show(table)


def _show_partly(filled: Partly) -> None:
    from rich.text import Text

    if filled.rows or filled.links:
        console.show("", Text("What is filled so far:", style="bold"))
    for row in filled.rows:
        told = () if row.verdict.proved else (row.says,)
        _show_verdict(row.verdict.outcome, f"row {row.what!r}", *told)
    for one in filled.links:
        _show_link(one)
    for wait in filled.waiting:
        links = (
            "a link that is filled waits" if wait.count == 1 else f"{wait.count} links that are filled wait"
        )
        console.show(f"{links} for the blank in line {wait.line}.")


def _partly_json(filled: Partly) -> dict[str, Any]:
    return {
        "rows": [{"row": row.what, "verdict": row.verdict.outcome, "says": row.says} for row in filled.rows],
        "links": [_link_json(one) for one in filled.links],
        "waiting": [{"links": wait.count, "line": wait.line} for wait in filled.waiting],
    }


def show(derivations: Sequence[Derivation], *, as_json: bool) -> bool:
    """Print each link with why it holds or where it fails; whether all are proved."""
    from rich.text import Text

    from derive.teaching.explaining import explain

    made: list[Explained] = []
    for derivation in derivations:
        if not as_json:
            console.show(Text.assemble((derivation.id, "bold"), f"  {derivation.title}"))
        for one in explain(derivation):
            made.append(one)
            if not as_json:
                _show_link(one)
    counts = Counter(one.link.verdict.outcome for one in made)
    if as_json:
        links = [_link_json(one) for one in made]
        console.show_json({**{name: counts[name] for name in _OUTCOMES}, "links": links})
    else:
        console.show("", f"{counts['proved']} of {len(made)} links are proved.")
    return counts["proved"] == len(made)


def _show_link(one: Explained) -> None:
    link = one.link
    _show_verdict(link.verdict.outcome, link.statement, f"because {link.because}", one.says)


def _show_verdict(outcome: Outcome, statement: str, *told: str) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console.show(Text.assemble((outcome, _STYLES[outcome]), f"  {statement.replace('**', '^')}"))
    for line in told:
        console.show(Padding(Text(line.replace("**", "^")), (0, 0, 0, 4)))


def _link_json(one: Explained) -> dict[str, Any]:
    return {
        "id": one.link.id,
        "statement": one.link.statement,
        "because": one.link.because,
        "verdict": one.link.verdict.outcome,
        "says": one.says,
    }

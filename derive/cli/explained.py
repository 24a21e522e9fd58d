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
    """Print what is left to fill."""
    from rich.text import Text

    if as_json:
        left = {
            path: [{"line": one.line, "what": one.what} for one in blanks] for path, blanks in found.items()
        }
        console.show_json({"blanks": left})
        return
    for path, blanks in found.items():
        number = len(blanks)
        told = "a blank is" if number == 1 else f"{number} blanks are"
        console.show(Text(f"{path}: {told} left to fill", style="bold"))
        table = console.table(">line", "what is due in the place of ...")
        for one in blanks:
            table.add_row(str(one.line), one.what)
        console.show(table, Text("What you have not come to yet you can take out: the rest is then checked."))


def show(derivations: Sequence[Derivation], *, as_json: bool) -> bool:
    """Print each link with why it holds or where it fails; whether all are proved."""
    from rich.padding import Padding
    from rich.text import Text

    from derive.teaching.explaining import Explained, explain

    made: list[Explained] = []
    for derivation in derivations:
        if not as_json:
            console.show(Text.assemble((derivation.id, "bold"), f"  {derivation.title}"))
        for one in explain(derivation):
            made.append(one)
            if not as_json:
                outcome = one.link.verdict.outcome
                console.show(
                    Text.assemble((outcome, _STYLES[outcome]), f"  {one.link.statement.replace('**', '^')}"),
                    Padding(Text(f"because {one.link.because}"), (0, 0, 0, 4)),
                    Padding(Text(one.says.replace("**", "^")), (0, 0, 0, 4)),
                )
    counts = Counter(one.link.verdict.outcome for one in made)
    if as_json:
        links: list[dict[str, Any]] = [
            {
                "id": one.link.id,
                "statement": one.link.statement,
                "because": one.link.because,
                "verdict": one.link.verdict.outcome,
                "says": one.says,
            }
            for one in made
        ]
        console.show_json({**{name: counts[name] for name in _OUTCOMES}, "links": links})
    else:
        console.show("", f"{counts['proved']} of {len(made)} links are proved.")
    return counts["proved"] == len(made)

"""The blanks of a learner's file: every `...` that stands where a formula is due, found without running it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from derive.errors import DeriveError

_LARGEST = 1_000_000


@dataclass(frozen=True)
class Blank:
    """A blank: its line, and what is due there."""

    line: int
    what: str


def blanks(path: str | Path) -> list[Blank]:
    """The blanks of a file in its order; none for a file that is no Python, which loading it tells.

    Raises DeriveError where it cannot be read.
    """
    tree = parsed(path)
    return [] if tree is None else _blanks_in(tree)


def first_blank(node: ast.AST) -> int | None:
    """The line of the first blank in a part of a file; None where there is none."""
    found = _blanks_in(node)
    return found[0].line if found else None


def parsed(path: str | Path) -> ast.Module | None:
    """A file as Python's tree; None for a file that is no Python. Raises DeriveError where it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            text = file.read(_LARGEST + 1)
    except OSError as error:
        raise DeriveError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        return ast.parse(text[:_LARGEST])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _blanks_in(tree: ast.AST) -> list[Blank]:
    found: dict[tuple[int, int], Blank] = {}
    # a stack of our own: a file may nest deeper than Python's
    stack: list[tuple[ast.AST, str]] = [(tree, "a value")]
    while stack:
        node, what = stack.pop()
        if isinstance(node, ast.Expr) and _is_blank(node.value):
            continue  # a body left empty, not a formula
        if _is_blank(node):
            place = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
            found[place] = Blank(place[0], what)
            continue
        stack.extend(_inside(node, what))
    return [found[place] for place in sorted(found)]


def _is_blank(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _inside(node: ast.AST, what: str) -> Sequence[tuple[ast.AST, str]]:
    """The parts of a node, each with what it is in words."""
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else "a call"
        because = next((_text(one.value) for one in node.keywords if one.arg == "because"), "")
        whose = f"{name}{f' ({because})' if because else ''}"
        places = [
            (one, f"{_PLACES.get((name, place), 'the formula')} of {whose}")
            for place, one in enumerate(node.args)
        ]
        return places + [(one.value, f"{one.arg} of {whose}") for one in node.keywords]
    if isinstance(node, ast.Tuple) and node.elts and _text(node.elts[0]):
        return [(one, f"the amount of the row {_text(node.elts[0])!r}") for one in node.elts]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return [(node.value, f"the value of {node.targets[0].id}")]
    return [(child, what) for child in ast.iter_child_nodes(node)]


_PLACES = {
    ("Put", 1): "the value",
    ("Limit", 2): "the limit",
    ("SpecialCase", 0): "what is put",
    ("SpecialCase", 1): "the result",
    ("Regime", 0): "the branch",
    ("Inequality", 0): "the left side",
    ("Inequality", 2): "the right side",
    ("Identity", 0): "the left side",
    ("Identity", 1): "the right side",
    ("Solve", 1): "the left side",
    ("Solve", 2): "the right side",
}


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""

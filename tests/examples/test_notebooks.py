"""The example notebooks are run, and show what is stored in them.

After a change that is meant: REFRESH_NOTEBOOKS=1 pytest tests/examples, then `git diff examples`.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def run(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """A cell's outputs as a kernel would store them: what it prints, and its last expression."""
    tree = ast.parse(source)
    *before, end = tree.body
    last = ast.Expression(end.value) if isinstance(end, ast.Expr) else None
    tree.body = before if last is not None else tree.body
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(last, f"cell {number}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        lines = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        shown = getattr(value, "_repr_mimebundle_", lambda: {"text/plain": repr(value)})()
        data = {kind: text.splitlines(keepends=True) for kind, text in sorted(shown.items())}
        outputs.append(
            {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        )
    return outputs


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_computes(path: Path) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    stored = json.dumps(notebook)
    for number, cell in enumerate(cells, 1):
        cell["execution_count"] = number
        cell["outputs"] = run("".join(cell["source"]), names, number)
    if os.environ.get("REFRESH_NOTEBOOKS"):
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
    else:
        assert stored == json.dumps(notebook)


def test_the_tour_says_what_the_readme_says() -> None:
    words = (EXAMPLES / "tour.ipynb").read_text("utf-8")
    assert "62.06 FLOP/byte" in words
    assert "refuted" in words
    assert "Traceback" not in words

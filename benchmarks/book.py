"""How long the whole book takes, each format beside what it cannot do without.

    python benchmarks/book.py

Everything is warm: the catalogue and the drawing library are loaded and one book has
been written. Markdown and HTML stand beside the proofs of all links, which every book
needs; the PDF stands beside TeX alone on the same source, as often as the
cross-references ask for. Seconds are of processor time, so that a busy machine shows
the same.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import reports
from derive.catalogue import chapter, chapters
from reports import plots
from reports.pdf import compiled

ASKED = {"on": "h100-sxm", "model": "llama-3-8b"}
ROUNDS = 3


def seconds(action: Callable[[], object]) -> float:
    """The least processor time of several rounds, that of TeX included."""
    found = []
    for _ in range(ROUNDS):
        begun = sum(os.times()[:4])
        action()
        found.append(sum(os.times()[:4]) - begun)
    return min(found)


def written(folder: Path, *formats: str) -> float:
    """Seconds to write the book in these formats."""
    return seconds(lambda: reports.write(["all"], formats, folder, on=ASKED["on"], model=ASKED["model"]))


def proved() -> None:
    """Prove every link of every chapter."""
    for name in chapters():
        for derivation in chapter(name).values():
            derivation.verify()


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        reports.write(["all"], ["md", "tex"], folder, on=ASKED["on"], model=ASKED["model"])
        source = (folder / "book.tex").read_text("utf-8")
        figures = {f"{plots.FOLDER}/{path.name}": path.read_bytes() for path in folder.glob("*/*.pdf")}
        print(f"proofs of all links      {seconds(proved):6.2f} s")
        print(f"Markdown                 {written(folder, 'md'):6.2f} s")
        print(f"HTML                     {written(folder, 'html'):6.2f} s")
        print(f"Markdown, HTML and LaTeX {written(folder, 'md', 'html', 'tex'):6.2f} s")
        print(f"TeX alone                {seconds(lambda: compiled(source, 'book', figures)):6.2f} s")
        print(f"PDF                      {written(folder, 'pdf'):6.2f} s")


if __name__ == "__main__":
    main()

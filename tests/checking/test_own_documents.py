"""The project's own documents and its book hold no false number."""

from __future__ import annotations

from pathlib import Path

import pytest

from derive.checking import check_file
from derive.cli.app import run

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    path for pattern in ("*.md", "docs/*.md", "examples/**/*.md") for path in ROOT.glob(pattern)
)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents(path: Path) -> None:
    assert [claim.text for claim in check_file(path).claims if claim.verdict == "false"] == []


def test_the_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(
            [
                "report",
                "all",
                "--on",
                "h100-sxm",
                "--model",
                "llama-3-8b",
                "--format",
                "md",
                "--out",
                str(tmp_path),
            ]
        )
        == 0
    )
    reports = [check_file(path) for path in sorted(tmp_path.glob("*.md"))]
    false = [
        (report.file, claim.text) for report in reports for claim in report.claims if claim.verdict == "false"
    ]
    assert false == []
    assert sum(report.count("true") for report in reports) >= 200
    capsys.readouterr()

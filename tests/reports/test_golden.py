"""Reports held to the letter. After a change that is meant: REFRESH_GOLDEN=1 pytest tests/reports/test_golden.py

Then read the difference: `git diff tests/reports/golden`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import reports
from derive import catalogue

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
TEMPLATES = Path(reports.__file__).parent / "templates"
CASES: dict[str, dict[str, Any]] = {
    "attention.naive_intensity": {"on": "h100-sxm", "given": {"T": 4096, "d": 128}},
    "matmul.critical_batch": {"on": "h100-sxm", "given": {"d": 4096}},
    "roofline.time": {"on": "h100-sxm", "given": {"F": "1e9 FLOP", "Q": "1e9 byte"}},
    "matmul.time": {},
}


def rendered(id: str, format: str, **options: Any) -> str:
    """A report; of a page without the style and the code that all pages share."""
    found = reports.render(id, format, **options)
    for shared in (*TEMPLATES.glob("*.css"), *TEMPLATES.glob("*.js")):
        found = found.replace(shared.read_text("utf-8"), f"/* {shared.name} */\n")
    return found


@pytest.mark.parametrize("format", reports.FORMATS)
@pytest.mark.parametrize("id", CASES)
def test_the_report_is_the_golden_one(id: str, format: str) -> None:
    golden = GOLDEN / f"{id}.{format}"
    found = rendered(id, format, **CASES[id])
    if os.environ.get("REFRESH_GOLDEN"):
        golden.write_text(found, "utf-8")
    assert found == golden.read_text("utf-8")


@pytest.mark.parametrize("format", reports.FORMATS)
def test_a_user_files_report_is_the_golden_one(format: str) -> None:
    catalogue.load_file(HERE / "triad.py")
    golden = GOLDEN / f"triad.intensity.{format}"
    found = rendered("triad.intensity", format, given={"n": 1000})
    if os.environ.get("REFRESH_GOLDEN"):
        golden.write_text(found, "utf-8")
    assert found == golden.read_text("utf-8")


def test_no_golden_file_is_left_over() -> None:
    wanted = {f"{id}.{format}" for id in (*CASES, "triad.intensity") for format in reports.FORMATS}
    assert {path.name for path in GOLDEN.iterdir()} == wanted


def test_a_report_does_not_depend_on_the_order_of_hashes() -> None:
    script = (
        "import reports; "
        "print(''.join(reports.render(name, f) for name in ('matmul', 'utilization') for f in reports.FORMATS))"
    )
    texts = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            cwd=HERE.parents[1],
            capture_output=True,
            check=True,
            timeout=120,
        )
        texts.add(done.stdout)
    assert len(texts) == 1
    assert len(texts.pop()) > 10_000

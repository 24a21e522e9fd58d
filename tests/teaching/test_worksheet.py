"""Worksheets: the same seed gives the same bytes; LaTeX compiles; the page marks answers in Chromium."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from derive.cli.app import run
from derive.teaching.drawing import draw
from derive.teaching.essentials import essentials
from derive.teaching.exercise import Amount, Choice
from reports.worksheet import render_sheet

CHROMIUM = Path("/usr/bin/chromium")
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture
def sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[Path]]:
    """Write a sheet with these options; the paths that were printed."""

    def call(*options: str, out: str = "out") -> list[Path]:
        assert run(["drill", *options, "--out", str(tmp_path / out)]) == 0
        return [Path(line) for line in capsys.readouterr().out.splitlines()]

    return call


def test_the_same_seed_gives_the_same_bytes(sheet: Callable[..., list[Path]]) -> None:
    options = ("--seed", "7", "--count", "8", "--format", "md,tex,html", "--key")
    one, two = sheet(*options, out="one"), sheet(*options, out="two")
    names = [f"drill-7{key}.{format}" for format in ("md", "tex", "html") for key in ("", "-key")]
    assert [path.name for path in one] == names
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    other = sheet("--seed", "8", "--count", "8", "--format", "md")
    assert other[0].read_bytes() != one[0].read_bytes()


def test_a_sheet_hides_what_its_key_tells() -> None:
    exercises = draw(7, 12)
    sheet, key = (render_sheet(exercises, "md", "x", key=key) for key in (False, True))
    assert "**Answer: " not in sheet
    assert key.count("**Answer: ") == 12
    assert sheet.count("\n## ") == key.count("\n## ") == 12
    for exercise in exercises:
        assert f"`derive show {exercise.id}`" in key


def test_a_page_needs_nothing_else() -> None:
    page = render_sheet(draw(7, 12), "html", "x")
    assert not re.search(r"(?:src|href)=\"(?!#)", page)
    assert "http" not in page.replace("http://www.w3.org/1998/Math/MathML", "")
    assert page.count("<math") > 10
    assert "</script>" not in "".join(
        re.findall(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)
    )


def test_options_that_do_not_go_together_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for options, told in (
        (["--key"], "--key belongs to a worksheet"),
        (["--out", "x"], "--out belongs to a worksheet"),
        (["--essentials", "--seed", "1"], "--essentials is a fixed list"),
        (["--format", "pdf"], "unknown format 'pdf': one of md, tex, html"),
        (["--format", ","], "--format: give one or more of md, tex, html"),
    ):
        assert run(["drill", *options]) == 2
        assert capsys.readouterr().err.startswith(f"derive: {told}")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is absent")
def test_the_latex_compiles_without_a_warning(sheet: Callable[..., list[Path]]) -> None:
    for path in sheet("--seed", "3", "--count", "24", "--format", "tex", "--key"):
        ran = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name],
            cwd=path.parent,
            capture_output=True,
            timeout=120,
            check=False,
        )
        log = path.with_suffix(".log").read_text(encoding="utf-8", errors="replace")
        assert ran.returncode == 0, log[-2000:]
        assert not re.findall(r"^(?:Overfull|Missing character|LaTeX Warning).*", log, re.MULTILINE)


# types or ticks an answer, submits the form as a reader does, and leaves what the page says in the document
DRIVER = """
<script>
const told = [];
for (const [number, answer] of ANSWERS) {
  const form = document.querySelector(`form[data-number="${number}"]`);
  const radio = form.querySelector(`input[type=radio][value="${answer}"]`);
  if (radio) radio.click(); else form.querySelector("input[type=text]").value = answer;
  form.querySelector("button").click();
  told.push({
    number, says: form.querySelector(".mark").textContent, chain: !form.querySelector("details").hidden,
    score: document.getElementById("score").textContent,
  });
}
const kept = document.createElement("pre");
kept.id = "told";
kept.textContent = JSON.stringify(told);
document.body.append(kept);
</script>
"""


def driven(page: str, answers: list[tuple[int, str]], folder: Path) -> list[dict[str, Any]]:
    """What the page says to each answer, in headless Chromium."""
    script = DRIVER.replace("ANSWERS", json.dumps(answers))
    path = folder / "driven.html"
    path.write_text(page.replace("</body>", f"{script}</body>"), encoding="utf-8")
    ran = subprocess.run(
        [str(CHROMIUM), *QUIET, f"--user-data-dir={folder / 'profile'}", "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found = re.search(r'<pre id="told">(.*?)</pre>', ran.stdout, re.DOTALL)
    assert found, ran.stderr[-2000:]
    told: list[dict[str, Any]] = json.loads(unescape(found[1]))
    return told


@pytest.mark.skipif(not CHROMIUM.exists(), reason="/usr/bin/chromium is absent")
def test_the_page_marks_answers(tmp_path: Path) -> None:
    exercises = [*essentials(), *draw(7, 24)]
    page = render_sheet(exercises, "html", "x")
    answers = [(number, exercise.answer.text) for number, exercise in enumerate(exercises, 1)]
    told = driven(page, answers, tmp_path)
    assert [one["says"].split(".")[0] for one in told] == ["Right"] * len(exercises)
    assert all(one["chain"] for one in told)
    assert told[-1]["score"] == f"{len(exercises)} of {len(exercises)} right; 0 to go."


@pytest.mark.skipif(not CHROMIUM.exists(), reason="/usr/bin/chromium is absent")
def test_the_page_names_slips_and_asks_again(tmp_path: Path) -> None:
    exercises = draw(5, 6, chapter="collectives", kinds=("value",))
    number = next(place for place, one in enumerate(exercises, 1) if one.id == "collectives.all_reduce_ring")
    exercise = exercises[number - 1]
    assert isinstance(exercise.answer, Amount)
    (both_ways,) = (one for one in exercise.slips if one.slip.name == "both ways")
    right = float(exercise.answer.value)
    answers = [
        (number, "fast"),
        (number, f"{right * 1000:.4f}"),
        (number, f"{right * 1000:.4f} GB"),
        (number, f"{float(both_ways.value) * 1000:.4f} ms"),
        (number, f"~{right:.6f}s"),
        (number, f"{right * 1e6:.1f} µs"),
        (number, f"{right * 1020:.4f} ms"),
    ]
    told = driven(render_sheet(exercises, "html", "x"), answers, tmp_path)
    says = [one["says"] for one in told]
    assert says[0] == "Give a number with its unit, such as 12.5 ms."
    assert says[1] == "Give the unit too, such as ms."
    assert says[2].startswith("GB is no unit that fits here")
    assert not told[2]["chain"]
    assert f"No, it is {exercise.answer.text}." in says[3]
    assert both_ways.slip.says in says[3]
    assert says[4].startswith("Right.")
    assert says[5].startswith("Right.")
    assert says[6].startswith("No, it is")
    assert told[-1]["score"] == "0 of 1 right; 5 to go."  # the first answer that could be marked counts


@pytest.mark.skipif(not CHROMIUM.exists(), reason="/usr/bin/chromium is absent")
def test_a_wrong_choice_and_order_are_told(tmp_path: Path) -> None:
    exercises = draw(7, 6, kinds=("regime", "order"))
    answers, due = [], []
    for number, exercise in enumerate(exercises, 1):
        if isinstance(exercise.answer, Choice):
            answers.append((number, "b" if exercise.answer.right == 0 else "a"))
            due.append(f"No, it is {exercise.answer.text}.")
        else:
            answers += [(number, "a"), (number, " ".join(sorted(exercise.answer.text.split())))]
            letters = " ".join(sorted(exercise.answer.text.split()))
            due += [
                f"Give each of the letters {letters} once, in order.",
                f"No, it is {exercise.answer.text}.",
            ]
    assert [one["says"] for one in driven(render_sheet(exercises, "html", "x"), answers, tmp_path)] == due


@pytest.mark.skipif(not CHROMIUM.exists(), reason="/usr/bin/chromium is absent")
def test_the_page_refuses_a_decimal_comma_and_reads_grouped_thousands(tmp_path: Path) -> None:
    (counted,) = (one for one in essentials() if one.key == "value 34")
    (estimate,) = (one for one in essentials() if one.kind == "estimate")
    page = render_sheet([estimate, estimate, counted], "html", "x")
    told = driven(page, [(1, "54,7 ms"), (2, "54,687.5 us"), (3, "34 byte")], tmp_path)
    assert [one["says"].partition(":")[0] for one in told] == [
        "Write the decimal point as a point",
        "Right. The value is 54.69 ms.",
        "Right. The value is 34 byte.",
    ]


def test_an_estimate_has_a_clock_and_nothing_else_has() -> None:
    exercises = essentials()
    page = render_sheet(exercises, "html", "x")
    assert page.count('role="timer"') == sum(one.kind == "estimate" for one in exercises) == 1

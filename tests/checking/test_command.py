"""`derive check`: formats of its output, rules, switches, annotations, structured claims, exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from derive.cli.app import run

GOOD = "A port of 400 Gb/s = 50 GB/s.\n"
BAD = "# Links\n\nA port of 400 Gb/s = 500 GB/s.\n"


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "post.md"
    file.write_text(BAD, "utf-8")
    return file


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict]:
    status = run(["check", *arguments, "--format", "json"])
    return status, json.loads(capsys.readouterr().out)


def test_json_of_one_file(post: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, report = _json(capsys, "post.md")
    (claim,) = report["claims"]
    assert status == 1
    assert (report["file"], report["skipped"]) == ("post.md", 0)
    assert claim["line"] == 3
    assert claim["text"] == "400 Gb/s = 500 GB/s"
    assert (claim["verdict"], claim["rule"]) == ("false", "conversion")
    assert (claim["expected"], claim["claimed"]) == ("50 GB/s", "500 GB/s")
    assert "power of ten" in claim["cause"]


def test_several_files_give_a_list(post: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.md").write_text(GOOD, "utf-8")
    assert run(["check", "post.md", "good.md", "--json"]) == 1
    reports = json.loads(capsys.readouterr().out)
    assert [report["file"] for report in reports] == ["post.md", "good.md"]
    assert [claim["verdict"] for claim in reports[1]["claims"]] == ["true"]


def test_status_zero_where_nothing_is_false(post: Path, capsys: pytest.CaptureFixture[str]) -> None:
    post.write_text(GOOD, "utf-8")
    assert run(["check", "post.md"]) == 0
    assert capsys.readouterr().out == "post.md: 1 claims: 1 true, 0 false, 0 unsure\n"


def test_text_tells_place_value_and_cause(post: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "post.md"]) == 1
    out = capsys.readouterr().out.split("\n")
    assert out[0] == "post.md:3: false [conversion] 400 Gb/s = 500 GB/s"
    assert out[1].strip() == "expected 50 GB/s = 400 Gb/s; claimed 500 GB/s"
    assert "power of ten" in out[2]


@pytest.mark.parametrize(
    ("text", "told", "cause"),
    [
        ("So 2 * 7/8 = 1.57 then.", "expected 1.75 = 2 * 7/8; claimed 1.57", "digits swapped"),
        ("And 26 GB = 42.2 GiB then.", "expected 24.21 GiB = 26 GB; claimed 42.2 GiB", "digits swapped"),
        (
            "An H100 SXM does 1,979 TFLOP/s in dense bf16.",
            "expected 989 TFLOP/s [dense, bf16] (NVIDIA H100 SXM5 80 GB, NVIDIA H100 Tensor Core GPU datasheet); "
            "claimed 1,979 TFLOP/s",
            "sparse and dense: 1979 TFLOP/s is the number [2:4, bf16]",
        ),
    ],
)
def test_text_tells_a_calculation_behind_a_sign_and_a_source_in_brackets(
    post: Path, capsys: pytest.CaptureFixture[str], text: str, told: str, cause: str
) -> None:
    post.write_text(text + "\n", "utf-8")
    assert run(["check", "post.md"]) == 1
    out = [line.strip() for line in capsys.readouterr().out.split("\n")]
    assert out[1] == told
    assert out[2] == cause


def test_github_annotations(post: Path, capsys: pytest.CaptureFixture[str]) -> None:
    post.write_text(BAD + "\nSo 45% of 100 TFLOP/s = 90 TFLOP/s.\n", "utf-8")
    assert run(["check", "post.md", "--format", "github"]) == 1
    lines = capsys.readouterr().out.strip().split("\n")
    assert lines[0].startswith(
        "::error file=post.md,line=3,title=derive check%3A conversion::400 Gb/s = 500 GB/s: "
    )
    assert lines[1].startswith("::error file=post.md,line=5,")
    assert "45%25 of 100 TFLOP/s" in lines[1]


def test_sarif(post: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "post.md", "--format", "sarif"]) == 1
    log = json.loads(capsys.readouterr().out)
    (one,) = log["runs"]
    (result,) = one["results"]
    assert log["version"] == "2.1.0"
    assert (result["ruleId"], result["level"]) == ("conversion", "error")
    assert one["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "conversion"
    place = result["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "post.md"}, "region": {"startLine": 3}}


def test_select_and_ignore(post: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _json(capsys, "post.md", "--ignore", "conversion")[1]["claims"] == []
    assert _json(capsys, "post.md", "--select", "chain,hardware")[1]["claims"] == []
    assert run(["check", "post.md", "--select", "convesion"]) == 2
    assert "did you mean 'conversion'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("A block of 64 KB fits.", "kb"),
        ("The link has 400 Gb.", "bit-rate"),
        ("It takes 30 TFLOPs.", "flops-rate"),
        ("Of 80 GB there are 74.5 GiB left.", "decimal-binary"),
        ("The peak of the H100 is 989 TFLOP/s.", "bare-peak"),
        ("NVLink moves 900 GB/s.", "bare-link"),
    ],
)
def test_hints_are_off_until_asked_for(
    sentence: str, rule: str, post: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    post.write_text(sentence + "\n", "utf-8")
    assert rule not in [claim["rule"] for claim in _json(capsys, "post.md")[1]["claims"]]
    status, report = _json(capsys, "post.md", "--select", "hints")
    assert status == 0
    assert [(claim["rule"], claim["verdict"]) for claim in report["claims"]] == [(rule, "unsure")]


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--explain", "conversion"]) == 0
    assert capsys.readouterr().out.startswith("conversion: One quantity in two units\n\n")
    assert run(["check", "--explain", "all"]) == 0
    assert len(capsys.readouterr().out.strip().split("\n")) == 19
    assert run(["check", "--explain", "nothing"]) == 2


def test_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check"]) == 2
    assert "no FILE" in capsys.readouterr().err


def test_switched_off_parts_are_skipped(post: Path, capsys: pytest.CaptureFixture[str]) -> None:
    post.write_text(f"<!-- derive: off -->\n{BAD}\n<!-- derive: on -->\n\n{GOOD}", "utf-8")
    status, report = _json(capsys, "post.md")
    assert status == 0
    assert report["skipped"] == 1
    assert [claim["verdict"] for claim in report["claims"]] == ["true"]


@pytest.mark.parametrize(
    ("text", "line", "verdict"),
    [
        ("<!-- derive: attention.naive_intensity T=4096 d=128 -->\nIt is 62.06 FLOP/byte.", 2, "true"),
        ("<!-- derive: attention.naive_intensity T=4096 d=128 -->\nIt is 124.1 FLOP/byte.", 2, "false"),
        ("It is 62.06 FLOP/byte. <!-- derive: attention.naive_intensity T=4096 d=128 -->", 1, "true"),
        ("<!-- derive: roofline.ridge on=h100-sxm --> 295 FLOP/byte", 1, "true"),
        ("<!-- derive: roofline.ridge on=h100-sxm --> 590 FLOP/byte", 1, "false"),
        ("<!-- derive: attention.naive_intensty T=4096 d=128 -->\nIt is 62 FLOP/byte.", 2, "unsure"),
        ("<!-- derive: attention.naive_intensity T=4096 d=128 -->\nIt is 62 GB.", 2, "unsure"),
    ],
)
def test_annotations_tie_a_number_to_the_catalogue(
    text: str, line: int, verdict: str, post: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    post.write_text(text + "\n", "utf-8")
    _, report = _json(capsys, "post.md")
    claims = [claim for claim in report["claims"] if claim["rule"] == "annotation"]
    assert [(claim["line"], claim["verdict"]) for claim in claims] == [(line, verdict)]


FIGURES = """\
[[figure]]
id = "attention.naive_intensity"
given = { T = 4096, d = 128 }
value = 62.06
unit = "FLOP/byte"

[[figure]]
id = "attention.naive_intensity"
given = { T = 4096, d = 128 }
value = 64.0
unit = "FLOP/byte"
rel = 0.001

[[figure]]
calc = "2*7/8 * 2 GB / (64 GB/s)"
claimed = "55 ms"

[[figure]]
calc = "2*7/8 * 2 GB / (64 GB/s)"
claimed = "27 ms"

[[figure]]
id = "attention.nothing"
value = 1
"""


def test_structured_claims(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.toml"
    file.write_text(FIGURES, "utf-8")
    status, report = _json(capsys, str(file))
    assert status == 1
    found = [(claim["line"], claim["verdict"]) for claim in report["claims"]]
    assert found == [(1, "true"), (7, "false"), (14, "true"), (18, "false"), (22, "unsure")]


def test_the_figures_of_the_catalogue_hold(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, report = _json(capsys, str(shared / "figures.toml"))
    assert status == 0
    assert {claim["verdict"] for claim in report["claims"]} == {"true"}
    assert len(report["claims"]) >= 100


def test_the_page_shows_what_is_printed(post: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "check.md").read_text("utf-8")
    shown = page.split("$ derive check post.md\n", 1)[1].split("```", 1)[0]
    post.write_text(
        "# Serving\n\nA 13B model in bf16 takes 13e9 * 2 bytes = 13 GB, and 26 GB / (3.35 TB/s) = 7.8 ms.\n\n"
        "The H100 SXM has a dense bf16 peak of 1,979 TFLOP/s.\n",
        "utf-8",
    )
    assert run(["check", "post.md"]) == 1
    assert capsys.readouterr().out == shown

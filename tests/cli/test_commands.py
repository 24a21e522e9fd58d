"""What each command answers, as text and as JSON, for the catalogue and for a file of one's own."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
NAIVE = ("attention.naive_intensity", "--set", "T=4096", "--set", "d=128")


def test_eval_json_is_as_promised(cli: Cli) -> None:
    found = cli("eval", *NAIVE, "--on", "h100-sxm", "--json").json
    assert found == {
        "id": "attention.naive_intensity",
        "value": float(Fraction(4096 * 128, 2 * (4096 + 128))),
        "unit": "FLOP/byte",
        "text": "62.06 FLOP/byte",
        "inputs": [
            {"symbol": "T", "value": 4096, "unit": "dimensionless", "source": "given"},
            {"symbol": "d", "value": 128, "unit": "dimensionless", "source": "given"},
        ],
        "conventions": {"precision": "bf16"},
    }


def test_a_count_is_an_exact_integer(cli: Cli) -> None:
    found = cli("eval", "matmul.flops", "--set", "m=4097", "k=4099", "n=4111", "--json").json
    assert found["value"] == 2 * 4097 * 4099 * 4111
    assert isinstance(found["value"], int)


def test_eval_shows_formula_numbers_value_and_verdict(cli: Cli) -> None:
    lines = cli("eval", *NAIVE, "--on", "h100-sxm").out.splitlines()
    assert lines[:13] == [
        "attention.naive_intensity  Arithmetic intensity of naive attention",
        "",
        "       T⋅d",
        "I = ─────────",
        "    2⋅(T + d)",
        "",
        "       4096⋅128⋅FLOP",
        "  = ───────────────────",
        "    2⋅byte⋅(4096 + 128)",
        "",
        "  ≈ 62.06 FLOP/byte",
        "",
        "letter   meaning           value   source",
    ]
    ratio = Fraction(989_000, 3350) / Fraction(4096 * 128, 2 * (4096 + 128))
    assert f"{float(ratio):.3f}" == "4.757"
    assert lines[-1] == (
        "Memory-bound on h100-sxm by a factor of 4.757: 62.06 FLOP/byte is below the ridge of 295.2 FLOP/byte."
    )


def test_a_time_says_what_bounds_it(cli: Cli) -> None:
    square = ("--set", "m=4096", "k=4096", "n=4096")
    out = cli("eval", "matmul.time", "--on", "h100-sxm", *square).out
    ratio = Fraction(2 * 4096**3, 2 * 3 * 4096**2) / Fraction(989_000, 3350)
    assert f"Compute-bound on h100-sxm by a factor of {float(ratio):.3f}: 1365 FLOP/byte is above" in out
    out = cli("eval", "matmul.time", "--on", "h100-sxm", "--set", "m=1", "k=4096", "n=4096").out
    assert "Memory-bound on h100-sxm by a factor of 295.4: 0.9995 FLOP/byte is below" in out


def test_an_elementwise_kernel_is_held_against_the_ridge_of_the_ordinary_lanes(cli: Cli) -> None:
    out = cli("eval", "elementwise.intensity", "--on", "h100-sxm", "--set", "c=1").out
    assert (
        "Memory-bound on h100-sxm by a factor of 80: 0.25 FLOP/byte is below the ridge of 20 FLOP/byte."
        in out
    )


def test_a_machine_without_the_peak_gives_no_verdict(cli: Cli) -> None:
    out = cli("eval", *NAIVE, "--on", "laptop-cpu").out
    assert "No verdict: laptop-cpu has no peak [bf16, dense]" in out


def test_whole_numbers_stand_in_full_beside_the_rounded_one(cli: Cli) -> None:
    out = cli("eval", "attention.flops", "--set", "T=4096", "d=128").out
    assert "  = 8,589,934,592 FLOP\n  ≈ 8.590 GFLOP\n" in out


def test_no_solution_is_an_answer(cli: Cli) -> None:
    ran = cli("eval", "matmul.critical_batch", "--on", "h100-sxm", "--set", "d=100")
    assert ran.status == 0
    assert "has no value: no batch reaches the ridge" in ran.out
    ran = cli("eval", "matmul.critical_batch", "--on", "h100-sxm", "--set", "d=100", "--json")
    assert ran.json["value"] is None


def test_several_machines_stand_side_by_side(cli: Cli) -> None:
    names = ["h100-sxm", "a100-80gb-sxm", "b200-sxm"]
    found = cli("eval", "roofline.ridge", "--on", *names, "--json").json
    assert [one["on"] for one in found] == names
    assert [one["model"] for one in found] == [None, None, None]
    assert [one["value"] for one in found] == [989_000 / 3350, 312_000 / 2039, 2250 / 8]
    repeated = cli("eval", "roofline.ridge", *(word for name in names for word in ("--on", name)), "--json")
    assert repeated.json == found
    lines = cli("eval", "roofline.ridge", "--on", *names).out.splitlines()
    assert [line.split()[0] for line in lines if "FLOP/byte" in line] == names


def test_machines_and_models_are_combined(cli: Cli) -> None:
    found = cli("eval", "parameters.total", "--model", "gpt2-small", "llama-3-8b", "--json").json
    assert [(one["on"], one["model"], one["value"]) for one in found] == [
        (None, "gpt2-small", 124439808),
        (None, "llama-3-8b", 8030261248),
    ]


def test_a_convention_changes_the_number_and_is_said(cli: Cli) -> None:
    ran = cli("eval", "roofline.ridge", "--on", "h100-sxm", "--convention", "precision=fp8", "--json")
    assert ran.json["value"] == 1_979_000 / 3350
    assert ran.json["conventions"] == {"precision": "fp8", "sparsity": "dense"}
    out = cli("eval", "roofline.ridge", "--on", "h100-sxm", "--convention", "precision=fp8").out
    assert "as asked" in out


def test_list_has_a_line_for_each_formula(cli: Cli) -> None:
    found = cli("list", "--json").json
    assert {"id", "title", "unit", "formula"} == set(found[0])
    ids = [row["id"] for row in found]
    assert ids[0] == "roofline.compute_time"
    assert len(ids) == len(set(ids))
    lines = cli("list").out.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ids
    chapter = cli("list", "--chapter", "matmul", "--json").json
    assert [row["id"] for row in chapter] == [id for id in ids if id.startswith("matmul.")]


def test_show_proves_what_it_shows(cli: Cli) -> None:
    found = cli("show", "attention.naive_intensity", "--json").json
    assert found["formula"] == "T*d/(2*(T + d))"
    assert [row["amount"] for row in found["ledgers"][0]["rows"]] == ["2*T^2*d", "2*T^2*d"]
    assert [link["relation"] for link in found["chain"]] == ["=", "put e = 2*byte"]
    assert {link["verdict"] for kind in ("chain", "facts", "examples") for link in found[kind]} == {"proved"}
    out = cli("show", "attention.naive_intensity").out
    for part in (
        "Letters",
        "Counted, in byte",
        "Derivation",
        "Facts",
        "Examples",
        "Sources",
        "arXiv:2205.14135",
    ):
        assert part in out


def test_constants_have_value_unit_tags_source_and_date(cli: Cli) -> None:
    found = cli("constants", "h100", "--json").json
    assert found["name"] == "h100-sxm"
    peak = next(one for one in found["constants"] if one["role"] == "peak")
    assert set(peak) == {"role", "value", "unit", "text", "tags", "source", "date", "note"}
    assert (peak["value"], peak["unit"]) == (989, "TFLOP/s")
    assert peak["tags"] == {"basis": "specification", "sparsity": "dense", "precision": "bf16"}
    assert all(one["source"] and one["date"] for one in found["constants"])
    everything = cli("constants", "--json").json
    assert {"hardware", "model"} == {one["kind"] for one in everything}
    assert "989 TFLOP/s" in cli("constants", "h100-sxm").out


def test_verify_json_is_as_promised(cli: Cli) -> None:
    ran = cli("verify", "roofline", "attention.naive_intensity", "--json")
    assert ran.status == 0
    found = ran.json
    assert list(found) == ["proved", "refuted", "undecided", "links"]
    assert (found["refuted"], found["undecided"]) == (0, 0)
    assert found["proved"] == len(found["links"]) > 20
    assert list(found["links"][0]) == ["id", "relation", "because", "verdict", "reason", "seconds"]
    assert {link["id"].partition(".")[0] for link in found["links"]} == {"roofline", "attention"}


def test_a_wrong_step_is_refuted_with_a_counterexample(wrong: Path, cli: Cli) -> None:
    ran = cli("verify", str(wrong))
    assert ran.status == 1
    assert "refuted  wrong.naive_intensity" in ran.out
    assert "because 4T cancels above and below" in ran.out
    ran = cli("verify", str(wrong), "--json")
    assert ran.status == 1
    assert ran.json["refuted"] >= 1
    assert ran.json["links"][0]["verdict"] == "refuted"
    assert cli("show", str(wrong)).status == 1


def test_a_file_of_ones_own_stands_wherever_an_id_does(mine: Path, tmp_path: Path, cli: Cli) -> None:
    assert [row["id"] for row in cli("list", str(mine), "--json").json] == ["mine.naive_intensity"]
    assert cli("verify", str(mine)).out.endswith("All 3 links are proved.\n")
    for id in (str(mine), f"{mine}:naive_intensity"):
        assert cli("show", id).status == 0
        found = cli("eval", id, "--set", "T=4096", "d=128", "--on", "h100-sxm", "--json").json
        assert (found["id"], found["text"]) == ("mine.naive_intensity", "62.06 FLOP/byte")
    ran = cli("solve", str(mine), "--for", "T", "--equals", "60 FLOP/byte", "--set", "d=128", "--json")
    assert ran.json["solutions"][0]["value"] == 1920
    ran = cli("report", str(mine), "--out", str(tmp_path / "out"))
    assert (ran.status, ran.out) == (0, f"{tmp_path / 'out' / 'mine.naive_intensity.md'}\n")


def test_an_id_never_runs_a_file(mine: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    path = mine.rename(mine.with_name("unrun.py"))
    path.write_text("raise SystemExit('run')", encoding="utf-8")
    monkeypatch.chdir(path.parent)
    ran = cli("eval", "unrun.naive_intensity")
    assert ran.status == 2
    assert ran.err == (
        "derive: unknown id 'unrun.naive_intensity': for a formula of the file give unrun.py:naive_intensity\n"
    )


def test_a_file_of_several_asks_which(mine: Path, cli: Cli) -> None:
    text = mine.read_text(encoding="utf-8")
    path = mine.with_name("several.py")
    path.write_text(
        text + text[text.index("naive_intensity =") :].replace("naive_intensity =", "second ="), "utf-8"
    )
    ran = cli("show", str(path))
    assert ran.status == 2
    assert ran.err == f"derive: {path} holds 2 formulas: give one of {path}:naive_intensity, {path}:second\n"
    assert cli("show", f"{path}:second").status == 0
    ran = cli("show", f"{path}:third")
    assert ran.err.startswith(f"derive: {path} has no formula 'third'")


def test_solve_gives_the_letter_and_its_formula(cli: Cli) -> None:
    found = cli("solve", "roofline.ridge", "--for", "W", "--json").json
    assert [(one["formula"], one["value"], one["verdict"]) for one in found["solutions"]] == [
        ("P/R", None, "proved")
    ]
    ran = cli(
        "solve",
        "roofline.memory_time",
        "--for",
        "Q",
        "--equals",
        "1 ms",
        "--on",
        "h100-sxm",
        "--to",
        "GB",
        "--json",
    )
    assert ran.json["solutions"][0]["value"] == 3.35
    assert ran.json["unit"] == "GB"
    out = cli(
        "solve", "attention.naive_intensity", "--for", "T", "--equals", "70 FLOP/byte", "--set", "d=128"
    ).out
    assert "no T: " in out
    ran = cli("solve", "roofline.memory_time", "--for", "Q", "--to", "s")
    assert ran.status == 2


def test_report_prints_the_paths(tmp_path: Path, cli: Cli) -> None:
    ran = cli("report", *NAIVE, "--on", "h100-sxm", "--format", "md,tex", "--out", str(tmp_path / "out"))
    names = ["attention.naive_intensity.md", "attention.naive_intensity.tex"]
    assert ran.out.splitlines() == [str(tmp_path / "out" / name) for name in names]
    assert all((tmp_path / "out" / name).stat().st_size > 1000 for name in names)


def test_an_unknown_format_says_which_there_are(tmp_path: Path, cli: Cli) -> None:
    ran = cli("report", "roofline.ridge", "--format", "md,docx", "--out", str(tmp_path / "out"))
    assert ran.status == 2
    assert ran.err.startswith("derive: unknown format 'docx'")
    assert "md" in ran.err
    assert not (tmp_path / "out").exists()


def test_help_names_every_command_and_loads_each(cli: Cli) -> None:
    from derive.cli.app import COMMANDS

    out = cli("--help").out
    assert cli().out == out
    for name, text in COMMANDS.items():
        assert f"  {name} " in out
        assert text in out
        ran = cli(name, "--help")
        assert ran.status == 0
        assert ran.out.startswith(f"Usage: derive {name}")


def test_every_formula_can_be_shown(cli: Cli) -> None:
    for row in cli("list", "--json").json:
        ran = cli("show", row["id"])
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.startswith(f"{row['id']}  {row['title']}")
        assert "refuted" not in ran.out


def test_a_nominal_capacity_is_shown_as_it_was_read(cli: Cli) -> None:
    asked = ("eval", "decode.fits", "--on", "h100-sxm", "--model", "llama-3-8b", "--set", "T=8192")
    weights, cache = 2 * 8030261248, 2 * 8 * 128 * 32 * 2 * 8192
    for reading, text, size in (("decimal", "80 GB - ", 80 * 10**9), ("binary", "80 GiB - ", 80 * 2**30)):
        out = cli(*asked, "--convention", f"capacity={reading}").out
        assert text in out
        assert f"= {(size - weights) // cache}\n" in out

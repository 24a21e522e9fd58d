"""The command line of tools/measure.py: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

import measure
from derive.cli.app import run as derive_command

has_torch = measure.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(
    not has_torch, reason="PyTorch is not installed: pip install -e '.[measure]'"
)


def test_without_pytorch_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure, "find_spec", lambda name: None)
    assert measure.main(["state"]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == (
        "",
        "measure: PyTorch is not installed: pip install 'derive-arithmetic[measure]'\n",
    )


def test_help_needs_no_pytorch(capsys: pytest.CaptureFixture[str]) -> None:
    assert measure.main([]) == 0
    out = capsys.readouterr().out
    for name in ("roofline", "activations", "flops", "state", "times", "collectives", "formats", "all"):
        assert f"\n  {name} " in out


def test_derive_measure_runs_the_script(capfd: pytest.CaptureFixture[str]) -> None:
    assert derive_command(["measure", "roofline", "--help"]) == 0
    assert capfd.readouterr().out.startswith("Usage: measure.py roofline [OPTIONS]")
    assert derive_command(["measure", "rooflines"]) == 2
    assert capfd.readouterr().err.startswith("measure: No such command 'rooflines'")


def test_derive_measure_says_where_the_script_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("derive.cli.measure._PLACES", (tmp_path / "measure.py",))
    assert derive_command(["measure", "state"]) == 2
    expected = "derive: this installation has no tools/measure.py: run it from a checkout of derive\n"
    assert capsys.readouterr().err == expected


@needs_torch
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["state", "--device", "tpu"], "this PyTorch sees no device 'tpu': give one of auto, "),
        (["roofline", "--sizes", "1e3"], "--sizes '1e3' is no list of whole numbers: give it as 1024,2048"),
        (["roofline", "--dtype", "fp9"], "unknown precision 'fp9': give one of fp32, tf32, bf16, fp16, fp8"),
        (["activations", "--config", "none.json"], "none.json: cannot be read (No such file or directory)"),
    ],
)
def test_a_wrong_question_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure.main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"measure: {said}")
    assert told.err.count("\n") == 1


@needs_torch
def test_measurements_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from derive.measurements import load

    assert measure.main(["formats", "--json", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == json.loads((tmp_path / "measurements.json").read_text("utf-8"))
    assert told.err.splitlines() == [str(tmp_path / "measurements.json"), str(tmp_path / "report.md")]
    found = load(tmp_path / "measurements.json")
    largest = [one for one in found if one.id == "formats.max" and one.given["format"] == "fp8_e4m3"]
    assert [one.value for one in largest] == [448]
    report = (tmp_path / "report.md").read_text("utf-8")
    assert report.startswith("# Derived against measured\n")
    assert "Every exact count agrees with its formula." in report
    assert "| float8\\_e4m3fn | 448 |" in report


@needs_torch
def test_a_count_that_differs_gives_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from measuring import state
    from measuring.session import Findings

    def differing(session: object) -> Findings:
        found = Findings()
        found.expect("gradients", 5, 4)
        return found

    monkeypatch.setattr(state, "run", differing)
    assert measure.main(["state"]) == 1
    assert capsys.readouterr().err == "differs: gradients: measured 5, derived 4\n"


@needs_torch
def test_a_published_model_is_the_catalogue_s(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed")
    from measuring import published, session

    config = {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 64,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "num_hidden_layers": 2,
        "intermediate_size": 96,
        "vocab_size": 512,
        "max_position_embeddings": 128,
        "tie_word_embeddings": False,
        "hidden_act": "silu",
        "attention_bias": False,
    }
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), "utf-8")
    found = published.run(session.start("cpu"), path)
    assert found.wrong == []
    matrices = 2 * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 96)
    rows = {row[0]: row[2] for row in found.sections[0].rows}
    assert rows["parameters"] == f"{2 * 512 * 64 + matrices + 5 * 64:,}"
    assert rows["operations of the weights, a token"] == f"{2 * (matrices + 512 * 64):,}"
    assert rows["operations of attention without a mask, a token at T 128"] == f"{4 * 2 * 128 * 64:,}"


def test_numbers_are_whole_and_short() -> None:
    assert measure._numbers("1, 20,300", "--sizes") == [1, 20, 300]
    assert measure._numbers("", "--sizes") == []
    for text in ("0", "-1", "1.5", "²", "9" * 12):
        with pytest.raises(click.UsageError, match="no list of whole numbers"):
            measure._numbers(text, "--sizes")

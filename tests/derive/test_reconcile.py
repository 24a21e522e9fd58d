"""Explanations of numbers that differ: by convention, unit, peak and counting slip; none where none fits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from derive.calc import CalcError
from derive.errors import DeriveError
from derive.reconcile import Explanation, reconcile, reconcile_line

GPT3 = {"s": 1024, "b": 8, "h": 768, "a": 12, "L": 12}
GIB = 2**30

OTHER_TOOLS = [
    # 33sbh + 4as²b: a mask on the scores and a mask of sbh bytes are missing
    ("memory.activations_gpt3", GPT3, None, None, "6.82 GiB", ("mask of the dropout on P left out",)),
    ("memory.activations_gpt3", GPT3, None, None, "9.28 GiB", ("2-byte masks", "mask_bytes")),
    ("parameters.llama", {}, None, "llama-3-8b", "7504924672 parameter", ("tied embedding",)),
    ("parameters.gpt2", {}, None, "gpt2-small", "163037184 parameter", ("tied embedding counted twice",)),
    ("flops.attention", {"T": 8192}, None, "llama-3-8b", "4.295 GFLOP/token", ("causal mask ignored",)),
    ("memory.kv_cache", {"T": 8192, "B": 1}, None, "llama-3-8b", "2 GiB", ("K without V", "query heads for KV heads")),
    ("decode.step_time", {"B": 1, "T": 8192}, "h100-sxm", "llama-3-8b", "4.47 ms", ("embedding looked up", "GiB")),
    ("collectives.all_reduce_ring", {"n": 8, "S": "2 GB", "alpha": "0 s"}, "h100-sxm", None, "7.24 ms", ("GiB/s",)),
    ("memory.training_state", {"N": "7e9 parameter"}, None, None, "126 GB", ("fp32 gradients",)),
    ("flops.forward", {}, None, "llama-3-8b", "7.505 GFLOP/token", ("multiply-adds are counted once",)),
]  # fmt: skip


def text(explanation: Explanation) -> str:
    return f"{explanation.cause}: {explanation.says}"


@pytest.mark.parametrize(("id", "given", "on", "model", "claimed", "words"), OTHER_TOOLS)
def test_what_other_tools_do_differently_is_among_the_first_three(
    id: str,
    given: dict[str, object],
    on: str | None,
    model: str | None,
    claimed: str,
    words: tuple[str, ...],
) -> None:
    first = [text(one) for one in reconcile(id, claimed, given, on, model).explanations[:3]]
    assert any(all(word in one for word in words) for one in first), first


def test_the_other_tools_are_those_of_the_table(shared: Path) -> None:
    theirs = json.loads((shared / "other_tools.json").read_text())
    held = [(one["id"], one["given"], one["on"], one["model"], one["theirs"]) for one in theirs]
    assert [case[:5] for case in OTHER_TOOLS] == held


def test_ours_theirs_and_their_ratio() -> None:
    found = reconcile("memory.training_state", "126 GB", {"N": "7e9 parameter"})
    assert (found.ours, found.claimed, found.ratio, found.agrees) == ("112 GB", "126 GB", 126 / 112, False)
    assert found.as_json()["explanations"][0] == {
        "cause": "fp32 gradients (gradients)",
        "says": "4 bytes a parameter, accumulated without rounding (gradients = fp32): "
        "N·(g + 14) with g = 4 byte gives 126 GB",
        "value": "126 GB",
    }


def test_what_agrees_within_its_digits_needs_no_explanation() -> None:
    found = reconcile("memory.training_state", "110 GB", {"N": "7e9 parameter"})  # two digits: 105 to 115
    assert found.agrees
    assert found.explanations == ()
    assert found.as_json()["agrees"] is True
    assert reconcile_line("1 GB * 7/8 / (50 GB/s)", "17.5 ms").agrees


def test_nothing_that_fits_is_no_explanation() -> None:
    assert reconcile_line("70e9 param * 0.5 byte/param", "45.123 GB").explanations == ()
    assert reconcile("memory.training_state", "77.7123 GB", {"N": "7e9 parameter"}).explanations == ()


LINES = [
    # another kind of peak or link
    ("400 TFLOP/s / (989 TFLOP/s)", "0.2022", "2:4"),
    ("324 TFLOP/s / (989 TFLOP/s)", "1.038", "a100-80gb-sxm"),
    ("200 TFLOP/s / (312 TFLOP/s)", "0.202", "h100"),
    ("1979 TFLOP/s [sparse] as dense / (3.35 TB/s)", "591 FLOP/byte", "conversion"),
    ("2 GB * 2*(4-1)/4 / (50 GB/s)", "30 ms", "both directions"),
    ("2 GB / (900 GB/s [both-ways] as each-way)", "2.22 ms", "conversion"),
    # bits, bytes, prefixes
    ("100 Gbit/s", "100 GB/s", "bits are taken for bytes"),
    ("16 GB / (3.35 TB/s)", "4.45 ms", "GiB/s"),
    ("7e9 param * 2 byte/param", "14 GiB", "labelled GiB"),
    ("7e9 param * 2 byte/param", "13.04 GB", "a value in GiB is labelled GB"),
    ("3e9 * 2 / 1e9", "5.588", "2^30 is taken for 1e9"),
    ("16 GB / (3.35 TB/s)", "4.776 us", "prefix"),
    # counting
    ("2*4096*4096*4096 FLOP", "68.7 GFLOP", "multiply-adds are counted once"),
    ("4 * 4096^2 * 128 FLOP", "4.295 GFLOP", "causal mask"),
    ("4 * 4096^2 * 128 FLOP", "2097152 FLOP", "the power is 1 instead of 2"),
    ("2*32*8*128*2 byte", "65536 byte", "K without V"),
    ("2 * 8 KV heads * 128 * 32 * 2 byte", "524288 byte", "query heads"),
    ("7e9 param * 2 byte/param", "28 GB", "4 byte (fp32)"),
    ("1 GB * (8-1)/8 / (50 GB/s)", "20.0 ms", "(n − 1)/n"),
    ("6 * 7e9 * 2e12 FLOP / (1024 GPU * 312 TFLOP/s/GPU)", "3116 day", "1024 GPU is left out"),
    ("2*(8-1)/8", "0.5714", "upside down"),
    ("10 GB * 8", "1.25 GB", "divided by 8 instead of multiplied"),
    ("2 + 2 + 4 + 4 + 4", "12", "the term 4 is left out"),
    ("4.5 bit/param", "4.0 bit/param", "scales"),
    ("9 token", "8 token", "one too few"),
    ("100 day", "100 year", "days are taken for years"),
    ("3 MAC", "0 MAC", "not counted"),
]


@pytest.mark.parametrize(("line", "claimed", "words"), LINES)
def test_slips_of_a_line(line: str, claimed: str, words: str) -> None:
    first = [text(one) for one in reconcile_line(line, claimed).explanations[:3]]
    assert any(words in one for one in first), first


IDS = [
    ("roofline.ridge", {}, "h100-sxm", None, "590.7 FLOP/byte", "2:4"),
    ("roofline.ridge", {}, "h100-sxm", None, "93.1 FLOP/byte", "a100"),
    ("memory.weights", {}, None, "mixtral-8x7b", "25.8 GB", "experts that a token visits"),
    ("parameters.total", {}, None, "mixtral-8x7b", "12879925248 parameter", "parameters.mixtral_active"),
    ("memory.weights", {}, None, "llama-3-8b", "4.015 GB", "4 bit"),
    ("decode.fits", {"T": 8192}, "h100-sxm", "llama-3-8b", "65", "capacity in GiB"),
    ("collectives.all_reduce_ring", {"n": 8, "S": "1 GB", "alpha": "0 s"}, "h100-sxm", None, "4.444 ms", "n for n - 1"),
    ("collectives.all_reduce_ring", {"n": 8, "S": "1 GB", "alpha": "0 s"}, "h100-sxm", None, "1.944 ms", "both ways"),
    ("flops.training", {}, None, "llama-3-8b", "15.01 GFLOP/token", "only the forward pass"),
    ("flops.attention", {"T": 8192}, None, "llama-3-8b", "67.11 MFLOP/token", "one layer"),
    ("formats.max", {"format": "fp8_e4m3fnuz"}, None, None, "448", "fp8_e4m3 is taken for fp8_e4m3fnuz"),
    ("formats.bits_per_element", {"format": "mxfp4"}, None, None, "4.000 bit", "left out"),
]  # fmt: skip


@pytest.mark.parametrize(("id", "given", "on", "model", "claimed", "words"), IDS)
def test_slips_of_an_id(
    id: str, given: dict[str, object], on: str | None, model: str | None, claimed: str, words: str
) -> None:
    first = [text(one) for one in reconcile(id, claimed, given, on, model).explanations[:3]]
    assert any(words in one for one in first), first


def test_the_formula_told_gives_the_number_told() -> None:
    found = reconcile_line("2 GB * 2*(4-1)/4 / (50 GB/s)", "80 ms").explanations[0]
    assert found.says == "the ratio (4-1)/4 is left out: 2 GB * 2*1/1 / (50 GB/s) gives 80 ms"
    again = reconcile_line(found.says.partition(": ")[2].partition(" gives ")[0], "80 ms")
    assert again.agrees


def test_rows_left_out_together_are_named() -> None:
    """Llama-2-7B without embeddings, norms and the gate: 32 (4·4096² + 2·4096·11008) parameters."""
    counted = 32 * (4 * 4096**2 + 2 * 4096 * 11008)
    found = reconcile("parameters.llama", f"{counted} parameter", model="llama-2-7b").explanations[0]
    assert found.cause == "rows left out"
    assert all(
        row in found.says for row in ("token embedding", "gate projection", "LM head", "final RMSNorm")
    )
    assert found.value == f"{counted} parameter"


def test_one_cause_is_told_once() -> None:
    found = reconcile("memory.kv_cache", "2 GiB", {"T": 8192, "B": 1}, model="llama-3-8b")
    assert [one.cause for one in found.explanations].count("fp32 (precision)") == 1
    assert not any("tf32" in one.cause for one in found.explanations)


def test_few_digits_are_not_explained_by_far_fetched_pairs() -> None:
    found = reconcile_line("(24 GB - 14 GB) / (2000 * 524288 byte)", "4")
    assert all(" and " not in one.cause or one.cost < 3.0 for one in found.explanations)


def test_a_fit_at_the_edge_of_loose_digits_comes_after_one_in_the_middle() -> None:
    """4 GB of 7 GB: 8 bit as 4 bit gives 3.5 GB, which rounds to 4, and is 12 % off."""
    edge = reconcile_line("7e9 param * 8 bit/param", "4 GB").explanations
    middle = reconcile_line("7e9 param * 8 bit/param", "3.5 GB").explanations
    assert next(one.cost for one in edge if "4 bit" in one.says) > middle[0].cost


def test_ours_is_zero() -> None:
    found = reconcile_line("2 byte - 2 byte", "3 byte")
    assert found.ratio is None
    assert json.loads(json.dumps(found.as_json()))["ratio"] is None


@pytest.mark.parametrize(
    ("line", "claimed", "words"),
    [
        ("2 GB", "3 s", "the line is in byte"),
        ("2 GB", "three", "claimed value"),
        ("2 GB", "", "claimed value"),
        ("2 GB", "1 KB", "kB"),
        ("2 GB", "9" * 300, "claimed value"),
        ("2 GB", "3 GB [blue]", "unknown kind"),
    ],
)
def test_a_claim_of_another_dimension_or_of_none_is_refused(line: str, claimed: str, words: str) -> None:
    with pytest.raises(DeriveError, match=words):
        reconcile_line(line, claimed)


def test_a_line_that_is_refused_stays_refused() -> None:
    with pytest.raises(CalcError):
        reconcile_line("2 GB + 3 FLOP", "1 GB")
    with pytest.raises(DeriveError, match=r"is in byte, and the claim '3 s' is s:"):
        reconcile("memory.training_state", "3 s", {"N": "7e9 parameter"})
    with pytest.raises(DeriveError, match="needs N"):
        reconcile("memory.training_state", "3 GB")


def test_a_long_line_is_searched_within_bounds() -> None:
    """A hundred numbers: the pairs tried are bounded, and what a single slip explains is still found."""
    line = " + ".join(f"{number} * {number + 1}" for number in range(2, 52))
    whole = sum(number * (number + 1) for number in range(2, 52))
    found = reconcile_line(line, f"{whole - 20 * 21}")
    assert any("the term 20 * 21 is left out" in text(one) for one in found.explanations)

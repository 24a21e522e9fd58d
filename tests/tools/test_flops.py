"""The counter's operations against 2N + 4LTd and 4N + 8LTd, with N counted here from the matrices."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[measure]'")

from measuring import flops, session
from measuring.layers import Form

GPT2 = {"N": 12 * 12 * 768**2 + 50257 * 768, "L": 12, "d": 768, "T": 1024}
LLAMA = {
    "N": 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14336) + 128256 * 4096,
    "L": 32,
    "d": 4096,
    "T": 8192,
}


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("name", "model"), [("gpt2-small", GPT2), ("llama-3-8b", LLAMA)])
def test_forward_and_backward_are_exact(name: str, model: dict[str, int], causal: bool) -> None:
    N, square = model["N"], model["L"] * model["T"] * model["d"]
    plain = Form(dropout="none", causal=causal)
    forward, backward = flops.counted(name, plain, model["T"])
    assert (forward.weights, forward.scores) == (2 * N, 4 * square)
    assert (backward.weights, backward.scores) == (4 * N, 8 * square)


def test_a_fused_kernel_computes_the_scores_again() -> None:
    form = Form(dropout="none", attention="flash-gpu", causal=True)
    forward, backward = flops.counted("gpt2-small", form, 64)
    square = 12 * 64 * 768
    assert (forward.scores, backward.scores) == (4 * square, 10 * square)
    assert backward.weights == 4 * GPT2["N"]


def test_a_run_agrees_and_names_what_the_counter_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flops, "MODELS", {"gpt2-small": 128})
    found = flops.run(session.start("cpu"))
    assert found.wrong == []
    missed = {row[0]: (row[2], row[3]) for row in found.sections[1].rows}
    assert missed["matrix times vector (mv)"] == ("0", "not seen")
    assert missed["matrix times a matrix of one column (mm)"] == ("4,096", "seen")
    assert missed["fused attention on a CPU"] == ("0", "not seen")
    beside = {row[1]: row[5] for row in found.sections[0].rows if "no mask" in row[0]}
    assert beside["forward, attention: 4LTd"] == "2×"
    values = {(one.id, one.value) for one in found.measurements}
    assert ("flops.forward", 2 * GPT2["N"]) in values
    assert ("flops.training", 6 * GPT2["N"]) in values
    assert ("flops.attention", 4 * 12 * 128 * 768) in values

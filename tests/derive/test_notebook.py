"""Derivations, steps and evaluations in a notebook."""

from __future__ import annotations

import pytest

import derive
from derive import catalogue
from derive.computed import Computed

KINDS = {"text/plain", "text/markdown", "text/latex"}


@pytest.mark.parametrize("id", catalogue.all_ids())
def test_every_derivation_shows_itself(id: str) -> None:
    derivation = derive.get(id)
    shown = derivation._repr_mimebundle_(include=None, exclude=None)
    assert set(shown) == KINDS
    assert shown["text/markdown"].startswith(f"**{derivation.title}** `{id}` [{derivation.unit}]")
    assert shown["text/latex"].count("\\\\\n") == len(derivation.steps)
    for text in shown.values():
        assert text.count("{") == text.count("}")
        assert text.replace("\\$", "").count("$") % 2 == 0
    for step in derivation.steps:
        told = step._repr_mimebundle_()
        assert set(told) == KINDS
        assert told["text/plain"].endswith(f"  — {step.because}")
    if not isinstance(derivation, Computed):
        assert f"{derivation.letter} = " in shown["text/plain"]


def test_a_chain_with_its_reasons() -> None:
    shown = derive.get("attention.naive_intensity")._repr_mimebundle_()
    assert shown["text/plain"].splitlines()[2:5] == [
        "(1) = T*d/(e*(T + d))  — 4T cancels above and below",
        "(2) e = 2  — bf16 and fp16 store an element in 2 bytes",
        "I → d/2 as T → ∞: the T² traffic of S and P takes over",
    ]
    assert r"1. 4T cancels above and below: $I = \frac{T d}{e \left(T + d\right)}$" in shown["text/markdown"]
    assert r"&= \frac{T d}{2 \left(T + d\right)} && \text{bf16 and fp16" in shown["text/latex"]


@pytest.mark.parametrize(
    ("id", "step", "latex"),
    [
        ("attention.naive_intensity", 1, r"$e = 2 \ \mathrm{byte}$"),
        (
            "attention.causal_flops",
            1,
            r"$\approx 2 T^{2} d \quad \left(\text{relative error} \leq \frac{1}{T}\right)$",
        ),
        (
            "collectives.all_reduce_ring",
            0,
            r"$t_{\mathrm{rs}} = \frac{S \left(n - 1\right)}{\beta n} + \alpha \left(n - 1\right)$",
        ),
        (
            "collectives.latency_bound_size",
            0,
            r"$\frac{2 S \left(n - 1\right)}{\beta n} = 2 \alpha \left(n - 1\right) \Rightarrow S = \alpha \beta n$",
        ),
    ],
)
def test_steps(id: str, step: int, latex: str) -> None:
    assert derive.get(id).steps[step]._repr_mimebundle_()["text/latex"] == latex


@pytest.mark.parametrize(
    ("id", "asked", "plain"),
    [
        ("attention.naive_intensity", {"given": {"T": 4096, "d": 128}}, "I ≈ 62.06 FLOP/byte"),
        ("attention.flash_ideal_intensity", {"given": {"T": 4096}}, "I = 2048 FLOP/byte"),
        ("parameters.total", {"model": "gpt2-small"}, "N = 124439808 parameter"),
        ("flops.attention_crossover", {"model": "llama-3-8b"}, "T = 57256"),
        ("roofline.ridge", {"on": "h100-sxm", "to": "kFLOP/byte"}, "R ≈ 0.2952 kFLOP/byte"),
    ],
)
def test_a_value_is_approximate_only_where_it_is_rounded(
    id: str, asked: dict[str, object], plain: str
) -> None:
    assert derive.evaluate(id, **asked)._repr_mimebundle_()["text/plain"] == plain


def test_each_number_tells_where_it_comes_from() -> None:
    found = derive.evaluate("decode.kv_share", {"T": 8192, "B": 1}, "h100-sxm", "llama-3-8b")
    shown = found._repr_mimebundle_()
    assert shown["text/markdown"].splitlines() == [
        r"$q = \frac{B \mathit{KV}}{B \mathit{KV} + \mathit{weights}}$ ≈ **0.06267**",
        "",
        "| letter | value | from |",
        "| --- | --- | --- |",
        "| $B$ | 1 | given |",
        r"| $\mathit{KV}$ | ≈ 1.07374 GB | memory.kv\_cache\_sequence |",
        r"| $\mathit{weights}$ | ≈ 16.0605 GB | decode.weights\_read |",
    ]


def test_a_percentage_is_text_in_latex() -> None:
    at = {"given": {"T": 8192, "B": 1}, "on": "h100-sxm", "model": "llama-3-8b", "to": "percent"}
    assert (
        derive.evaluate("decode.kv_share", **at)
        ._repr_mimebundle_()["text/latex"]
        .endswith(r"\approx \text{6.267\%}$")
    )

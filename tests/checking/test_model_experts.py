"""Mixtures of experts, models by their reports, and the cache of the only model of a document."""

from __future__ import annotations

import pytest

from derive.checking.known_models import REPORTED, mentioned
from tests.checking.verdicts import false_texts

V3 = "## DeepSeek-V3\n\nIt has 61 layers. "
CACHE = "We serve Llama 3 70B on eight cards.\n\n## Summary\n\n"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        ("DeepSeek-V3, a model with {} active parameters out of 671 billion, is large.", "37 billion", "67 billion",
         "37B parameters"),
        ("DeepSeek-V3 has 671B parameters, of which {} are active per token.", "37B", "21B", "37B parameters"),
        ("DeepSeek-V3 (671B total, {} active) is served here.", "37B", "32B", "37B parameters"),
        ("DeepSeek-V2 activates {} parameters for each token.", "21B", "12.9B", "21B parameters"),
        ("Mixtral 8x7B has {} active parameters.", "12.9B", "22B", "12.9B parameters"),
        ("Kimi K2 has {} active parameters.", "32B", "37B", "32B parameters"),
        (f"{V3}A token visits 8 routed and {{}} shared experts.", "1", "2", "1"),
        ("DeepSeek-V3 has {} routed experts and one shared expert.", "256", "128", "256"),
        ("DeepSeek-V2 has 160 routed experts and {} shared experts.", "two", "one", "2"),
        ("Mixtral 8x7B uses {} experts per token.", "2", "4", "2"),
        ("DeepSeek-V3 sends each token to {} routed experts.", "8", "6", "8"),
        # shapes by the reports of models
        ("Qwen3 14B has {} layers.", "40", "36", "40"),
        ("LLaMA 33B has {} layers of width 6656.", "60", "80", "60"),
        ("BERT-large has a hidden size of {}.", "1024", "768", "1024"),
        ("BLOOM has {} layers and a hidden size of 14336.", "70", "96", "70"),
        ("Falcon-40B was trained on {} tokens.", "1.0T", "1.4T", "1T tokens"),
        ("BERT-base has {} parameters.", "110M", "340M", "0.11B parameters"),
        ("Llama 2 70B uses {} heads.", "64", "40", "64"),
        # the cache of the only model of a document: K and V, and no head for every query
        (f"{CACHE}* Cache: {{}} per token.", "320 KiB", "160 KiB", "320 KiB/token"),
        (f"{CACHE}* The KV cache grows by {{}} per token.", "320 KiB", "2.5 MiB", "0.3125 MiB/token"),
        # a compressed cache: 61 × (512 + 64) × 2 bytes = 70,272 bytes
        ("The KV cache of DeepSeek-V3 takes {} per token.", "70.3 KB", "1.15 KB", "70.27 KB/token"),
    ],
)  # fmt: skip
def test_a_model_is_held_to_its_report(text: str, right: str, wrong: str, expected: str) -> None:
    assert false_texts(text.format(right)) == []
    found = false_texts(text.format(wrong))
    assert [shown for _, shown in found] == [expected]
    assert wrong in found[0][0]


@pytest.mark.parametrize(
    "text",
    [
        "Unlike Mixtral 8x7B, our model has 4 experts per token.",
        "With DeepSeek-V3 at hand we activate 4 experts per token in the ablation.",
        "DeepSeek-V3 was followed by Kimi K2 with 384 routed experts and 32B active parameters.",
        "Each GPU of the DeepSeek-V3 deployment hosts 9 routed experts.",
        "A token of DeepSeek-V3 uses 9 experts: 8 routed experts and one shared expert.",
        "DeepSeek-V3 selects 4 of 8 groups first and has about 40B active parameters.",
        "All variants share the DeepSeek-V3-style architecture (61 layers, 384 routed experts, MLA).",
        "- Qwen3-235B-A22B: 94 layers.\n- MiniMax-M2.5: 10B active parameters; its configuration uses 62 layers.",
        "DeepSeek-V3 is large. Some text only had 122 out of 128 experts on layer 0.",
        "### DeepSeek-V3\n\nA toy version first: 4 routed experts, 1 shared expert.",
        "We prune Llama 3 8B to 24 layers.",
        "BERT-base was followed by models of 24 layers.",
        "The head count: Llama 2 70B has 8 heads on each of 8 GPUs, and 2 Medusa heads were added.",
        "GPT-2 XL has 1.5B parameters, and with 1.3B parameters it was cut.",
        "OPT-30B is split over 4 GPUs, 12 layers on each.",
        "A BLOOM filter of 96 layers, and DeepSeek-V3.1 with 62 layers.",
        "DeepSeek-R1-Distill-Qwen-32B has 64 layers.",
        # shares of the cache, suppositions, narrow caches, several models
        "With TP=8, Llama 3 70B keeps 1 KV head per GPU, so 40 KiB per token on each.",
        "KV cache. If Llama 3 70B had kept one KV head per query head we'd be at 2.5 MiB per\ntoken: an 8k context.",
        f"{CACHE}* Cache: 160 KiB per token, as it is kept in FP8.",
        "The cache is quantized to 8 bits. " + CACHE + "* Cache: 160 KiB per token.",
        f"{CACHE}Qwen2.5 32B is next.\n\n* Cache: 160 KiB per token.",
        f"{CACHE}* The KV cache takes 4 KiB per token and layer, 40 KiB per token on each GPU.",
    ],
)
def test_what_may_be_of_another_model_is_left_alone(text: str) -> None:
    assert false_texts(text) == []


def test_every_reported_model_is_found_by_each_of_its_names() -> None:
    for name, one in REPORTED.items():
        for called in one.called:
            for spelled in (called, called.replace("-", " "), called.lower()):
                assert [found.names for found in mentioned(f"On {spelled}, at last.")] == [(name,)], spelled


def test_reported_shapes_agree_with_themselves() -> None:
    """Heads × width of a head is the width of a model, but for those that are known for another one."""
    own_width = {"gpt-oss", "palm-540", "mistral", "qwen3", "gemma", "gpt3-13"}
    for name, one in REPORTED.items():
        shape = [one.values.get(role) for role in ("heads", "head_dim", "hidden")]
        if all(shape) and not name.startswith(tuple(own_width)):
            heads, size, width = (value[0] for value in shape if value)
            assert heads * size == width, name
        assert one.source

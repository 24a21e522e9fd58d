"""The memory of models by what the document counts for a parameter or a token, in sentences and in tables."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers, is_true

ADAM = "Adam in mixed precision keeps 16 bytes per parameter.\n\n{}"
# Llama 2 13B has 13.02e9 parameters: × 16 = 208 GB, × 12 = 156 GB, × 8 = 104 GB


@pytest.mark.parametrize(
    ("text", "claimed", "right"),
    [
        ("Full fine-tuning of Llama 2 13B needs 156 GB before the first activation.", "156 GB", "208.3 GB"),
        ("Llama 2 13B with the same recipe takes 104 GB of model states.", "104 GB", "208.3 GB"),
        ("A network of 2.6 billion parameters and the same recipe takes 31.2 GB.", "31.2 GB", "41.6 GB"),
        (
            "Llama 2 13B is larger.\n\nFull fine-tuning of the same model needs 234 GB before any activation.",
            "234 GB",
            "208.3 GB",
        ),
        ("Llama 2 13B is larger. The weights alone, in BF16, are 52 GB.", "52 GB", "26 GB"),
    ],
)
def test_a_state_of_other_bytes_is_false(text: str, claimed: str, right: str) -> None:
    assert (claimed, right) in false_numbers(ADAM.format(text))


@pytest.mark.parametrize(
    "text",
    [
        "Full fine-tuning of Llama 2 13B needs 208 GB before the first activation.",
        "Full fine-tuning of Llama 2 13B with 8-bit Adam needs 130 GB before the first activation.",
        "Full fine-tuning of Llama 2 13B with SGD needs 52 GB before the first activation.",
        "Full fine-tuning of Llama 2 13B leaves each GPU with 26 GB before the first activation.",
        "Full fine-tuning of Llama 2 13B, sharded over two cards, needs 104 GB before the first activation.",
        "The optimizer of Llama 2 13B alone takes 156 GB.",
        "Llama 2 13B and Llama 2 7B with the same recipe take 104 GB of model states.",
        "Full fine-tuning of Llama 2 13B needs 208 GB before the first activation; the card has 80 GB.",
    ],
)
def test_a_right_or_open_state_is_not_false(text: str) -> None:
    assert false_numbers(ADAM.format(text)) == []


# 96 KiB × 16,384 = 1.5 GiB; × 65,536 = 6 GiB
CACHE = "A token takes 96 KiB.\n\n{}"


@pytest.mark.parametrize(
    ("text", "claimed", "right"),
    [
        ("The context of 16,384 tokens needs 0.75 GiB of KV cache.", "0.75 GiB", "1.5 GiB"),
        ("For 65,536 tokens the cache would come to 12 GiB.", "12 GiB", "6 GiB"),
        (
            "For 16,384 tokens the cache comes to 1.5 GiB, and at 65,536 tokens to 3.0 GiB.",
            "3.0 GiB",
            "6 GiB",
        ),
        ("A cache of 65,536 tokens takes 60 GiB.", "60 GiB", "6 GiB"),
    ],
)
def test_a_wrong_cache_of_many_tokens_is_false(text: str, claimed: str, right: str) -> None:
    assert (claimed, right) in false_numbers(CACHE.format(text))


@pytest.mark.parametrize(
    "text",
    [
        "The context of 16,384 tokens needs 1.5 GiB of KV cache.",
        "In FP8 a cache of 16,384 tokens takes 0.75 GiB.",
        "Each GPU keeps 0.75 GiB of KV cache for 16,384 tokens.",
        "Two sequences of 16,384 tokens need 3.0 GiB of KV cache.",
        "With a window, 16,384 tokens take 0.75 GiB of cache.",
        "For Llama 3 70B a cache of 16,384 tokens takes 5.37 GB.",  # 320 KiB a token
        "The cache for 16,384 tokens saves 0.75 GiB.",
    ],
)
def test_a_right_or_open_cache_is_not_false(text: str) -> None:
    assert false_numbers(CACHE.format(text)) == []


def test_of_two_sizes_of_a_token_none_is_taken() -> None:
    text = "A token of ours takes 96 KiB.\n\nA token of theirs takes 64 KiB.\n\nThe cache of 16,384 tokens is 0.5 GiB."
    assert false_numbers(text) == []


def test_a_column_of_the_cache_of_a_token() -> None:
    table = (
        "| model | KiB per token |\n|---|---|\n| Llama 2 7B | 512 |\n| Llama 3 8B | 128 |\n"
        "| Llama 3 70B | {} |\n| Qwen2.5-7B | 56 |\n"
    )
    assert false_numbers(table.format("320")) == []
    assert is_true(table.format("320"), "320")
    # 2 × 80 × 8 × 128 × 2 bytes = 320 KiB
    assert false_causes(table.format("160")) == [("160 KiB", "320 KiB", "K+V")]


def test_a_column_of_bytes_for_each_parameter() -> None:
    table = (
        "| model | Parameters (B) | State (GB) |\n|---|---|---|\n| small | 1.54 | 24.6 |\n| medium | 6.74 | 107.8 |\n"
        "| large | 8.03 | 128.5 |\n| huge | 13.0 | {} |\n"
    )
    assert false_numbers(table.format("208")) == []
    assert false_causes(table.format("156")) == [("156 GB", "208 GB", "bytes a parameter")]
    assert false_numbers(table.format("190")) == []  # other states may be counted in it

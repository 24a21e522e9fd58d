"""Shares of nodes and devices, and the training of models by their parameters and tokens."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers, is_true

# 24 nodes × 8 = 192 GPUs; 748.8 GB / 24 = 31.2 GB, / 192 = 3.9 GB; 1.92 million / 192 = 10,000
CLUSTER = (
    "We have 24 nodes of 8 GPUs, 192 GPUs in all. "
    "The state has 748.8 GB, and the run sees 1.92 million tokens/s.\n\n{}"
)


@pytest.mark.parametrize(
    ("text", "claimed", "right"),
    [
        ("Each node writes its part, 3.9 GB per node, to its disk.", "3.9 GB per node", "31.2 GB/node"),
        ("The part of one node is 3.9 GB.", "3.9 GB", "31.2 GB"),
        ("A node therefore stages 3.9 GB.", "3.9 GB", "31.2 GB"),
        (
            "Each GPU gets through about 80,000 tokens per second.",
            "80,000 tokens per second",
            "10000 tokens/second",
        ),
    ],
)
def test_the_share_of_another_part_is_false(text: str, claimed: str, right: str) -> None:
    assert (claimed, right) in false_numbers(CLUSTER.format(text))


@pytest.mark.parametrize(
    "text",
    [
        "Each node writes its part, 31.2 GB per node, to its disk.",
        "Each GPU writes its part, 3.9 GB per GPU, to its disk.",
        "If each GPU wrote alone, a node would stage 3.9 GB.",
        "A node keeps 3.9 GB of logs, and again 3.9 GB per node of caches.",
        "Each GPU gets through about 10,000 tokens per second.",
        "Each GPU keeps 31.2 GB per GPU, as only the nodes share the state.",
        "The node has 5.1 GB.",
    ],
)
def test_a_right_or_open_share_is_not_false(text: str) -> None:
    assert false_numbers(CLUSTER.format(text)) == []


def test_what_each_device_has_beside_the_whole() -> None:
    # 764,000 / 256 = 2,984
    text = "We have 256 GPUs.\n\nIt does 764,000 tokens/s for the cluster, and {} tokens/s per GPU."
    assert false_numbers(text.format("2,984")) == []
    assert is_true(text.format("2,984"), "2,984")
    assert false_numbers(text.format("5,970")) == [("5,970 tokens/s per GPU", "2984.4 tokens/s/GPU")]
    assert false_numbers(text.format("3,120")) == []  # no slip
    assert false_numbers(text.replace("256 GPUs", "256 or 128 GPUs").format("5,970")) == []


def test_without_a_cluster_that_adds_up_nothing_is_said() -> None:
    text = CLUSTER.replace("192 GPUs in all", "184 GPUs in use").format("The part of one node is 3.9 GB.")
    assert false_numbers(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # 6 × 8.03e9 × 15e12 = 7.23e23, 2 × … = 2.41e23
        ("Llama 3 8B needed 7.2e23 FLOP of compute.", []),
        (
            "Llama 3 8B needed 2.4e23 FLOP of compute.",
            [("2.4e23 FLOP", "7.23e+23 FLOP", "forward pass alone")],
        ),
        ("A forward pass over all tokens of Llama 3 8B took 2.4e23 FLOP.", []),
        ("We trained Llama 3 8B on 1 trillion tokens, which took 4.8e22 FLOP.", []),
        ("A run of ours, larger than Llama 3 8B, took 2.4e23 FLOP.", []),
    ],
)
def test_the_training_of_a_model_that_is_named(text: str, found: list[tuple[str, str, str]]) -> None:
    assert false_causes(text) == found


def test_the_tokens_of_models_in_a_list_on_training() -> None:
    items = (
        "These models were trained for long:\n\n- Llama 2 7B: {} trillion tokens, GQA only in larger ones\n"
    )
    assert false_numbers(items.format("2.0")) == []
    assert is_true(items.format("2.0"), "2.0")
    assert false_numbers(items.format("1.4")) == [("1.4 trillion tokens", "2T tokens")]
    assert false_numbers(items.replace("trained", "served").format("1.4")) == []

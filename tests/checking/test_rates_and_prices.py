"""Times and rates that are each other's inverse, and the price of a million tokens."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers, is_true

INVERSES = (
    ("A decode step of 12.8 ms gives {} for one stream.", "78 tokens per second", "128 tokens per second"),
    ("At 25 ms per token a stream gets {}.", "40 tokens per second", "25 tokens per second"),
    ("Each step takes 8 ms, so a single stream sees {}.", "125 tokens/s", "12.5 tokens/s"),
    ("A stream gets 40 tokens per second, that is {}.", "25 ms per token", "40 ms per token"),
    ("A token every 25 ms is {}.", "40 tokens per second", "400 tokens per second"),
    ("The floor is 5.3 ms per token, or {} per user.", "189 tokens/s", "95 tokens/s"),
    ("The training step takes 2.5 s, that is {}.", "0.4 steps per second", "2.5 steps per second"),
)


@pytest.mark.parametrize(("sentence", "right", "wrong"), INVERSES)
def test_a_rate_is_the_inverse_of_a_time(sentence: str, right: str, wrong: str) -> None:
    assert is_true(sentence.format(right), right)
    assert not false_numbers(sentence.format(right))
    assert false_numbers(sentence.format(wrong))


@pytest.mark.parametrize(
    "text",
    [
        "A step takes 25 ms at batch 32, so the GPU makes 1,280 tokens per second.",
        "A batch has two sequences. A step takes 25 ms, that is 80 tokens per second.",
        "A step takes 25 ms and yields 80 tokens per second with speculative decoding.",
        "The first token comes after 200 ms, then we see 40 tokens per second.",
        "A step takes 2.5 s and the node processes 400,000 tokens per second.",
        "We went from 25 ms a token to 50 tokens per second.",
    ],
)
def test_a_rate_of_several_is_none(text: str) -> None:
    assert not false_numbers(text)


PRICES = (
    ("A GPU at $2.85 per hour and 1,250 tokens/s costs {} per million tokens.", "$0.63", "$6.33"),
    ("At $2.85 per hour and 1,250 tokens/s, a million tokens cost {}.", "$0.63", "$0.063"),
    (
        "An H100 costs $2.85 an hour and makes 1,250 tokens/s. That is {} per million tokens.",
        "$0.63",
        "$38.00",
    ),
    ("The node makes 9,000 tokens/s and costs $22.80 an hour: {}/M tokens.", "$0.704", "$0.740"),
    (
        "A card costs $2.85 an hour.\n\nIt makes 1,250 tokens/s.\n\nSo a million tokens cost {}.",
        "$0.63",
        "$633",
    ),
)


@pytest.mark.parametrize(("sentence", "right", "wrong"), PRICES)
def test_a_million_tokens_cost_an_hour_over_its_tokens(sentence: str, right: str, wrong: str) -> None:
    assert is_true(sentence.format(right), right)
    assert not false_numbers(sentence.format(right))
    assert len(false_numbers(sentence.format(wrong))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "A card costs $2.85 an hour, a node has eight. It makes 10,000 tokens/s, so a million tokens cost $0.63.",
        "An A100 costs $1.85 an hour and makes 800 tokens/s, an H100 $2.85 and 1,250 tokens/s: $6.42 per million.",
        "At 50 % utilization, $2.85 an hour and 1,250 tokens/s are $1.27 per million tokens.",
        "The API charges $6.33 per million tokens. Our card costs $2.85 an hour at 1,250 tokens/s.",
        "At $0 an hour and 0 tokens/s a million tokens cost $0.",
        "The model makes 9,000 tokens/s on 0 GPUs. One costs $2.85 an hour. A million tokens thus cost $0.70.",
    ],
)
def test_another_price_is_left_open(text: str) -> None:
    assert not false_numbers(text)

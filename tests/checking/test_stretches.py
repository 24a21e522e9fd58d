"""Paragraphs that conclude from those before them, and amounts that several sentences have to make together."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers, is_true

PAIRS = (
    ("The weights take 140 GB. The link does 100 Gb/s.\n\nCopying them takes {}.", "11.2 s", "1.4 s"),
    ("The weights take 140 GB. Storage delivers 5 GB/s.\n\nLoading takes {}.", "28 s", "2.8 s"),
    ("We train 300 billion tokens with 2 million tokens a step.\n\nThat is {}.", "150,000 steps", "15,000 steps"),
    ("The run has 150,000 steps of 3.1 s.\n\nIt takes {}.", "5.38 days", "53.8 days"),
    ("One GPU-hour costs $2.50. We need 200,000 GPU-hours.\n\nThe budget is therefore {}.", "$500,000", "$50,000"),
    ("The job runs for 12 days on 256 GPUs.\n\nWe pay for {}.", "73,728 GPU-hours", "3,072 GPU-hours"),
    ("Electricity costs $0.10 per kWh. The cluster draws 1.4 MW.\n\nA day costs {}.", "$3,360", "$336"),
    ("A cabinet has 4 servers at 10.2 kW each.\n\nA hall of 20 cabinets needs {}.", "816 kW", "81.6 kW"),
    ("We have 4 replicas with 60 requests per second each.\n\nTogether they serve {}.", "240 requests per second",
     "360 requests per second"),
    ("The image set has 1.28 million images of 150 KB.\n\nThe set takes {}.", "192 GB", "192 TB"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "right", "wrong"), PAIRS)
def test_a_paragraph_concludes_from_the_one_before(text: str, right: str, wrong: str) -> None:
    assert not false_numbers(text.format(right))
    assert len(false_numbers(text.format(wrong))) == 1
    assert not is_true(text.format(wrong), wrong)


@pytest.mark.parametrize(
    "between",
    [
        "\n\n## Another case\n\n",
        "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n",
        "\n\nNothing of it has a number.\n\nWith a second run it is otherwise. ",
    ],
)
def test_what_stands_apart_is_another_case(between: str) -> None:
    text = f"We train 300 billion tokens with 2 million tokens a step.{between}That is 15,000 steps."
    assert not false_numbers(text)


@pytest.mark.parametrize(
    "text",
    [
        "A token takes 96 KiB.\n\nIn FP8 a cache of 16,384 tokens takes 0.75 GiB.",
        "The weights take 140 GB. The link does 100 Gb/s.\n\nWith compression, copying takes 5.6 s.",
        "The run has 150,000 steps of 3.1 s.\n\nIf half of them are skipped, it takes 2.69 days.",
        "The job runs for 12 days on 256 GPUs.\n\nThe other job needed 3,072 GPU-hours.",
        "We have 4 replicas with 60 requests per second each, and 2 spare ones.\n\nTogether they serve 360 a second.",
    ],
)
def test_another_condition_is_left_open(text: str) -> None:
    assert not false_numbers(text)

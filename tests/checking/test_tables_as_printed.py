"""Tables as tools print them, columns in proportion, and what a sentence with several parts says of their rows."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers, false_texts, is_true

LOG = """The log of the run:

```
#       size      type    time   algbw   busbw
#        (B)              (us)  (GB/s)  (GB/s)
    33554432     float   271.0   123.8   216.7
   134217728     float   801.0   167.6   {}
   536870912     float  2650.0   202.6   354.5
  2147483648     float  9870.0   217.6   380.8
```
"""


def test_what_a_benchmark_prints_is_a_table() -> None:
    ((text, expected),) = false_texts(LOG.format("239.2"))
    assert text == "239.2 GB/s"
    assert expected.startswith("293.2")  # 1.75 × 134,217,728 B / 801 µs = 293.23
    assert not false_texts(LOG.format("293.2"))
    assert is_true(LOG.format("293.2"), "167.6")


@pytest.mark.parametrize(
    "text",
    [
        "Lines of text:\n\n```\nstep  loss  lr\n1  7.41  0.1\n2  4.02  0.3\n3  3.01  0.2\n```\n",
        "```\nuser   pid   cpu   mem\nroot   812   1.2   0.3\nroot   821   1.2   0.3\nmail   830   0.4   0.1\n```\n",
        "```\nname   min   max   avg\na   10   30   21\nb   12   44   19\nc   15   61   37\n```\n",
    ],
)
def test_what_does_not_follow_is_left_alone(text: str) -> None:
    assert not false_texts(text)


UTILIZED = """
| setting | tok/s per GPU | MFU |
|---|---|---|
| eager | 8,600 | 22 % |
| flash | 12,500 | 32 % |
| compiled | 16,400 | 42 % |
| compiled, no recomputation | 18,400 | {} |
"""


def test_utilizations_are_in_proportion_to_tokens_a_second() -> None:
    assert false_causes(UTILIZED.format("74 %")) == [
        ("74%", "47.1%", "digits swapped; the other rows are right")
    ]
    assert not false_numbers(UTILIZED.format("47 %"))
    assert not false_numbers(UTILIZED.format("55 %"))  # of another model, perhaps
    assert not false_numbers(UTILIZED.format("74 %").replace("| setting |", "| model |"))


BYTES = """
| representation | bytes per vector | GB for 40M |
|---|---:|---:|
| float32 | 4,096 | 163.84 |
| float16 | 2,048 | 81.92 |
| int8 | 1,024 | 40.96 |
| binary | 128 | {} |
"""


def test_a_heading_tells_how_many() -> None:
    assert [one[:2] for one in false_causes(BYTES.format("40.9"))] == [("40.9 GB", "5.12 GB")]
    assert not false_numbers(BYTES.format("5.12"))


COSTS = """
| chip | hours | $/h | cost ($) |
|---|---|---|---|
| v6e | 6,480 | 2.70 | 17,496 |
| H100 | 7,200 | 2.685 | 19,332 |
| MI300X | 6,827 | 2.40 | 16,385 |

The v6e is 9.5 % cheaper than the H100, and the MI300X is {} cheaper.
"""
STEPS = """
| chip | step (ms) |
|---|---|
| A100 | 412 |
| H100 | 187 |
| H200 | 171 |

The H100 is 2.2x faster than the A100, the H200 is {} faster.
"""


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [(COSTS, "15 %", "51 %", "15.2%"), (STEPS, "2.4x", "4.2x", "2.41")],
)
def test_the_second_part_of_a_comparison_has_the_base_of_the_first(
    text: str, right: str, wrong: str, expected: str
) -> None:
    assert [one[1] for one in false_numbers(text.format(wrong))] == [expected]
    assert not false_numbers(text.format(right))


def test_or_it_has_another_base() -> None:
    assert not false_numbers(STEPS.format("9 %"))  # than the H100


CACHE = "The KV cache takes 131,072 bytes per token. {}"


@pytest.mark.parametrize(
    "sentence",
    [
        "Four 16,384-token prompts fill 8.59 GB of cache.",
        "Four such 16,384-token prompts fill 8.59 GB of cache.",
        "Two 16,384-token prompts take 4.29 GB.",
        "With 4 × 16,384-token prompts it takes 8.59 GB.",
        "A full 32,768-token context holds 4.3 GB of cache.",
    ],
)
def test_several_prompts_have_several_caches(sentence: str) -> None:
    assert not false_numbers(CACHE.format(sentence))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A full 32,768-token context holds 2.1 GB of cache.", "4.29 GB"),
        ("A 16,384-token prompt fills 1.07 GB of cache.", "2.147 GB"),
        ("Four 16,384-token prompts fill 4.29 GB of cache.", "8.59 GB"),
    ],
)
def test_keys_without_values(sentence: str, expected: str) -> None:
    assert [one[1] for one in false_numbers(CACHE.format(sentence))] == [expected]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("There is a port for each GPU. For the node that is 8 × 50 GB/s = 400 Gb/s.", True),
        ("There is a port for each GPU. For the node that is 8 × 50 GB/s = 400 GB/s.", False),
        ("One port of the node does 50 GB/s × 8 = 400 Gb/s.", False),
        ("A port does 8 × 50 GB/s = 400 Gb/s.", False),
        ("A server has eight ports, 8 × 400 Gb/s / 8 = 400 GB/s.", False),
    ],
)
def test_eight_ports_are_no_bits(text: str, wrong: bool) -> None:
    assert bool(false_numbers(text)) is wrong

"""Numbers that have a twin in their document: two digits exchanged, or GB turned into GiB."""

from __future__ import annotations

import pytest

from derive.checking import check_text

COMPUTED = "The weights of the model take 70.55e9 * 2 bytes = 141.1 GB in bf16.\n\n"
REPEATED = (
    "The node holds at most 168 conversations at full length, as the budget shows below.\n\n"
    "With the smaller cache it goes from those 168 conversations to about twice as many.\n\n"
)


def _false(text: str) -> list[tuple[str, str, str]]:
    return [
        (claim.claimed, claim.expected, claim.cause)
        for claim in check_text(text).claims
        if claim.verdict == "false"
    ]


def test_a_number_that_the_text_computes_stands_once_more_under_the_binary_prefix():
    found = _false(
        COMPUTED + "Before any request is taken the cards hold 141.1 GiB of weights and nothing else."
    )
    assert found == [("141.1 GiB", "141.1 GB", "GB and GiB: line 1 has 141.1 GB")]


def test_a_number_that_the_text_repeats_stands_once_with_two_digits_exchanged():
    found = _false(
        REPEATED + "So our summary is that it serves 186 conversations without a queue on any day."
    )
    assert found == [("186", "168", "digits swapped: line 1 has 168")]


@pytest.mark.parametrize(
    ("wrong", "right", "cause"),
    [
        ("1.92 ms", "19.2 ms", "power of ten"),
        ("1,920 ms", "19.2 ms", "power of ten"),
        ("19.2 µs", "19.2 ms", "prefix"),
        ("12.9 ms", "19.2 ms", "digits swapped"),
    ],
)
def test_a_number_that_the_text_repeats_stands_once_with_another_slip(wrong: str, right: str, cause: str):
    text = (
        f"The memory floor of the decode step is {right}, since all of the weights are read for it.\n\n"
        f"We are at twice the memory floor of the decode step, which is {right} as we saw before.\n\n"
    )
    found = _false(
        text + f"In short the memory floor of the decode step is {wrong} and nobody can go below it."
    )
    assert found == [(wrong, right, f"{cause}: line 1 has {right}")]


def test_a_number_of_a_table_stands_in_the_text_with_two_digits_exchanged():
    table = "| part | weights of the node, GB |\n|---|--:|\n| embedding | 2.10 |\n| node | 163.42 |\n\n"
    found = _false(table + "After all that the weights of the whole node are 136.42 GB and they stay there.")
    assert found == [("136.42 GB", "163.42 GB", "digits swapped: line 4 has 163.42 GB")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "The transfer of the weights takes 12.5 ms.\n\nThe transfer of the weights takes 12.5 ms again.\n\n"
            "The transfer of the weights takes 125 ms over the slower link of this machine.", id="ten times slower"
        ),
        pytest.param(REPEATED + "A second node of the older kind serves 204 conversations on a good day.", id="other"),
        pytest.param(REPEATED + "The trace came to 186 requests a minute in the week that we looked at.", id="noun"),
        pytest.param(REPEATED + "It crashed at scheduler.py:186 and lost its conversations when it came.", id="place"),
        pytest.param(
            "It goes from 168 conversations to 186 conversations when the page size is made smaller.", id="change"
        ),
        pytest.param(
            REPEATED + "It is not 186 conversations, as the first edition of this page said by mistake.", id="corrected"
        ),
        pytest.param(
            REPEATED + "One run has 186 conversations in the log.\n\nOther runs have 186 conversations too.", id="twice"
        ),
    ],
)  # fmt: skip
def test_numbers_with_a_reason_of_their_own_are_left_alone(text):
    assert _false(text) == []


def test_a_twin_that_nothing_bears_out_is_left_alone():
    one = "The node holds at most 168 conversations at full length, as the budget shows below.\n\n"
    assert (
        _false(one + "So our summary is that it serves 186 conversations without a queue on any day.") == []
    )

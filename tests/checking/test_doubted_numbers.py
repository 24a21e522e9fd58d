"""What keeps a number from being called false, and what does not: doubts, quotations, letters for magnitudes."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_numbers, false_texts, is_true


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        # 3 × 7 = 21, and it is another number that is denied
        ("Each box has 7 trays, so 3 boxes have 3 × 7 = {} trays. It isn't 4.", "21", "24", "21"),
        ("Each box has 7 trays, so 3 boxes have 3 × 7 = {} trays. That is not 5.", "21", "27", "21"),
        ("The buffer should be 6 × 128 MB = {}.", "768 MB", "786 MB", "768 MB"),
        ("It should be 14 × 15 = {} crates.", "210", "120", "210"),
        # what is wrong is another number, of another model
        ("A batch takes 6 × 128 MB = {}. We ship it. The number above is wrong for a 13B net.", "768 MB", "786 MB",
         "768 MB"),
        # the paragraph behind doubts something, but not in its first sentence
        ("# A\n\nThe 45 kilns need 45 × 12 = {}.\n\nThe cellar is dry. What the old plan says on it is wrong.", "540",
         "450", "540"),
        # a letter in a formula is no magnitude
        ("Let $K = 24$. Then $10K + 5K = {}$ steps.", "360", "300", "360 steps"),
        ("Each of the cameras writes 4 MB/s, which for 25 cameras is at least {}.", "100 MB/s", "10 MB/s",
         "100 MB/s"),
    ],
)  # fmt: skip
def test_a_doubt_about_something_else_does_not_keep_a_number(
    text: str, right: str, wrong: str, expected: str
) -> None:
    first = text.replace("{}", right)
    assert false_texts(first) == []
    assert is_true(first, right)
    found = false_texts(text.replace("{}", wrong))
    assert [shown for _, shown in found] == [expected]
    assert wrong in found[0][0]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        pytest.param("6 × 128 MB = {}, but it should be less.", "786 MB", id="should be, behind"),
        pytest.param("The first version of this page gave 6 × 128 MB = {}.", "786 MB", id="first version"),
        pytest.param("An earlier edition had 5 × 14 kW = {}.", "75 kW", id="earlier edition"),
        pytest.param("The old draft said 5 × 14 kW = {}.", "75 kW", id="old draft"),
        pytest.param("A batch takes 6 × 128 MB = {}. That is wrong.", "786 MB", id="corrected"),
        pytest.param("3 boxes have 3 × 7 = {} trays. It isn't.", "24", id="denied"),
    ],
)
def test_a_number_that_the_text_does_not_hold_for_right_is_not_called_false(text: str, wrong: str) -> None:
    claims = check_text(text.format(wrong)).claims
    assert [one.verdict for one in claims if wrong in one.text] == ["unsure"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "The grid has M = 32 rows. A store of 50M goods, 50M × 4 = 200,000,000 of them.", id="M"
        ),
        pytest.param("The grid has M = 32 rows. The log keeps 50M / 25 = 2,000,000 lines.", id="M divided"),
        pytest.param("Let K = 24. Then 10K + 5K = 15,000 of steps.", id="K"),
    ],
)
def test_a_letter_behind_a_number_may_be_a_magnitude(text: str) -> None:
    claims = check_text(text).claims
    assert [one.verdict for one in claims if one.text.startswith(("50M", "10K"))] == ["unsure"]
    assert false_numbers(text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Over three days that is (38 + 47 + 62) / 3 = 49 %.", id="mean"),
        pytest.param("The mix has (3 × 60 + 1 × 44) / 4 = 56 %.", id="weighted mean"),
        pytest.param("| lot | full (%) |\n|---|---|\n| a | 40 |\n| b | 55 |\n| c | 70 |\n| mean | 55 |\n", id="row"),
        pytest.param("The KV cache of Llama 3 8B in BF16 has “512 KiB” per token.", id="quoted"),
    ],
)  # fmt: skip
def test_what_is_meant_otherwise_is_left_alone(text: str) -> None:
    assert false_numbers(text) == []

"""Numbers with a reference to where they come from: they must stand there."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_numbers

DOCUMENT = """\
# Serving notes

In the following an hour of a card costs $1.80, whatever it is.

## 1. The floor

A step reads 27.2 GB of weights, so it takes 8.1 ms at least. Filling the pipe takes 40 ms once.

## 2. A worked example

Two racks hold 96 cards in all, and every card has its own port.

## 3. Training state

The optimizer and the weights take 163.4 GB, of which 54.5 GB are moments.

## 4. What follows

{}
"""


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        ("Compare this with the {} weight step of section 1 before you buy.", "8.1 ms", "6.3 ms", "8.1 ms"),
        ("So the {} cards of the worked example need a second switch.", "96", "128", "96 cards"),
        (
            "The {} of optimizer state found in section 3 do not fit on one card.",
            "163.4 GB",
            "217.9 GB",
            "163.4 GB",
        ),
        ("With the {} per hour that I assumed at the beginning this is cheap.", "$1.80", "$2.40", "$1.80"),
        ("Our {} of weights from section 1 fit into one card.", "27.2 GB", "22.7 GB", "27.2 GB"),
        ("Section 3 gave us {} of moments, which we halve.", "54.5 GB", "45.5 GB", "54.5 GB"),
        ("As section 3 says, the optimizer and the weights take {}.", "163.4 GB", "136.4 GB", "163.4 GB"),
        ("According to section 3 the optimizer takes {}.", "163.4 GB", "136.4 GB", "163.4 GB"),
        ("In section 3 we counted {} for optimizer and weights.", "163.4 GB", "136.4 GB", "163.4 GB"),
        ("The optimizer and the weights take {} (see section 3).", "163.4 GB", "136.4 GB", "163.4 GB"),
        (
            "As computed in section 3, the optimizer and the weights take {}.",
            "163.4 GB",
            "136.4 GB",
            "163.4 GB",
        ),
        (
            "As we saw in section 3, the optimizer and the weights take {}.",
            "163.4 GB",
            "136.4 GB",
            "163.4 GB",
        ),
        ("The {} of optimizer and weights above do not fit.", "163.4 GB", "136.4 GB", "163.4 GB"),
    ],
)
def test_a_number_must_stand_where_it_is_said_to_come_from(
    text: str, right: str, wrong: str, expected: str
) -> None:
    good = check_text(DOCUMENT.format(text.format(right))).claims
    assert [one.text for one in good if one.verdict == "false"] == []
    assert "two-values" in {one.rule for one in good if one.verdict == "true"}
    bad = [one for one in check_text(DOCUMENT.format(text.format(wrong))).claims if one.verdict == "false"]
    assert [(one.line, one.expected, one.rule) for one in bad] == [(19, expected, "two-values")]


def test_in_this_section() -> None:
    text = "# Problem 3\n\nThe state takes 44.8 GB, the cache 9.6 GB.\n\nThe {} of state found in this problem fit.\n"
    assert [one.expected for one in check_text(text.format("44.8 GB")).claims] == ["44.8 GB"]
    wrong = [one for one in check_text(text.format("54.4 GB")).claims if one.verdict == "false"]
    assert [(one.line, one.expected) for one in wrong] == [(5, "44.8 GB")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Instead of the 6.3 ms of section 1 we now expect half a step.", id="instead"),
        pytest.param("That is more than the 6.3 ms weight step of section 1 of their paper.", id="elsewhere"),
        pytest.param("A card with 6.3 ms a step, see section 1, is common.", id="no article"),
        pytest.param("The 6.3 ms that we measured last week stand in no section.", id="no reference"),
        pytest.param("The 8 ms weight step of section 1 is the floor.", id="rounded"),
        pytest.param("The whole transfer takes 12.5 ms (section 1).", id="how it was found"),
        pytest.param("The 12 ports of the worked example are shared.", id="another noun"),
    ],
)
def test_numbers_without_a_plain_reference_are_left_alone(text: str) -> None:
    assert [one.text for one in check_text(DOCUMENT.format(text)).claims if one.verdict == "false"] == []


SPELT = """## 1. Plan

We write the cards off over four years and train for two epochs on each crop.

## 2. Later

{}
"""


@pytest.mark.parametrize(
    ("text", "wrong", "right", "expected"),
    [
        (
            "Every number here rests on the {} of section 1, which nobody doubts.",
            "3 years",
            "4 years",
            "four years",
        ),
        ("With the {} of section 1 the crops are seen often enough.", "3 epochs", "2 epochs", "two epochs"),
    ],
)
def test_a_count_that_the_section_spells(text: str, wrong: str, right: str, expected: str) -> None:
    assert false_numbers(SPELT.format(text.format(wrong))) == [(wrong, expected)]
    assert false_numbers(SPELT.format(text.format(right))) == []


@pytest.mark.parametrize(
    "text",
    [
        "The 3 months of section 1 are over.",
        "The 3 years of section 3 are over.",
        "If the 3 years of section 1 were four, it would pay.",
        "Instead of the 3 years of section 1 take your own.",
    ],
)
def test_counts_that_no_section_spells(text: str) -> None:
    assert false_numbers(SPELT.format(text)) == []


def test_a_section_that_has_the_count_too() -> None:
    assert (
        false_numbers(
            SPELT.replace("each crop", "each crop, or 3").format("The 3 years of section 1 are over.")
        )
        == []
    )


def test_a_price_for_something_else_than_an_hour() -> None:
    text = (
        "## 1. Price\n\nIn an hour the oven makes 24 million loaves, so they cost 2.00 USD per million loaves.\n\n"
        "## 2. Later\n\nSection 1 gave {} per million loaves.\n"
    )
    assert false_numbers(text.format("2.20 USD"))
    assert false_numbers(text.format("2.00 USD")) == []

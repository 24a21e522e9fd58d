"""What a check calls false, for the tests that hold it against what they expect."""

from __future__ import annotations

import re

from derive.checking import check_text


def false_numbers(text: str) -> list[tuple[str, str]]:
    """The numbers called false, each with what is expected."""
    return [(one.claimed, one.expected) for one in check_text(text).claims if one.verdict == "false"]


def false_texts(text: str, form: str = "markdown") -> list[tuple[str, str]]:
    """The texts of the claims called false, each with what is expected."""
    return [(one.text, one.expected) for one in check_text(text, form).claims if one.verdict == "false"]


def false_causes(text: str) -> list[tuple[str, str, str]]:
    """The same with the name of the cause."""
    found = check_text(text).claims
    return [(one.text, one.expected, one.cause.partition(":")[0]) for one in found if one.verdict == "false"]


def is_true(text: str, number: str, form: str = "markdown") -> bool:
    """Whether a claim that is called true has a number of a text in it, whatever its sign and its commas."""
    digits = re.search(r"\d[\d,.]*", number)
    shown = re.escape(digits[0].replace(",", "")) if digits else "(?!)"
    told = re.compile(rf"(?<![\d.]){shown}(?!\d|\.\d)")
    return any(
        one.verdict == "true" and told.search(one.text.replace(",", ""))
        for one in check_text(text, form).claims
    )

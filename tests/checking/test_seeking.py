"""Patterns that are searched only where a text holds one of their words."""

from derive.checking.seeking import Sought

_SUM = Sought(r"\b(?:adds?|sums?) (?:up )?to\b", ("add", "sum"))
_CHIP = Sought(r"\bchips? of (\d)", ("chip",), ignore_case=True)


def test_matches_are_those_of_the_pattern() -> None:
    text = "This adds to that, and that sums up to this."
    assert [found[0] for found in _SUM.finditer(text)] == ["adds to", "sums up to"]
    first = _SUM.search(text)
    assert first is not None
    assert first.span() == (5, 12)
    assert _SUM.search(text, 12, 30) is None
    assert _SUM.sub("=", "a adds to b") == "a = b"
    assert _SUM.fullmatch("sums to") is not None
    assert _SUM.fullmatch("it sums to") is None


def test_a_text_without_the_words_is_not_searched() -> None:
    assert not _SUM.may_stand_in("nothing of the kind")
    assert list(_SUM.finditer("nothing of the kind")) == []
    assert _SUM.search("nothing of the kind") is None
    assert _SUM.may_stand_in("an address")
    assert _SUM.search("an address") is None


def test_case_is_ignored_only_where_a_pattern_ignores_it() -> None:
    assert [found[1] for found in _CHIP.finditer("Chips of 8, CHIP OF 4")] == ["8", "4"]
    assert _SUM.search("It ADDS to that") is None

"""Numbers of a summary that bear a name which the document gives another value, and short sentences with a swap."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers

RUN = (
    "# A run of Heron\n\n## Tuning\n\nBefore the tuning the run reached an MFU of 29 % on the trees of the lab.\n\n"
    "After it we saw an MFU of 34 % for a whole week of steps.\n\n"
    "The gain is 34 / 29 = 1.17, and 34 % MFU is what we plan with.\n\n"
    "## Feeding\n\nThe eight feeders make 8 x 2,350 = 18,800 tokens/s of throughput for the whole barn.\n\n"
    "A token of the barn takes 2 x 24 x 4,480 x 2 bytes = 430,080 bytes of room.\n\n"
)


@pytest.mark.parametrize(
    ("text", "claimed", "expected", "cause"),
    [
        ("## Cheat sheet\n\n- Utilisation: {} MFU, sustained.\n", "31 %", "34 %", "out of date"),
        ("## Conclusions\n\nThe run holds an MFU of {} on its trees.\n", "31 %", "34 %", "out of date"),
        ("## Key results\n\n* MFU: {}\n", "44 %", "34 %", "out of date"),
        ("## Summary\n\n| Quantity | Value |\n|---|--:|\n| trees | 12 |\n| MFU (%) | {} |\n", "43", "34 %",
         "digits swapped"),
        ("## TL;DR\n\n| | |\n|---|--:|\n| trees | 12 |\n| throughput (tokens/s) | {} |\n", "81,800",
         "18,800 tokens/s", "digits swapped"),
        ("## TL;DR\n\n- Throughput of the barn: {}\n", "18,300 tokens/s", "18,800 tokens/s", "out of date"),
        ("## Feeding again\n\n- Room for a token: {}\n", "403,080 bytes", "430,080 bytes", "digits swapped"),
        ("## Feeding again\n\nThe barn makes {}.\n", "81,800 tokens/s", "18,800 tokens/s", "digits swapped"),
    ],
)  # fmt: skip
def test_a_number_by_name(text: str, claimed: str, expected: str, cause: str) -> None:
    assert false_causes(RUN + text.format(claimed)) == [(claimed, expected, cause)]
    right = expected if " " in claimed else expected.partition(" ")[0]
    assert false_numbers(RUN + text.format(right)) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("## Cheat sheet\n\n- Utilisation: 29 % MFU before the tuning.\n", id="the other value"),
        pytest.param("## Conclusions\n\nWith a longer sequence the run would hold an MFU of 39 %.\n", id="supposed"),
        pytest.param("## Conclusions\n\nThe next run is planned with an MFU of 39 %.\n", id="planned"),
        pytest.param("## Conclusions\n\nThe run of the new lab has an MFU of 39 %.\n", id="the new lab"),
        pytest.param("## Conclusions\n\nThe share of the feeders is 39 %.\n", id="another name"),
        pytest.param("## Other runs\n\nThe run of Kestrel holds an MFU of 39 % on its trees.\n", id="no summary"),
        pytest.param("## Summary\n\n| Quantity | Value |\n|---|--:|\n| MFU (%) | 52 |\n", id="not near"),
        pytest.param("## Summary\n\n| Quantity | Value |\n|---|--:|\n| hit rate (%) | 43 |\n", id="another label"),
        pytest.param("## Summary\n\n| Quantity | Value |\n|---|--:|\n| MFU (ms) | 43 |\n", id="another unit"),
        pytest.param("## Summary\n\n- Throughput of the barn: up to 18,300 tokens/s\n", id="a bound"),
        pytest.param("## Feeding again\n\nThe old barn makes 81,800 tokens/s.\n", id="the old barn"),
        pytest.param("## Feeding again\n\nThe barn makes 9 x 9,089 = 81,801 tokens/s.\n", id="computed"),
    ],
)  # fmt: skip
def test_numbers_with_a_reason(text: str) -> None:
    assert false_numbers(RUN + text) == []


def test_a_number_told_once_bears_nothing_out() -> None:
    text = (
        "## Tuning\n\nThe run reached an MFU of 34 % on the trees.\n\n## Summary\n\nThe MFU is 39 % here.\n"
    )
    assert false_numbers(text) == []


def test_a_measured_number_told_once_in_a_summary_with_its_digits_exchanged() -> None:
    text = (
        "## Ovens\n\nThe median bake of a loaf in the north oven took {} in June.\n\n"
        "## {}\n\nThe median bake takes {}."
    )
    assert false_numbers(text.format("312 ms", "FAQ", "321 ms")) == [("321 ms", "312 ms")]
    assert false_numbers(text.format("312 ms", "Summary", "132 ms")) == [("132 ms", "312 ms")]
    assert false_numbers(text.format("312 ms", "Summary", "312 ms")) == []
    assert false_numbers(text.format("312 ms", "Ovens of July", "321 ms")) == []
    assert false_numbers(text.format("312 GB", "Summary", "321 ms")) == []


def test_a_name_with_many_values_is_left_alone() -> None:
    text = "".join(
        f"In week {week} the run had an MFU of {mfu} %.\n\n" for week, mfu in enumerate((31, 33, 34, 34))
    )
    assert false_numbers(f"## Tuning\n\n{text}## Summary\n\nThe MFU of the last week is 39 %.\n") == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The p50 wait of the barn is 3 x 71 ms = 213 ms at noon.", "- p99 wait of the barn: 231 ms"),
        ("The load of pool A is 18 x 24.5 kW = 441 kW.", "The load of pool B is 414 kW."),
        ("Pool A has 18 x 24.5 kW = 441 kW of load.", "Pool B has 414 kW of load."),
        ("For 8 carts the trip takes 5 x 0.43 s = 2.15 s.", "For 16 carts the trip takes 1.25 s."),
        ("The barn costs 12 x 2,350 = 28,200 USD in all.", "A year of hay is 22,800 USD."),
        ("The barn costs 12 x 2,350 = 28,200 USD in all.", "The second barn costs 22,800 USD."),
        ("The bin holds 4 x 42.7 = 170.8 GB of logs.", "The bigger bin holds 107.8 GB of logs."),
        ("The bin holds 4 x 42.7 = 170.8 GB of logs.", "- Logs of the bin after the trim: 178.0 GB"),
        ("## Old barn\n\nThe load is 18 x 24.5 kW = 441 kW.", "## New barn\n\nThe load is 414 kW."),
    ],
)
def test_short_sentences_of_two_things(first: str, then: str) -> None:
    assert false_numbers(f"{first}\n\n{then}\n") == []

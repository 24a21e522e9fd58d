"""Quantities stated again in words, and calculations set off from the text: what is true, false or left alone."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _found(text: str, form: str = "markdown") -> list[tuple[str, str]]:
    """The verdicts with what was expected."""
    return [
        (claim.verdict, claim.expected)
        for claim in check_text(text, form).claims
        if claim.rule in ("chain", "conversion")
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The job took 12.5 h, or 45,000 s.", [("true", "45000 s")]),
        ("The job took 12.5 h, or 54,000 s.", [("false", "45000 s")]),
        ("The rail has 800 Gb/s (100 GB/s).", [("true", "100 GB/s")]),
        ("The rail has 800 Gb/s (800 GB/s).", [("false", "100 GB/s")]),
        ("The rail has 800 Gb/s, 100 GB/s, on paper.", [("true", "100 GB/s")]),
        ("The rail has 800 Gb/s, 90 GB/s of it used.", []),  # a list of two amounts
        ("The rail has 800 Gb/s (800 GB/s per tray).", []),  # something else
        ("Take a card of 24 GB or 48 GB.", []),
        ("It takes 2.5 h or 200 min, as the queue has it.", []),  # a choice, and no slip
        ("Now 3e6 seconds is 34.7 days.", [("true", "34.72 days")]),
        ("We wait. 90 minutes is 15 hours.", [("false", "1.5 hours")]),
        ("A million tokens are then 3.33 MJ, or 0.93 kWh.", [("true", "0.925 kWh")]),
        ("A million tokens are then 3.33 MJ, or 0.93 MWh.", [("false", "0.000925 MWh")]),
        ("It takes 61,600 s, about 17 hours.", [("true", "17.1 hours")]),
        ("It takes 61,600 s, about 1.7 days.", [("false", "0.713 days")]),
        ("It takes 61,600 s, about 1.7 days less than planned.", []),
    ],
)
def test_the_same_amount_in_another_unit(text: str, found: list[tuple[str, str]]) -> None:
    assert _found(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Here 12 bytes times 5 billion weights is 60 GB.", [("true", "60 GB")]),
        ("Here 12 bytes times 5 billion weights is 60 GiB.", [("false", "55.9 GiB")]),
        ("With 5 billion times 6 bits, or 30 GB, it is full.", [("false", "3.75 GB")]),
        ("Now 96 GB divided by 8 makes 12 GB.", [("true", "12 GB")]),
        ("Now 6e12 × 4 bytes comes to 24 TB.", [("true", "24 TB")]),
        ("Now 6e12 × 4 bytes works out to about 24 GB.", [("false", "24000 GB")]),
        ("The block has 3 × 2048 × 8192 weights, 3 × 2048 × 8192 is 50,331,648.", [("true", "50331648")]),
        ("Take 4 × 24 GB or 48 GB of it.", [("unsure", "96 GB")]),  # a choice
        ("A tile of 64 × 128 is 16 blocks.", [("unsure", "8192 blocks")]),
        ("Each stage has 42.4 / 16 ≈ 2.65 billion weights.", [("true", "2.65 billion weights")]),
        ("Each stage has 42.4 / 16 ≈ 3.65 billion weights.", [("unsure", "2.65e-09 billion weights")]),
    ],
)
def test_calculations_in_words(text: str, found: list[tuple[str, str]]) -> None:
    assert _found(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It served 600 tokens/s, which is 75 % of 800.", [("true", "75%")]),
        ("It served 600 tokens/s, which is 57 % of 800.", [("false", "75%")]),
        ("We reach 1.5 of 2 TB/s, i.e. 75 %.", [("true", "75%")]),
        ("We reach 1.5 of 2 TB/s, i.e. 65 %.", [("false", "75%")]),
        ("We reach 1.5 of 2 TB/s, at least 70 %.", []),
        ("The rate fell from 50 to 40 k tokens/s, a loss of 20 %.", [("true", "20%")]),
        ("The rate fell from 50 to 40 k tokens/s, a loss of 25 %.", [("false", "20%")]),
        ("A change from $8.00 to $6.00 is a drop of 25 %.", [("true", "25%")]),
        ("A change from $8.00 to $6.00 is a drop of 33 %.", [("false", "25%")]),
        ("We train 3 million weights against 2 billion frozen ones, i.e. 1.5 %.", [("false", "0.15%")]),
        ("It grew from 16 GB to 40 GB, a factor of 2.5.", [("true", "2.5")]),
        ("It grew from 16 GB to 40 GB, a factor of 4.2.", [("false", "2.5")]),
    ],
)
def test_shares_and_changes(text: str, found: list[tuple[str, str]]) -> None:
    assert _found(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Sending 8 GB at 100 Gb/s takes 0.64 s.", [("true", "0.64 s")]),
        ("Sending 8 GB at 100 Gb/s takes 0.08 s.", [("false", "0.64 s")]),
        ("Sending 8 GB at 100 Gb/s takes 1.28 s.", []),  # there and back, perhaps
        ("Sending 8 GB at 100 Gb/s takes 0.9 s.", []),  # at what it reaches
        ("Then 2 million hours at 0.5 kW are 1 GWh.", [("true", "1 GWh")]),
        ("Then 2 million hours at 0.5 kW are 1 MWh.", [("false", "1000 MWh")]),
        ("Renting 30 h at $4/hour costs $120.", [("true", "$120")]),
    ],
)
def test_a_time_at_a_rate_is_false_only_by_a_slip(text: str, found: list[tuple[str, str]]) -> None:
    assert _found(text) == found


LINE = "    280 GB / 4 TB/s = 70 ms"


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("markdown", "Then:\n\n" + LINE),
        ("markdown", f"```\n{LINE}\n```"),
        ("markdown", f"~~~ text\n{LINE}\nin all\n~~~"),
        ("html", f"<p>Then:</p><pre>\n{LINE}\n</pre>"),
        ("rst", f"Then::\n\n{LINE}\n\nDone."),
        ("latex", f"\\begin{{verbatim}}\n{LINE}\n\\end{{verbatim}}"),
    ],
)
def test_calculations_set_off_from_the_text_are_read(form: str, text: str) -> None:
    assert _found(text, form) == [("true", "70 ms")]
    wrong = text.replace("70 ms", "700 ms")
    (claim,) = check_text(wrong, form).claims
    line = next(number for number, line in enumerate(wrong.split("\n"), 1) if "700 ms" in line)
    assert (claim.verdict, claim.line, claim.expected) == ("false", line, "70 ms")


@pytest.mark.parametrize(
    "block",
    [
        f"```python\n{LINE.replace('70', '700')}\n```",
        f"```\n$ run --fast\n{LINE.replace('70', '700')}\n```",
        f"```\nstep 40: took 3 s\n{LINE.replace('70', '700')}\n```",
        "```\nsize = 3 * 16  # GB\ntotal == 50\n```",
        "```\nx[2] = 4 * 1000 = 5000\n```",
    ],
)
def test_programs_and_logs_are_not_read(block: str) -> None:
    assert check_text(block).claims == ()


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("text", "They write:\n\n> So 8 × 80 GB = 460 GB in all.\n\nI doubt it."),
        ("text", "They write:\n\n    8 × 80 GB = 460 GB\n\nThis is wrong, as you see."),
        ("markdown", "They write:\n\n```\n8 × 80 GB = 460 GB\n```\n\nThe right number is 640 GB."),
        ("markdown", "So 8 × 80 GB = 460 GB.\n\nThe mistake is plain."),
    ],
)
def test_what_is_quoted_or_corrected_is_no_error(form: str, text: str) -> None:
    assert "false" not in {verdict for verdict, _ in _found(text, form)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Each stage keeps 5 of them. Each block has 3 GB. With 24 blocks that is 72 GB.",
            [("true", "72 GB")],
        ),
        ("Each block has 3 GB. With 24 blocks that is 27 GB.", [("false", "72 GB")]),
        ("A server draws 10 kW, so 16 servers draw 160 kW.", [("true", "160 kW")]),
        ("It keeps 256 KiB per token; 4,096 tokens need 1 GiB.", [("true", "1 GiB")]),
        ("It keeps 256 KiB per token; 4,096 tokens need 1 MiB.", [("false", "1024 MiB")]),
        ("Each block has 3 GB. With 24 blocks and the head that is 80 GB.", []),
        ("Each block has 3 GB. With 24 layers that is 72 GB.", []),  # another thing is counted
        ("Each step takes 2 s. With 4 GPUs the 100 steps take 50 s.", []),
        ("Each card has 80 GB. The 8 cards have 10 GB each to spare.", []),
    ],
)
def test_so_much_for_each_and_so_many(text: str, found: list[tuple[str, str]]) -> None:
    assert _found(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Take 32 GB or 64 GB (512 bit) of it.",
        "A batch of 4 × 1024 tokens gives 4 steps per epoch.",
        "Some 30 % of 9,000 or 3,000 prompts fail.",
        "A batch runs at 300 tokens/s on 2,048 cards, i.e. 30 % of 989.",
        "The load went from 40 ms to 30 ms, a speed-up of 33 %.",
        "Each of four 400 Gb/s ports is 50 GB/s.",
        "Four 400 Gb/s ports are 200 GB/s.",
        "It draws 700 W (1 kW with the fans) or 1.2 kW at most.",
        "At 75 % of 4 TB/s, 2.9 TB/s, it is done.",
    ],
)
def test_what_words_leave_open_is_not_false(text: str) -> None:
    assert "false" not in {verdict for verdict, _ in _found(text)}

"""Sentences in which words tie two or three numbers: every wording right, and wrong by a plain slip."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _verdicts(text: str) -> list[tuple[str, str]]:
    return [
        (claim.verdict, claim.expected)
        for claim in check_text(text).claims
        if claim.rule in ("chain", "conversion")
    ]


# sentence, the right number, a wrong one, what is expected for it
TIED = [
    # a unit only behind the result, and no hidden one between
    ("There remain 90.0 - 21.4 = {} GB.", "68.6", "66.8", "68.6 GB"),
    ("C = 6 × 27e9 × 2.5e12 = {} FLOP", "4.05e23", "4.50e23", "4.05e+23 FLOP"),
    ("2 × 2048 × 8192 × 4096 = {} FLOP", "1.37e11", "2.75e11", "1.374e+11 FLOP"),
    # parts with names
    ("weights 21.5 + cache 6.2 + buffers 1.9 = {}", "29.6", "26.9", "29.6"),
    ("model 21.5 + KV cache 6.2 + CUDA context 0.7 = {} GB", "28.4", "29.4", "28.4 GB"),
    ("It is 21.5 (weights) + 6.2 (cache) + 1.9 (rest) = {} GB.", "29.6", "39.6", "29.6 GB"),
    # shares
    ("The experts hold 311 of 402, hence {} %.", "77.4", "74.7", "77.36%"),
    ("We see 2,140 GB/s out of 2,675 GB/s, so {} %.", "80", "70", "80%"),
    ("The load is 9,000 tokens/s against a peak of 24,000, i.e. the fleet is used at {} %.", "37.5", "73.5", "37.5%"),
    ("The kernel gets 480 TFLOP/s, which is {} % of the 1,920.", "25", "52", "25%"),
    ("Now 36 over 48 is {} %.", "75", "57", "75%"),
    # factors
    ("Going from 14.0 to 35 tokens/s is a speedup of {}.", "2.5", "3.5", "2.5"),
    ("The new card has 4,800 GB/s, {} times as much as the 1,600 GB/s of the old one.", "3.0", "2.0", "3 times"),
    ("It makes 630 tokens per second instead of 90, which is {} times the throughput.", "7.0", "9.0", "7 times"),
    ("Here 7.5 against 3 GB is a factor of {}.", "2.5", "5.2", "2.5"),
    ("We went from 21 ms to 6 ms, a {}x improvement.", "3.5", "5.3", "3.5"),
    # more and less
    ("Now 824 over 800 is {} % more.", "3.0", "4.0", "3%"),
    ("The new one makes 575 tok/s, {} % more than 460 tok/s.", "25", "52", "25%"),
    ("From 250 to 310 is an increase of {} %.", "24", "42", "24%"),
    # parts of a whole
    ("At this size 35 % of 400 GB/s is {} GB/s.", "140", "104", "140 GB/s"),
    ("Half of 3,350 GB/s is {} GB/s.", "1,675", "1,765", "1675 GB/s"),
    ("Three quarters of the 320 GB/s, i.e. {} GB/s, are used.", "240", "204", "240 GB/s"),
    # sums and what is left
    ("The 33.5 GB of weights and 12.4 GB of cache make {} GB.", "45.9", "49.5", "45.9 GB"),
    ("It reads 33.5 GB of weights and 12.4 GB of cache, {} GB in all.", "45.9", "54.9", "45.9 GB"),
    ("weights (33.5 GB) and cache (12.4 GB) add up to {} GB", "45.9", "44.9", "45.9 GB"),
    ("33.5 GB plus 12.4 GB is {} GB.", "45.9", "46.9", "45.9 GB"),
    ("96 GB minus 37.5 GB leaves {} GB.", "58.5", "55.8", "58.5 GB"),
    # so much each, and spread
    ("We have 6 cards with 48 GB each, {} GB.", "288", "228", "288 GB"),
    ("Over 16 GPUs the 840 GB are {} GB each.", "52.5", "25.5", "52.5 GB"),
    ("Each of the 12 cards has 96 GB, {} GB in all.", "1,152", "1,512", "1152 GB"),
    # times at rates
    ("Over a 10 Gb/s line the 36.5 GB take {} s at best.", "29.2", "3.65", "29.2 s"),
    ("Our link does 100 Gb/s, so 2 TB takes {} seconds.", "160", "20", "160 seconds"),
    ("A step reads 45.6 GB. At 4.8 TB/s this takes {} ms.", "9.5", "95", "9.5 ms"),
    ("The 700 TFLOP at 350 TFLOP/s need {} s.", "2.0", "20", "2 s"),
    ("20 days on 512 GPUs is {} GPU-hours.", "245,760", "10,240", "245760 GPU-hours"),
    ("We ran 64 H100s for 3 days, i.e. {} GPU hours.", "4,608", "192", "4608 GPU hours"),
    ("At $2.50 an hour, 6,400 GPU-hours cost ${}.", "16,000", "1,600", "$16000"),
    ("1,500 hours at 8 kW are {} MWh.", "12", "1.2", "12 MWh"),
    ("A step takes 25 ms, so {} tokens per second at best.", "40", "400", "40 tokens/second"),
    ("25 ms per token is {} tokens/s.", "40", "4", "40 tokens/s"),
    # bytes of parameters
    ("34B in BF16: {} GB.", "68", "34", "68 GB"),
    ("In FP8 a 123B model takes {} GB.", "123", "246", "123 GB"),
    ("At two bytes per parameter, 13.7 billion parameters take {} GB.", "27.4", "24.7", "27.4 GB"),
    ("With 13.5 billion parameters a token costs {} GFLOP.", "27", "270", "27 GFLOP"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "right", "wrong", "expected"), TIED)
def test_what_words_tie_is_computed(sentence: str, right: str, wrong: str, expected: str) -> None:
    assert {verdict for verdict, _ in _verdicts(sentence.format(right))} == {"true"}
    found = _verdicts(sentence.format(wrong))
    assert ("false", expected) in found
    assert wrong not in [
        claim.claimed for claim in check_text(sentence.format(wrong)).claims if claim.verdict == "true"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Of 96 GB, 37 GB go to weights, which leaves 50 GB.",  # something else may take its share
        "Sending 8 GB at 100 Gb/s takes 0.9 s.",  # at what it reaches
        "The link does 100 Gb/s, and sending 8 GB took 6.4 s in the measured run.",
        "A 7B model in BF16 takes 112 GB for training.",
        "7B in BF16: 13.5 GB.",  # 7B is rounded
        "8 cards with 80 GB have 600 GB for the cache.",
        "At 5,000 tokens/s and $2.50 per hour, a million tokens cost $0.139.",
        "At 75 % of 4 TB/s, 2.9 TB/s, it is done.",
        "The run took 12 hours, and 24 hours more were lost.",
        "32 × 4096 × 4096 = 1.07 GB",  # two bytes each
        "7 × 2 = 13.04 GB",  # GiB, written GB
    ],
)
def test_what_may_be_meant_otherwise_is_not_false(text: str) -> None:
    assert "false" not in {verdict for verdict, _ in _verdicts(text)}


def test_an_amount_told_again_in_the_unit_that_it_no_longer_has() -> None:
    assert _verdicts("It takes 72 hours, i.e. 3 days.") == [("true", "3 days")]
    assert _verdicts("It takes 72 hours, i.e. 3 hours.") == [("false", "72 hours")]
    assert _verdicts("It takes 72 hours, i.e. 50 hours.") == []

"""Amounts for each of more things, formats and bandwidths that a sentence only names, digits in another order."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_texts, is_true

TEN, WIDTH, ORDER = "power of ten", "element size", "digits swapped"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected", "cause"),
    [
        # 48 × 2.5, 60 × 4, 16 × 35, 15 × 6, 25 × 4
        ("There are 48 sensors. Each of these sensors writes 2.5 MB a minute, in total {} a minute.", "120 MB",
         "12 MB", "120 MB", TEN),
        ("There are 48 sensors. Each sensor now logs 2.5 MB, in total {}.", "120 MB", "12 MB", "120 MB", TEN),
        ("We have 60 cameras. Each camera emits a stream of 4 MB/s, in total {}.", "240 MB/s", "24 MB/s", "240 MB/s",
         TEN),
        ("We run 16 kilns. Every kiln therefore burns 35 kWh, in total {}.", "560 kWh", "650 kWh", "560 kWh", ORDER),
        ("We run 16 kilns. Each of the kilns swallows 35 kWh, in total {}.", "560 kWh", "5,600 kWh", "560 kWh", TEN),
        ("Every camera then records 6 GB; 15 cameras make {}.", "90 GB", "900 GB", "90 GB", TEN),
        ("Every camera has a stream of 4 MB/s; 25 cameras need {} in all.", "100 MB/s", "10 MB/s", "100 MB/s", TEN),
        # 48 million × 2 bytes, in a format that only the sentence names
        ("Its table has 48 million parameters. That is {} in FP16.", "96 MB", "192 MB", "96 MB", WIDTH),
        # 67 GB / 3.35 TB/s, 26.5 GB / 5.3 TB/s, at a bandwidth that is only named
        ("The pass reads 67 GB. At the memory bandwidth of an H100 SXM it takes {}.", "20 ms", "200 ms", "20 ms", TEN),
        ("A query scans 26.5 GB. At the HBM bandwidth of an MI300X it takes {}.", "5.0 ms", "50 ms", "5 ms", TEN),
        ("A query scans 26.5 GB of keys. At the bandwidth of an MI300X that takes {}.", "5.0 ms", "0.5 ms", "5 ms",
         TEN),
        # 16 × 82 = 1,312, 125 × 73 = 9,125, 64 × 27 = 1,728, 4.5 × 327 = 1,471.5, 512,000 / 350 = 1,462.9
        ("We run 16 kilns. Each kiln uses 82 kWh, in total {}.", "1,312 kWh", "1,231 kWh", "1312 kWh", ORDER),
        ("The 125 kilns use 73 kWh each, so they use {} in all.", "9,125 kWh", "9,512 kWh", "9125 kWh", ORDER),
        ("Each of the 64 tanks holds 27 GB, hence all of them hold {}.", "1,728 GB", "1,278 GB", "1728 GB", ORDER),
        ("The pump uses 4.5 kW. In 327 h it uses {}.", "1,471.5 kWh", "1,754.1 kWh", "1471.5 kWh", ORDER),
        ("At 350 MB/s a copy of 512 GB takes {}.", "1,463 s", "1,346 s", "1462.9 s", ORDER),
    ],
)  # fmt: skip
def test_an_amount_that_follows(text: str, right: str, wrong: str, expected: str, cause: str) -> None:
    assert false_texts(text.format(right)) == []
    assert is_true(text.format(right), right)
    found = false_causes(text.format(wrong))
    assert [(shown, named) for _, shown, named in found] == [(expected, cause)]
    assert wrong in found[0][0]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("At 3 TB/s a step takes {} for 60 GB.", "20 ms"),  # and not 3 TB/s for each step
        ("The net has 13 billion parameters. As stored it takes {} in BF16.", "26 GB"),
        ("Our coder has 6 billion parameters. On disk this takes {} in FP32.", "24 GB"),
        ("Each of the 24 looms moves 1.5 GB a day, so all 24 looms move {} a day.", "36 GB"),
        ("Each of our 12 boilers burns 250 kWh an hour. The 12 boilers need {} an hour.", "3,000 kWh"),
    ],
)
def test_an_amount_that_is_right_is_called_true(text: str, number: str) -> None:
    assert false_texts(text.format(number)) == []
    assert is_true(text.format(number), number)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The 7 billion parameters take 14 GB in BF16 and 28 GB with their gradients.", id="with more"),
        pytest.param("We keep 16 kilns. Each kiln uses 82 kWh, in total at least 1,250 kWh.", id="at least"),
        pytest.param("The H100 SXM and the L4 differ. A scan of 67 GB at the bandwidth takes 223 ms.", id="two"),
        pytest.param("The pass reads 67 GB. Behind the memory bandwidth of an H100 SXM it takes about 26 ms.",
                     id="somewhat longer"),
    ],
)  # fmt: skip
def test_amounts_of_something_else_are_left_alone(text: str) -> None:
    assert false_texts(text) == []

"""Tables whose cells say of themselves what they are: remarks, boxes, wrong numbers, several numbers in a cell."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_texts

HEAD = "| card | BW (GB/s) | dense TFLOP/s | 2:4 sparse TFLOP/s | remark |\n|---|--:|--:|--:|---|\n"
LEFT_ALONE = {
    "a remark speaks of another format": HEAD + "| H100 SXM | 3,350 | 989 | 1,979 | FP8 is twice that |\n",
    "an accumulator is no format": HEAD + "| RTX 3090 | 936 | 71 | 142 | FP32 accumulate |\n",
    "the memory in a short name": "| card | GB/s | TFLOP/s | ridge (FLOP/B) |\n|---|--:|--:|--:|\n"
    "| A100 SXM 40 | 1,555 | 312 | 201 |\n| A100 SXM 80 | 2,039 | 312 | 153 |\n| H100 SXM | 3,350 | 989 | 295 |\n"
    "| H200 | 4,800 | 989 | 206 |\n",
    "per box": "| card | TB/s per box | FP8 PFLOP/s per box |\n|---|--:|--:|\n"
    "| H100 | 26.8 | 15.8 |\n| B200 | 64 | 36 |\n",
    "sparse in brackets": "| card | BF16 (TFLOP/s) | NVLink, each way / both (GB/s) |\n|---|---|---|\n"
    "| A100 80GB SXM | 312 (624 sparse) | 300 / 600 |\n| H100 SXM | 989 (1,979 sparse) | 450 / 900 |\n",
    "a column of errors": "| page | printed (wrong) | right |\n|---|---|---|\n"
    "| 14 | H100: 1,979 TFLOP/s dense BF16 | 989 TFLOP/s |\n| 23 | 6 x 175e9 x 300e9 = 3.15e22 | 3.15e23 |\n",
    "a remark beside the cell": "| model | May (tok/s) | x 1.35 | / 0.70 |\n|---|--:|--:|--:|\n"
    "| a | 96,000 | 129,600 | 185,143 |\n"
    "| b | 118,000 | 159,300 | 227,571 |\n| c | 151,000 | 203,850 | 291,214 |\n"
    "| d | 41,000 | 41,000 (flat) | 58,571 |\n| e | 38,000 | 51,300 | 73,286 |\n",
    "what so many bytes are": "2 B weights + 2 B gradients + 4 B master + 8 B moments = 16 B each.\n\n"
    "| scheme | weights (GB) | gradients (GB) | optimizer (GB) |\n|---|---:|---:|---:|\n"
    "| plain | 13.48 | 13.48 | 80.88 |\n| one | 13.48 | 13.48 | 0.16 |\n| two | 13.48 | 0.026 | 0.16 |\n"
    "| three | 0.026 | 0.026 | 0.16 |\n",
    "a group of weights": "| format | size (GB) |\n|---|--:|\n| fp32 | 26.96 |\n| fp16 | 13.48 |\n| int8 | 6.74 |\n"
    "| int4 | 3.37 |\n| int4, g=128 | 3.50 |\n",
    "a variant of a row": "| version | ms | tokens/s |\n|---|---|---|\n"
    "| plain | 15.9 | 1,006 |\n| fp8 | 14.8 | 1,081 |\n"
    "| int8 | 15.1 | 1,060 |\n| fp8, batch 32 | 16.6 | 1,928 |\n\nA batch has 16 streams.\n",
    "a whole column of other numbers": "| part | D | S | FP32 |\n|---|--:|--:|--:|\n"
    "| A100 SXM | 312 | 624 | 19.5 |\n"
    "| H100 SXM | 989 | 1,979 | 67 |\n| MI300X | 1,307 | 2,615 | 163.4 |\n| L40S | 362 | 733 | 91.6 |\n",
    "dense and sparse in a cell": "| card | BF16 [TFLOP/s] dense / sparse |\n|---|:---:|\n| L4 | 121 / 242 |\n"
    "| A10 | 125 / 250 |\n",
    "a test of it": "| card | Nominal (GB/s) | Read-only test (GB/s) |\n|---|--:|--:|\n"
    "| A100 80GB SXM | 2,039 | 1,861 |\n"
    "| H100 SXM | 3,350 | 3,088 |\n",
    "shapes are no results": "| M | tile | cluster |\n|---|---|---|\n| 128 | 128x256x256 | 128x256x256 |\n"
    "| 256 | 256x256x256 | 256x512x256 |\n| 512 | 256x256x256 | 512x512x256 |\n",
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE.keys())
def test_cells_that_say_what_they_are_raise_no_alarm(text: str) -> None:
    assert false_texts(text) == []


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        # a remark alone does not hide a wrong cell
        (HEAD.replace("dense TFLOP/s", "dense BF16 TFLOP/s") + "| H100 SXM | 3,350 | {} | 1,979 | quiet |\n",
         "989", "1,979", "989 TFLOP/s [dense, bf16]"),
        # 65,536 × 2,560 = 167.8 million, 32 × 2 × 2,560 × 512 = 83.9 million
        ("| block | product | Millions |\n|---|---|--:|\n| a | 65,536 x 2,560 | 167.8 |\n"
         "| b | 32 x 2 x 2,560 x 512 | {} |\n| c | 32 x 2 x 2,560 x 2,560 | 419.4 |\n",
         "83.9", "48.9", "83.89 Millions"),
        # 48 + 40 + 64 = 152, under a label in another cell
        ("| pool | card | GB/s | cards |\n|---|---|--:|--:|\n| a | T4 | 320 | 48 |\n| b | L4 | 300 | 40 |\n"
         "| c | V100 SXM2 | 900 | 64 |\n| | | **all** | {} |\n", "152", "162", "152"),
        # 124,318,464 - 38,597,376 - 786,432 - 28,311,552
        ("| part | parameters |\n|---|--:|\n| tokens | 38,597,376 |\n| places | 786,432 |\n| attention | 28,311,552 |\n"
         "| MLP | {} |\n| sum | 124,318,464 |\n", "56,623,104", "65,632,104", "56623104"),
    ],
)  # fmt: skip
def test_wrong_cells_beside_them_are_found(text: str, right: str, wrong: str, expected: str) -> None:
    assert false_texts(text.format(right)) == []
    assert [shown for _, shown in false_texts(text.format(wrong))] == [expected]


def test_the_own_number_with_another_last_digit_is_no_slip() -> None:
    assert false_texts("The TPU v5e has 394 TOPS in INT8.") == []  # the catalogue has 393
    assert [shown for _, shown in false_texts("The TPU v5e has 197 TOPS in dense INT8.")] == [
        "393 TOP/s [dense, int8]"
    ]

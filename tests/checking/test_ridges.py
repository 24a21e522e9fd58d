"""Ridge points of machines, and the variant of a machine that a document speaks of."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_causes

VARIANT = "We have A100 80GB SXM cards.\n\n"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected", "cause"),
    [
        # 312e12 / 2.039e12 = 153.0, 312 / 1.555 = 200.6
        (VARIANT + "The ridge point of an A100 is {}.", "153 FLOP/B", "201 FLOP/B", "153 FLOP/B", "another machine"),
        # 989 / 3.35 = 295.2, with 2:4 sparsity 1979 / 3.35 = 590.7
        ("Where is the ridge? For the H100 SXM it lies at {}.", "295 FLOP/byte", "591 FLOP/byte", "295.2 FLOP/byte",
         "sparse and dense"),
        # 1979 / 3.35 = 590.7 in FP8, twice that with sparsity
        ("In FP8 the machine balance of an H100 SXM is {}.", "591 FLOP/byte", "1,181 FLOP/byte", "590.7 FLOP/byte",
         "sparse and dense"),
    ],
)  # fmt: skip
def test_a_ridge_is_of_the_machine_and_the_format(
    text: str, right: str, wrong: str, expected: str, cause: str
) -> None:
    assert false_causes(text.format(right)) == []
    assert right in {one.text for one in check_text(text.format(right)).claims if one.verdict == "true"}
    assert false_causes(text.format(wrong)) == [(wrong, expected, cause)]


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        # 312e12 / 2.039e12 = 153.0 in a document that also names another machine: 65 / 0.32 = 203.1
        (VARIANT + "We have T4 GPUs, too.\n\nThe intensity is 1365, far to the right of the ridge point of {}.",
         "153 FLOP per byte", "135 FLOP per byte", "153 FLOP/byte"),
        ("All runs are on H100 SXM cards.\n\nFP8 at 40 is left of the ridge point ({}).", "591 FLOP/byte",
         "519 FLOP/byte", "590.7 FLOP/byte"),
        ("We have A100 SXM 80GB, T4 GPU, L4 GPU, H100 SXM, H200 and V100 cards. The first: 312 / 2.039 = 153 FLOP/byte."
         "\n\nAll is far from the ridge point of {}.", "153 FLOP/byte", "135 FLOP/byte", "153 FLOP/byte"),
        ("All runs are on TPU v5e chips.\n\nWe stay below the machine balance of the chip, {}.", "241 FLOP/byte",
         "214 FLOP/byte", "240.5 FLOP/byte"),
    ],
)  # fmt: skip
def test_a_ridge_told_again_is_that_of_a_machine_of_the_document(
    text: str, right: str, wrong: str, expected: str
) -> None:
    assert false_causes(text.format(right)) == []
    assert false_causes(text.format(wrong)) == [(wrong, expected, "digits swapped")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "Far from the ridge, the kernel on an H100 SXM has an intensity of 591 FLOP/byte.", id="kernel"
        ),
        pytest.param("The ridge of the A100 lies elsewhere: 201 FLOP/B or 153 FLOP/B.", id="either variant"),
        pytest.param("From its L2 cache an A100 has a ridge of 78 FLOP/byte.", id="cache"),
        pytest.param(
            "All are H100 SXM.\n\nWith the measured bandwidth the ridge point is 259 FLOP/byte.",
            id="measured",
        ),
        pytest.param(
            "A100 SXM 80GB, T4 GPU, L4 GPU, H100 SXM, H200, V100.\n\nThe ridge point is 135 FLOP/byte.",
            id="many",
        ),
        pytest.param("All are L4 GPUs.\n\nThe ridge point is 430 FLOP/byte.", id="two digits"),
        pytest.param(
            "All are H100 SXM.\n\nThe intensity of 259 FLOP/byte is near the ridge point.", id="intensity"
        ),
    ],
)
def test_other_intensities_are_left_alone(text: str) -> None:
    assert false_causes(text) == []


def test_a_name_means_the_variant_that_the_document_names() -> None:
    text = VARIANT + "The memory bandwidth of the A100 is {}."
    assert false_causes(text.format("2,039 GB/s")) == []
    assert [(own, right) for own, right, _ in false_causes(text.format("1,555 GB/s"))] == [
        ("1,555 GB/s", "2.039 TB/s")
    ]
    assert false_causes("The memory bandwidth of the A100 is 1,555 GB/s.") == []
    both = "We have A100 80GB SXM and A100 40GB SXM cards.\n\nThe memory bandwidth of an A100 is 1,555 GB/s."
    assert false_causes(both) == []

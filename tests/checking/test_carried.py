"""Numbers that follow from the sentence before: what is right, what a slip explains, and what is left alone."""

from __future__ import annotations

import pytest

from derive.checking import check_text

CASES = (
    # the same amount under the other prefix
    ("The file has 23.4 GB. In binary units the same file is {}.", "21.8 GiB", "25.1 GiB", "GB and GiB"),
    ("Weights are 140.2 GB here. In powers of 1024 that is {}.", "130.6 GiB", "140.2 GiB", "GB and GiB"),
    ("The shard is 512 MB. In binary units the same shard is {}.", "488 MiB", "537 MiB", "GB and GiB"),
    # bytes for each of the things counted
    (
        "The net has 1,543,714,304 parameters. At two bytes each that is {}.",
        "3.09 GB",
        "1.54 GB",
        "element size",
    ),
    (
        "It counts 6.9 billion weights. At four bytes per weight they are {}.",
        "27.6 GB",
        "13.8 GB",
        "element size",
    ),
    (
        "It counts 6.9 billion weights. At 2 bytes per weight they are {}.",
        "13.8 GB",
        "31.8 GB",
        "digits swapped",
    ),
    # an amount over a rate
    ("The 18 TB leave over a 40 Gb/s line. At line rate this takes {}.", "3,600 s", "450 s", "bit and byte"),
    (
        "The archive has 250 GB. Our link moves 10 Gb/s, so the copy takes {}.",
        "200 s",
        "25 s",
        "bit and byte",
    ),
    ("A checkpoint is 96 GB. Disks write 4 GB/s. This takes {}.", "24 s", "240 s", "power of ten"),
    # training
    (
        "It has 2.7e9 parameters and saw 6e10 tokens. To train it costs {}.",
        "9.7e20 FLOP",
        "3.2e20 FLOP",
        "backward",
    ),
    (
        "With 1.1 billion parameters and 220 billion tokens, training takes {}.",
        "1.45e21 FLOP",
        "2.42e20 FLOP",
        "6",
    ),
    (
        "We train 3.3 billion parameters on 66 billion tokens. The compute is {}.",
        "1.31e21 FLOP",
        "4.36e20 FLOP",
        "back",
    ),
    ("Over a 25 Gb/s network the 50 GB arrive after {}.", "16 s", "2 s", "bit and byte"),
    (
        "With 9.4 billion parameters in BF16 it is 18.8 GB; in FP8 it is {}.",
        "9.4 GB",
        "18.8 GB",
        "element size",
    ),
    (
        "The scores cost 2.4 GFLOP. Compared with the 8.0 GFLOP of the weights that is {}.",
        "30 %",
        "23 %",
        "sum",
    ),
    # a product of matrices
    (
        "We multiply a 2048×6144 matrix with a 6144×512 one. This takes {}.",
        "12.9 GFLOP",
        "6.44 GFLOP",
        "0.5 times",
    ),
    ("For two square matrices of size 8192 this is {}.", "1.1 TFLOP", "0.55 TFLOP", "0.5 times"),
    # one model in two formats
    ("In BF16 the weights take 66.0 GB. In FP8 the weights are {}.", "33.0 GB", "132.0 GB", "element size"),
    ("In FP32 the model needs 28.4 GB. In INT4 the model would be {}.", "3.55 GB", "7.1 GB", "element size"),
)


def _verdicts(text: str, form: str = "markdown") -> list[tuple[str, str]]:
    return [
        (claim.claimed, claim.cause) for claim in check_text(text, form).claims if claim.verdict == "false"
    ]


@pytest.mark.parametrize(("text", "right", "wrong", "cause"), CASES, ids=[case[0][:30] for case in CASES])
def test_what_follows_from_the_sentence_before(text: str, right: str, wrong: str, cause: str) -> None:
    good = check_text(text.format(right)).claims
    assert [claim.text for claim in good if claim.verdict == "false"] == []
    assert "true" in {claim.verdict for claim in good}
    bad = _verdicts(text.format(wrong))
    assert [claimed for claimed, _ in bad] == [wrong]
    assert cause in bad[0][1]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The file has 23.4 GB. The same code on the other card needs 25.1 GiB.", id="another thing"),
        pytest.param("The cache takes 16.1 GB and the weights 17.3 GiB.", id="two things"),
        pytest.param("The 18 TB leave over a 40 Gb/s line. With two lines and 3 TB of it this takes 450 s.", id="two"),
        pytest.param("The archive has 250 GB. Our link moves 10 Gb/s. In practice it takes 260 s.", id="measured"),
        pytest.param("It has 2.7e9 parameters and saw 6e10 tokens. A forward pass costs 3.2e20 FLOP.", id="forward"),
        pytest.param("We multiply a 2048×6144 with a 6144×512 matrix in 32 heads. This takes 412 GFLOP.", id="heads"),
        pytest.param("In BF16 the weights take 66.0 GB. In INT4 the weights are 18.9 GB with scales.", id="scales"),
        pytest.param("In BF16 the weights take 66 GB. It is wrong that in FP8 the weights are 132 GB.", id="corrected"),
    ],
)  # fmt: skip
def test_what_may_be_something_else_is_left_alone(text: str) -> None:
    assert _verdicts(text) == []


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("A checkpoint has 980 GB, which du -h shows as {}.", "913 GiB", "1,052 GiB"),
        ("The 16.06 GB of weights appear in the log as {}.", "14.96 GiB", "17.24 GiB"),
        ("The scores take 268 MB, in binary units {}.", "256 MiB", "268 MiB"),
        ("The racks draw 0.84 MW. Over 500 hours that is {}.", "420 MWh", "42.0 MWh"),
        ("A node draws 9.6 kW. In 24 hours that makes {}.", "230 kWh", "320 kWh"),
        ("With int8 weights (31.2 GB) or int4 weights ({} without scales) it fits.", "15.6 GB", "31.2 GB"),
        ("Keep FP16 weights: 27.0 GB, or FP8 weights: {}, as you like.", "13.5 GB", "54.0 GB"),
    ],
)
def test_energy_and_formats_in_one_sentence(text: str, right: str, wrong: str) -> None:
    assert _verdicts(text.format(right)) == []
    assert [claimed for claimed, _ in _verdicts(text.format(wrong))] == [wrong]

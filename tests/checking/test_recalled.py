"""Numbers recalled with the article that the document has otherwise."""

import pytest

from derive.checking import check_text

SWAPPED, OLD = "digits swapped", "out of date"


def false(text: str) -> list[tuple[str, str, str]]:
    claims = check_text(text).claims
    return [(one.text, one.expected, one.cause.partition(":")[0]) for one in claims if one.verdict == "false"]


@pytest.mark.parametrize(
    ("defined", "recalled", "wrong", "right", "cause"),
    [
        (
            "The activations are 34.6 GB.",
            "Our 43.6 GB of activations are too many.",
            "43.6 GB",
            "34.6 GB",
            SWAPPED,
        ),
        ("Training takes 21.4 days.", "The whole 24.1-day run is watched.", "24.1", "21.4 days", SWAPPED),
        (
            "We train over 1.35T tokens.",
            "With the 1.53T tokens of it we stop.",
            "1.53T tokens",
            "1.35T tokens",
            SWAPPED,
        ),
        ("Each save stalls the run for 46 s.", "The 64 s stall went unnoticed.", "64 s", "46 s", SWAPPED),
        ("The cluster has 376 GPUs.", "The 367 GPUs were tested before.", "367 GPUs", "376 GPUs", SWAPPED),
        ("Goodput is 91.4 % here.", "The 94.1 % goodput is too little.", "94.1 %", "91.4 %", SWAPPED),
        (
            "They waste 5,472 GPU-hours.",
            "Report the 5,742 GPU-hours of waste.",
            "5,742 GPU-hours",
            "5,472 GPU-hours",
            SWAPPED,
        ),
        (
            "Activations: 57.3 GB with recomputation",
            "The 57.8 GB of activations stay.",
            "57.8 GB",
            "57.3 GB",
            OLD,
        ),
        (
            "So 66 sequences fit.",
            "At the 56 sequences computed above it stalls.",
            "56 sequences",
            "66 sequences",
            OLD,
        ),
        (
            "The run is 13.2 days long.",
            "The 15.2 days derived above leave room.",
            "15.2 days",
            "13.2 days",
            OLD,
        ),
    ],
)
def test_a_number_recalled_otherwise_is_false(
    defined: str, recalled: str, wrong: str, right: str, cause: str
) -> None:
    assert false(f"# Plan\n\n{defined}\n\n## Later\n\n{recalled}\n") == [(wrong, right, cause)]


@pytest.mark.parametrize(
    ("defined", "recalled"),
    [
        ("The activations are 34.6 GB.", "Our 34.6 GB of activations are too many."),
        ("The activations are 34.6 GB.", "We once saw 43.6 GB of activations."),
        ("The activations are 34.6 GB.", "If it were the 43.6 GB of activations of old, it would not fit."),
        ("The activations are 34.6 GB, the cache 43.6 GB.", "The 43.6 GB stay free."),
        ("The activations are 34.6 GB.", "The 40.0 GB + 3.6 GB = 43.6 GB are free."),
        ("The activations are 34.6 GB and grow. The 43.6 GB of a larger batch do not fit.", "That is all."),
        ("The small model has 350M parameters.", "The 300M parameters of ours are fewer."),
        ("Training takes 20.0 days.", "The 20.4-day run is watched."),
        ("The gradients are 57.3 GB.", "The 57.8 GB of activations stay."),
        ("Each stall lasts 0.046 s.", "The 46 ms stall went unnoticed."),
        ("Node 64 is slow: 46 s.", "The 0 s and the 64 s of others are gone."),
    ],
)
def test_a_number_of_its_own_is_not_false(defined: str, recalled: str) -> None:
    assert false(f"# Plan\n\n{defined}\n\n## Later\n\n{recalled}\n") == []

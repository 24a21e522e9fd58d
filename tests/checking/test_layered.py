"""What a layer has and what all of them have, the cache of several sequences, bytes a parameter of the sentence."""

from __future__ import annotations

import pytest

from derive.checking import check_text

LAYERS = "The model has 40 layers and a width of 5120.\n\n# Activations\n\n"
CACHE = "The cache takes 320 KiB per token.\n\n"
MODEL = "The model has $N = 12.84$ billion parameters.\n\n"


def _verdicts(text: str) -> list[tuple[str, str, str]]:
    return [(claim.verdict, claim.claimed, claim.expected) for claim in check_text(text).claims]


@pytest.mark.parametrize(
    ("text", "verdict", "claimed", "expected"),
    [
        ("This leaves 356.5 MB per layer, or 14.26 GB for the stack.", "true", "14.26 GB", "14.26 GB"),
        ("This leaves 356.5 MB per layer, or 7.13 GB for the stack.", "false", "7.13 GB", "14.26 GB"),
        ("This leaves 356.5 MB per layer, or 28.5 GB for all layers.", "false", "28.5 GB", "14.26 GB"),
        ("Each layer keeps 20.97 MB, hence 839 MB for the whole model.", "true", "839 MB", "838.8 MB"),
        ("Each layer keeps 20.97 MB, hence 419 MB for the whole model.", "false", "419 MB", "838.8 MB"),
    ],
)
def test_all_layers_have_so_many_times_what_one_has(
    text: str, verdict: str, claimed: str, expected: str
) -> None:
    assert (verdict, claimed, expected) in _verdicts(LAYERS + text)


@pytest.mark.parametrize(
    "text",
    [
        "This leaves 356.5 MB per layer, or 7.13 GB for the stack of each GPU.",  # half of it is elsewhere
        "This leaves 356.5 MB per layer, or 3.0 GB for the stack.",  # no slip leads to it
        "This leaves 356.5 MB per layer, and 7.13 GB are free.",
    ],
)
def test_what_may_be_of_fewer_layers_is_left_alone(text: str) -> None:
    assert not [one for one in _verdicts(LAYERS + text) if one[0] == "false"]


def test_one_of_the_numbers_of_layers_may_be_meant() -> None:
    other = "The smaller model has 20 layers.\n\n"
    text = LAYERS + other + "This leaves 356.5 MB per layer, or 7.13 GB for the stack."
    assert not [one for one in _verdicts(text) if one[0] == "false"]


@pytest.mark.parametrize(
    ("text", "verdict", "claimed", "expected"),
    [
        (
            "At their full length of 2,560 tokens the cache of the 64 requests takes 53.7 GB.",
            "true",
            "53.7 GB",
            "53.69 GB",
        ),
        (
            "At their full length of 2,560 tokens the cache of the 64 requests takes 26.8 GB.",
            "false",
            "26.8 GB",
            "53.69 GB",
        ),
    ],
)
def test_the_cache_of_several_requests(text: str, verdict: str, claimed: str, expected: str) -> None:
    assert (verdict, claimed, expected) in _verdicts(CACHE + text)


@pytest.mark.parametrize(
    "text",
    [
        "The cache of the requests takes 26.8 GB at 2,560 tokens.",  # how many there are is not told
        "With FP8 the cache of the 64 requests of 2,560 tokens takes 26.8 GB.",
    ],
)
def test_other_caches_are_left_alone(text: str) -> None:
    assert not [one for one in _verdicts(CACHE + text) if one[0] == "false"]


def test_a_cache_in_fewer_bits_does_not_hide_the_usual_one() -> None:
    text = CACHE + "8,192 tokens of cache take 1.34 GB.\n\nWith an INT8 cache it is 160 KiB per token."
    assert ("false", "1.34 GB", "2.684 GB") in _verdicts(text)


@pytest.mark.parametrize(
    ("text", "verdict", "claimed", "expected"),
    [
        ("It stores 12 bytes per parameter, altogether 154.1 GB.", "true", "154.1 GB", "154.08 GB"),
        ("It stores 12 bytes per parameter, altogether 51.4 GB.", "false", "51.4 GB", "154.1 GB"),
        ("It stores 12 bytes per parameter, altogether 1.541 TB.", "false", "1.541 TB", "0.15408 TB"),
    ],
)
def test_bytes_a_parameter_that_the_sentence_tells(
    text: str, verdict: str, claimed: str, expected: str
) -> None:
    assert (verdict, claimed, expected) in _verdicts(MODEL + text)

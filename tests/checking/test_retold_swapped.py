"""Numbers that a document computes, repeats or tabulates, told once more with two digits exchanged."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_causes, false_numbers

PEAK = (
    "With a peak factor of 2.5 the busiest minute asks for 31,700 tokens/s of the cluster in spring.\n\n"
    "For the spring peak we need 31,700 / 9,000 = 3.5 replicas, so 4 of them.\n\n"
)
HALL = (
    "The feed of the hall carries 14 x 36.4 kW = 510 kW at the maximum of the plate.\n\n"
    "At the meter we would then see 510 x 1.2 = 612 kW in the worst case.\n\n"
)
BENCH = (
    "| card | step, ms | TFLOPS |\n|---|--:|--:|\n| Falcon-2 | 1.92 | 583 |\n| Osprey | 2.31 | 484 |\n| Kite | 2.80 | "
    "399 |\n\n"
)
BILLS = (
    "| step | Bill, $ per month |\n|---|--:|\n| start | 61,920 |\n| prefix reuse | 43,685 |\n"
    "| own model | 22,140 |\n\n"
)


@pytest.mark.parametrize(
    ("text", "claimed", "expected"),
    [
        (PEAK + "In short we go for four replicas and a spring peak of {} at most.", "37,100 tokens/s", "31,700"),
        (PEAK + "## Summary\n\nFour replicas, sized for the expected spring peak of {} in the third year of use.",
         "37,100 tokens/s", "31,700"),
        (HALL + "The breaker trips at 480 kW (the maximum of the hall is {}), so that the starts must be staggered.",
         "501 kW", "510"),
        (BENCH + "The Falcon-2 is still the one to buy, since the {} it reached in our kernel are hard to beat.",
         "538 TFLOPS", "583"),
        (BENCH + "The Osprey is what most of us have, and it managed {} on the kernel of this test.",
         "448 TFLOPS", "484"),
        (BILLS + "With the reuse of the prefix the whole bill came down to {} and it has stayed there since.",
         "$46,385", "43,685"),
        (BILLS + "With the reuse of the prefix the whole bill came down to {} and it has stayed there since.",
         "$48,635", "43,685"),
    ],
)  # fmt: skip
def test_a_number_with_two_digits_exchanged(text: str, claimed: str, expected: str) -> None:
    found = false_causes(text.format(claimed))
    assert [(one[0], one[1].split()[0], one[2]) for one in found] == [(claimed, expected, "digits swapped")]
    assert false_numbers(text.format(claimed.replace(claimed.lstrip("$").split()[0], expected))) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(PEAK + "In autumn the old site has another peak of 37,100 tokens/s, which we leave out of this.",
                     id="another peak"),
        pytest.param(PEAK + "If the spring came early we would see a peak of 37,100 requests in the hour of the start.",
                     id="of requests"),
        pytest.param(HALL + "The new hall has a maximum of 501 kW on its plate, and nobody has measured it yet.",
                     id="the new hall"),
        pytest.param(HALL + "The transformer of the street is good for 501 kVA on its own, and no more than that.",
                     id="shares no word"),
        pytest.param(BENCH + "A Merlin of the lab next door managed 538 TFLOPS on a kernel of its own making.",
                     id="not in the table"),
        pytest.param(BENCH + "The Falcon-2 is rated at 538 W by its maker, and the fans of the box can carry that.",
                     id="in another unit"),
        pytest.param(BILLS + "The invoice of the auditors for last year was $46,385, and that surprised us.",
                     id="no word of the table"),
        pytest.param(BILLS.replace("43,685", "43,685 ").replace("$", "€") + "With the reuse of the prefix the whole "
                     "bill was $46,385 at the rate of that day.", id="another currency"),
    ],
)  # fmt: skip
def test_numbers_of_something_else(text: str) -> None:
    assert false_numbers(text) == []

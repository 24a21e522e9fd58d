"""Settings of a configuration that the text tells otherwise."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from tests.checking.verdicts import false_numbers

YAML = "# Serving\n\n```yaml\nargs:\n  - --queue-max-depth=96\n  - --page-size=16\n  - --kv-fraction=0.85\n```\n\n"
SHELL = "# Serving\n\n```\nkiln serve heron \\\n  --queue-max-depth 96 \\\n  --kv_fraction 0.85\n```\n\n"
KEYS = "# Serving\n\n```\nqueue_max_depth: 96   # per replica\nkv_fraction = 0.85\n```\n\n"
ROWS = "# Serving\n\n| setting | value |\n|---|--:|\n| `queue_max_depth` | 96 |\n| `kv_fraction` | 0.85 |\n\n"


@pytest.mark.parametrize("shown", [YAML, SHELL, KEYS, ROWS], ids=["yaml", "shell", "keys", "rows"])
@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("With our queue-max-depth of {} nobody waits at night.\n", "192", "96"),
        ("At the `queue_max_depth` of {} the scheduler is the limit.\n", "69", "96"),
        ("Since `--kv-fraction` is {}, some room stays free.\n", "0.95", "0.85"),
        ("The `kv_fraction` is set to {} on every node.\n", "0.58", "0.85"),
    ],
)
def test_a_setting_told_otherwise(shown: str, text: str, wrong: str, right: str) -> None:
    assert false_numbers(shown + text.format(wrong)) == [(wrong, right)]
    assert false_numbers(shown + text.format(right)) == []
    assert "another value is set" in str(check_text(shown + text.format(wrong)).claims)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "We raised the queue_max_depth, and with our queue_max_depth of 192 it was slower.", id="raised"
        ),
        pytest.param("If the queue_max_depth is 192, the node swaps.", id="if"),
        pytest.param("The default queue_max_depth of 64 is too small for us.", id="default"),
        pytest.param("Until May the queue_max_depth of 64 was enough.", id="until"),
        pytest.param("For the Kestrel pool the queue_max_depth is 64.", id="another pool"),
        pytest.param("The suggested queue_max_depth is 64 for small models.", id="suggested"),
        pytest.param("The page-size of 32 is what the paper uses.", id="one hyphen"),
        pytest.param("The queue_max_depth of 192/2 fits.", id="calculated"),
        pytest.param("Set queue_max_depth to 192 where the memory allows.", id="advice"),
        pytest.param("The queue_min_depth of 12 is never reached.", id="another setting"),
        pytest.param(
            "```\nkiln serve kestrel --queue-max-depth 48\n```\n\nThe queue_max_depth is 64 there.", id="two"
        ),
    ],
)
def test_other_values_of_a_setting(text: str) -> None:
    assert false_numbers(YAML + text) == []

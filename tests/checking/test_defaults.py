"""The default values of settings: used as they are defined."""

from __future__ import annotations

import pytest

from derive.checking import check_text

DEFINED = {
    "sentence": "The default `bucket_mb` is 200, and two are in flight.\n\n",
    "bracket": "* `--bucket-mb` (default: 200) sets how much is reduced at once.\n\n",
    "list": "`bucket_mb`\n    How much is reduced at once. Default: 200.\n\n",
    "table": "| setting | meaning | default |\n|---|---|---|\n| `bucket_mb` | size of a bucket | 200 |\n\n",
    "verb": "The size `bucket_mb` of a bucket defaults to 200.\n\n",
}
USED = (
    "Lower `bucket_mb` from its default of {} to 50 where memory is short.",
    "With the default `bucket_mb` of {} the last one is nearly empty.",
)


def _verdicts(text: str) -> list[tuple[str, str, str]]:
    found = check_text(text).claims
    return [(one.text, one.verdict, one.expected) for one in found if one.rule == "two-values"]


@pytest.mark.parametrize("defined", DEFINED.values(), ids=DEFINED)
@pytest.mark.parametrize("used", USED)
def test_a_default_is_used_as_it_is_defined(defined: str, used: str) -> None:
    assert _verdicts(defined + used.format(200)) == [("200", "true", "200")]
    assert _verdicts(defined + used.format(500)) == [("500", "false", "200")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(DEFINED["sentence"] + "Until 0.8 its default of 500 was too much for `bucket_mb`.", id="older"),
        pytest.param(
            DEFINED["sentence"] + DEFINED["sentence"].replace("200", "100") + USED[0].format(500), id="two defaults"
        ),
        pytest.param(DEFINED["sentence"] + "On Windows its default of 50 applies to `bucket_mb`.", id="elsewhere"),
        pytest.param(DEFINED["sentence"] + "Lower `page_mb` from its default of 500 to 50.", id="other setting"),
        pytest.param(DEFINED["sentence"] + "Lower `bucket_mb` from 500 to 50 where memory is short.", id="no default"),
        pytest.param(USED[0].format(500), id="never defined"),
    ],
)  # fmt: skip
def test_other_values_of_settings_are_left_alone(text: str) -> None:
    assert _verdicts(text) == []


def test_a_default_is_named_by_words_of_its_setting() -> None:
    text = "`micro_batch_size`\n    Sequences at once. Default: 4.\n\nPacked, the default micro batch of {} is less.\n"
    assert _verdicts(text.format(4)) == [("4", "true", "4")]
    assert _verdicts(text.format(8)) == [("8", "false", "4")]

"""Items of lists: amounts that grow with a count, and what one device has beside a whole node."""

from __future__ import annotations

import pytest

from derive.checking import check_text

GROWING = "The cache of the model grows with the prompt:\n\n{}1,024 tokens: 96 MiB\n{}4,096 tokens: 384 MiB\n"
LINES = """\
What the cache takes:

    512 tokens      40 MiB
    1024 tokens     80 MiB
    2048 tokens    {}
    8192 tokens    640 MiB
"""
NODE = """\
Every node of 8 H100 loads its own images.

- one GPU: 500 × 90 KB = 45 MB/s
- one node: {}
"""


def _verdicts(text: str, form: str = "markdown") -> list[tuple[str, str, str]]:
    return [(one.verdict, one.claimed, one.expected) for one in check_text(text, form).claims]


@pytest.mark.parametrize("bullet", ["- ", "* ", "1. "])
def test_an_item_that_does_not_grow_with_the_count_is_false(bullet: str) -> None:
    text = GROWING.format(bullet, bullet) + f"{bullet}16,384 tokens: {{}}\n{bullet}65,536 tokens: 6 GiB\n"
    assert {verdict for verdict, _, _ in _verdicts(text.format("1.5 GiB"))} == {"true"}
    assert ("false", "3 GiB", "1.5 GiB") in _verdicts(text.format("3 GiB"))


def test_lines_that_line_up_are_items() -> None:
    assert "false" not in {verdict for verdict, _, _ in _verdicts(LINES.format("160 MiB"), "text")}
    assert [one for one in _verdicts(LINES.format("106 MiB"), "text") if one[0] == "false"] == [
        ("false", "106 MiB", "160 MiB")
    ]


def test_a_node_has_as_much_as_its_devices() -> None:
    assert ("true", "360 MB/s", "360 MB/s") in _verdicts(NODE.format("360 MB/s"))
    assert ("false", "45 MB/s", "360 MB/s") in _verdicts(NODE.format("45 MB/s, and the port has 25 GB/s"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(NODE.replace("node of 8 H100", "node").format("45 MB/s"), id="nobody knows how many"),
        pytest.param(
            "- 1 users: 3 GB\n- 2 users: 4 GB\n- 4 users: 6 GB\n- 8 users: 10 GB\n", id="with a base"
        ),
        pytest.param(
            "- 1 layers: 3 GB\n- 2 heads: 6 GB\n- 4 layers: 12 GB\n- 8 layers: 25 GB\n", id="two counts"
        ),
    ],
)
def test_lists_that_say_something_else_are_left_alone(text: str) -> None:
    assert "false" not in {verdict for verdict, _, _ in _verdicts(text)}

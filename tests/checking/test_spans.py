"""HTML tables whose cells span columns and rows."""

from __future__ import annotations

import pytest

from derive.checking import check_text
from derive.checking.spans import Spanning, laid_out, merged, span


def test_headings_are_repeated_and_numbers_stand_once() -> None:
    rows = [
        [Spanning("card", 1, True, down=2), Spanning("GB", 1, True, across=2)],
        [Spanning("here", 2, True), Spanning("there", 2, True)],
        [Spanning("a", 3, False, down=2), Spanning("80", 3, False), Spanning("7", 3, False, across=2)],
        [Spanning("81", 4, False)],
    ]
    made, headings = laid_out(rows)
    assert headings == 2
    assert [text for text, _ in merged(made[:2])] == ["card", "GB here", "GB there"]
    assert [[text for text, _ in row] for row in made[2:]] == [["a", "80", "7", ""], ["", "81"]]


@pytest.mark.parametrize(
    ("given", "many"), [("2", 2), (None, 1), ("0", 1), ("x", 1), ("999", 60), ("99999", 1)]
)
def test_a_span_is_bounded(given: str | None, many: int) -> None:
    assert span(given) == many


def test_a_wide_table_stays_small() -> None:
    rows = [[Spanning("1", 1, False, across=60)] * 500]
    assert len(laid_out(rows)[0][0]) == 2_500


TABLE = """<table>
<tr><th rowspan="2">item</th><th colspan="2">memory, GB</th></tr>
<tr><th>cards</th><th>all</th></tr>
<tr><td rowspan="2">alpha</td><td>80</td><td>{}</td></tr>
<tr><td>40</td><td>320</td></tr>
<tr><td>beta</td><td>24</td><td>192</td></tr>
<tr><td>gamma</td><td>141</td><td>1,128</td></tr>
<tr><td>Total</td><td>285</td><td>2,280</td></tr>
</table>"""


@pytest.mark.parametrize(("cell", "false"), [("640", []), ("460", ["460"])])
def test_numbers_stand_under_their_headings(cell: str, false: list[str]) -> None:
    found = check_text(TABLE.format(cell), "html").claims
    assert [claim.claimed for claim in found if claim.verdict == "false"] == false
    assert any(claim.rule == "table-total" for claim in found)

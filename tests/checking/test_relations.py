"""Tables whose columns follow from each other, from the text beside them, or from nothing: in every format."""

from __future__ import annotations

import csv
import io

import pytest

from derive.checking import check_text

FORMS = ("markdown", "bare", "html", "rst", "csv", "latex", "text", "ruled")


def rendered(before: str, table: str, form: str) -> tuple[str, str]:
    """A table of lines with | between the cells, under a sentence, as a text of a format."""
    rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().split("\n")]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]

    def padded(row: list[str]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

    if form in ("markdown", "bare"):
        lines = [" | ".join(row) for row in [rows[0], ["---"] * len(widths), *rows[1:]]]
        body = "\n".join(lines if form == "bare" else (f"| {line} |" for line in lines))
        return f"{before}\n\n{body}\n", "markdown"
    if form == "html":
        body = "".join(
            "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in row) + "</tr>\n"
            for row, tag in zip(rows, ["th", *["td"] * len(rows)], strict=False)
        )
        return f"<p>{before}</p>\n<table>\n{body}</table>\n", "html"
    if form == "rst":
        rule = "  ".join("=" * width for width in widths)
        body = "\n".join([rule, padded(rows[0]), rule, *map(padded, rows[1:]), rule])
        return f"{before}\n\n{body}\n", "rst"
    if form == "csv":
        out = io.StringIO()
        csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
        body = "".join(f"   {line}\n" for line in out.getvalue().splitlines())
        return f"{before}\n\n.. csv-table::\n   :header-rows: 1\n\n{body}", "rst"
    if form == "latex":
        lines = [" & ".join(row).replace("%", "\\%").replace("$", "\\$") + " \\\\" for row in rows]
        body = "\n".join(["\\toprule", lines[0], "\\midrule", *lines[1:], "\\bottomrule"])
        return f"{before}\n\n\\begin{{tabular}}{{l{'r' * len(widths)}}}\n{body}\n\\end{{tabular}}\n", "latex"
    rule = "-" * (sum(widths) + 2 * len(widths) - 2)
    if form == "ruled":
        rule = "  ".join("-" * width for width in widths)
    body = "\n".join(f"    {line}" for line in [padded(rows[0]), rule, *map(padded, rows[1:])])
    return f"{before}\n\n{body}\n", "text"


def falses(before: str, table: str, form: str) -> list[str]:
    return [
        one.claimed for one in check_text(*rendered(before, table, form)).claims if one.verdict == "false"
    ]


SAVED = "kind|before (GB)|after (GB)|saved\na|48.0|31.2|35.0 %\nb|96.4|71.9|25.4 %\nc|22.8|18.1|20.6 %\nd|150.0|88.5|{}"
FASTER = "GPUs|time (s)|speed-up\n8|412.0|1.00\n16|217.5|1.89\n32|118.3|3.48\n64|66.1|{}"
SO_FAR = "phase|tokens (B)|tokens so far (B)\na|113|113\nb|207|320\nc|164|484\nd|391|{}\ne|288|1163"
METER = (
    "hall|IT load (MW)|PUE|meter (MW)\na|7.2|1.31|9.43\nb|11.6|1.18|13.69\nc|4.8|1.45|6.96\nd|20.5|1.12|{}"
)
RENT = "card|price per hour|node and month (USD)\na|1.85|5402\nb|2.40|7008\nc|0.95|2774\nd|3.25|{}"
SCORES = "model|HS|WG|ARC|PIQA|Avg.\na|51.2|60.3|41.8|74.1|56.9\nb|55.7|63.9|46.2|76.4|60.6\nc|58.8|66.0|49.9|78.3|{}"
PARTS = "kernel|time (ms)|share of the step (%)\ngemm|6.31|57.9\nattention|2.88|26.4\nnorm|0.74|{}\nother|0.97|8.9"
EVEN = "N|D|C|D/N\n1.2e9|36e9|2.59e20|30\n2.5e9|50e9|7.50e20|20\n4e9|41e9|9.84e20|10.3\n8e9|20e9|9.60e20|{}"
RING = "S|n|T\n2 GB|16|150 ms\n6 GB|64|473 ms\n40 GB|16|{}\n2 GB|512|160 ms"
STAGES = "stage|dp = 4|dp = 32\nZeRO-1|49.0|30.6\nZeRO-2|38.5|{}\nZeRO-3|28.0|3.5"
COUNTED = "context|layers|cache per user (MB)\n3000|48|113\n11000|48|414\n26000|48|978\n90000|48|{}"
SHEET = "of|old|new|factor\nall, TFLOPS|312|989|3.17\nmemory, GB|40|141|3.53\nlink, GB/s|15|48|3.2\npower, W|400|700|{}"
SIZES = "size|rounds\n512|30\n1,024|41\n4,096|55\n8,192|58\n{}|71"
FIXED = "users|memory (GB)\n3|31.62\n10|41.05\n17|50.49\n29|66.66\n41|{}"

FOUND: tuple[tuple[str, str, str, str, list[str]], ...] = (
    ("", SAVED, "41.0 %", "59.0 %", ["59.0%"]),
    ("", FASTER, "6.23", "6.32", ["6.32"]),
    ("", SO_FAR, "875", "785", ["785 B"]),
    ("", METER, "22.96", "18.30", ["18.30 MW"]),
    ("A month has 730 hours, a node has four cards.", RENT, "9490", "9360", ["$9360"]),
    ("", SCORES, "63.3", "63.8", ["63.8"]),
    ("", PARTS, "6.8", "8.6", ["8.6%"]),
    ("The budget is fixed.", EVEN, "2.5", "0.4", ["0.4"]),
    ("A ring takes T = 2 * (n - 1) / n * S / B with B = 25 GB/s.", RING, "3.0 s", "1.5 s", ["1.5 s"]),
    ("GB per GPU for 7.0 billion parameters", STAGES, "17.1", "30.6", ["30.6"]),
    ("", SHEET, "1.75", "1.57", ["1.57"]),
    ("", SIZES, "32,768", "32,786", ["32,786"]),
    ("", FIXED, "82.83", "28.83", []),
    ("", FIXED, "82.83", "8.283", ["8.283 GB"]),
    ("", COUNTED, "3390", "3930", ["3930 MB"]),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("before", "table", "right", "wrong", "found"), FOUND)
def test_the_one_row_that_does_not_follow_is_false(
    form: str, before: str, table: str, right: str, wrong: str, found: list[str]
) -> None:
    assert falses(before, table.format(right), form) == []
    assert falses(before, table.format(wrong), form) == found


ALONE = (
    ("", "batch|tokens/s\n1|96.2\n2|192.1\n4|383.7\n8|765.9\n16|1,380"),
    ("", "GPUs|cost per month\n1|$1,200\n2|$2,400\n4|$4,800\n8|$8,400"),
    ("", "size|params (B)|memory (GB)\nS|1.21|2.42\nM|3.42|6.84\nL|8.46|16.92\nXL|21.3|21.3"),
    (
        "",
        "card|unit|price ($)|month ($)\na|per node|19.2|14,016\nb|per node|14.8|10,804\nc|per card|3.9|22,776",
    ),
    ("", "model|HS|WG|Avg.\na|51.2|60.3|55.8\nb|55.7|63.9|59.8\nc|58.8|66.0|61.7"),
    ("", "kernel|ms|GB/s\ncopy|1.71|1880\nscale|1.73|1858\nadd|2.52|1913\ntriad|2.53|1905"),
    ("", "host|cores|threads\na|32|64\nb|48|96\nc|64|128\nd|24|24"),
)


@pytest.mark.parametrize("form", ["markdown", "html", "ruled"])
@pytest.mark.parametrize(("before", "table"), ALONE)
def test_rows_that_need_not_follow_are_left_alone(form: str, before: str, table: str) -> None:
    assert falses(before, table, form) == []

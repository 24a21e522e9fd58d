"""How numbers, units, letters and roundings are read, one line at a time."""

from __future__ import annotations

import pytest

from derive.checking import check_text


def _verdicts(text: str, form: str = "markdown") -> list[str]:
    return [claim.verdict for claim in check_text(text, form).claims if claim.rule in ("chain", "conversion")]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("3 × 7.04 = 21.1", "true"),  # 21.12, rounded
        ("3 × 7.06 = 21.1", "true"),  # 21.18, cut off
        ("3 × 7.02 = 21.1", "true"),  # 21.06
        ("3.000 × 7.0000 = 21.1", "unsure"),  # 21.00 is a unit too small, and no clear error
        ("3.000 × 7.0000 = 21.9", "false"),
        ("3 × 7033 = 21,100", "true"),  # 21099: three to five digits
        ("3 × 7020 = 21,100", "true"),  # 21060, to three digits
        ("3 × 6512 = 21,100", "false"),  # 19536
        ("2 × 3.3 GB ≈ 7 GB", "true"),
        ("2 × 3.1 GB is about 6 GB", "true"),
        ("2 × 3.1 GB ≈ 9 GB", "false"),
        ("100 × 1.37 ~ 130", "true"),  # roughly: one digit less
        ("4 × 1.6 GB = 6 GB", "true"),  # 6.4
        ("4 × 1.9 GB = 6 GB", "false"),  # 7.6
        ("100 × 1.37 ~ 190", "false"),
        ("8k × 4 = 32k", "true"),
        ("8k × 4 = 32,768", "true"),  # 8k as 8192
        ("8k × 4 = 32,000", "true"),
        ("8k × 4 = 23k", "false"),
        ("64 KB × 4 = 256 KiB", "true"),
        ("3 × 1.5 million = 4.5 million", "true"),
        ("3 × 1.5 million = 5.4 million", "false"),
        ("2^10 × 3 = 3,072", "true"),
        ("2¹⁰ × 3 = 3,072", "true"),
        ("8.04 × 10^22 / 2 = 4.02 × 10^22", "true"),
        ("1e12 / 4e3 = 2.5 × 10⁸", "true"),
        ("√(16 × 4) = 8", "true"),
        ("max(3, 7) × 2 = 14", "true"),
        ("-3 × 4 = -12", "true"),
        ("10**6 × 3 = 3,000,000", "true"),
        ("1/4 × 8 = 2", "true"),
    ],
)
def test_digits_and_magnitudes(text: str, verdict: str) -> None:
    assert _verdicts(f"It is {text}.") == [verdict]


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"$2 \cdot \frac{7}{8} \cdot 2\,\text{GB} / 64\,\text{GB/s} \approx 55\,\text{ms}$", ["true"]),
        (r"\(2\cdot\frac78\cdot 2\text{ GB}/64\text{ GB/s} \approx 55\) ms", ["true"]),
        (r"$$\frac{2 \times 4096^3}{989 \times 10^{12}} = 139\ \mu\text{s}$$", ["true"]),
        (r"$128 \cdot \left(\frac{3}{4}\right)^2 = 81$", ["false"]),
        (r"$N > 128 \cdot (3/4)^2 = 72$", ["true"]),
        (r"$\underbrace{3 \cdot 4}_{\text{heads}} = 12$", ["true"]),
        (r"$50{,}257 \times 768 = 38{,}597{,}376$", ["true"]),
        (r"$\sqrt{2 \cdot 8} = 4$", ["true"]),
        (r"$8192\ (T) \times 40\ (K) \times 2\ (\text{bytes}) = 655360$", ["true"]),
        ("It cost $5 in 2020 and $7 in 2021 = a lot.", []),
    ],
)
def test_latex(text: str, verdicts: list[str]) -> None:
    assert _verdicts(text) == verdicts


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("# A\n\nLet $m = 64$ and $n = 32$. Then $m n = 2048$.", ["true"]),
        ("# A\n\nLet $m = 64$ and $n = 32$. Then $m n = 4096$.", ["false"]),
        ("# A\n\n$m = 64$.\n\nSo $3m = 192$.", ["true"]),
        ("# A\n\n$m = 64$.\n\nSo $3m = 224$.", ["false"]),
        ("# A\n\n$m = 64$.\n\n# B\n\nSo $3m = 224$.", ["unsure"]),  # another section may mean another m
        ("# A\n\n$m = 64$, then $m = 32$, and $3m = 224$.", []),
        ("# A\n\n$p = q = r = 8$, so $pqr = 512$.", ["true"]),
        ("# A\n\n$T = 4096$ and $d = 128$: $4T^2d/8Td = T/2 = 2048$.", ["true", "true"]),
        ("For GPT-2 small with $s = 1024$ and $b = 8$, $34sbh = 204$ MiB.", ["true"]),
        ("$I = 4T/8 = 9$", []),
    ],
)
def test_letters(text: str, verdicts: list[str]) -> None:
    assert _verdicts(text) == verdicts


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("989/3.35 ≈ 295 FLOP/byte", "true"),
        ("989/3.35 ≈ 350 FLOP/byte", "unsure"),  # 18.6 % off: a factor may be left out
        ("989/3.35 ≈ 590 FLOP/byte", "unsure"),
        ("2 * 4096^3 / 989e12 = 139 µs", "true"),
        ("2 * 4096^3 / 989e12 = 179 µs", "unsure"),
        ("2 * 4096^3 / 989e12 = 193 µs", "false"),  # digits of 138.97 exchanged
        ("1307e12 / 5.3e12 = 247 FLOP/byte", "true"),
        ("1307e12 / 5.3e12 = 274 FLOP/byte", "false"),
        ("25 / 8 = 3.125 GB/s", "true"),
        ("25 / 8 = 31.25 GB/s", "false"),  # ten times too large
        ("25 / 8 = 312.5 GB/s", "unsure"),  # a hundred may be percent or cents
        ("25 / 8 = 3,125 MB/s", "unsure"),
        ("25 / 8 = 30 GB/s", "unsure"),  # one digit decides nothing
        ("45 × 312 = 140.4 TFLOP/s", "unsure"),
        ("8.03e9 × 4.25 = 4.27 GB", "unsure"),  # bits to bytes
        ("16 × 8192 × 2 = 524,288 bytes", "unsure"),  # K and V, say
        ("62,976 × 2.50 = $157,440", "true"),
        ("62,976 × 2.50 = $175,440", "false"),
        ("210 × 8 / 256 = 6.56 bits", "true"),
        ("210 × 8 / 256 = 6.65 bits", "false"),
    ],
)
def test_only_one_side_with_a_unit_is_false_by_a_slip_that_no_factor_explains(
    text: str, verdict: str
) -> None:
    assert _verdicts(f"{text}.") == [verdict]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("67,108,864 + 135,266,304 + 8,192 = 202,383,360", "true"),
        ("67,108,864 + 135,266,304 + 8,192 = 203,283,360", "false"),  # 0.4 % off
        ("8 GB = 7.45 GiB", "true"),
        ("8 GB = 7.54 GiB", "false"),  # 1.2 % off
        ("8 GB = 7.50 GiB", "unsure"),
        ("400 × 1.3 = 520", "true"),
        ("400 × 1.3 = 512", "true"),  # 400 may stand for 394
        ("400 × 1.3 = 502", "false"),
    ],
)
def test_two_digits_exchanged_are_false_however_near(text: str, verdict: str) -> None:
    assert _verdicts(f"{text}.") == [verdict]


def test_half_of_a_product_of_operations_that_is_written_out_is_false() -> None:
    assert _verdicts("8 × 4096 × 4096^2 = 550 GFLOP.") == ["true"]
    assert _verdicts("8 × 4096 × 4096^2 = 275 GFLOP.") == ["false"]
    assert _verdicts("8 × 4096 × 4096^2 = 1,100 GFLOP.") == ["unsure"]


def test_a_unit_behind_a_whole_sum_or_count_of_operations_leaves_nothing_out() -> None:
    assert _verdicts("72.0 - 16.1 = 55.9 GB.") == ["true"]
    assert _verdicts("72.0 - 16.1 = 57.9 GB.") == ["false"]
    assert _verdicts("6 × 37e9 × 14.8e12 = 3.29e24 FLOP.") == ["true"]
    assert _verdicts("6 × 37e9 × 14.8e12 = 3.92e24 FLOP.") == ["false"]
    assert _verdicts("37e9 × 14.8e12 = 3.29e24 FLOP.") == ["unsure"]  # the 6 is left out


def test_gb_read_as_gib_is_no_error_unless_gib_is_written_too() -> None:
    assert _verdicts("8192 × 5120 × 2 bytes = 80 MB.") == ["unsure"]
    assert _verdicts("It is 80 MiB = 80 MB.") == ["false"]


def test_a_chain_may_go_on_from_rounded_or_exact_values() -> None:
    assert _verdicts("1000 / 3 = 333 = 333.3.") == ["true"]
    assert _verdicts("2 × 3.14 GB = 6.28 GB ≈ 6 GB.") == ["true"]


@pytest.mark.parametrize(
    ("form", "text", "line"),
    [
        ("markdown", "# A\n\nA line\nand 2 *\n3 = 7 here.\n", 4),
        ("latex", "\\begin{document}\n\nA line\n% 3 = 4\nand $2 \\times\n3 = 7$.\n\\end{document}", 5),
        ("html", "<body>\n<p>A line\nand 2 &times;\n3 = 7 here.</p></body>", 3),
        ("rst", "A\n=\n\n.. math::\n\n   2 \\times 3\n   = 7\n", 6),
        ("text", "A line\nand 2 * 3 = 7.\n", 2),
        ("markdown", "<!-- a\nb -->\n> quoted\n> 2 * 3 = 7\n", 4),
    ],
)
def test_the_line_is_that_of_the_file(form: str, text: str, line: int) -> None:
    (claim,) = check_text(text, form).claims
    assert (claim.verdict, claim.line) == ("false", line)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("markdown", "```\n2 * 3 = 7\n```"),
        ("markdown", "    2 * 3 = 7"),
        ("markdown", "![2 * 3 = 7](picture.png)"),
        ("markdown", "[a](https://example.org/2*3=7)"),
        ("latex", "\\begin{lstlisting}\n2 * 3 = 7\n\\end{lstlisting}"),
        ("latex", "\\newlength{2 * 3 = 7}\n\\begin{document}\nNothing.\n\\end{document}"),
        ("html", "<pre>2 * 3 = 7</pre><script>2 * 3 = 7</script><style>2 * 3 = 7</style>"),
        ("rst", "Text::\n\n   2 * 3 = 7\n\n.. code-block:: c\n\n   2 * 3 = 7\n"),
        ("rst", ".. 2 * 3 = 7\n"),
    ],
)
def test_code_and_comments_make_no_claims(form: str, text: str) -> None:
    assert check_text(text, form).claims == ()

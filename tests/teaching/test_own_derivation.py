"""A learner's own file: the starter for every formula, its blanks, and what is said of each link."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from derive import catalogue, get
from derive.cli.app import run
from derive.computed import Computed
from derive.teaching.blanks import blanks
from derive.teaching.explaining import explain
from derive.teaching.starter import starter

Ran = tuple[int, str, str]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def call(*arguments: str) -> Ran:
        status = run(arguments)
        return status, *capsys.readouterr()

    return call


def chapters_ids() -> list[str]:
    return [id for name in catalogue.chapters() for id in catalogue.chapter(name)]


def test_every_formula_has_a_starter_with_blanks(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    for id in chapters_ids():
        derivation = get(id)
        path.write_text(starter(derivation), encoding="utf-8")
        ast.parse(path.read_text(encoding="utf-8"))
        left = blanks(path)
        rows = sum(len(ledger.rows) for ledger in derivation.ledgers)
        assert len(left) >= (2 if isinstance(derivation, Computed) else max(1, rows)), id


def test_every_starter_is_refused_with_its_blanks_and_no_traceback(
    tmp_path: Path, cli: Callable[..., Ran]
) -> None:
    for id in chapters_ids()[::7]:
        path = tmp_path / f"my_{id.replace('.', '_')}.py"
        assert cli("starter", id, "--out", str(path)) == (0, f"{path}\n", "")
        status, out, err = cli("verify", str(path))
        assert (status, err) == (1, ""), id
        assert "left to fill" in out


FILLED = {
    '("S = QKᵀ", "T² scores of d multiply-adds", ...)': '("S = QKᵀ", 2 * T**2 * d * FLOP)',
    '("O = PV", "Td results of T multiply-adds", ...)': '("O = PV", 2 * T**2 * d * FLOP)',
    '("read Q", ...)': '("read Q", T * d * e)',
    '("read K", ...)': '("read K", T * d * e)',
    '("read V", ...)': '("read V", T * d * e)',
    '("write S", ...)': '("write S", T**2 * e)',
    '("read S", "for the softmax", ...)': '("read S", T**2 * e)',
    '("write P", ...)': '("write P", T**2 * e)',
    '("read P", "for PV", ...)': '("read P", T**2 * e)',
    '("write O", ...)': '("write O", T * d * e)',
    "start=...,": "start=work.total / traffic.total,",
    "Equal(..., ": "Equal(T * d * FLOP / (e * (T + d)), ",
    "Put(e, ..., ": "Put(e, 2 * BYTE, ",
    "Limit(T, oo, ..., ": "Limit(T, oo, d * FLOP / (2 * BYTE), ",
    "Approx(..., error_at_most=..., ": "Approx(d * FLOP / (2 * BYTE), error_at_most=d / T, ",
    'Inequality(..., "<", ..., ': 'Inequality(T * d * FLOP / (2 * (T + d) * BYTE), "<", d * FLOP / (2 * BYTE), ',
}


def test_a_starter_that_is_filled_is_proved(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    path = tmp_path / "own_attention.py"
    cli("starter", "attention.naive_intensity", "--out", str(path))
    text = path.read_text(encoding="utf-8")
    for blank, formula in FILLED.items():
        assert text.count(blank) == 1, blank
        text = text.replace(blank, formula)
    path.write_text(text, encoding="utf-8")
    assert blanks(path) == []
    status, out, err = cli("verify", str(path), "--explain")
    assert (status, err) == (0, "")
    assert "6 of 6 links are proved." in out
    assert "It holds: it is 62.06060606 FLOP/byte there." in out


ROWS = [blank for blank in FILLED if blank.startswith("(")]


def half_filled(path: Path, id: str, filled: dict[str, str]) -> str:
    """A starter with some of its blanks filled; the number of its line that holds a text, from 1."""
    text = starter(get(id), str(path))
    for blank, formula in filled.items():
        assert text.count(blank) == 1, blank
        text = text.replace(blank, formula)
    path.write_text(text, encoding="utf-8")
    return text


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def test_rows_are_checked_before_the_ledger_is_whole(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    """Two of the ten rows are filled, one of them half of what the row takes."""
    path = tmp_path / "half.py"
    filled = {ROWS[2]: FILLED[ROWS[2]], ROWS[5]: '("write S", T**2 * e / 2)'}
    text = half_filled(path, "attention.naive_intensity", filled)
    status, out, err = cli("verify", str(path), "--json")
    assert (status, err) == (1, "")
    found = json.loads(out)
    (left,), (said,) = found["blanks"].values(), found["filled"].values()
    assert len(left) == 8 + 1 + 2 + 5  # rows, start, links, facts
    assert [(row["row"], row["verdict"]) for row in said["rows"]] == [
        ("read Q", "proved"),
        ("write S", "refuted"),
    ]
    assert "The row's amount is 2 times yours for all values" in said["rows"][1]["says"]
    assert said["links"] == []
    assert said["waiting"] == [{"links": 1, "line": line_of(text, "start=...")}]  # the example


def test_links_are_checked_up_to_the_first_blank_that_matters(
    tmp_path: Path, cli: Callable[..., Ran]
) -> None:
    """Four puts, of which the second is blank: the first is checked, two others and an example wait."""
    path = tmp_path / "puts.py"
    filled = {"Put(m, ..., ": "Put(m, 1, ", "Put(n, ..., ": "Put(n, d, ", "Put(e, ..., ": "Put(e, 2 * BYTE, "}
    text = half_filled(path, "matmul.decode_intensity", filled)
    status, out, err = cli("verify", str(path))
    assert (status, err) == (1, "")
    assert "proved  m = 1" in out
    assert "n = d" not in out
    wait = len(get("matmul.decode_intensity").examples) + 2
    assert f"{wait} links that are filled wait for the blank in line {line_of(text, 'Put(k, ...')}." in out


def test_a_missing_rewriting_leaves_the_rest_to_be_checked(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    path = tmp_path / "rewritten.py"
    filled = {
        blank: formula for blank, formula in FILLED.items() if not blank.startswith(("Equal", "Approx"))
    }
    filled["Limit(T, oo, ..., "] = "Limit(T, oo, d * FLOP / BYTE, "
    half_filled(path, "attention.naive_intensity", filled)
    status, out, err = cli("verify", str(path))
    assert (status, err) == (1, "")
    assert out.count("proved  row") == 10
    assert "proved  e = 2" in out
    assert "refuted  I → d as T → ∞" in out
    assert "proved  I = 62.06 FLOP/byte at T = 4096, d = 128" in out
    assert "wait" not in out


def test_what_is_filled_and_cannot_be_run_is_told_with_its_line(
    tmp_path: Path, cli: Callable[..., Ran]
) -> None:
    path = tmp_path / "clash.py"
    filled = {ROWS[2]: FILLED[ROWS[2]], ROWS[3]: '("read K", T * d)'}
    text = half_filled(path, "attention.naive_intensity", filled)
    status, out, err = cli("verify", str(path))
    assert status == 2
    assert "left to fill" in out
    line = line_of(text, "traffic = Ledger(")
    assert err == (
        f"derive: {path}:{line}: ledger row 'read K' is a plain number, but 'read Q' is byte: one ledger counts "
        "one unit\n"
    )


def test_names_that_wait_for_a_blank_are_left_out_with_what_needs_them(
    tmp_path: Path, cli: Callable[..., Ran]
) -> None:
    path = tmp_path / "helper.py"
    path.write_text(
        "from derive import BYTE, Derivation, Equal, count\n"
        "n = count('n', 'elements')\n"
        "half = ...\n"
        "quarter = half / 2\n"
        "def unused() -> None: ...\n"
        "mine = Derivation('Q', 'Mine', unit='byte', start=4 * n * BYTE, steps=[\n"
        "    Equal(quarter * 16 * BYTE, because='written with a helper'),\n"
        "    Equal(2 * n * BYTE + 2 * n * BYTE, because='split in two'),\n"
        "])\n"
    )
    status, out, err = cli("verify", str(path), "--json")
    assert (status, err) == (1, "")
    (said,) = json.loads(out)["filled"].values()
    assert [(one["because"], one["verdict"]) for one in said["links"]] == [("split in two", "proved")]
    assert said["rows"] == []


def test_blanks_say_what_is_due_and_the_file_is_not_run(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "raise SystemExit\n"
        "x = Ledger(('read Q', 'once', ...))\n"
        "y = Put(e, ..., because='bf16')\n"
        "z = Approx(1, error_at_most=..., because='drop d')\n"
        "w = ...\n"
        "def f() -> None: ...\n"
    )
    assert [(one.line, one.what) for one in blanks(path)] == [
        (2, "the amount of the row 'read Q'"),
        (3, "the value of Put (bf16)"),
        (4, "error_at_most of Approx (drop d)"),
        (5, "the value of w"),
    ]


def test_nesting_and_nonsense_are_survived(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    for text in ("(" * 5000, "x = (\n", "\x00", "-" * 100_000 + "1"):
        path.write_text(text)
        assert blanks(path) == []


def test_a_file_that_is_there_is_left_alone(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    path = tmp_path / "mine.py"
    path.write_text("mine")
    status, out, err = cli("starter", "roofline.ridge", "--out", str(path))
    assert (status, out) == (2, "")
    assert err == f"derive: {path} is there already: give another name, or remove it\n"
    assert path.read_text() == "mine"
    assert cli("starter", "roofline.ridge", "--out", "mine.txt")[0] == 2


WRONG = """
from derive import BYTE, FLOP, Approx, Derivation, Equal, Inequality, Ledger, Limit, Put, SpecialCase, count, oo

T = count("T", "sequence length")
d = count("d", "head dimension")
work = Ledger(("both matmuls", 4 * T**2 * d * FLOP))
traffic = Ledger(("scores", 8 * T**2 * BYTE), ("tensors", 8 * T * d * BYTE))
mine = Derivation(
    "I",
    "Naive attention with slips",
    unit="FLOP/byte",
    start=work.total / traffic.total,
    steps=[Equal(T * d * FLOP / ((T + d) * BYTE), because="4T cancels")],
    facts=[
        Limit(T, oo, d * FLOP / (2 * BYTE), because="the scores take over"),
        Approx(d * FLOP / BYTE, error_at_most=d / (2 * T), because="drop d beside T"),
        SpecialCase({T: d}, d * FLOP / (3 * BYTE), because="as long as wide"),
        Inequality(T * d * FLOP / ((T + d) * BYTE), ">", T * FLOP / BYTE, because="it is more"),
    ],
)
"""

SAID = [
    # T²d·4/(8T² + 8Td) at 1, 1 is 4/16; the step says Td/(T + d) = 1/2
    "for T = 1 and d = 1 the left side is 1/4 and the right side 1/2, and 1/4 ≠ 1/2. The right side is 2 times",
    # Td/(T + d) at d = 2: 20/12 = 5/3, 2000/1002, …
    "with d = 2 it is 5/3 at T = 10, 1000/501 at T = 1000, 2.000 at T = 100000, and d/2 is 1",
    # |d − Td/(T + d)| over Td/(T + d) is d/T = 1, and the bound says 1/2
    "for T = 1 and d = 1 the error is 1 and the bound 1/2, and 1 > 1/2",
    "for d = 1 the left side is 1/2 and the right side 1/3, and 1/2 ≠ 1/3. The right side is 2/3 times the left",
    "for T = 1 and d = 1 the left side is 1/2 and the right side 1, and 1/2 ≤ 1",
]


def test_what_does_not_hold_is_told_with_the_smallest_numbers(
    tmp_path: Path, cli: Callable[..., Ran]
) -> None:
    path = tmp_path / "slips.py"
    path.write_text(WRONG, encoding="utf-8")
    (derivation,) = catalogue.load_file(path).values()
    found = list(explain(derivation))
    assert [one.link.verdict.outcome for one in found] == ["refuted"] * 5
    for one, said in zip(found, SAID, strict=True):
        assert said in one.says
    status, out, _ = cli("verify", str(path), "--explain")
    assert status == 1
    assert "0 of 5 links are proved." in out


def test_explanations_cover_the_links_that_verify_proves() -> None:
    for id in ("matmul.critical_batch", "memory.training_state", "formats.update_lost", "utilization.mfu"):
        derivation = get(id)
        links = [(link.relation, link.statement) for link in derivation.links()]
        assert [(one.link.relation, one.link.statement) for one in explain(derivation)] == links
        assert all(one.says.startswith("It holds: ") for one in explain(derivation))

"""The catalogue: chapters by name, ids with the nearest suggested, files of a user's own, all links proved."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy
from sympy.core.function import AppliedUndef

import derive
import units
from derive import catalogue
from derive.errors import DeclarationError, DeriveError
from derive.symbols import UnitSymbol
from derive.total import expanded

IDS = catalogue.all_ids()

MINE = '''"""My own formula.

It is short.
"""

from derive import Derivation, letters

F, P = letters.F, letters.P
time = Derivation("t", "Time", unit="s", start=F / P)
_hidden = Derivation("t", "Hidden", unit="s", start=F / P)
'''


def test_chapters_come_in_the_order_of_the_book():
    chapters = catalogue.chapters()
    assert chapters[:4] == ("roofline", "matmul", "elementwise", "attention")
    assert len(set(chapters)) == len(chapters)
    assert all(catalogue.intro(chapter) for chapter in chapters)


def test_ids_are_chapter_and_name():
    assert len(set(IDS)) == len(IDS) >= 27
    for id in IDS:
        found = catalogue.get(id)
        assert found.id == id
        assert catalogue.chapter(id.partition(".")[0])[id] is found
    assert derive.get("roofline.ridge") is catalogue.get("roofline.ridge")


@pytest.mark.parametrize(
    ("id", "message"),
    [
        (
            "attention.naive_intensty",
            "unknown id 'attention.naive_intensty', did you mean 'attention.naive_intensity'",
        ),
        ("rooflin.ridge", "did you mean 'roofline.ridge'"),
        ("", "unknown id ''"),
        ("roofline", "unknown id 'roofline'"),
        ("roofline._hidden", "unknown id 'roofline._hidden'"),
        ("x" * 5000, r"unknown id 'x{80}'"),
    ],
)
def test_an_unknown_id_suggests_the_nearest(id: str, message: str):
    with pytest.raises(DeriveError, match=message) as caught:
        catalogue.get(id)
    assert len(str(caught.value)) < 400


def test_an_unknown_chapter():
    with pytest.raises(DeriveError, match="unknown chapter 'atention', did you mean 'attention'"):
        catalogue.chapter("atention")


def test_a_file_of_ones_own(tmp_path: Path):
    file = tmp_path / "mine.py"
    file.write_text(MINE, encoding="utf-8")
    found = catalogue.load_file(file)
    assert list(found) == ["mine.time"]
    assert catalogue.get("mine.time") is found["mine.time"]
    assert catalogue.intro("mine") == "My own formula.\n\nIt is short."
    assert "mine.time" in catalogue.all_ids()
    assert "mine" not in catalogue.chapters()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("attention.py", "no chapter's name"),
        ("my-formula.py", "give letters, digits and _"),
        ("2nd.py", "give letters, digits and _"),
    ],
)
def test_a_files_name_becomes_a_chapters(tmp_path: Path, name: str, message: str):
    (tmp_path / name).write_text(MINE, encoding="utf-8")
    with pytest.raises(DeriveError, match=message):
        catalogue.load_file(tmp_path / name)


def test_files_that_cannot_be_read(tmp_path: Path):
    with pytest.raises(DeriveError, match="no such file"):
        catalogue.load_file(tmp_path / "absent.py")
    with pytest.raises(DeriveError, match="no such file"):
        catalogue.load_file(tmp_path)
    binary = tmp_path / "binary.py"
    binary.write_bytes(b"\xff\x00\x01")
    with pytest.raises(DeclarationError, match=r"binary\.py"):
        catalogue.load_file(binary)


@pytest.mark.parametrize("id", IDS)
def test_every_link_is_proved(id: str):
    links = catalogue.get(id).verify()
    assert links
    assert [(link.statement, link.verdict.text) for link in links if not link.verdict.proved] == []


def _value(formula: sympy.Expr, base: str, scale: int) -> sympy.Expr:
    """The formula's value where the unit `base` is `scale` times smaller, so that every amount of it is larger."""
    letters = sorted(formula.free_symbols, key=lambda symbol: (symbol.name, str(symbol)))
    point = {}
    for number, symbol in enumerate(letters, 2):
        power = dict(units.dimension_of(symbol.unit)).get(base, 0)
        point[symbol] = (1 if isinstance(symbol, UnitSymbol) else sympy.prime(number) ** 2) * sympy.Integer(
            scale
        ) ** power
    return formula.xreplace(point).doit()


@pytest.mark.parametrize("base", ["byte", "FLOP", "second", "parameter", "token"])
@pytest.mark.parametrize("chapter", catalogue.chapters())
def test_formulas_scale_with_their_units(chapter: str, base: str):
    """Counting in units an eighth as large makes every amount 8 times as large: no byte is 8, no bit is 1."""
    for derivation in catalogue.chapter(chapter).values():
        power = dict(units.dimension_of(derivation.unit)).get(base, 0)
        for formula in derivation.chain:
            flat = expanded(formula).doit()
            if flat.has(AppliedUndef):
                continue  # a rule of a number format, not a formula
            before, after = (_value(flat, base, scale) for scale in (1, 8))
            assert sympy.simplify(after - before * 8**power) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x = 2 * m ^ n", "for ^: 'Mul' and 'Letter' (a power is written **)"),
        ("x = max(m, n)", "(letters have no value yet: take Max and Min of derive for max, min and if)"),
        ("x = math.sqrt(m)", "(letters have no value yet: take sqrt and log of derive, not of math)"),
        (
            "x = Limit(oo, m, 1, because='ends exchanged')",
            "Limit(oo, …): the first argument must be a letter",
        ),
        (
            "x = Derivation('x', 'M', unit='dimensionless', start=m, steps=Equal(m, because='is'))",
            "'M': steps= is one Equal: give a list, [ … ]",
        ),
    ],
)
def test_a_mistake_in_a_file_of_a_relative_path_names_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, message: str
):
    (tmp_path / "own.py").write_text(
        f"import math\nfrom derive import *\nm, n = count('m', 'rows'), count('n', 'columns')\n{line}\n"
    )
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DeriveError) as caught:
        catalogue.load_file("own.py")
    assert str(caught.value).startswith("own.py:4: ")
    assert str(caught.value).endswith(message)

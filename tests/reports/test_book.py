"""The book: what is in it, that its references lead somewhere, and that its numbers hang on constants."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

import reports
from derive import catalogue
from derive.conventions import CONVENTIONS
from derive.errors import DeriveError
from reports.traps import Ask, mistakes

FORGED = (
    '[h100-sxm]\nsource = "a forger"\ndate = 2026-01-02\ntags = { basis = "measured" }\n'
    'bandwidth = [{ value = "1 TB/s" }]\n'
    'peak = [{ value = "500 TFLOP/s", tags = { sparsity = "dense", precision = "bf16" } }]\n'
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    reports.write(["all"], ["md", "tex"], folder, on="h100-sxm", model="llama-3-8b")
    return folder


@pytest.fixture(scope="module")
def index(written: Path) -> str:
    return (written / "index.md").read_text("utf-8")


def part(index: str, heading: str) -> str:
    """What stands below a heading of the second level."""
    return index.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def test_a_file_for_each_chapter_with_an_index_and_one_in_latex(written: Path) -> None:
    chapters = [f"{name}.md" for name in catalogue.chapters()]
    assert {path.name for path in written.iterdir() if path.is_file()} == {*chapters, "index.md", "book.tex"}


def test_every_formula_is_in_every_format(written: Path, index: str) -> None:
    latex = (written / "book.tex").read_text("utf-8")
    for chapter in catalogue.chapters():
        text = (written / f"{chapter}.md").read_text("utf-8")
        for id in catalogue.chapter(chapter):
            assert f'<a id="{id}"></a>' in text
            assert rf"\label{{{id}}}" in latex
            assert f"[`{id}`]({chapter}.md#{id})" in part(index, "Formulas")
        for table in catalogue.tables(chapter):
            assert f"\n## {table.title}\n" in text
            assert table.title.split(",")[0] in latex


def test_every_reference_leads_somewhere(written: Path) -> None:
    anchors = {
        path.name: set(re.findall(r'<a id="([^"]+)"', path.read_text("utf-8")))
        | {
            heading.lower().replace(" ", "-")
            for heading in re.findall(r"^##+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
        }
        for path in written.glob("*.md")
    }
    seen = 0
    for path in written.glob("*.md"):
        for file, anchor in re.findall(r"\]\(([\w./-]*)(?:#([^)]+))?\)", path.read_text("utf-8")):
            assert not anchor or anchor in anchors[file or path.name], (path.name, file, anchor)
            assert file == "" or (written / file).is_file()
            seen += 1
    assert seen > 300
    latex = (written / "book.tex").read_text("utf-8")
    labels = re.findall(r"\\label\{([^}]+)\}", latex)
    assert len(labels) == len(set(labels))
    assert set(re.findall(r"\\(?:place|refer)\{([\w.]+)\}", latex)) <= set(labels)
    assert all((written / file).is_file() for file in re.findall(r"\\includegraphics\[.*?\]\{(.+?)\}", latex))


def test_a_formula_refers_to_those_that_it_uses(written: Path) -> None:
    text = (written / "matmul.md").read_text("utf-8")
    assert "Use [`matmul.flops`](matmul.md#matmul.flops), $F = 2 k m n$" in text
    assert "[Operations of a matmul](matmul.md#matmul.flops) `matmul.flops`" in text


def test_the_traps_show_what_they_say(index: str) -> None:
    traps = part(index, "Common traps")
    titles = re.findall(r"^### (.+)$", traps, re.MULTILINE)
    assert titles == [one.title for one in mistakes()]
    assert len(titles) == 12
    weights, cache = 2 * 8_030_261_248, 2**30
    rate = [batch / Fraction(weights + batch * cache, 3350 * 10**9) for batch in (1, 64)]
    vocabulary, embedded = 124_439_808 + 50_257 * 768, 124_439_808
    for factor in (
        rf"The dense time is $\approx {float(Fraction(1979, 989)):#.3g}$ times",
        rf"the number in GB is $\approx {float(Fraction(2**30, 10**9)):.3g}$ times",
        r"It takes $8$ times as long",
        rf"The peak needs $\approx {float(Fraction(989_000 * 4098, 3350 * 4096)):.3g}$ times",
        rf"64 sequences give $\approx {float(rate[1] / rate[0]):.3g}$ times the tokens",
        r"Counting query heads gives $4$ times",
        rf"Counting both gives $\approx {float(Fraction(vocabulary, embedded)):.3g}$ times",
        rf"The logits take $\approx {float(Fraction(4 * 128_256, 2 * 32 * 4096)):.3g}$ times",
        r"Twice the tokens give $2$ times the utilization",
    ):
        assert factor in traps
    assert "utilization.mfu would be" in traps
    assert "above 1" in traps


def test_a_trap_that_is_not_refused_is_an_error() -> None:
    ask = Ask("roofline.ridge", {"on": "h100-sxm"})
    with pytest.raises(DeriveError, match=r"roofline\.ridge was to be refused and gives 295\.2 FLOP/byte"):
        ask.refusal(None)


def test_every_letter_is_in_the_index_of_symbols(index: str) -> None:
    symbols = part(index, "Symbols")
    rows = [line.split(" | ") for line in symbols.splitlines() if line.startswith("| $")]
    letters = {
        (letter.meaning, id)
        for id in catalogue.all_ids()
        if id.partition(".")[0] in catalogue.chapters()
        for letter in catalogue.get(id).all_letters
    }
    assert len(letters) > 300
    text = symbols.replace("\\", "").replace("$", "")
    assert all(id in text for _, id in letters)
    assert len(rows) == len({tuple(row[:3]) for row in rows}) > 80
    assert sum(row[3].count("](") for row in rows) == sum(
        len(catalogue.get(id).all_letters) for id in catalogue_ids()
    )


def catalogue_ids() -> list[str]:
    return [id for name in catalogue.chapters() for id in catalogue.chapter(name)]


def test_conventions_and_sources_say_what_they_bear_on(index: str) -> None:
    conventions = part(index, "Conventions")
    for name, convention in CONVENTIONS.items():
        if f"### {name.replace('_', chr(92) + '_')}\n" in conventions:
            assert convention.reason.split(";")[0][:40] in conventions.replace("\\", "")
    for name in ("precision", "mask", "capacity", "tied"):
        assert f"\n### {name}\n" in conventions
    assert "[`attention.flops`](attention.md#attention.flops)" in conventions
    sources = part(index, "Sources")
    line = next(
        line for line in sources.splitlines() if line.startswith("| NVIDIA H100 Tensor Core GPU datasheet")
    )
    assert "| 2026-11-30 |" in line
    assert "[`roofline.ridge`](roofline.md#roofline.ridge)" in line


def test_a_constant_that_is_tampered_with_changes_every_number_behind_it(
    tmp_path: Path, written: Path, index: str
) -> None:
    machine = tmp_path / "machine.toml"
    machine.write_text(FORGED, "utf-8")
    reports.write(
        ["all"], ["md", "tex"], tmp_path / "out", on="h100-sxm", model="llama-3-8b", hardware=machine
    )
    forged = (tmp_path / "out" / "index.md").read_text("utf-8")
    assert "| a forger | 2026-01-02 |" in forged
    assert "a forger" not in index
    latex = (tmp_path / "out" / "book.tex").read_text("utf-8")
    assert r"R \approx 295.2" in (written / "book.tex").read_text("utf-8")
    assert r"R \approx 295.2" not in latex
    assert r"R = 500\ \mathrm{FLOP/byte}" in latex
    assert "295.2" not in part(forged, "Common traps")
    # operations over peak, and the ridge
    assert "$2000$" in part(forged, "Common traps")
    assert "$500$" in part(forged, "Common traps")
    weights, cache = 2 * 8_030_261_248, 2**30
    for batch in (1, 8, 64):
        rate = batch / Fraction(weights + batch * cache, 10**12)
        assert f"| {batch} | ${float(rate):.4g}$ |" in forged


def test_the_same_bytes_twice(written: Path, tmp_path: Path) -> None:
    again = reports.write(["all"], ["md", "tex"], tmp_path, on="h100-sxm", model="llama-3-8b")
    files = [path for path in written.rglob("*") if path.is_file()]
    assert sorted(tmp_path / path.relative_to(written) for path in files) == sorted(again)
    for path in files:
        assert (tmp_path / path.relative_to(written)).read_bytes() == path.read_bytes()


OWN = {
    "first.py": '"""First things: what comes before."""\nfrom derive import FLOP, Derivation, Equal, count\n'
    'n = count("n", "things")\n'
    'work = Derivation("F", "Work", unit="FLOP", start=n * FLOP + n * FLOP,\n'
    '    steps=[Equal(2 * n * FLOP, because="two passes")])\n',
    "second.py": '"""Second things: what comes after."""\nfrom derive import FLOP, Derivation, Use, quantity\n'
    "from derive.catalogue import get\n"
    'F = quantity("F", "operations", "FLOP")\n'
    'twice = Derivation("D", "Twice the work", unit="FLOP", start=2 * F, steps=[Use(F, get("first.work"))])\n',
    "book.toml": 'title = "My arithmetic"\nabout = "Two chapters.\\n\\nNo more."\n'
    'chapters = ["first.py", "second.py"]\n',
}


def folder(path: Path, **changed: str) -> Path:
    path.mkdir()
    for name, text in {**OWN, **{key.replace("_", "."): text for key, text in changed.items()}}.items():
        (path / name).write_text(text, "utf-8")
    return path


def test_a_book_of_ones_own(tmp_path: Path) -> None:
    own = folder(tmp_path / "own")
    paths = reports.write([own], ["md", "tex"], tmp_path / "out")
    assert [path.name for path in paths] == ["first.md", "second.md", "index.md", "book.tex"]
    index = (tmp_path / "out" / "index.md").read_text("utf-8")
    assert index.startswith("# My arithmetic\n\nTwo chapters.\n\nNo more.\n\n2 of 2 statements are proved.")
    assert "1. [First things: what comes before](first.md)" in index
    assert "Common traps" not in index
    second = (tmp_path / "out" / "second.md").read_text("utf-8")
    assert "Use [`first.work`](first.md#first.work)" in second


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("title = 3", "title and about are texts"),
        ('title = "x"', "chapters is no list of files"),
        ('title = "x"\nchapters = ["../first.py"]', "is no Python file of this folder"),
        ('title = "x"\nchapters = ["first.py", "first.py"]', "a chapter stands there twice"),
        ('title = "x"\nchapters = ["third.py"]', "no such file"),
        ('titel = "x"', "unknown key 'titel'"),
        ("title = ", "is no TOML"),
        ("#" * 70_000, "is larger than 64 KiB"),
    ],
)
def test_a_bad_book_is_one_line(toml: str, message: str, tmp_path: Path) -> None:
    own = folder(tmp_path / "own", book_toml=toml)
    with pytest.raises(DeriveError) as refused:
        reports.write([own], ["md"], tmp_path / "out")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_a_folder_without_a_book_and_two_books_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DeriveError, match=r"a book of one's own is a folder with a book\.toml"):
        reports.write([tmp_path], ["md"], tmp_path / "out")
    with pytest.raises(DeriveError, match="two books are asked for"):
        reports.write(["all", folder(tmp_path / "own")], ["md"], tmp_path / "out")


def test_the_book_cannot_be_rendered_as_one_text() -> None:
    with pytest.raises(DeriveError, match="several documents"):
        reports.render("all", "md")

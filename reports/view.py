"""The view model: everything that a template may show, computed and worded, ready to be laid out.

A text is plain Unicode and a formula is LaTeX; a format escapes the one and sets
the other (`reports.markup`). A template reads these classes and computes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.html_live import Live
    from reports.lessons import LessonView
    from reports.plots import Figure


@dataclass(frozen=True)
class Formula:
    """Mathematics as LaTeX, units upright, without delimiters. Lines break with `\\cr`."""

    latex: str


@dataclass(frozen=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True)
class Link:
    """A derivation's title or id as a cross-reference; file: the document it stands in, "" where none is at hand."""

    id: str
    text: str
    file: str


Rich = tuple[str | Strong | Formula | Link, ...]
"""A sentence of texts, formulas and cross-references."""

Entry = str | Formula | Link | None
"""What stands in a cell of a table."""


@dataclass(frozen=True)
class Proof:
    """A verdict: "proved", "refuted" or "undecided", and why."""

    outcome: str
    reason: str

    @property
    def proved(self) -> bool:
        return self.outcome == "proved"


@dataclass(frozen=True)
class LetterRow:
    """A line of the table of symbols; value and source are None and "" where there is no value."""

    letter: Formula
    meaning: str
    unit: str
    value: Formula | None
    source: str | Link


@dataclass(frozen=True)
class LedgerRow:
    """What is counted, why, how much, and how much at the values at hand."""

    what: str
    why: str
    amount: Formula
    value: Formula | None


@dataclass(frozen=True)
class LedgerTable:
    """A ledger with its total; the proof holds the total to the sum of the rows."""

    title: str
    rows: tuple[LedgerRow, ...]
    total: Formula
    value: Formula | None
    proof: Proof

    @property
    def measured(self) -> tuple[LedgerRow, ...]:
        """What the columns must hold: the rows, and the total's value in the last; its formula spans the others."""
        return (*self.rows, LedgerRow("total", "", self.rows[0].amount, self.value))

    @property
    def span(self) -> int:
        """How many columns the total's formula spans."""
        return len(self.heads) - ("here" in self.heads)

    @property
    def heads(self) -> dict[str, str]:
        """The table's heads, each with the attribute of a row below it; a column that would be empty is left out."""
        why = {"why": "why"} if any(row.why for row in self.rows) else {}
        here = {"here": "value"} if self.value is not None else {}
        return {"what": "what", **why, "amount": "amount", **here}


@dataclass(frozen=True)
class Equation:
    """One line of an aligned display: left side (may be empty), relation and right side."""

    left: str
    relation: str
    right: str
    tag: str = ""


@dataclass(frozen=True)
class Step:
    """A link of the chain: its number, what is done, the lines it adds, why, and the verdict.

    A link that only writes the same line in another way adds none. `here` says how
    large the error of an approximation is at the values at hand.
    """

    number: int
    action: Rich
    equations: tuple[Equation, ...]
    because: str
    proof: Proof
    here: Rich


@dataclass(frozen=True)
class Fact:
    """A proved statement about the result; `here` says what it amounts to at the values at hand."""

    kind: str
    statement: Rich
    because: str
    proof: Proof
    here: Rich


@dataclass(frozen=True)
class Worked:
    """The calculation with numbers and units put in, inner results first."""

    intro: Rich
    blocks: tuple[tuple[Equation, ...], ...]
    none: str


@dataclass(frozen=True)
class ConventionRow:
    """A convention in force: what it decides, the choice in words, and why this one."""

    name: str
    choice: str
    decides: str
    says: str
    reason: str


@dataclass(frozen=True)
class ExampleRow:
    """A declared example: the point, the value that is stated, and whether it comes out."""

    point: str
    value: str
    proof: Proof


@dataclass(frozen=True)
class Reference:
    """Another derivation that this one builds on, and how many of its own links are proved."""

    id: str
    title: str
    link: Link
    formula: Formula
    proved: int
    links: int


@dataclass(frozen=True)
class ConstantRow:
    """Sourced constants of one owner and one source: which, with their values and tags, and where they come from."""

    owner: str
    values: str
    document: str
    date: str
    note: str


@dataclass(frozen=True)
class Grid:
    """A worked table: each cell computed by an evaluation.

    cited: the documents that its constants come from, each with the day it was looked up.
    texts: the places of the columns that hold words and are set flush left.
    """

    title: str
    about: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    cited: tuple[tuple[str, str], ...]
    texts: tuple[int, ...] = (0,)

    @property
    def sources(self) -> tuple[str, ...]:
        """The documents with their days, each as a text."""
        return tuple(f"{document}, looked up {date}" for document, date in self.cited)


@dataclass(frozen=True)
class Count:
    """How many statements are proved, refuted and undecided."""

    proved: int
    refuted: int
    undecided: int

    @property
    def outcomes(self) -> tuple[int, int, int]:
        return self.proved, self.refuted, self.undecided

    @property
    def links(self) -> int:
        return sum(self.outcomes)

    def __add__(self, other: Count) -> Count:
        return Count(*(one + more for one, more in zip(self.outcomes, other.outcomes, strict=True)))


@dataclass(frozen=True)
class DerivationView:
    """One derivation, ready to be laid out."""

    id: str
    title: str
    letter: Formula
    result: Equation | None
    unit: str
    about: tuple[str, ...]
    form: str
    summary: Rich
    count: Count
    letters: tuple[LetterRow, ...]
    ledgers: tuple[LedgerTable, ...]
    start: tuple[Equation, ...]
    steps: tuple[Step, ...]
    facts: tuple[Fact, ...]
    worked: Worked
    verdict: Rich
    conventions: tuple[ConventionRow, ...]
    examples: tuple[ExampleRow, ...]
    uses: tuple[Reference, ...]
    constants: tuple[ConstantRow, ...]
    sources: tuple[str, ...]
    live: Live | None
    measured: Grid | None
    lesson: LessonView | None
    figures: tuple[Figure, ...] = ()

    @property
    def formula(self) -> Formula:
        """The result as one formula; of a computed one its letter alone."""
        one = self.result
        return self.letter if one is None else Formula(f"{one.left} {one.relation} {one.right}")

    @property
    def chain(self) -> tuple[Equation, ...]:
        """All lines of the chain, for one aligned display."""
        return self.start + tuple(line for step in self.steps for line in step.equations)

    @property
    def letter_heads(self) -> dict[str, str]:
        """The heads of the table of symbols, each with the attribute of a row below it."""
        values = {"value": "value", "from": "source"} if any(row.value for row in self.letters) else {}
        return {"letter": "letter", "meaning": "meaning", "unit": "unit", **values}


@dataclass(frozen=True)
class Comparison:
    """Two choices of a convention side by side; lines: the formulas, where they are too wide for the table."""

    grid: Grid
    lines: tuple[Equation, ...]


@dataclass(frozen=True)
class Document:
    """A file: a chapter with its introduction and worked tables, or a single derivation.

    name: that of its file. chapter: whether each section has a heading of its own.
    left_out: which figures it lacks, and how to get them.
    """

    name: str
    title: str
    chapter: bool
    intro: tuple[str, ...]
    sections: tuple[DerivationView, ...]
    tables: tuple[Grid, ...]
    count: Count
    comparison: Comparison | None = None
    left_out: str = ""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of all sections."""
        return tuple(figure for view in self.sections for figure in view.figures)

    @property
    def short(self) -> str:
        """What stands before the colon of the title."""
        return self.title.partition(":")[0]

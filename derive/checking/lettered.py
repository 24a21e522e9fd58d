"""Formulas in letters that stand in or beside a table, as terms: what each row would have by them.

A letter is a column by its heading (N, D, time), one that the heading of the target sets (dp = 64), or one that the
document defines. Formulas stand in the text near the table, in a heading (D/N), in the cells of a column (4 + 12/d),
in a list whose items bear the labels of the rows (ZeRO-1: 4 + 12/N), or follow from the stage of ZeRO.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from derive.checking.blocks import MATH, TEXT
from derive.checking.columns import Column, Grid
from derive.checking.grammar import Name, Node, Operation, Parser, leaves
from derive.checking.inline import unmarked
from derive.checking.lexer import Token, tokens
from derive.checking.quantities import quantities
from derive.checking.scope import Evaluator, Scope
from derive.checking.terms import Bound, Term
from derive.checking.values import Literal
from derive.checking.words import Dimension

_KEY = re.compile(r"\s*([^\W\d]\w{0,11})(?=$|[\s,(\[])")
_SET = re.compile(r"(?<![\w.])([^\W\d]\w{0,3})\s*=\s*(?=\d)")
_COUNTED = re.compile(r"(\d[\d,]*) ?(?:GPU|rank|device|card|chip|way|replica)s?\b", re.IGNORECASE)
_ITEM = re.compile(r"\W*([\w][\w /-]{0,30}?)\s*:\s+(?=[\d(\x02])")
_ZERO = re.compile(
    r"^\W*(?:ZeRO[- ]?|(?:ZeRO )?stage )([0-3])\b|^\W*(?:(plain|DDP|no ZeRO|data parallel)\b)", re.IGNORECASE
)
_UNDER = re.compile(r"/\s*([A-Za-z])(?!\w)")  # 16/d is no rate by the day
_SIGNS = re.compile(r"[*×/^·+=-]")
_LETTERED = re.compile(r"[*×/^·+-][^*×/^·+-]{0,12}[A-Za-z]|[A-Za-z]\)?\s?[*×/^·+-]")
_STAGES = ("16", "4 + 12/n", "2 + 14/n", "16/n")
_DEVICES = re.compile(r"\W*(?:N|n|d|dp|DP|GPUs?|ranks?|devices?|cards?|replicas?)\b")
_LARGE = 1e8
_STARTS, _FORMULAS, _LONGEST = 40, 12, 1200
_FEWEST, _INDEXED = 2, 6


def _is_letter(word: str) -> bool:
    """Whether a word is a letter, perhaps with an index: N_d."""
    return len(word) == 1 or (word[1] == "_" and len(word) <= _INDEXED)


@dataclass(frozen=True)
class Formula:
    """An expression that tells what a column is; name: the letter that it is set equal to; says: as it was written."""

    node: Node
    name: str
    says: str


@dataclass
class Letters:
    """The letters of a table and of the document around it."""

    grid: Grid
    scope: Scope
    texts: Sequence[str]
    place: int
    columns: dict[str, Column] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for column in self.grid.columns:
            found = _KEY.match(unmarked(column.heading))
            if found is not None and column.dimension is not None:
                self.columns.setdefault(found[1], column)

    def of(self, target: Column) -> list[Term]:
        """What the rows of a column would be by the formulas that may be its own."""
        own = _set(target.heading)
        found = _KEY.match(unmarked(target.heading))
        key = found[1] if found is not None and self.columns.get(found[1]) is target else ""
        told: list[tuple[str, Sequence[Node | None]]] = [
            (one.says, [one.node] * len(self.grid.labels))
            for one in self._written(target)
            if not one.name or one.name == key
        ]
        told += [(column.heading, nodes) for column, nodes in self._in_cells if column is not target]
        told += [*self._of_rows, *self._of_stage(target)]
        terms = [self._term(says, nodes, own, target) for says, nodes in told]
        return [term for term in terms if term is not None]

    def _known(self, word: str) -> bool:
        return word in self.columns or (_is_letter(word) and self.scope.known(word))

    @cached_property
    def _beside(self) -> list[Formula]:
        """The formulas in the text that speak of columns."""
        if not self.columns:
            return []
        return [one for text in self.texts if _SIGNS.search(text) for one in self._in_text(text[-_LONGEST:])]

    def _written(self, target: Column) -> list[Formula]:
        """The formulas in the text and in the heading of a column that speak of columns."""
        made = list(self._beside)
        heading = unmarked(target.heading)
        found = tokens(heading, 0, len(heading)) if _SIGNS.search(heading) else []
        parsed = Parser(found, self._known).parse(0, len(found)) if found else None
        if parsed is not None and isinstance(parsed[0], Operation) and self._speaks(parsed[0]):
            rest = found[parsed[1] :]
            if not rest or Parser(rest, lambda _: False).unit_at(0) is not None or rest[0].text in "([":
                made.append(Formula(parsed[0], "", heading))
        return made[:_FORMULAS]

    def _in_text(self, text: str) -> Iterator[Formula]:
        found = tokens(text, 0, len(text))
        at = starts = 0
        while at < len(found) and starts < _STARTS:
            if not _begins(found, at):
                at += 1
                continue
            starts += 1
            parsed = Parser(found, self._known).parse(at, min(len(found), at + 60))
            if parsed is None or not isinstance(parsed[0], Operation) or not self._speaks(parsed[0]):
                at += 1
                continue
            node, end = parsed
            name = found[at - 2].text if at > 1 and found[at - 1].text in ("=", "≈") else ""
            if end >= len(found) or found[end].text not in ("=", "≈", "+", "-", "×", "*", "/", "^", "("):
                yield Formula(node, name, unmarked(text[found[at].start : found[end - 1].end]))
            at = max(end, at + 1)

    def _speaks(self, node: Node) -> bool:
        """Whether an expression has a column among its letters."""
        return any(isinstance(leaf, Name) and leaf.text in self.columns for leaf in leaves(node))

    @cached_property
    def _in_cells(self) -> list[tuple[Column, list[Node | None]]]:
        """Columns whose cells are formulas."""
        found: list[tuple[Column, list[Node | None]]] = []
        rows = self.grid.table.rows[: len(self.grid.labels)]
        for place in range(1, 0 if self.grid.turned else len(self.grid.columns)):
            cells = [row[place].text if place < len(row) else "" for row in rows]
            if sum(_LETTERED.search(cell) is not None for cell in cells) < _FEWEST:
                continue
            nodes = [_parsed(cell, _is_letter) for cell in cells]
            if sum(isinstance(node, Operation) and _has_letters(node) for node in nodes) >= _FEWEST:
                found.append((self.grid.columns[place], nodes))
        return found

    @cached_property
    def _indexed(self) -> Mapping[str, Literal]:
        """The letters with an index that the text beside the table sets, be it for this case: with N_d = 64."""
        found = [
            item
            for text in (self.grid.table.before, *self.texts)
            for item in _set(text.replace(MATH, "").replace(TEXT, "")).items()
            if "_" in item[0]
        ]
        values = {(name, literal.value) for name, literal in found}
        return {name: one for name, one in found if sum(name == other for other, _ in values) == 1}

    @cached_property
    def _of_rows(self) -> list[tuple[str, Sequence[Node | None]]]:
        """Formulas that the labels of the rows lead to."""
        return [*self._of_items(), *self._of_stages()]

    def _of_items(self) -> Iterator[tuple[str, list[Node | None]]]:
        """A list whose items tell a formula for each row by its label."""
        told: dict[str, Node] = {}
        for text in self.texts:
            found = _ITEM.match(text)
            if found is not None:
                node = _parsed(text[found.end() :].rstrip(" .;,"), _is_letter)
                if node is not None:
                    told[found[1].strip().lower()] = node
        nodes = [told.get(label.strip().lower()) for label in self.grid.labels]
        if sum(node is not None for node in nodes) >= _FEWEST:
            yield "the formula of the row", nodes

    def _of_stages(self) -> Iterator[tuple[str, list[Node | None]]]:
        """Bytes of a parameter by the stage of ZeRO, with Adam in mixed precision."""
        nodes: list[Node | None] = []
        for label in self.grid.labels:
            found = _ZERO.match(label)
            nodes.append(_parsed(_STAGES[int(found[1] or 0)], lambda word: word == "n") if found else None)
        if sum(node is not None and _has_letters(node) for node in nodes) >= _FEWEST:
            yield "the bytes a parameter of the stage", nodes

    def _of_stage(self, target: Column) -> Iterator[tuple[str, list[Node | None]]]:
        """The same for a column of one stage, where the rows tell how many devices there are, and of what size."""
        found = _ZERO.match(target.heading)
        many = [key for key, one in self.columns.items() if _DEVICES.match(one.heading) and not one.dimension]
        if found is None or not found[1] or len(many) != 1:
            return
        large = [
            key
            for key, one in self.columns.items()
            if all(n is None or n.value > _LARGE for n in one.numbers)
        ]
        bytes_each = _STAGES[int(found[1])].replace("n", f"({many[0]})")
        for before in ("", *(f"{key} * " for key in large)):
            node = _parsed(f"{before}({bytes_each})", lambda word: word in self.columns)
            yield "the bytes a parameter of the stage", [node] * len(self.grid.labels)

    def _term(
        self, says: str, nodes: Sequence[Node | None], own: Mapping[str, Literal], target: Column
    ) -> Term | None:
        """What the rows are by an expression each; None where fewer than two have a value, or all the same."""
        rows: list[Bound | None] = []
        kinds: set[Dimension] = set()
        evaluator = Evaluator(self.scope, self.place, self.grid.table.section)
        for row, node in enumerate(nodes):
            filled = None if node is None else self._filled(node, row, own, target)
            options = [] if filled is None else evaluator.options(filled)
            value = options[0][1] if options else None
            if value is None or value.low <= 0:
                rows.append(None)
            else:
                rows.append((value.low, value.mid, value.high))
                kinds.add(value.dimension)
        worked = sum(
            row is not None and node is not None and _has_letters(node)
            for row, node in zip(rows, nodes, strict=True)
        )
        if len(kinds) != 1 or worked < _FEWEST:
            return None
        term = Term(says, tuple(rows), kinds.pop())
        return term if term.distinct > 1 else None

    def _filled(self, node: Node, row: int, own: Mapping[str, Literal], target: Column) -> Node | None:
        """An expression with the letters of columns and of the heading replaced."""
        if isinstance(node, Operation):
            parts = [self._filled(part, row, own, target) for part in node.arguments]
            if any(part is None for part in parts):
                return None
            return Operation(node.sign, tuple(part for part in parts if part is not None))
        if not isinstance(node, Name):
            return node
        if node.text in own:
            return own[node.text]
        if len(own) == 1 and node.text.lower() in ("n", "d"):
            return next(iter(own.values()))
        column = self.columns.get(node.text)
        if column is None:
            return self._indexed.get(node.text, node)
        number = column.numbers[row]
        return None if number is None or column is target else number.quantity.literal


def _begins(found: Sequence[Token], at: int) -> bool:
    """Whether an expression may begin at a token."""
    token, before = found[at], found[at - 1] if at else None
    if token.kind not in ("number", "word") and token.text not in ("(", "√"):
        return False
    if (
        token.kind == "word"
        and before is not None
        and before.kind == "word"
        and at > 1
        and found[at - 2].kind == "number"
    ):
        return False  # what so many of a unit are: 2 B weights
    return before is None or before.kind in ("word", "wall") or before.text in ("=", "≈", ":", ",", "(", "`")


def _parsed(text: str, known: Callable[[str], bool]) -> Node | None:
    """The expression that a text is from end to end."""
    if not text or len(text) > 120:
        return None
    text = _UNDER.sub(r"/ (\1)", text.strip(" $"))
    found = tokens(text, 0, len(text))
    parsed = Parser(found, known).parse(0, len(found)) if found else None
    return parsed[0] if parsed is not None and parsed[1] == len(found) else None


def _has_letters(node: Node) -> bool:
    return any(isinstance(leaf, Name) for leaf in leaves(node))


def _set(heading: str) -> dict[str, Literal]:
    """The letters that a heading sets (dp = 64), or the number of devices that it counts."""
    text = unmarked(heading)
    found: dict[str, Literal] = {}
    for one in _SET.finditer(text):
        number = quantities(text[one.end() :])[:1]
        if number:
            found[one[1]] = number[0].literal
    counted = _COUNTED.search(text)
    if not found and counted is not None:
        found["n"] = quantities(counted[1])[0].literal
    return found

"""A file with blanks, as far as it is filled: what can be checked now, and what waits for which blank.

A row without its amount is left out, and with it what needs the whole ledger. In a chain a link that
only rewrites the line may be missing; behind any other blank all links wait. What is left is run as the
file itself would be. Rows are held against those of the formula of the catalogue that has the same title.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from derive import catalogue
from derive.derivation import Derivation
from derive.ledger import Ledger, Row
from derive.proofs.verdict import Verdict
from derive.teaching.blanks import first_blank, parsed
from derive.teaching.explaining import Explained, compared, explain

_LINKS = ("steps", "facts", "examples")


@dataclass(frozen=True)
class Waiting:
    """Links that cannot be checked yet: how many, and the line of the blank that they wait for."""

    count: int
    line: int


@dataclass(frozen=True)
class FilledRow:
    """A row that is filled, with what is said of it."""

    what: str
    verdict: Verdict
    says: str


@dataclass(frozen=True)
class Partly:
    """What is said of the filled part of a file."""

    rows: tuple[FilledRow, ...]
    links: tuple[Explained, ...]
    waiting: tuple[Waiting, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing that is filled is wrong."""
        verdicts = [row.verdict for row in self.rows] + [one.link.verdict for one in self.links]
        return all(verdict.proved for verdict in verdicts)


def partly(path: str | Path) -> Partly:
    """What is right so far in a file with blanks.

    Raises DeriveError where what is filled cannot be run.
    """
    tree = parsed(path)
    if tree is None:
        return Partly((), (), ())
    pruning = _Pruning()
    body = [kept for statement in tree.body for kept in pruning.statement(statement)]
    pruned = ast.Module(body=body, type_ignores=[])
    module = catalogue.run_file(path, _Loader(str(path), pruned))
    derivations = catalogue.derivations_of(module, Path(path).stem)
    links = tuple(one for derivation in derivations.values() for one in explain(derivation))
    return Partly(tuple(_rows(module, pruning.titles)), links, tuple(pruning.waiting))


class _Loader(SourceFileLoader):
    """Runs a tree in the place of the file's own text; nothing of it is cached."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        super().__init__(catalogue.module_name(Path(path).stem), path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.path, "exec")


class _Pruning:
    """Takes out what is not filled, statement by statement, and notes what waits for it."""

    def __init__(self) -> None:
        self.waiting: list[Waiting] = []
        self.titles: set[str] = set()
        self._gone: dict[str, int] = {}

    def statement(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        """The statement as far as it is filled; nothing where it cannot stand."""
        call = _assigned_call(statement)
        name = _function(call)
        if call is not None and name == "Derivation":
            self.titles |= {_text(one) for one in call.args}
        missing = self._missing(statement)
        if not missing:
            yield statement
        elif call is not None and name == "Ledger":
            self._gone_from(statement, missing)
            call.args = [row for row in call.args if first_blank(row) is None]
            if call.args:
                yield statement
        elif call is not None and name == "Derivation" and not self._missing_outside(call):
            self._cut(call)
            yield statement
        else:
            self._gone_from(statement, missing)
            if call is not None and name == "Derivation":
                self._wait(_elements(call, *_LINKS), missing)

    def _missing(self, node: ast.AST) -> int:
        """The line of the first blank in a node, or of the one that a name in it waits for; 0 for none."""
        blank = first_blank(node)
        if blank is not None:
            return blank
        names = (one.id for one in ast.walk(node) if isinstance(one, ast.Name))
        return next((self._gone[name] for name in names if name in self._gone), 0)

    def _missing_outside(self, call: ast.Call) -> int:
        """The same for what a derivation needs before its links."""
        others = [*call.args, *(one.value for one in call.keywords if one.arg not in _LINKS)]
        return next((line for one in others if (line := self._missing(one))), 0)

    def _gone_from(self, statement: ast.stmt, line: int) -> None:
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            self._gone |= {one.id: line for one in ast.walk(target) if isinstance(one, ast.Name)}

    def _cut(self, call: ast.Call) -> None:
        """Leave the links that can be checked in a derivation."""
        cut = 0
        for keyword in sorted(
            call.keywords, key=lambda one: _LINKS.index(one.arg) if one.arg in _LINKS else -1
        ):
            if keyword.arg not in _LINKS or not isinstance(keyword.value, ast.List | ast.Tuple):
                continue
            kept: list[ast.expr] = []
            for link in keyword.value.elts:
                line = self._missing(link)
                if cut and not line:
                    self._wait([link], cut)
                elif not line:
                    kept.append(link)
                elif keyword.arg == "steps" and not cut and _function(link) != "Equal":
                    cut = line
            keyword.value.elts = kept

    def _wait(self, links: Sequence[ast.expr], line: int) -> None:
        filled = sum(first_blank(link) is None for link in links)
        last = self.waiting[-1] if self.waiting else None
        if last is not None and last.line == line:
            self.waiting[-1] = Waiting(last.count + filled, line)
        elif filled:
            self.waiting.append(Waiting(filled, line))


def _assigned_call(statement: ast.stmt) -> ast.Call | None:
    value = statement.value if isinstance(statement, ast.Assign) else None
    return value if isinstance(value, ast.Call) else None


def _function(node: ast.AST | None) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _elements(call: ast.Call, *names: str) -> list[ast.expr]:
    lists = [one.value for one in call.keywords if one.arg in names]
    return [element for one in lists if isinstance(one, ast.List | ast.Tuple) for element in one.elts]


def _rows(module: ModuleType, titles: set[str]) -> Iterator[FilledRow]:
    """The rows that are filled beside the catalogue's of the same name; of a formula of one's own none."""
    known = [one for id in catalogue.all_ids() if (one := catalogue.get(id)).title in titles]
    wanted = {
        row.what: row
        for one in known
        if not _is_own(one, module)
        for ledger in one.ledgers
        for row in ledger.rows
    }
    for ledger in vars(module).values():
        for row in ledger.rows if isinstance(ledger, Ledger) else ():
            if row.what in wanted:
                yield _compared(row, wanted[row.what])


def _is_own(derivation: Derivation, module: ModuleType) -> bool:
    return any(value is derivation for value in vars(module).values())


def _compared(row: Row, due: Row) -> FilledRow:
    verdict, says = compared(row.amount, due.amount, ("yours", "the row's amount"))
    return FilledRow(row.what, verdict, says)

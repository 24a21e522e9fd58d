"""Every small change of an expression: what a slip of the pen would make of it.

A ledger's total is left whole here; its rows are changed in the ledger (see `parts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy

from derive.symbols import Letter, UnitSymbol
from derive.total import Total

Change = tuple[str, sympy.Basic]
Path = tuple[int, ...]

_SWAPPED = {
    sympy.Max: sympy.Min,
    sympy.Min: sympy.Max,
    sympy.floor: sympy.ceiling,
    sympy.ceiling: sympy.floor,
}


def changes(expression: sympy.Basic, letters: Sequence[Letter]) -> Iterator[Change]:
    """Each (kind, changed expression), every changed expression once and none equal in form to the original."""
    seen = {expression}
    for path, node, term, exponent in _positions(expression, (), True, False):
        for kind, new in _at(node, letters, term, exponent):
            changed = _placed(expression, path, new)
            if changed not in seen and not changed.has(sympy.nan, sympy.zoo):
                seen.add(changed)
                yield kind, changed


def _positions(
    node: sympy.Basic, path: Path, term: bool, exponent: bool
) -> Iterator[tuple[Path, sympy.Basic, bool, bool]]:
    """Every place in the tree: its path, its node, whether it stands as a term and whether as an exponent."""
    yield path, node, term, exponent
    if isinstance(node, Total):
        return
    for index, argument in enumerate(node.args):
        if isinstance(node, sympy.Tuple) and index == 0:
            continue  # the index of a sum
        inside = not isinstance(node, sympy.Mul | sympy.Pow)
        yield from _positions(argument, (*path, index), inside, isinstance(node, sympy.Pow) and index == 1)


def _placed(whole: sympy.Basic, path: Path, new: sympy.Basic) -> sympy.Basic:
    if not path:
        return new
    arguments = list(whole.args)
    arguments[path[0]] = _placed(arguments[path[0]], path[1:], new)
    return whole.func(*arguments)


def _at(node: sympy.Basic, letters: Sequence[Letter], term: bool, exponent: bool) -> Iterator[Change]:
    if exponent:
        yield "exponent ±1", node + 1
        yield "exponent ±1", node - 1
    elif node.is_Rational:
        yield "coefficient ±1", node + 1
        yield "coefficient ±1", node - 1
        yield "coefficient ×2, ÷2", 2 * node
        yield "coefficient ×2, ÷2", node / 2
    if isinstance(node, Letter):
        for other in letters:
            if other != node:
                yield "symbol exchanged", other
    if isinstance(node, UnitSymbol):
        yield "unit inverted", 1 / node
    if isinstance(node, Letter | UnitSymbol | Total) and not exponent:
        yield "exponent ±1", node**2
        yield "exponent ±1", sympy.Integer(1)
    if isinstance(node, sympy.Add):
        for index, one in enumerate(node.args):
            rest = sympy.Add(*node.args[:index], *node.args[index + 1 :])
            yield "term dropped", rest
            yield "term doubled", rest + 2 * one
            yield "sign flipped", rest - one
    if term and isinstance(node, sympy.Expr) and not node.is_Number:
        yield "coefficient ×2, ÷2", 2 * node
        yield "coefficient ×2, ÷2", node / 2
        yield "sign flipped", -node
    if type(node) in _SWAPPED:
        yield "function exchanged", _SWAPPED[type(node)](*node.args)
        for argument in node.args:
            yield "function dropped", argument

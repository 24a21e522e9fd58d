"""Constants of the catalogue in a line: h100-sxm.peak[bf16], llama-3-8b.layers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import units
from derive.calc import tree
from derive.calc.errors import CalcError
from derive.calc.parser import unit_of
from derive.calc.typed import Typed
from derive.errors import DeriveError
from derive.suggest import nearest
from units.kinds import text_of

if TYPE_CHECKING:
    from derive.entries import Constant

# Where a line does not say which, the kind that ordinary work runs at.
_USUAL = {"sparsity": "dense", "direction": "each-way"}
_SPARSE = {"2:4": "sparse"}
_AXES = ("sparsity", "direction", "precision", "capacity")


def constant(node: tree.Entry) -> tuple[Typed, str]:
    """The constant with its unit and kinds, and the step that says where it comes from.

    Raises CalcError: unknown-name, ambiguous.
    """
    found = _pick(node)
    value = found.base
    if isinstance(found.value, bool):
        raise CalcError(
            "unknown-name",
            f"{node.entry}.{node.role} is true or false, not a number",
            node.span,
            hint="give a number",
        )
    tags = {axis: _SPARSE.get(tag, tag) for axis, tag in found.tags.items() if axis in _AXES}
    kept = tuple(sorted((axis, tag) for axis, tag in tags.items() if tag not in ("decimal", "binary")))
    dimension = units.dimension_of(found.unit)
    uses = unit_of(found.unit)
    typed = Typed("number", (), node.span, dimension, uses, kept, value=Fraction(value))
    return typed, f"{node.entry}.{node.role} = {found.text}{text_of(kept)}, {found.source.document}"


def _pick(node: tree.Entry) -> Constant:
    from derive import constants

    wanted = {axis: {"sparse": "2:4"}.get(value, value) for axis, value in node.kinds}
    try:
        entry = constants.hardware(node.entry)
    except DeriveError:
        try:
            entry = constants.model(node.entry)
        except DeriveError as unknown:
            near = nearest(node.entry, (*constants.names("hardware"), *constants.names("model")))
            raise CalcError(
                "unknown-name",
                f"no machine or model is called {node.entry[:60]!r}{near}",
                node.span,
                hint="`derive constants` lists them",
            ) from unknown
    own = [held for held in entry.constants if held.role == node.role]
    found = [held for held in own if all(held.tags.get(axis) == value for axis, value in wanted.items())]
    for axis, value in _USUAL.items():
        if len(found) > 1 and axis not in wanted:
            found = [held for held in found if held.tags.get(axis, value) == value]
    if len(found) == 1:
        return found[0]
    roles = sorted({held.role for held in entry.constants})
    if not own:
        raise CalcError(
            "unknown-name",
            f"{entry.name} has no {node.role[:60]}",
            node.span,
            hint=f"it has {', '.join(roles)}",
        )
    choices = ", ".join(f"[{held.kind.replace('2:4', 'sparse')}]" for held in own)
    raise CalcError(
        "ambiguous" if found else "unknown-name",
        f"{entry.name} has {'several values' if found else 'no such value'} of {node.role}",
        node.span,
        why="each is a different number",
        hint=f"say which, of {choices}",
    )

"""Ledgers: rows, units, and totals that stay recognisable in a formula."""

from __future__ import annotations

import pytest
import sympy

from derive.errors import DeclarationError, DimensionError
from derive.ledger import Ledger, ledgers_in
from derive.symbols import BYTE, FLOP, count, quantity
from derive.total import Total, expanded

T, d = count("T", "sequence length"), count("d", "head dimension")
e = quantity("e", "size of an element", "byte")
traffic = Ledger(("read Q", T * d * e), ("write S", "all scores", T**2 * e), title="traffic")


def test_rows_and_total():
    assert [(row.what, row.why, row.amount) for row in traffic.rows] == [
        ("read Q", "", T * d * e),
        ("write S", "all scores", T**2 * e),
    ]
    assert isinstance(traffic.total, Total)
    assert traffic.total.ledger is traffic
    assert expanded(traffic.total) == T * d * e + T**2 * e
    assert traffic.total.is_positive
    assert str(traffic.total) == "(T*d*e + T**2*e)"
    assert dict(traffic.dimension) == {"byte": 1}


def test_a_total_neither_merges_nor_cancels_until_it_is_added_up():
    twice = Ledger(("read", T * e), ("write", T * e))
    assert len(twice.total.args) == 2
    quotient = twice.total / (2 * T * e)
    assert quotient.has(Total)
    assert expanded(quotient) == 1


def test_ledgers_in_a_formula_in_order_each_once():
    work = Ledger(("S", 2 * T**2 * d * FLOP))
    formula = work.total / traffic.total + work.total / (traffic.total * 2)
    assert ledgers_in(formula) == [work, traffic]
    assert ledgers_in(T * d) == []


def test_a_letter_is_replaced_within_a_total():
    placed = traffic.total.xreplace({e: 2 * BYTE})
    assert isinstance(placed, Total)
    assert expanded(placed) == 2 * T * d * BYTE + 2 * T**2 * BYTE


@pytest.mark.parametrize(
    ("rows", "kind", "message"),
    [
        ((), DeclarationError, "a ledger without rows counts nothing"),
        (
            (("read", T * e), ("work", T * FLOP)),
            DimensionError,
            "'work' is FLOP, but 'read' is byte: one ledger counts one unit",
        ),
        ((("read", T * e), ("write", T)), DimensionError, "'write' is a plain number, but 'read' is byte"),
        ((("read", T * e + T),), DimensionError, "row 'read': .* cannot be added"),
        ((("read", 0.5),), DeclarationError, "row 'read': 0.5 is a decimal"),
        ((T * e,), DeclarationError, r"give \(what, amount\) or \(what, why, amount\)"),
        ((("read",),), DeclarationError, r"give \(what, amount\)"),
        (((1, T * e),), DeclarationError, r"give \(what, amount\)"),
    ],
)
def test_refused(rows: tuple, kind: type[Exception], message: str):
    with pytest.raises(kind, match=message):
        Ledger(*rows)


def test_a_row_of_nothing_fits_any_unit():
    assert expanded(Ledger(("read", sympy.Integer(0)), ("write", T)).total) == T

"""Kinds: reading them, and where two of them meet."""

from __future__ import annotations

from fractions import Fraction

import pytest

import units
from units import kinds

RATE = units.dimension_of("FLOP/s")
INVERSE = tuple((base, -power) for base, power in RATE)
LINK = units.dimension_of("byte/s")
WORK = units.dimension_of("FLOP")
TIME = units.dimension_of("s")
SPARSE, DENSE = kinds.parse("sparse"), kinds.parse("dense")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("dense, bf16", {"sparsity": "dense", "precision": "bf16"}),
        ("sparse fp8", {"sparsity": "sparse", "precision": "fp8"}),
        ("2:4", {"sparsity": "sparse"}),
        ("per direction", {"direction": "each-way"}),
        ("unidir", {"direction": "each-way"}),
        ("bidirectional", {"direction": "both-ways"}),
        ("bfloat16", {"precision": "bf16"}),
        ("nominal", {"capacity": "nominal"}),
        ("utilisation", {"utilization": "utilization"}),
    ],
)
def test_kinds_are_read_by_their_many_names(text: str, found: dict[str, str]) -> None:
    assert dict(kinds.parse(text)) == found


@pytest.mark.parametrize("text", ["", "fast", "dense, sparse", "dense,,bf16", "x" * 500])
def test_what_is_no_kind_is_refused(text: str) -> None:
    with pytest.raises(units.UnitError):
        kinds.parse(text)


def test_kinds_are_shown_in_one_order() -> None:
    assert kinds.text_of(kinds.parse("bf16, dense")) == " [dense, bf16]"
    assert kinds.text_of(()) == ""


@pytest.mark.parametrize(("left", "right"), [(SPARSE, DENSE), (SPARSE, ()), ((), SPARSE)])
def test_sparse_adds_to_sparse_only(left: kinds.Kinds, right: kinds.Kinds) -> None:
    assert kinds.alike(SPARSE, SPARSE, RATE) == SPARSE
    with pytest.raises(kinds.KindError) as caught:
        kinds.alike(left, right, RATE)
    assert caught.value.axis == "sparsity"


def test_precisions_of_bytes_add_and_lose_their_tag() -> None:
    assert kinds.alike(kinds.parse("fp8"), kinds.parse("bf16"), units.dimension_of("byte")) == ()
    with pytest.raises(kinds.KindError):
        kinds.alike(kinds.parse("fp8"), kinds.parse("bf16"), RATE)


def test_a_kind_stays_while_what_it_speaks_of_is_there() -> None:
    per_byte = tuple((base, -power) for base, power in LINK)
    assert kinds.product(SPARSE, RATE, (), per_byte, units.dimension_of("FLOP/byte")) == SPARSE
    assert kinds.product(DENSE, RATE, DENSE, INVERSE, ()) == ()
    assert kinds.product((), WORK, DENSE, INVERSE, TIME) == ()


def test_work_divides_by_a_sparse_rate_of_its_own_kind_only() -> None:
    assert kinds.product(SPARSE, WORK, SPARSE, INVERSE, TIME) == ()
    for amount in ((), DENSE):
        with pytest.raises(kinds.KindError):
            kinds.product(amount, WORK, SPARSE, INVERSE, TIME)


def test_conversions_undo_each_other() -> None:
    for (source, target), (factor, _) in kinds.CONVERSIONS.items():
        assert factor * kinds.CONVERSIONS[target, source][0] == Fraction(1)

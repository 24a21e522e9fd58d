"""Formulas laid open: what stands below is put in, rows bear weights, and the value stays the same."""

from __future__ import annotations

import pytest
import sympy

from derive.catalogue import chapter, chapters, get
from derive.computed import Computed
from derive.errors import DeriveError
from derive.evaluation import evaluate
from derive.opened import Opened, formula_text, open_up, opened_result

LLAMA = {"T": 8192, "B": 4}


def value(opened: Opened, **changed: float) -> float | None:
    """At the values that were filled, and others by name."""
    base = opened.base()
    named = {symbol: changed.get(symbol.name, number) for symbol, number in base.items()}
    return opened.function()(named)


def test_letters_below_come_to_the_top() -> None:
    found = opened_result(evaluate("decode.step_time", LLAMA, "h100-sxm", "llama-3-8b"))
    assert {"T", "B", "H_kv", "L", "W", "h", "V", "f"} <= {symbol.name for symbol in found.letters}
    assert not {"KV", "weights", "N"} & {symbol.name for symbol in found.letters}
    weights, cache = 2 * 8030261248, 4 * 2 * 32 * 8 * 128 * 8192 * 2
    assert value(found) == pytest.approx((weights + cache) / 3.35e12, rel=1e-12)
    assert value(found, T=1) == pytest.approx((weights + cache / 8192) / 3.35e12, rel=1e-12)


def test_rows_have_weights_of_one() -> None:
    found = open_up(evaluate("memory.activations_gpt3", {"s": 64, "b": 2, "h": 32, "a": 4}))
    assert len(found.rows) == 13
    base = found.base()
    compute = found.function()
    assert compute(base) == 34 * 64 * 2 * 32 + 5 * 4 * 64**2 * 2
    masks = [row for row in found.rows if "mask" in row.what]
    without = {**base, **{row.weight: 0.0 for row in masks}}
    assert compute(without) == 32 * 64 * 2 * 32 + 4 * 4 * 64**2 * 2


def test_a_row_that_stands_twice_has_one_weight() -> None:
    found = open_up(evaluate("attention.naive_intensity", {"T": 64, "d": 8}))
    assert len({row.weight for row in found.rows}) == len(found.rows)
    for row in found.rows:
        assert found.expression.has(row.weight)


def test_told_names_what_changed() -> None:
    found = open_up(evaluate("memory.kv_cache", LLAMA, model="llama-3-8b"))
    (heads,) = (symbol for symbol in found.letters if symbol.name == "H_kv")
    text, letters = found.told({heads: 32.0}, {})
    assert (text, letters) == ("2·B·H_kv·L·T·d_h·e", "e = 2 byte, H_kv = 32")
    assert found.told({heads: 32.0}, {heads: "all 32"})[1].endswith("H_kv = all 32")
    (values,) = (row for row in found.rows if row.what == "values")
    assert found.told({values.weight: 0.0}, {})[0] == "B·H_kv·L·T·d_h·e"


def test_no_value_is_none() -> None:
    found = opened_result(evaluate("roofline.ridge", {}, "h100-sxm"))
    assert value(found, W=0.0) is None


def test_formulas_as_text() -> None:
    x, n = sympy.symbols("x n", positive=True)
    assert formula_text(x**2 * n**3 + n**5) == "n^5 + n³·x²"


@pytest.mark.parametrize("name", chapters())
def test_every_example_of_the_catalogue_opens_to_its_value(name: str) -> None:
    for id, formula in chapter(name).items():
        for example in formula.examples if not isinstance(formula, Computed) else ():
            found = evaluate(id, example.given, example.on, example.model, example.conventions)
            for opened in (open_up(found), opened_result(found)):
                got = opened.function()(opened.base())
                assert got == pytest.approx(found.base_float, rel=1e-9), id


def test_what_is_missing_stays_missing() -> None:
    with pytest.raises(DeriveError, match="needs"):
        evaluate(get("roofline.ridge").id, {})

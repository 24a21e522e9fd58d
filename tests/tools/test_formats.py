"""PyTorch's types code by code against the derived formats."""

from __future__ import annotations

from fractions import Fraction

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: pip install -e '.[measure]'")

import torch

from measuring import formats, session


def test_a_run_agrees_and_names_where_torch_is_wrong() -> None:
    found = formats.run(session.start("cpu"))
    assert found.wrong == []
    remarks = {row[0]: row[-1] for row in found.sections[0].rows}
    assert set(remarks) == set(formats.DTYPES)
    odd = remarks.pop("float8_e5m2fnuz")
    assert set(remarks.values()) == {"agree"}
    assert odd == ("torch.finfo says eps = 0.125, its codes say 0.25: 0x40 is 1 and 0x41, the next, 1.25")


def test_the_two_sums_at_the_prompt() -> None:
    found = formats.run(session.start("cpu"))
    lost = {row[0]: row[1:4] for row in found.sections[1].rows}
    assert lost["1 + 0.001 in bfloat16"] == ("1", "yes", "yes")
    assert lost["256 + 1 in bfloat16"] == ("256", "yes", "yes")
    assert lost["256 + 1 in float16"] == ("257", "no", "no")


def test_codes_are_the_numbers_of_a_type() -> None:
    e4m3 = formats.codes(torch.float8_e4m3fn)
    assert (len(e4m3), e4m3[0], e4m3[1], e4m3[-1]) == (127, 0, Fraction(1, 512), 448)
    half = formats.codes(torch.float16)
    assert (len(half), half[1], half[-1]) == (31 * 1024, Fraction(1, 2**24), 65504)


def test_a_type_that_this_torch_lacks_is_listed_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        formats,
        "DTYPES",
        {"float8_none": "fp8_e4m3", "bfloat16": "bf16", "float16": "fp16", "float32": "fp32"},
    )
    found = formats.run(session.start("cpu"))
    assert found.sections[0].rows[0][-1] == "this PyTorch does not have it"


def test_a_limit_that_differs_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "DTYPES", {**formats.DTYPES, "float8_e5m2": "fp8_e4m3"})
    found = formats.run(session.start("cpu"))
    assert any(
        line.startswith("float8_e5m2: torch.finfo says max = 57344, derived 448") for line in found.wrong
    )

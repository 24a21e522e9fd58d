"""PyTorch's number formats against the derived limits, and against their own codes one by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import torch

import derive
from derive.errors import NoValue
from measuring.session import Findings, Section, Session

DTYPES = {
    "float64": "fp64",
    "float32": "fp32",
    "float16": "fp16",
    "bfloat16": "bf16",
    "float8_e4m3fn": "fp8_e4m3",
    "float8_e5m2": "fp8_e5m2",
    "float8_e4m3fnuz": "fp8_e4m3fnuz",
    "float8_e5m2fnuz": "fp8_e5m2fnuz",
    "float8_e8m0fnu": "e8m0",
}
"""PyTorch's types by name, and the format that each is."""

_LIMITS = {
    "formats.max": "max",
    "formats.epsilon": "eps",
    "formats.smallest_normal": "smallest_normal",
    "formats.smallest_subnormal": "smallest_subnormal",
}
_FACTS = (("1 + 0.001", "1", "0.001"), ("256 + 1", "256", "1"))


def run(session: Session) -> Findings:
    """Every type that this PyTorch has; its limits, its codes, and sums that lose their second part."""
    findings = Findings()
    rows: list[tuple[str, ...]] = []
    for number, (name, format) in enumerate(DTYPES.items()):
        session.advance(number, len(DTYPES), f"formats: {name}")
        dtype = getattr(torch, name, None)
        if dtype is None:
            rows.append((name, "–", "–", "–", "–", "this PyTorch does not have it"))
        else:
            rows.append(_compare(session, findings, name, format, dtype))
    columns = (
        "type",
        *(f">{limit.replace('_', ' ')}" for limit in _LIMITS.values()),
        "torch.finfo and the codes",
    )
    notes = (
        "Derived from sign, exponent and mantissa bits, bias and special values; then every code of a type of at "
        "most 16 bits is decoded by PyTorch and compared with the derived list. tf32, fp6 and unpacked fp4 have no "
        "type in PyTorch: derive eval formats.representable lists their codes.",
    )
    findings.sections.append(Section("Number formats", columns, rows, notes))
    findings.sections.append(_lost_updates(session, findings))
    return findings


def codes(dtype: torch.dtype) -> list[Fraction]:
    """The distinct finite numbers from 0 up that the codes of a type of at most 16 bits stand for."""
    size = torch.tensor([], dtype=dtype).element_size()
    unsigned, signed = (torch.uint8, torch.uint8) if size == 1 else (torch.uint16, torch.int16)
    every = torch.arange(2 ** (8 * size), dtype=torch.int32).to(unsigned).view(signed)
    values = every.view(dtype).to(torch.float64)
    finite = values[torch.isfinite(values) & (values >= 0)]
    return [Fraction(value) for value in finite.unique().tolist()]


def _compare(
    session: Session, findings: Findings, name: str, format: str, dtype: torch.dtype
) -> tuple[str, ...]:
    remarks: list[str] = []
    cells: list[str] = []
    for id, attribute in _LIMITS.items():
        try:
            derived = derive.evaluate(id, {"format": format}).exact()
        except NoValue:
            cells.append("none")
            continue
        told = _told(dtype, attribute)
        cells.append(f"{float(derived):.6g}")
        if told != derived:
            remarks.append(_explained(findings, name, attribute, told, derived, dtype))
        findings.measurements.append(
            session.measurement(
                id,
                _number(told),
                "dimensionless",
                f"torch.{name}: {'its code 1' if attribute == 'smallest_subnormal' else 'torch.finfo'}",
                given={"format": format},
                note="" if told == derived else remarks[-1],
            )
        )
    if torch.finfo(dtype).bits <= 16:
        remarks += _by_code(findings, name, format, dtype)
    return (name, *cells, "; ".join(remarks) or "agree")


def _told(dtype: torch.dtype, attribute: str) -> Fraction:
    """What torch.finfo says; of subnormals it says nothing, and the value of code 1 is taken."""
    if attribute != "smallest_subnormal":
        return Fraction(getattr(torch.finfo(dtype), attribute))
    raw = {8: torch.uint8, 16: torch.int16, 32: torch.int32, 64: torch.int64}[torch.finfo(dtype).bits]
    return Fraction(torch.tensor([1], dtype=raw).view(dtype).to(torch.float64).item())


def _explained(
    findings: Findings, name: str, attribute: str, told: Fraction, derived: Fraction, dtype: torch.dtype
) -> str:
    """What the codes say where torch.finfo and the formula differ: one of the two is wrong."""
    if attribute == "eps" and torch.finfo(dtype).bits <= 16:
        after_one = min(value for value in codes(dtype) if value > 1)
        if after_one - 1 == derived:
            below, above = (_code(dtype, value) for value in (Fraction(1), after_one))
            return (
                f"torch.finfo says eps = {float(told):g}, its codes say {float(derived):g}: "
                f"{below} is 1 and {above}, the next, {float(after_one):g}"
            )
    findings.wrong.append(
        f"{name}: torch.finfo says {attribute} = {float(told):g}, derived {float(derived):g}"
    )
    return f"{attribute} differs: {float(told):g}"


def _by_code(findings: Findings, name: str, format: str, dtype: torch.dtype) -> Iterator[str]:
    from derive.number_formats import NumberFormat, find

    known = find(format)
    expected = known.values() if isinstance(known, NumberFormat) else []
    found = codes(dtype)
    if found != expected:
        apart = sorted(set(found) ^ set(expected))
        findings.wrong.append(f"{name}: {len(apart)} values differ, the first {float(apart[0]):g}")
        yield f"{len(apart)} values differ"


def _code(dtype: torch.dtype, value: Fraction) -> str:
    one = torch.tensor([float(value)]).to(dtype)
    raw = one.view(torch.uint8 if one.element_size() == 1 else torch.int16)
    return f"0x{int(raw.item()) & (2 ** (8 * one.element_size()) - 1):0{2 * one.element_size()}x}"


def _lost_updates(session: Session, findings: Findings) -> Section:
    rows = []
    for shown, x, delta in _FACTS:
        for name in ("bfloat16", "float16", "float32"):
            dtype, given = getattr(torch, name), {"x": x, "delta": delta, "format": DTYPES[name]}
            expected = derive.evaluate("formats.update_lost", given).value
            left = torch.tensor(float(x), dtype=dtype)
            total = left + torch.tensor(float(delta), dtype=dtype)
            lost = bool(total == left)
            same = findings.expect(f"{shown} in {name} is lost", lost, bool(expected))
            found = f"{float(total):.10g}"
            rows.append(
                (f"{shown} in {name}", found, _yes(expected), _yes(lost), "equal" if same else "DIFFERS")
            )
            findings.measurements.append(
                session.measurement(
                    "formats.update_lost", int(lost), "dimensionless", f"torch.{name}", given=given
                )
            )
    title = "Sums that lose their second part"
    return Section(title, ("sum", ">result", "derived: lost", "measured: lost", ""), rows)


def _yes(value: object) -> str:
    return "yes" if value else "no"


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 and value < 10**300 else float(value)

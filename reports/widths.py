"""How wide LaTeX will be, in letters: good enough to decide where a line must break."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\S", re.DOTALL)
_WIDTHS = {
    r"\left": 0.0,
    r"\right": 0.0,
    r"\displaystyle": 0.0,
    r"\ ": 0.6,
    r"\cdot": 1.6,
    r"\max": 4.0,
    r"\min": 4.0,
    r"\log": 3.0,
    r"\exp": 3.5,
    r"\sum": 2.5,
    r"\quad": 2.0,
    **dict.fromkeys(("+", "-", "=", "<", ">", r"\leq", r"\geq", r"\neq", r"\approx", r"\to"), 2.4),
    ",": 0.8,
}
_RAISED = 0.75


def width_of(latex: str) -> float:
    """The width in letters: of a fraction that of its wider part, of an array that of its widest line."""
    return _sequence(_TOKEN.findall(latex)[::-1])


def _sequence(rest: list[str]) -> float:
    """The width up to the closing brace; `rest` holds the tokens to come, last first."""
    widest = total = 0.0
    while rest:
        token = rest.pop()
        if token == "}":
            break
        if token == r"\cr":
            widest, total = max(widest, total), 0.0
        else:
            rest.append(token)
            total += _item(rest)
    return max(widest, total)


def _item(rest: list[str]) -> float:
    if not rest:
        return 0.0
    token = rest.pop()
    if token == "{":
        return _sequence(rest)
    if token == r"\frac":
        return max(_item(rest), _item(rest)) + 0.5
    if token in "^_":
        return _RAISED * _item(rest)
    if token in (r"\mathrm", r"\mathit", r"\text"):
        return _item(rest)
    if token == r"\begin":
        for _ in ("name", "columns"):
            _item(rest)
        return 1.0
    if token == r"\end":
        _item(rest)
        return 0.0
    return _WIDTHS.get(token, 1.0)

"""Whole numbers of machines that no formula asks for: cores, shared memory, the width of a bus, chips of a pod."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.machine_subjects import Meant, narrowed, spoken, subject
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.statements import hindered, measured, said
from derive.checking.subjects import Mention, entry, machines

_N = r"(?<![\w.,-])(?P<n>\d{1,3}(?:,\d{3})+|\d{2,5})"
_ROLES = (
    ("cuda_cores", Sought(rf"{_N}[ -](?:CUDA|FP32) cores\b(?! (?:per|an?|in each) )", (" cores",))),
    ("tensor_cores", Sought(rf"{_N} [Tt]ensor [Cc]ores\b(?! (?:per|an?|in each) )", ("ensor cores", "ensor Cores"))),
    ("shared", Sought(rf"{_N} ?Ki?B of (?:configurable )?(?:shared memory|SMEM)\b", ("shared memory", "SMEM"))),
    (
        "bus",
        Sought(rf"{_N}[ -]bits?(?: wide)? (?:HBM\w* |GDDR\w* )?(?:memory )?(?:bus|interface)\b", ("bus", "interface")),
    ),
    ("registers", Sought(rf"{_N} ?Ki?B (?:of registers|register files?)\b", ("register",))),
)  # fmt: skip
_POD = Sought(
    rf"\bpods?\b[^.;,]{{0,40}}?{_N} chips\b|{_N} chips\b[^.;,\d]{{0,30}}\bpods?\b".replace("?P<n>", ""),
    ("chips",),
)
_PODS = re.compile(
    r"\bchips? (?:in|per|of) (?:an? |the )?(?:full |whole |largest )?pod\b|\bpod size", re.IGNORECASE
)
_WHOLE = re.compile(rf"\s*{_N}(?: chips)?(?=[\s¦]*$)")
_PARTLY = re.compile(
    r"\b(?:only|uses?|using|of (?:its|the)|left|free|some|half|needs?|takes?|leav\w+|slice|each block|per block|tile|"
    r"stages?|buffers?|limit\w*|than|not|full|die|GH100|GA100|GV100|disabled)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Detail:
    """The numbers of a machine by role, any of which may be quoted, and where its maker prints them."""

    values: Mapping[str, tuple[float, ...]]
    source: str


@cache
def details() -> Mapping[str, Detail]:
    """The details of all machines that have some."""
    text = files("derive").joinpath("data", "details.toml").read_text("utf-8")
    return {
        name: Detail(
            {
                role: tuple(map(float, given)) if isinstance(given, list) else (float(given),)
                for role, given in one["values"].items()
            },
            one["source"],
        )
        for name, one in tomllib.loads(text).items()
    }


def claims(clause: Clause, meant: Meant) -> Iterator[Claim]:
    """The details that a sentence gives to machines. meant: the variants that the document speaks of."""
    if clause.row:
        yield from _of_row(clause)
        return
    told = [(role, match) for role, pattern in _ROLES for match in pattern.finditer(clause.text)]
    told += [("pod", match) for match in _POD.finditer(clause.text)]
    found = spoken(clause) if told else []
    for role, match in told if found else ():
        group = next(at for at, text in enumerate(match.groups(), start=1) if text)
        quantity = next((one for one in clause.quantities if one.start == match.start(group)), None)
        mention = subject(clause, quantity, found) if quantity else None
        if quantity is not None and mention is not None and mention.names:
            yield from _held(clause, quantity, match, role, narrowed(mention, meant), match[group])


def _of_row(clause: Clause) -> Iterator[Claim]:
    """The chips of a full pod in the row of a machine, which may be called by its version alone."""
    begins = [begin for begin, _ in clause.columns]
    for at, (begin, heading) in enumerate(clause.columns):
        end = begins[at + 1] if at + 1 < len(begins) else len(clause.text)
        number = _WHOLE.match(clause.text, begin, end) if at and _PODS.search(heading) else None
        quantity = next((one for one in clause.quantities if number and one.start == number.start("n")), None)
        if number is None or quantity is None:
            continue
        label = clause.text[: begins[1]].strip(" ¦")
        named = [one for text in (label, f"TPU {label}") for one in machines(text) if one.names]
        for mention in named[:1]:
            yield from _held(clause, quantity, number, "pod", replace(mention, start=0, end=0), number["n"])


def _held(
    clause: Clause, quantity: Quantity, match: re.Match[str], role: str, mention: Mention, digits: str
) -> Iterator[Claim]:
    right = [_of(name, role) for name in mention.names]
    if mention.count > 1 or not all(right) or mention.end > quantity.start:
        return
    own, every = float(digits.replace(",", "")), [value for values in right for value in values]
    because = f"{entry('hardware', mention.names[0]).title}: {details()[mention.names[0]].source}"
    shown = f"{every[0]:.0f}"
    text = match[0].strip()
    if own in every:
        yield said(clause, match.start(), text, shown, "true", "", "hardware", because)
        return
    other = next((name for name in details() if name not in mention.names and own in _of(name, role)), None)
    around = clause.text[max(mention.end, match.start() - 40) : match.end() + 20]
    if other is None or _PARTLY.search(around) or measured(clause, quantity):
        return
    reason = hindered(clause, quantity)
    cause = f"another machine: {own:g} is that of {entry('hardware', other).title}"
    yield said(
        clause,
        match.start(),
        text,
        shown,
        "unsure" if reason else "false",
        reason or cause,
        "hardware",
        because,
    )


def _of(name: str, role: str) -> tuple[float, ...]:
    return details()[name].values.get(role, ()) if name in details() else ()

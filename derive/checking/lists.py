"""Items of a list that belong together: amounts that grow with a count, one device beside a node of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from statistics import median_low

from derive.checking.blocks import Block, Document
from derive.checking.causes import UNKNOWN, by_ratio
from derive.checking.claims import Claim
from derive.checking.gates import of_text
from derive.checking.inline import unmarked
from derive.checking.judging import value_in
from derive.checking.quantities import Quantity, quantities
from derive.checking.seeking import Sought
from derive.checking.slips import summed_slip
from derive.checking.statements import BYTES
from derive.checking.values import half_unit
from derive.checking.words import counted, is_binary

_BULLET = re.compile(r"^\s{2,}\S")
_GROWING = re.compile(r"^\W*(?P<count>\d[\d,]*) ?(?P<k>[kK])? ?(?P<noun>[A-Za-z]{3,}s)\b[^\d]{0,30}")
_ONE = re.compile(
    r"^\W*(?:per|one|each|an?|a single) (GPU|card|device|chip|accelerator|TPU)\b", re.IGNORECASE
)
_ALL = re.compile(r"^\W*(?:per|one|each|an?|a whole|the) (node|server|machine|host|box)\b", re.IGNORECASE)
_NODE = Sought(
    r"\b(?:nodes?|servers?|hosts?|machines?) (?:of|with|has|holds?) (?P<of>\d{1,2}|eight|four|sixteen)\b"
    r"(?! ?[A-Za-z]*B\b)(?= (?:[A-Z]\w+ )?(?:GPU|card|device|chip|accelerator|TPU|[A-Z]+\d+|each))|"
    r"\b(?P<per>\d{1,2}|eight|four|sixteen) (?:GPUs?|cards|devices|chips|accelerators|\w?\d+0s)"
    r"(?: (?:per|in (?:a|each)|to a) |/)(?:node|server|host|machine)|"
    r"\b(?:node|server) \((?P<in>\d{1,2}) (?:GPUs|cards|chips)\)",
    ("node", "server", "host", "machine"),
)
_WORDS = {"four": 4, "eight": 8, "sixteen": 16}
_IN_ALL = re.compile(
    r"\W*(?:In (?:all|total|sum)|Together|Altogether|Total|Sum|All (?:in all|together)|That (?:is|makes|adds up to)|"
    r"This (?:is|makes|adds up to)|Which makes)\b"
    r"(?![^.]{0,60}\b(?:without|except|excluding|plus|besides|not counting)\b)"
    r"[^\d.]{0,40}"
)
_TOTAL = re.compile(
    r"\W*(?:(?:grand |overall )?(?:total|sum)\b(?! ?(?:-|–|without|excluding))|in (?:all|total)\b|together\b|"
    r"altogether\b|all (?:in all|together)\b)(?P<of>[^\d:=≈]{0,40}(?:\([^()]{0,40}\)[^\d:=≈]{0,20})?)"
    r"(?:[:=≈]|$|(?=[\d$~]))",
    re.IGNORECASE,
)
_NOT_ADDED = re.compile(
    r"\b(?:per|each|rate|price|share|average|mean|median|peak|max|min|speed|bandwidth|throughput|latency of|free|left|"
    r"spare|available|saved|savings?|less|minus|without|of which|thereof|including|incl|budget|capacity|limit|before|"
    r"after|every|or|up to|at least|at most|if)\b|/|(?<!\w)[-−–] ?\$?\d|[×x*÷] ?[\d(]",
    re.IGNORECASE,
)
"""What says that the amounts of a list are not added as they stand."""
_FEWEST_PARTS, _MOST_PARTS, _NEAR = 3, 8, 2.0
_NUMBER = 20
_LONGEST, _MOST, _OFF = 200, 64, 0.03
_COUNTED = re.compile(r"\b(?:and|per|of|each|both|all|more|less|for|then|from|plus)\b")


@dataclass(frozen=True)
class Item:
    """A line of a list in its block, with the number that it tells."""

    block: Block
    place: int
    text: str


def claims(document: Document) -> Iterator[Claim]:
    """The claims of lists whose items follow from each other."""
    told = list(items_of(document))
    each = _in_a_node(document) if any(_ONE.match(item.text) for items in told for item in items) else 0
    behind = {id(one): other for one, other in pairwise(document.blocks)}
    for items in told:
        yield from _growing(items)
        yield from _summed(items, behind.get(id(items[-1].block)))
        yield from _totalled(items)
        if each:
            yield from _of_a_node(items, each)


def items_of(document: Document) -> Iterator[list[Item]]:
    """Items of one list: bullets that follow each other, or the lines of one paragraph."""
    held: list[Item] = []
    last = -1
    for block in document.blocks:
        lines = block.text.split("\n")
        if len(block.text) > _MOST * _LONGEST:
            continue
        if len(lines) > 2 and all(len(line) < _LONGEST for line in lines):
            yield _items(block, lines)[:_MOST]
        if len(lines) > 2 or not _BULLET.match(block.text) or len(block.text) > 2 * _LONGEST:
            continue
        if held and (block.section != held[-1].block.section or block.lines[0] > last + 2):
            yield held
            held = []
        held = [*held, Item(block, 0, block.text)][-_MOST:]
        last = block.lines[len(lines) - 1] if len(lines) <= len(block.lines) else block.lines[-1]
    if held:
        yield held


def _items(block: Block, lines: Sequence[str]) -> list[Item]:
    found, at = [], 0
    for line in lines:
        found.append(Item(block, at, line))
        at += len(line) + 1
    return found


def _growing(items: Sequence[Item]) -> Iterator[Claim]:
    """`2,048 tokens: 0.625 GiB`, `8,192 tokens: 2.5 GiB` and so on: bytes in proportion to what is counted."""
    rows: list[tuple[float, str, Quantity, Item]] = []
    for item in items:
        told = _GROWING.match(item.text)
        if told is None or _COUNTED.search(told[0][told.end("noun") :]):
            continue
        found = [
            one
            for one in quantities(item.text)
            if one.start >= told.end("noun") and one.literal.options[0].dimension == BYTES
        ]
        if found and found[0].start <= told.end() + 30:
            count = float(told["count"].replace(",", "")) * (1024 if told["k"] else 1)
            rows.append((count, told["noun"].lower(), found[0], item))
    if len(rows) < 4 or len({noun for _, noun, _, _ in rows}) != 1 or len({count for count, *_ in rows}) < 4:
        return
    ratios = [(one.base(BYTES) or 0.0) / count for count, _, one, _ in rows if count]
    if len(ratios) != len(rows):
        return
    each = median_low(ratios)
    right = [
        abs((one.base(BYTES) or 0.0) - each * count) <= one.slack(BYTES) + 0.006 * each * count
        for count, _, one, _ in rows
    ]
    if right.count(False) > 1:
        return
    for (count, noun, one, item), holds in zip(rows, right, strict=True):
        expected, own = each * count, one.base(BYTES) or 0.0
        if not holds and abs(own / expected - 1) <= _OFF:
            continue
        cause = (
            "" if holds else f"{by_ratio(own / expected)}; the other items are in proportion to the {noun}"
        )
        yield _claim(
            item, one, holds, value_in(expected, one.literal, BYTES), cause, f"in proportion to the {noun}"
        )


def _summed(items: Sequence[Item], after: Block | None) -> Iterator[Claim]:
    """`state: 15.5 GB`, `activations: 9.1 GB` …, and behind the list `In all 24.6 GB`: the sum of the items."""
    opened = None if after is None else _IN_ALL.match(after.text)
    if (
        after is None
        or opened is None
        or not 2 <= len(items) <= _MOST
        or len({id(one.block) for one in items}) < 2
    ):
        return
    whole = next(
        (one for one in quantities(after.text[: opened.end() + _NUMBER]) if one.start >= opened.end() - 1),
        None,
    )
    found = [quantities(item.text[_label(item.text) :]) for item in items]
    if whole is None or not whole.literal.unit or any(len(one) != 1 for one in found):
        return
    parts, kind = [one[0] for one in found], whole.literal.options[0].dimension
    units = {one.literal.unit for one in parts}
    if (
        len(units) != 1
        or units.pop() != whole.literal.unit.partition("/")[0]
        or any(one.about for one in parts)
    ):
        return
    right = sum(one.base(kind) or 0.0 for one in parts)
    slack = whole.slack(kind) + sum(one.slack(kind) for one in parts)
    own = whole.base(kind) or 0.0
    cause = summed_slip(whole, right / whole.factor(kind)) if own and right else UNKNOWN
    holds = abs(own - right) <= slack
    if holds or cause != UNKNOWN:
        because = " + ".join(one.literal.digits for one in parts)
        shown = value_in(right, whole.literal, kind)
        yield _claim(Item(after, 0, after.text), whole, holds, shown, "" if holds else cause, because)


def _totalled(items: Sequence[Item]) -> Iterator[Claim]:
    """`Weights: 14 GB`, `Cache: 22 GB`, `Buffers: 3 GB`, and last `Total: 39 GB`: the sum of the items above it."""
    level = _indent(items[-1])
    same = [item for item in items if _indent(item) == level]
    opened = _TOTAL.match(items[-1].text)
    if (
        opened is None
        or not _FEWEST_PARTS < len(same) <= _MOST_PARTS + 1
        or any(_TOTAL.match(item.text) for item in same[:-1])
    ):
        return
    whole = next((one for one in quantities(items[-1].text) if one.start >= opened.end() - 1), None)
    if whole is None or not whole.literal.unit or whole.about or _NOT_ADDED.search(opened["of"]):
        return
    kind, counts = whole.literal.options[0].dimension, counted(whole.literal.unit)
    parts = [_part(item.text, whole) for item in same[:-1]]
    known = [one for one in parts if one is not None]
    if not (kind or counts) or len(known) < len(parts):
        return
    values = [one.base(kind) or 0.0 for one in known]
    right, own = sum(values), whole.base(kind) or 0.0
    slack = _slack([*known, whole])
    because = " + ".join(one.literal.digits for one in known)
    shown = value_in(right, whole.literal, kind)
    if abs(own - right) <= slack:
        yield _claim(items[-1], whole, True, shown, "", because)
    elif 1 / _NEAR < own / right < _NEAR and not any(
        abs(sum(sign * value for sign, value in zip(signs, values, strict=True)) - own) <= slack
        for signs in product((0, 1, -1), repeat=len(values))
    ):
        cause = summed_slip(whole, right / whole.factor(kind))
        yield _claim(items[-1], whole, False, shown, cause, because)


def _slack(every: Sequence[Quantity]) -> float:
    """How far a sum and its parts are open together: what ends in zeros is as precise as the finest beside it."""
    kind = every[0].literal.options[0].dimension
    if not kind and all(one.factor(kind) == 1.0 and one.literal.digits.isdigit() for one in every):
        return 0.0
    finest = min(one.slack(kind) for one in every)
    printed = [half_unit(one.literal.digits, loose=False) * one.factor(kind) for one in every]
    return sum(min(one.slack(kind), max(half, finest)) for one, half in zip(every, printed, strict=True))


def _indent(item: Item) -> int:
    return len(item.text) - len(item.text.lstrip())


def _part(text: str, whole: Quantity) -> Quantity | None:
    """The one amount of the kind of a total that an item tells; None where it tells more, or is not added."""
    kind = whole.literal.options[0].dimension
    at = max(text.rfind(sign) for sign in "=≈")
    counts = counted(whole.literal.unit)
    told = [
        one
        for one in quantities(text)
        if one.start > at
        and one.literal.options[0].dimension == kind
        and counted(one.literal.unit) == counts
        and one.literal.unit != "%"
    ]
    alike = len(told) == 1 and is_binary(told[0].literal.unit) == is_binary(whole.literal.unit)
    return told[0] if alike and not told[0].about and not _NOT_ADDED.search(text, max(0, at)) else None


def _label(text: str) -> int:
    """Where the label of an item ends."""
    return text.find(":") + 1


def _in_a_node(document: Document) -> int:
    """How many devices a node has, where the document says so and never otherwise."""
    found = {
        _WORDS.get(told, 0) or int(told)
        for block in document.blocks
        for one in _NODE.finditer(unmarked(block.text))
        if (told := one["of"] or one["per"] or one["in"])
    }
    return found.pop() if len(found) == 1 else 0


def _of_a_node(items: Sequence[Item], each: int) -> Iterator[Claim]:
    """`one GPU: 44 MB/s`, `one node: 352 MB/s`: false where the node has the number of one device."""
    for item, other in pairwise(items):
        if not _ONE.match(item.text) or not _ALL.match(other.text):
            continue
        one, all_of_them = _told(item.text), _told(other.text)
        if one is None or all_of_them is None:
            continue
        kind = one.literal.options[0].dimension
        if kind != all_of_them.literal.options[0].dimension or not kind:
            continue
        right = (one.base(kind) or 0.0) * each
        because = f"{each} × {item.text[one.start : one.end]}"
        shown = value_in(right, all_of_them.literal, kind)
        if all_of_them.agrees(right, kind):
            yield _claim(other, all_of_them, True, shown, "", because)
        elif all_of_them.agrees(right / each, kind) and each > 1:
            yield _claim(other, all_of_them, False, shown, f"the number of one: a node has {each}", because)


def _told(text: str) -> Quantity | None:
    """The number that an item tells: behind its last sign of equality, else its first one with a unit."""
    found = [one for one in quantities(text) if one.literal.unit]
    behind = [one for one in found if one.start > text.rfind("=")] if "=" in text else found
    return behind[0] if behind else None


def _claim(item: Item, one: Quantity, right: bool, expected: str, cause: str, because: str) -> Claim:
    hindered = "" if right else of_text(item.block, item.place + one.start)
    text = unmarked(item.text[one.start : one.end])
    return Claim(
        line=item.block.line(item.place + one.start),
        text=text,
        verdict="true" if right else "unsure" if hindered else "false",
        expected=expected,
        claimed=text,
        cause=hindered or cause,
        rule="chain",
        because=because,
        cell=item.block.cell,
    )

"""What one part of a cluster has of the whole: 988 GB over 128 nodes of 8 GPUs are 7.7 GB a node, and not 0.96 GB.

The document tells how many nodes there are, how many devices each has, and how many that makes. A share is false where
it is told for a node and makes the whole only if every device has it, or the other way round.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from derive.checking.amount import Amount
from derive.checking.amounts import of_document
from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.nouns import HARD
from derive.checking.slips import held
from derive.checking.words import Dimension

_PARTS = ("node", "device")
_NEAR, _LEAST = 0.002, 2
_DIGITS, _TYPED = 2, 3  # of a share, and of a whole, which many shares make by accident if it has fewer
_BACK, _AHEAD, _LARGE = 80, 16, 16
_OF_NODE = re.compile(r"\b(?:node|server|box|machine|rack)\b")
_AND = re.compile(
    r"(?: (?:for|on|over|across) (?:the |all )?[a-z]+(?: [a-z]+)?)?[\s,;(]*"
    r"(?:and|which (?:is|makes)|that is|i\.e\.|or|is)?[\s,(]*(?:about |roughly |only )?[~≈]?\s*"
)
_OPEN = re.compile(
    r"\b(?:if|would|could|instead|measured?|peak|max\w*|min\w*|at most|at least|without|after|before|only|left|free|"
    r"spare|extra|another|other|replicat\w*|cop(?:y|ies)|average|mean|up to|half|twice|both)\b",
    re.IGNORECASE,
)


class _Cluster(NamedTuple):
    """How many nodes there are, how many devices each has, and how many that makes."""

    nodes: float
    each: float
    devices: float


def claims(every: Sequence[Clause]) -> Iterator[Claim]:
    """The shares of the parts of a document's only cluster."""
    found = of_document(every)
    counts = _counts(found)
    cluster = _cluster(counts)
    many = {value for value in counts[(("device", 1),)] if value >= _LARGE}
    if cluster is not None or len(many) == 1:
        yield from _beside(found, many.pop() if cluster is None else cluster.devices)
    if cluster is None:
        return
    wholes: dict[Dimension, list[Amount]] = defaultdict(list)
    for one in found:
        parted = any(power < 0 and base in _PARTS for base, power in one.kind)
        if one.quantity is not None and not one.opaque and not parted and one.digits >= _TYPED:
            wholes[_hard(one)].append(one)
    for one in found:
        noun = next((base for base in _PARTS if dict(one.kind).get(base) == -1), "")
        if noun and one.quantity is not None and not one.opaque and one.digits >= _DIGITS:
            again = [
                same for same in found if same.kind == one.kind and same is not one and _is(same, one, 1.0)
            ]
            if not again:
                yield from _of_part(one, noun, wholes, cluster)


def _hard(one: Amount) -> Dimension:
    """The kind of an amount without what it is of: 988 GB a checkpoint are bytes."""
    return tuple((base, power) for base, power in one.kind if base in HARD or base == "token")


def _counts(found: Sequence[Amount]) -> dict[Dimension, set[float]]:
    """How many there are of each thing, all the numbers that the document tells."""
    counts: dict[Dimension, set[float]] = defaultdict(set)
    for one in found:
        if one.counts and one.value.mid >= _LEAST:
            counts[one.kind].add(one.value.mid)
    return counts


def _beside(found: Sequence[Amount], many: float) -> Iterator[Claim]:
    """`764,000 tokens/s for the cluster, and 2,984 tokens/s per GPU`: the whole, and beside it what each device has."""
    for whole, one in pairwise(found):
        text = whole.clause.plain
        if whole.clause is not one.clause or one.quantity is None or whole.opaque or one.opaque:
            continue
        each = dict(one.kind)
        if (
            each.pop("device", 0) != -1
            or tuple(each.items()) != whole.kind
            or ("second", -1) not in whole.kind
        ):
            continue
        if _OF_NODE.search(whole.shown):
            continue  # a node has devices of its own
        if one.digits < _TYPED or not _AND.fullmatch(text[whole.end : one.start]) or _OPEN.search(text):
            continue
        times = one.value.mid * many / whole.value.mid
        value, because = whole.value.mid / many, f"{whole.shown} / {many:g}"
        if _is(whole, one, many):
            yield held(one.clause, one.quantity, "true", value, "", because)
        elif any(abs(times / factor - 1) < _NEAR for factor in (0.5, 2.0, 8.0, 0.125)):
            cause = f"counted twice, or half: it makes {times:.3g} times the whole on {many:g} devices"
            yield held(one.clause, one.quantity, "false", value, cause, because)


def _cluster(counts: Mapping[Dimension, set[float]]) -> _Cluster | None:
    """The one cluster whose numbers of nodes and devices bear each other out."""
    eaches = {
        value
        for kind, values in counts.items()
        if dict(kind) == {"device": 1, "node": -1}
        for value in values
    }
    clusters = {
        _Cluster(nodes, each, nodes * each)
        for nodes in counts.get((("node", 1),), ())
        for each in eaches
        if nodes * each in counts.get((("device", 1),), ())
    }
    return clusters.pop() if len(clusters) == 1 else None


def _of_part(
    one: Amount, noun: str, wholes: dict[Dimension, list[Amount]], cluster: _Cluster
) -> Iterator[Claim]:
    """A share that is told for a node or for a device, false where only the other one makes a whole of it."""
    if noun == "device" and ("second", -1) not in one.kind:
        return  # what a device holds may be shared by some of them alone
    own, other = (cluster.nodes, cluster.devices) if noun == "node" else (cluster.devices, cluster.nodes)
    near = [whole for whole in wholes[_hard(one)] if whole is not one]
    right = [whole for whole in near if _is(whole, one, own)]
    wrong = [whole for whole in near if _is(whole, one, other)]
    around = one.clause.plain[max(0, one.start - _BACK) : one.end + _AHEAD]
    if right or not wrong or one.quantity is None or _OPEN.search(around):
        return
    many, value = (other, wrong[0].value.mid / own)
    part = "device" if noun == "node" else "node"
    cause = f"the share of a {part} is told for a {noun}: {many:g} of them make {wrong[0].shown}"
    yield held(one.clause, one.quantity, "false", value, cause, f"{wrong[0].shown} / {own:g}")


def _is(whole: Amount, one: Amount, many: float) -> bool:
    """Whether so many shares make a whole."""
    return abs(whole.value.mid - one.value.mid * many) <= one.slack * many + _NEAR * whole.value.mid

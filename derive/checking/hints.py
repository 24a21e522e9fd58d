"""Sloppy units: hints that never call anything false."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.checking.claims import Claim
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.subjects import machines, precisions
from derive.checking.words import Dimension

_FLOPS: Dimension = (("FLOP", 1), ("second", -1))
_LINKS = re.compile(r"Ethernet|InfiniBand|network|NIC|link|port|bandwidth|NVLink|switch", re.IGNORECASE)
_WAYS = re.compile(r"direction|each way|both ways|duplex|one-way|aggregate|total", re.IGNORECASE)


def claims(clause: Clause) -> Iterator[Claim]:
    """The hints of a clause."""
    found = clause.quantities
    binary = any("iB" in one.literal.unit for one in found)
    for quantity in found:
        rule, cause = _hint(clause, quantity, binary)
        if rule:
            text = clause.piece(quantity)
            yield Claim(
                clause.line(quantity.start), text, "unsure", "", text, cause, rule, cell=clause.block.cell
            )


def _hint(clause: Clause, quantity: Quantity, binary: bool) -> tuple[str, str]:
    unit, text = quantity.literal.unit, clause.text
    head = unit.split("/")[0].split(" ")[0]
    if head in ("KB", "Kb"):
        return "kb", "KB may be 1000 or 1024 bytes: write kB or KiB"
    if re.fullmatch(r"[MGT](?:b|bit)", unit) and _LINKS.search(text):
        return "bit-rate", f"{unit} is an amount: a rate is {unit}/s"
    if re.fullmatch(r"[KMGTPE]?(?:FLOPs|FLOPS|flops)", unit):
        return "flops-rate", "FLOPs is read as an amount and as a rate: write FLOP or FLOP/s"
    if binary and re.fullmatch(r"[MGT]B", head):
        return "decimal-binary", f"{head} stands beside a binary unit: is it 1000 or 1024?"
    if quantity.has(_FLOPS) and re.search(r"\bpeak\b", text) and machines(text):
        near = clause.around(quantity)
        if not precisions(near) or not re.search(r"dense|spars|2:4", near, re.IGNORECASE):
            return "bare-peak", "a peak depends on the precision and on sparsity: say which"
    if (
        unit.endswith("B/s")
        and "NVLink" in clause.around(quantity, 30, 10)
        and not _WAYS.search(clause.around(quantity))
    ):
        return "bare-link", "say whether the link's number is for each way or both ways"
    return "", ""

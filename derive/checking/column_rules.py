"""The rules of columns that headings name: which column follows from which others, and how."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from derive.checking.statements import BANDWIDTH, BYTES, FLOPS
from derive.checking.words import Dimension

_JOULE: Dimension = (("joule", 1),)
_WATT: Dimension = (("joule", 1), ("second", -1))
_SECOND: Dimension = (("second", 1),)
_DOLLAR: Dimension = (("dollar", 1),)
_HOURLY: Dimension = (("dollar", 1), ("second", -1))
_A_SECOND: Dimension = (("second", -1),)
ANY = None

_COUNT = (
    r"^(?:#|n_|no\. of |number of |num )?(?:GPU|node|server|card|device|accelerator|machine|rack|unit|chip|count|"
    r"quantity|qty)s?$"
)
_BEFORE = r"^(?:before|old|baseline|naive|unfused|original|eager|previous)\b"
_AFTER = r"^(?:after|new|optimi[sz]ed|fused|tuned|improved|compiled|now)\b"
_LAYERS = r"^(?:#|n_|no\. of |number of |num )?(?:layer|block|repeat|copie|instance|expert)s?$|^(?:count|repeats|×|x)$"


@dataclass(frozen=True)
class Part:
    """A column that a rule needs: what its heading says, and its dimension; optional: it may be missing."""

    heading: re.Pattern[str]
    dimension: Dimension | None = ANY
    optional: bool = False


def _part(heading: str, dimension: Dimension | None = ANY, optional: bool = False) -> Part:
    return Part(re.compile(heading, re.IGNORECASE), dimension, optional)


@dataclass(frozen=True)
class Rule:
    """A column that others make: its heading and dimension, its parts, the calculation and how it is told.

    swapped: a row may be of another kind, so that only digits that stand the other way round are wrong.
    """

    target: Part
    parts: tuple[Part, ...]
    value: Callable[[Sequence[float]], float]
    says: str
    swapped: bool = False


def _over(parts: Sequence[float]) -> float:
    return parts[0] / parts[1] if parts[1] else 0.0


def _less(parts: Sequence[float]) -> float:
    return parts[0] - parts[1]


def _bubble(parts: Sequence[float]) -> float:
    stages, batches = parts
    return (stages - 1) / (batches + stages - 1) if batches + stages > 1 else 0.0


RULES = (
    Rule(
        _part(r"^(?:left|free|remaining|available|headroom|spare)\b|\b(?:left|remaining|headroom)\b", BYTES),
        (
            _part(
                r"^(?!.*(?:left|free|remain|headroom|weight|model|used)).*(?:memory|HBM|VRAM|capacity|total)",
                BYTES,
            ),
            _part(
                r"^(?!.*(?:left|free|remain|headroom|memory|HBM|VRAM|capacity)).*(?:weight|model|used)", BYTES
            ),
        ),
        _less,
        "{} - {}",
    ),
    Rule(
        _part(r"energy|kWh|MWh|joule", _JOULE),
        (
            _part(r"power|\bk?W\b|watt|draw|TDP", _WATT),
            _part(r"hours?|days?|time|duration|runtime|\bh\b", _SECOND),
            _part(_COUNT, (), True),
            _part(r"^PUE$", (), True),
        ),
        math.prod,
        "",
    ),
    Rule(
        _part(r"facility|site|total|at the meter|wall|incl", _WATT),
        (_part(r"\bIT\b|load|cluster|servers?|compute", _WATT), _part(r"^PUE$", ())),
        math.prod,
        "",
    ),
    Rule(
        _part(r"facility|site|total|at the meter|wall|incl", _JOULE),
        (_part(r"\bIT\b|load|cluster|servers?|compute", _JOULE), _part(r"^PUE$", ())),
        math.prod,
        "",
    ),
    Rule(
        _part(r"^(?:global|effective|total)[ -]batch(?: size)?$|^GBS$", ()),
        (
            _part(r"micro[ -]?batch|^MBS$|per[ -](?:GPU|device|rank)|batch (?:per|/)", ()),
            _part(r"accum|^GA(?:S)?$", (), True),
            _part(
                r"^(?:DP|data[ -]parallel.*|DP (?:size|degree|ranks?)|replicas?|GPUs|ranks?|devices)$",
                (),
                True,
            ),
        ),
        math.prod,
        "",
    ),
    Rule(
        _part(r"^(?:total|sum|all (?:layers|blocks)|model)\b|^(?:total|all)$"),
        (_part(r"\bper (?:layer|block|expert|copy|instance)\b|^each$|/ ?layer"), _part(_LAYERS, ())),
        math.prod,
        "",
    ),
    Rule(
        _part(r"bubble|idle"),
        (
            _part(r"^(?:(?:pipeline )?stages?|PP|p)$|^PP (?:size|degree|stages)$", ()),
            _part(r"^(?:# ?|n_|num(?:ber of)? )?(?:micro[ -]?batches|m)\b", ()),
        ),
        _bubble,
        "({0} - 1) / ({1} + {0} - 1)",
    ),
    Rule(
        _part(r"(?:\$|USD|cost|price).*(?:per|/) ?(?:1 ?)?(?:M\b|million) ?(?:output )?tok"),
        (
            _part(r"\$|USD|price|cost|rate", _HOURLY),
            _part(r"tok(?:en)?s?(?: ?/ ?s| per second| a second)|throughput", _A_SECOND),
        ),
        lambda parts: 1e6 * parts[0] / parts[1] if parts[1] else 0.0,
        "1e6 × {} / ({})",
    ),
    Rule(
        _part(r"balance|ridge|knee|break-?even|critical|arithmetic intensity|FLOPs? ?(?:/|per) ?B"),
        (
            _part(r"peak|compute|FLOP", FLOPS),
            _part(r"bandwidth|HBM|memory|\bBW\b|B/s", (("byte", 1), ("second", -1))),
        ),
        _over,
        "{} / ({})",
    ),
    Rule(
        _part(r"GB/s|GiB/s|TB/s|bandwidth|rate|throughput", BANDWIDTH),
        (_part(r"", BYTES), _part(r"", _SECOND)),
        _over,
        "{} / {}",
    ),
    Rule(
        _part(r"FLOP/s|FLOPS|rate|throughput", FLOPS),
        (_part(r"FLOP", (("FLOP", 1),)), _part(r"", _SECOND)),
        _over,
        "{} / {}",
    ),
    Rule(
        _part(r"FLOPs? ?(?:/|per) ?B|intensity|\bAI\b|\bOI\b"),
        (_part(r"FLOP", (("FLOP", 1),)), _part(r"", BYTES)),
        _over,
        "{} / {}",
    ),
    Rule(
        _part(r"^(?:queries per|Q heads per|group|ratio|GQA)\b.*", ()),
        (
            _part(r"^(?:#|n_|num(?:ber of)? )?(?:Q|query|attention)?[ _-]?heads?$|^n?_?h(?:_?q)?$", ()),
            _part(r"^(?:#|n_|num(?:ber of)? )?(?:KV|key-?value)[ _-]?heads?$|^n?_?h_?kv$", ()),
        ),
        _over,
        "{} / {}",
    ),
    Rule(
        _part(r"^(?:head[ _-]?(?:dim(?:ension)?|size)|d_?head)$", ()),
        (
            _part(r"^(?:hidden(?: size| dim)?|d_?model|width|model dim(?:ension)?|embedding dim)$", ()),
            _part(r"^(?:#|n_|num(?:ber of)? )?(?:Q|query|attention)?[ _-]?heads?$", ()),
        ),
        _over,
        "{} / {}",
        swapped=True,
    ),
    Rule(
        _part(r"^(?:saved|savings?|reduction|difference|diff|Δ|delta|gain|less|won)\b(?!.*%)"),
        (_part(_BEFORE), _part(_AFTER)),
        _less,
        "{} - {}",
    ),
    Rule(
        _part(r"^(?:gain|speed-?up|ratio|factor|improvement|faster)\b(?!.*%)", ()),
        (_part(_BEFORE, _SECOND), _part(_AFTER, _SECOND)),
        _over,
        "{} / {}",
    ),
    Rule(
        _part(r"^(?:seen|total|effective|processed|consumed|trained on)\b"),
        (_part(r"tokens?\b|samples?\b|size|unique"), _part(r"^(?:epochs?|passes|repeats|repetitions)$", ())),
        math.prod,
        "",
    ),
    Rule(
        _part(r"round[ -]?trip|\bRTT\b", _SECOND),
        (_part(r"one[ -]?way", _SECOND),),
        lambda parts: 2 * parts[0],
        "2 × {}",
    ),
)

"""Models that the checker knows: those of the catalogue, and others whose reports give their shapes in a table.

The formulas of the catalogue do not count the others (they route tokens, compress the cache, or have no published
weights), so that these stand here with what their reports print, and nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from derive.checking.published import ACTIVE, TRAINED_ON, Published
from derive.checking.seeking import Sought
from derive.checking.subjects import Mention, entry, models
from derive.constants import catalogue


@dataclass(frozen=True)
class Reported:
    """A model by its report: what it is called, its numbers by role, where they stand."""

    title: str
    pattern: str
    values: Mapping[str, float]
    source: str


_DEEPSEEK = {
    "layers": 61,
    "hidden": 7168,
    "heads": 128,
    "vocabulary": 129280,
    "parameters": 671e9,
    "active": 37e9,
}
_HOFFMANN = "Hoffmann et al. 2022, Training Compute-Optimal Large Language Models, arXiv:2203.15556"
_TOUVRON = "Touvron et al. 2023, LLaMA, arXiv:2302.13971, table 2"

REPORTED: Mapping[str, Reported] = {
    "deepseek-v3": Reported(
        "DeepSeek-V3", r"DeepSeek[- ]?V3(?!\.\d)", {**_DEEPSEEK, "trained": 14.8e12},
        "DeepSeek-AI 2024, DeepSeek-V3 Technical Report, arXiv:2412.19437",
    ),
    "deepseek-r1": Reported(
        "DeepSeek-R1", r"DeepSeek[- ]?R1(?![- ]?(?:Distill|Zero|Lite))", _DEEPSEEK,
        "DeepSeek-AI 2025, DeepSeek-R1, arXiv:2501.12948, built on DeepSeek-V3",
    ),
    "deepseek-v2": Reported(
        "DeepSeek-V2", r"DeepSeek[- ]?V2(?!\.\d|[- ]?(?:Lite|Chat))",
        {"layers": 60, "hidden": 5120, "heads": 128, "parameters": 236e9, "active": 21e9, "trained": 8.1e12},
        "DeepSeek-AI 2024, DeepSeek-V2, arXiv:2405.04434",
    ),
    "chinchilla": Reported(
        "Chinchilla 70B", r"Chinchilla(?:[- ]70B)?(?![- ](?:optimal|law|scaling|rule|style|point|ratio|paper))",
        {"layers": 80, "hidden": 8192, "heads": 64, "parameters": 70e9, "trained": 1.4e12}, f"{_HOFFMANN}, table 4",
    ),
    "gopher": Reported(
        "Gopher 280B", r"Gopher(?:[- ]280B)?",
        {"layers": 80, "hidden": 16384, "heads": 128, "parameters": 280e9, "trained": 300e9}, f"{_HOFFMANN}, table 4",
    ),
    "mt-nlg": Reported(
        "Megatron-Turing NLG 530B", r"(?:MT-NLG|Megatron-Turing(?: NLG)?)(?:[- ]530B)?",
        {"layers": 105, "hidden": 20480, "heads": 128, "parameters": 530e9, "trained": 270e9},
        "Smith et al. 2022, Megatron-Turing NLG 530B, arXiv:2201.11990",
    ),
    "palm": Reported(
        "PaLM 540B", r"PaLM[- ]540B",
        {"layers": 118, "hidden": 18432, "heads": 48, "parameters": 540e9, "trained": 780e9},
        "Chowdhery et al. 2022, PaLM, arXiv:2204.02311, table 1",
    ),
    "llama-1-65b": Reported(
        "LLaMA 65B", r"(?:LLaMA|Llama)(?:[- ]1)?[- ]65B",
        {"layers": 80, "hidden": 8192, "heads": 64, "parameters": 65.2e9, "trained": 1.4e12}, _TOUVRON,
    ),
}  # fmt: skip
_PATTERNS = tuple((re.compile(rf"\b{one.pattern}\b"), name) for name, one in REPORTED.items())
_SIZED = Sought(
    r"\b(\d{1,3}(?:\.\d)?)B (?:variant|version|model|size|one) of (Llama \d(?:\.\d)?|Qwen2(?:\.5)?)",
    (" of Llama", " of Qwen"),
)
_UNVERSIONED = Sought(
    r"\b([Ll][Ll]a[Mm]a)[- ](8|70|405)B\b", ("8B", "70B", "405B")
)  # the first has no such size
_ANY = re.compile(r"DeepSeek|Chinchilla|Gopher|Megatron|MT-NLG|PaLM|65B")


@cache
def _of_maker(maker: str, size: str) -> tuple[str, ...]:
    return tuple(name for name in catalogue("model") if name.startswith(maker) and name.endswith(f"-{size}b"))


@lru_cache(maxsize=8)  # three rules ask of each sentence in turn
def mentioned(text: str) -> list[Mention]:
    """The models that a text names, in no order; a name without its version means any of them: Llama 405B."""
    found = models(text)
    for match in _SIZED.finditer(text):
        found += [
            Mention(one.names, match.start(), match.end()) for one in models(f"{match[2]} {match[1]}B")[:1]
        ]
    for match in _UNVERSIONED.finditer(text):
        names = _of_maker(match[1].lower(), match[2])
        if names and not any(one.start < match.end() and match.start() < one.end for one in found):
            found.append(Mention(names, match.start(), match.end()))
    if _ANY.search(text):
        found += [
            Mention((name,), match.start(), match.end())
            for pattern, name in _PATTERNS
            for match in pattern.finditer(text)
        ]
    return found


def values(name: str, role: str) -> tuple[float, ...]:
    """The numbers of a model in a role: an extent, parameters, active ones, tokens of its training."""
    if name in REPORTED:
        own = REPORTED[name].values.get(role)
        return () if own is None else (own,)
    published = _published(name, role)
    if published is not None:
        return published.values
    return tuple(float(one.base) for one in entry("model", name).constants if one.role == role)


def source(name: str, role: str) -> str:
    """Where they are printed."""
    if name in REPORTED:
        return REPORTED[name].source
    published = _published(name, role)
    found = entry("model", name).constants
    return published.source if published else next(one.source.document for one in found if one.role == role)


def _published(name: str, role: str) -> Published | None:
    return {"active": ACTIVE, "trained": TRAINED_ON}.get(role, {}).get(name)


def title(name: str) -> str:
    """What a model is called."""
    return REPORTED[name].title if name in REPORTED else entry("model", name).title


def note(name: str) -> str:
    """What its entry remarks; "" for others."""
    return "" if name in REPORTED else entry("model", name).note


def names() -> tuple[str, ...]:
    """All of them."""
    return (*catalogue("model"), *REPORTED)

"""Models that the checker knows: those of the catalogue, and others by what their reports print.

The formulas of the catalogue do not count the others (they route tokens, compress the cache, or have no published
weights), so that `derive/data/reported.toml` gives what their reports print, and nothing more.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from derive.checking.published import ACTIVE, TRAINED_ON, Published
from derive.checking.seeking import Sought
from derive.checking.subjects import Mention, entry, models
from derive.constants import catalogue


@dataclass(frozen=True)
class Reported:
    """A model by its report: what it is called, its numbers by role, any of which may be quoted, where they stand."""

    title: str
    called: tuple[str, ...]
    unlike: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    source: str


def _reported() -> Mapping[str, Reported]:
    text = files("derive").joinpath("data", "reported.toml").read_text("utf-8")
    return {
        name: Reported(
            one["title"],
            tuple(one["called"]),
            tuple(one.get("unlike", ())),
            {
                role: tuple(map(float, given)) if isinstance(given, list) else (float(given),)
                for role, given in one["values"].items()
            },
            one["source"],
        )
        for name, one in tomllib.loads(text).items()
    }


REPORTED = _reported()


def _pattern(called: Sequence[str], unlike: Sequence[str]) -> re.Pattern[str]:
    """Names as texts write them: a blank or nothing for a dash, and no letters or versions behind."""
    spelled = [re.sub(r"(?<=[A-Za-z])(?=\d)", "-", name) for name in called]
    names = "|".join("[- ]?".join(map(re.escape, one.split("-"))) for one in spelled)
    ends = rf"(?![- ]?(?:{'|'.join(unlike)}))" if unlike else ""
    return re.compile(
        rf"(?<![\w-])(?:{names})(?![\w/]|\.\d|[- ](?:style|like|based|inspired|type|class)\b){ends}",
        re.IGNORECASE,
    )


_PATTERNS = tuple(
    (
        re.split(r"[-\d]", called)[0].lower(),
        tuple(re.split(r"-|(?<=[A-Za-z])(?=\d)", called.lower())),
        _pattern((called,), one.unlike),
        name,
    )
    for name, one in REPORTED.items()
    for called in one.called
)
"""The maker, the parts of a name of which a text must hold all, the pattern of the name, and the model."""
_MAKERS = tuple(dict.fromkeys(maker for maker, *_ in _PATTERNS))
_SIZED = Sought(
    r"\b(\d{1,3}(?:\.\d)?)B (?:variant|version|model|size|one) of (Llama \d(?:\.\d)?|Qwen2(?:\.5)?)",
    (" of Llama", " of Qwen"),
)
_GPT_3 = Sought(
    r"\bGPT-3\b(?=[^.;\d]{1,24}\b175(?:B\b| billion))|"
    r"\bGPT-3\b(?!\.\d|[- ]?\(?(?:\d|small|medium|large|XL|style|like|based|class|size|famil|paper|model|report|"
    r"series|table|authors|arch|config|var|turbo|days))",
    ("GPT-3",),
)
"""The name that means the largest model of its family, unless another size or the family stands behind it."""
_UNVERSIONED = Sought(
    r"\b([Ll][Ll]a[Mm]a)[- ](8|70|405)B\b", ("8B", "70B", "405B")
)  # the first has no such size


_FAMILIES = {"gpt-2": "gpt2-", "llama2": "llama-2-", "llama3": "llama-3-", "llama3.1": "llama-3.1-"}
"""Families of models with one vocabulary and one context, by their names without blanks."""
_FAMILY = re.compile(
    r"\b(?:GPT-2|Llama[- ]?(?:2|3(?:\.1)?))(?![- ]?\d|\.\d|[- ]?(?:small|medium|large|XL)\b|\w|-[a-z])",
    re.IGNORECASE,
)


@cache
def _of_family(name: str) -> tuple[str, ...]:
    return tuple(one for one in catalogue("model") if one.startswith(_FAMILIES[name]))


def families(text: str) -> list[Mention]:
    """The families that a text names without a size: all their models."""
    return [
        Mention(
            _of_family(re.sub(r"[- ]", "", one[0].lower()).replace("gpt2", "gpt-2")), one.start(), one.end()
        )
        for one in _FAMILY.finditer(text)
    ]


@cache
def _of_maker(maker: str, size: str) -> tuple[str, ...]:
    return tuple(name for name in catalogue("model") if name.startswith(maker) and name.endswith(f"-{size}b"))


@lru_cache(maxsize=2048)  # several rules ask of every block of a document, and of each sentence in turn
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
    if not found:
        found += [
            Mention(("gpt3-175b",), match.start(), match.start() + 5) for match in _GPT_3.finditer(text)
        ]
    low = text.lower()
    makers = [maker for maker in _MAKERS if maker in low]
    for maker, parts, pattern, name in _PATTERNS if makers else ():
        if maker in makers and all(map(low.__contains__, parts)):
            found += [
                Mention((name,), match.start(), match.end())
                for match in pattern.finditer(text)
                if not any(one.start < match.end() and match.start() < one.end for one in found)
            ]
    return found


def values(name: str, role: str) -> tuple[float, ...]:
    """The numbers of a model in a role: an extent, parameters, active ones, tokens of its training."""
    if name in REPORTED:
        return REPORTED[name].values.get(role, ())
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

"""What documents say of mixtures of experts: experts in a layer, shared ones, those of a token, active parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.entities import Sizes, meant_near, subject
from derive.checking.known_models import names, source, title, values
from derive.checking.seeking import Sought
from derive.checking.statements import said
from derive.checking.subjects import Mention

_WORDS = {
    "no": 0,
    "one": 1,
    "a single": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "six": 6,
    "eight": 8,
    "sixteen": 16,
}
_N = rf"(?<![\w.,/×*-])(?P<n>\d{{1,3}}|{'|'.join(_WORDS)})"
_OF_A_TOKEN = (
    r"\b(?:visits|activates|selects|chooses|picks|(?:sends|routes) (?:each|every|a) token to|"
    r"token (?:goes|is (?:sent|routed)) to)(?: only)?(?: the| its)?(?: top| best)? "
)
_KINDS = (
    ("shared_experts", Sought(rf"{_N} (?:always[- ]active )?shared experts?\b", ("shared expert",))),
    (
        "experts_per_token",
        Sought(
            rf"{_N} (?:routed |active )?experts? (?:per|for each|for every|a) token\b|"
            + (_OF_A_TOKEN + _N + r" (?:routed\b|experts?\b|of\b)").replace("?P<n>", "?P<m>")
            + (
                rf"|\bexperts,?\s+of which\s+{_N} are (?:chosen|selected|active|activated|used|picked|routed)"
                r"(?: (?:for|per) (?:an?|each|every)? ?token)?\b"
            ).replace("?P<n>", "?P<o>"),
            ("experts", "expert "),
        ),
    ),
    ("experts", Sought(rf"{_N} (?:routed )?experts\b(?! (?:per(?! (?:MoE )?layer)|for|a|active)\b)", ("experts",))),
)  # fmt: skip
_PARTLY = re.compile(
    r"\b(?:GPUs?|ranks?|devices?|nodes?|hosts?|cards?|prun\w*|drop\w*|would|if|could|instead|not|than|unlike|whereas|"
    r"our|we|first|last|some|only|had|missing|trigger\w*|out of|spread\w*|holds?|keep\w*|replac\w*|merg\w*|"
    r"redundan\w*|duplicat\w*|replic\w*|group\w*|ablat\w*|toy|tiny|small)\b|\b(?:of|in) (?:the|its|our) ",
    re.IGNORECASE,
)
_B = r"(?P<{}>\d{{1,3}}(?:\.\d+)?)\s?(?:B|billion)\b"
_ABOUT = r"(?:(?:only|just|about|around|roughly|some|nearly|almost|~|≈)\s?)*"
_ACTIVE = Sought(
    rf"(?<![\w.,])(?:{_B.format('a')}(?: of (?:its|the|them|these)(?: \w+)?)?(?: parameters?)?(?: that)?(?: are| is)?"
    rf"(?: being)? (?:active|activated)\b|{_B.format('b')} active\b)|"
    rf"\bactivat(?:es|ing) {_ABOUT}{_B.format('c')}|"
    rf"\bactive(?: parameters?)?(?: of| are| is|:| =) {_ABOUT}{_B.format('d')}",
    ("activ",),
)
_OUT_OF = Sought(
    rf"(?<![\w.,])(?P<told>{_B.format('a')}(?: parameters?)?(?: are)? (?:active|activated)),? "
    r"(?:out )?of (?:the |its )?(?P<whole>\d{1,4}(?:\.\d+)?)\s?(?:B|billion)\b",
    ("activ",),
)
_OF_SO_MANY = re.compile(r"\bof $")  # 12.9B of 46.7B are active
_ROUNDED = re.compile(
    r"\b(?:about|around|roughly|some|nearly|almost|approximately|over|under|circa)\b|[~≈]", re.IGNORECASE
)
_NOT_SAID = re.compile(
    r"\b(?:would|if|could|than|unlike|our|we|suppose|imagine|draft|variant)\b", re.IGNORECASE
)
_BEHIND = re.compile(r"(?: parameters)?(?: (?:per|for each) token)?")
_CLOSE, _WIDE, _WHOLE = 0.02, 0.12, 0.003


def claims(clause: Clause, known: Sizes) -> Iterator[Claim]:
    """The experts and active parameters that a sentence gives to a model. known: the models of the document by size."""
    if clause.row or not ("expert" in clause.text or "activ" in clause.text):
        return
    counted = [(role, one) for role, pattern in _KINDS for one in pattern.finditer(clause.text)]
    active = list(_ACTIVE.finditer(clause.text))
    found = meant_near(clause, known) if counted or active else ()
    if not found:
        yield from _of_so_many(clause)
        return
    taken: set[int] = set()
    for role, match in counted:
        group = next(name for name in ("n", "m", "o") if match.groupdict().get(name))
        if match.start(group) not in taken:
            taken.add(match.start(group))
            yield from _experts(clause, role, match, group, found)
    for match in active:
        yield from _active(clause, match, found)


def _of_so_many(clause: Clause) -> Iterator[Claim]:
    """`57 billion active out of 671 billion`: the model is told by the size of the whole."""
    match = _OUT_OF.search(clause.text)
    if match is None or _NOT_SAID.search(clause.text):
        return
    own, whole = float(match["a"]) * 1e9, float(match["whole"]) * 1e9
    every = [
        (name, value)
        for name in names()
        for total in values(name, "parameters")
        for value in values(name, "active")
        if abs(total / whole - 1) < _WHOLE
    ]
    if not every or any(abs(own / value - 1) <= _CLOSE for _, value in every):
        return
    name, value = every[0]
    if any(abs(other / value - 1) > _CLOSE for _, other in every):
        return
    reason = clause.hindered(match.start())
    because = f"{title(name)}: {source(name, 'active')}"
    shown = f"{value / 1e9:.4g}B parameters"
    yield said(
        clause,
        match.start(),
        match["told"],
        shown,
        "unsure" if reason else "false",
        reason or _cause(own, name),
        "model",
        because,
    )


def _experts(
    clause: Clause, role: str, match: re.Match[str], group: str, found: Sequence[Mention]
) -> Iterator[Claim]:
    mention = subject(clause, match.start(), match.end(), found)
    right = [value for name in mention.names for value in values(name, role)] if mention else []
    if mention is None or not right:
        return
    own = float(_WORDS.get(match[group].lower(), -1) if not match[group].isdigit() else match[group])
    because = f"{title(mention.names[0])}: {role.replace('_', ' ')}"
    shown, at = f"{right[0]:.0f}", match.start(group)
    text = clause.text[at : match.end()] if group == "o" else match[0].strip()
    if own in right:
        yield said(clause, at, text, shown, "true", "", "model", because)
        return
    begin = mention.end if mention.end <= at else max(0, at - 30)
    around = f"{clause.text[begin:at]} ¦ {clause.text[match.end() : match.end() + 18]}"
    others = {
        value
        for name in mention.names
        for one in ("experts", "experts_per_token")
        for value in values(name, one)
    }
    if own in others or own - sum(values(mention.names[0], "shared_experts")) in others:
        return  # another count of the same model, or the shared ones with them
    if own in _usual(role) and not _PARTLY.search(around) and not clause.hindered(at):
        yield said(clause, at, text, shown, "false", "another model", "model", because)


@cache
def _usual(role: str) -> frozenset[float]:
    """What models have in a role: a number that none of them has is of something else."""
    return frozenset(value for name in names() for value in values(name, role))


def _active(clause: Clause, match: re.Match[str], found: Sequence[Mention]) -> Iterator[Claim]:
    """The parameters that a token uses."""
    group = next(name for name, text in match.groupdict().items() if text)
    at = match.start(group)
    mention = None if _OF_SO_MANY.search(clause.text, 0, at) else subject(clause, at, match.end(), found)
    right = [value for name in mention.names for value in values(name, "active")] if mention else []
    if mention is None or not right:
        return
    own, name = float(match[group]) * 1e9, mention.names[0]
    half = 0.5 * 10.0 ** -len(match[group].partition(".")[2]) * 1e9
    shown, because = f"{right[0] / 1e9:.4g}B parameters", f"{title(name)}: {source(name, 'active')}"
    behind = _BEHIND.match(clause.text, match.end())
    text = clause.text[at : behind.end() if behind else match.end()]
    around = clause.text[max(0, at - 24) : at]
    band = _WIDE if _ROUNDED.search(around) else _CLOSE
    if any(abs(own - value) <= max(half, _CLOSE * value) for value in right):
        yield said(clause, at, text, shown, "true", "", "model", because)
    elif all(abs(own / value - 1) > band for value in right):
        between = clause.text[mention.end : at] if mention.end <= at else around
        cause = _cause(own, name)
        doubtful = _NOT_SAID.search(between) or (cause == "another model" and not mention.end)
        reason = clause.hindered(at) or ("perhaps of another model" if doubtful else "")
        verdict: Verdict = "unsure" if reason else "false"
        yield said(clause, at, text, shown, verdict, reason or cause, "model", because)


def _cause(own: float, name: str) -> str:
    if any(abs(own / value - 1) < _CLOSE for value in values(name, "parameters")):
        return "total and active parameters"
    for other in names():
        if any(abs(own / value - 1) < _CLOSE for value in values(other, "active")):
            return f"another model: {title(other)} activates so many"
    return "another model"

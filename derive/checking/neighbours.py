"""What stands next to the two sides of a relation, and may belong to them: a sign, a label, a range, a comparison."""

from __future__ import annotations

import re

from derive.checking.blocks import WALL
from derive.checking.grammar import Operation, leaves
from derive.checking.lexer import Token
from derive.checking.pairs import Pair, has_unit
from derive.checking.relations import RESULTS, VERBS
from derive.checking.values import Literal

_REFERENCE = re.compile(
    r"(?:fig(?:ure|s)?|table|tab|sec(?:tion)?|eqs?|equation|chapter|step|page|pp?|no|part|appendix|question|exercise|"
    r"problem|listing|version|release|line|item|drill|lab|day|week|phase|stage|rank|epoch|slide|issue|pr)s?\.?\s*[(#]?\s*$",
    re.IGNORECASE,
)
_MULTIPLE = {
    "times", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "sixteen",
    "twenty", "thirty", "thirty-two", "forty", "sixty", "sixty-four", "eighty", "ninety", "hundred", "thousand", "both",
    "half", "twice", "double", "triple", "dozen", "quarter", "third", "plus", "minus", "x",
}  # fmt: skip
_COMPARED = {
    "larger", "smaller", "more", "less", "faster", "slower", "bigger", "higher", "lower", "of", "per", "each", "away",
    "short", "too", "over", "under", "above", "below", "times", "longer", "shorter", "free", "left", "remaining", "out",
    "cheaper", "for", "worth", "behind", "ahead", "apart", "off", "spare", "or", "and", "to", "on", "plus", "in",
}  # fmt: skip
_CHANGED = re.compile(
    r"\s*(?:larger|smaller|more|less|faster|slower|bigger|higher|lower|longer|shorter|cheaper|dearer|costlier|better|"
    r"worse|fewer)\b"
)
"""What stands behind a percentage by which something is more or less: 268 / 235 = 14 % dearer."""
_SHARE_AT = re.compile(r"\d ?% (?:at|of) (?:the )?$")
"""What stands before a part of a mean: 70 % at 0.13 + 30 % at 0.17."""
_HOURS = re.compile(r"\d ?(?:h|hours?|hrs?|d|days?|min|minutes?|weeks?|m),? (?:and )?$")
"""What stands before the minutes of hours and minutes."""
_BY = re.compile(r"(?:\b(?:multipl\w+|divid\w+|times)|\d\S*) by$", re.IGNORECASE)
_PART = 6


def of_neighbours(pair: Pair) -> str:
    """Why what stands beside a pair leaves open what its sides are; "" where nothing does."""
    before = pair.tokens[pair.start - 1] if pair.start > 0 else None
    after = pair.tokens[pair.ends] if pair.ends < len(pair.tokens) else None
    text = pair.block.text
    first, last = pair.tokens[pair.start], pair.tokens[pair.ends - 1]
    if before is not None and before.kind in ("sign", "other") and before.text not in ("(", "["):
        return "the left side may begin earlier"
    if _is_named_part(pair) or _HOURS.search(text, 0, first.start) or _SHARE_AT.search(text, 0, first.start):
        return "the left side may begin earlier"
    multiplies = before is not None and (
        before.text.lower() in _MULTIPLE or _BY.search(text, 0, before.end) is not None
    )
    if before is not None and (multiplies or _goes_before(pair, before, first)):
        return "the left side may begin earlier"
    if before is not None and before.text in ("(", "[") and not _closes(pair) and before.glued:
        return "the left side may begin earlier"
    if (
        before is not None
        and before.kind in ("word", "number")
        and (first.glued or (before.math and first.math))
    ):
        return "the left side may begin earlier"
    if (before is not None and before.text == "‥") or (after is not None and after.text in ("‥", "±")):
        return "a range"
    number = next((leaf for leaf in leaves(pair.left) if isinstance(leaf, Literal)), None)
    counts = number is None or (not number.unit and number.digits.isdigit() and len(number.digits) < 4)
    if counts and _REFERENCE.search(text[max(0, first.start - 20) : first.start]):
        return "a number that counts figures or sections"
    if after is not None:
        if (
            after.kind in ("sign", "other")
            and after.text not in (")", "]", "$")
            and not _ends_in_times(pair, after)
        ):
            return "the right side goes on"
        if pair.sign in VERBS and isinstance(pair.right, Operation) and after.text in ("=", "≈"):
            return "a running calculation"  # one every 20 minutes, which is 24 h × 3 = 72 a day
        if after.kind == "word" and (after.glued or after.math) and not _is_times(pair, after):
            return "the right side goes on"
        if after.kind == "number" or _is_first_of_two(pair, after):
            return "the right side goes on"
        if after.text == "!" and after.glued and last.kind == "number":
            return "a factorial"
        following = pair.tokens[pair.ends + 1] if pair.ends + 1 < len(pair.tokens) else None
        labelled = isinstance(pair.right, Literal) and text[pair.right.end : after.start].strip() != ""
        if (
            after.text == ":"
            and not labelled
            and following is not None
            and (following.kind == "number" or following.text == "(")
        ):
            return "a proportion"
        worded = pair.sign in VERBS or pair.sign in RESULTS
        if worded and after.text.lower() in _COMPARED:
            return "a comparison"
    percent = pair.right if isinstance(pair.right, Literal) and pair.right.unit == "%" else None
    if percent is not None and _CHANGED.match(text, percent.end):
        return "a comparison"
    if text[last.end : last.end + 2].strip()[:1] in ("–", "…"):
        return "a range"
    return ""


def _is_first_of_two(pair: Pair, after: Token) -> bool:
    """Whether a bare number shares the unit of the one behind it: 3.39 to 5.51 EFLOP/s."""
    following = pair.tokens[pair.ends + 1] if pair.ends + 1 < len(pair.tokens) else None
    bare = isinstance(pair.right, Literal) and not pair.right.unit
    return (
        bare
        and after.text in ("to", "and", "or", "versus", "vs")
        and following is not None
        and following.kind == "number"
    )


def _ends_in_times(pair: Pair, after: Token) -> bool:
    """Whether the sign behind a number says how many times, as nothing follows that it could multiply: 1.34×, and."""
    following = pair.tokens[pair.ends + 1] if pair.ends + 1 < len(pair.tokens) else None
    return after.text == "×" and after.glued and (following is None or following.kind == "wall")


def _is_times(pair: Pair, after: Token) -> bool:
    """Whether the x behind a number says how many times, and multiplies nothing: 1.76x in capacity."""
    following = pair.tokens[pair.ends + 1] if pair.ends + 1 < len(pair.tokens) else None
    return after.text == "x" and (following is None or following.kind in ("word", "wall"))


def _is_named_part(pair: Pair) -> bool:
    """Whether words lead back from the left side to a sign: the 6.2 of 21.5 + what is cached 6.2."""
    at = pair.start - 1
    while at >= 0 and pair.tokens[at].kind == "word" and pair.start - at <= _PART:
        at -= 1
    if not 0 <= at < pair.start - 1 or (pair.tokens[at].glued and not pair.tokens[at + 1].glued):
        return False  # so many times: grew 3.17× and …
    return pair.tokens[at].text in ("+", "×", "*")


def _goes_before(pair: Pair, before: Token, first: Token) -> bool:
    """Whether what stands before the left side belongs to it: a function that nobody read, the 3 of 3 : 1, the
    thousands of a number, the 3 of 3 n², a formula that the left side explains in brackets.
    """
    if before.kind == "wall" and before.text == WALL:
        return first.glued and first.math
    if (
        before.text == ":"
        and pair.start > 1
        and not (isinstance(pair.left, Operation) and has_unit(pair.left))
    ):
        label = before.glued and not first.glued  # of what follows, and no ratio
        return not label and pair.tokens[pair.start - 2].kind == "number" and first.kind == "number"
    if before.kind == "number" and first.kind == "number" and first.start - before.end == 1:
        return len(first.text) == 3 and len(before.text) < 4  # thousands set apart by a blank
    closed = first.text == "(" and pair.tokens[pair.at - 1].text == ")"
    if closed and before.kind == "word" and pair.start > 1 and pair.tokens[pair.start - 2].kind == "number":
        return True  # 72 GB (90 % of 80) = …
    if before.kind == "number" and (first.text == "(" or (first.kind == "word" and len(first.text) == 1)):
        return True
    explains = first.text == "(" and isinstance(pair.left, Literal) and bool(pair.left.unit)
    return explains and before.kind in ("number", "word") and pair.tokens[pair.at - 1].text == ")"


def _closes(pair: Pair) -> bool:
    """Whether the bracket that opens before the left side closes behind the right one."""
    return any(token.text in (")", "]") for token in pair.tokens[pair.at : pair.ends + 2])

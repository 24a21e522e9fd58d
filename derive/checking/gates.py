"""The gates before *false*: everything that may make two sides differ without an error."""

from __future__ import annotations

import re
from dataclasses import dataclass

from derive.checking.blocks import Block, sentence
from derive.checking.grammar import Name, Node, Operation, leaves
from derive.checking.judging import Options
from derive.checking.lexer import Token
from derive.checking.scope import Evaluator
from derive.checking.values import Literal
from derive.checking.words import is_binary, readings

_VERBS = ("is", "are", "equals", "equal")
_ABOUT = re.compile(
    r"(?:about|roughly|approximately|around|nearly|almost|some|circa|ca\.?|order of|~)\s*\W{0,3}$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:fig(?:ure|s)?|table|tab|sec(?:tion)?|eqs?|equation|chapter|step|page|pp?|no|part|appendix|question|exercise|"
    r"problem|listing|version|release|line|item|drill|lab|day|week|phase|stage|rank|epoch|slide|issue|pr)s?\.?\s*[(#]?\s*$",
    re.IGNORECASE,
)
_BACKWARD = {
    "of",
    "for",
    "with",
    "by",
    "in",
    "per",
    "from",
    "than",
    "over",
    "into",
    "on",
    "under",
    "every",
    "each",
    "after",
}
_COMPARED = {
    "larger", "smaller", "more", "less", "faster", "slower", "bigger", "higher", "lower", "of", "per", "each", "away",
    "short", "too", "over", "under", "above", "below", "times", "longer", "shorter", "free", "left", "remaining", "out",
    "cheaper", "for", "worth", "behind", "ahead", "apart", "off", "spare", "or", "and", "to", "on", "plus", "in",
}  # fmt: skip
_CORRECTING = re.compile(
    r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|mistake(?:n|nly|s)?|in error|erroneous(?:ly)?|typo|myth|misread\w*|misleading|"
    r"instead of|rather than|should (?:be|have|read)|would be|naively|claim(?:s|ed|ing)?|pretend|careless(?:ly)?|bug|"
    r"bogus|corrected|(?:is|was|are|were) off|not right|"
    r"too (?:high|low|large|small)|off by|fallacy|falsely|overstates?|understates?|reported|"
    r"(?:might|may|would|could) (?:think|say|guess|expect)|tempting|at first (?:sight|glance)|"
    r"contradict\w*|nonsense|isn['’]t|aren['’]t)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"(?:\b(?:not|never|nor)|n['’]t)\b[^.]{0,18}$", re.IGNORECASE)
_CORRECTED = re.compile(
    r"\b(?:wrong|incorrect|mistake|erroneous|typo|should (?:be|have|read)|actually|in fact|correct(?:ed|ion)?|really|"
    r"not true|(?:is|was|are|were) off|off by|"
    r"in truth|the right (?:number|value|answer|figure|result)|overstates?|understates?|forgot|forgets|"
    r"forgotten|twice as (?:large|high)|half of (?:it|that)|confus\w+|mixes|mixed up)\b",
    re.IGNORECASE,
)
_FOLLOWING = 220


@dataclass(frozen=True)
class Pair:
    """Two sides around a relation sign: the tokens, where each side lies, what it is and its values."""

    block: Block
    tokens: list[Token]
    at: int
    sign: str
    left: Node
    start: int
    right: Node
    begins: int
    ends: int
    lefts: Options
    rights: Options
    evaluator: Evaluator

    def is_claim(self) -> bool:
        """Whether the sides say something about numbers: a computation, or a quantity in two units."""
        left, right = self.left, self.right
        if self.sign in _VERBS and not (self._units(left) and self._units(right)):
            return False
        if isinstance(left, Operation) or isinstance(right, Operation):
            return all(any(isinstance(leaf, Literal) for leaf in leaves(side)) for side in (left, right)) or (
                isinstance(right, Literal)
            )
        if isinstance(left, Literal) and isinstance(right, Literal):
            return left.unit != right.unit and bool(left.unit and right.unit) and self._same_dimension()
        return False

    def _units(self, side: Node) -> bool:
        return any(
            isinstance(leaf, Literal) and leaf.unit and any(o.dimension for o in leaf.options)
            for leaf in leaves(side)
        )

    def _same_dimension(self) -> bool:
        return any(
            one.dimension == other.dimension != () for _, one in self.lefts for _, other in self.rights
        ) or (
            all(not one.dimension for _, one in (*self.lefts, *self.rights))
            and "%" in (getattr(self.left, "unit", ""), getattr(self.right, "unit", ""))
        )


def is_about(pair: Pair) -> bool:
    """Whether the text says that the number is rough."""
    if pair.sign == "~":
        return True
    between = pair.tokens[pair.at + 1 : pair.begins]
    if any(
        token.text in ("~", "about", "roughly", "approximately", "around", "nearly", "almost")
        for token in between
    ):
        return True
    first = pair.tokens[pair.begins].start
    return bool(_ABOUT.search(pair.block.text[max(0, first - 24) : first]))


def hindrance(pair: Pair) -> str:
    """Why a pair that disagrees is still not called false; "" where nothing stands in the way."""
    return _of_sides(pair) or _of_neighbours(pair) or of_text(pair.block, pair.tokens[pair.start].start)


def of_text(block: Block, place: int) -> str:
    """Whether the text around a number corrects or asks about it."""
    begin, end = sentence(block.text, place)
    around = block.text[begin:end]
    if _CORRECTING.search(around) or _DENIED.search(block.text[max(0, place - 40) : place]):
        return "the text speaks of a number that it may not hold for right"
    if around.rstrip().endswith("?"):
        return "the text asks"
    if _CORRECTED.search(block.text, end, min(len(block.text), end + _FOLLOWING)):
        return "the text corrects it"
    return ""


def _of_sides(pair: Pair) -> str:
    if pair.evaluator.several:
        return "a letter has more than one value, or one from elsewhere"
    if any(isinstance(leaf, Name) for leaf in leaves(pair.right)):
        return "a letter stands on the right"
    last = list(leaves(pair.left))[-1]
    if isinstance(last, Name) and isinstance(pair.left, Operation) and not pair.tokens[pair.at - 1].math:
        return "a name is set on the way"
    literals = [
        leaf for side in (pair.left, pair.right) for leaf in leaves(side) if isinstance(leaf, Literal)
    ]
    if _has_tight_minus(pair.left) or _has_tight_minus(pair.right):
        return "a hyphen may stand for a minus"
    texts = [token.text for token in pair.tokens[pair.start : pair.at]]
    if len(texts) == 5 and texts[1] == texts[3] == "/" and all(text.isdigit() for text in texts[::2]):
        return "three numbers with slashes may be a date or a list"
    if isinstance(pair.left, Literal) and isinstance(pair.right, Literal):
        return _of_conversion(pair, pair.left, pair.right)
    if isinstance(pair.right, Operation) and pair.right.sign in "+-" and isinstance(pair.left, Operation):
        return "a running calculation"
    if not literals:
        return "no numbers"
    return ""


def _of_conversion(pair: Pair, left: Literal, right: Literal) -> str:
    ratio = max(
        (one.mid / other.mid for _, one in pair.lefts for _, other in pair.rights if other.mid), default=0.0
    )
    named = pair.tokens[pair.at - 1].text in ("which", "that")  # the amount itself is the subject
    before = pair.tokens[pair.start - 1].text.lower() if pair.start > 0 else ""
    if pair.sign in _VERBS and not named and before in _BACKWARD:
        return "the subject may be something else"
    kinds = {any(is_binary(word) for word in side.unit.split("/")) for side in (left, right)}
    bits = {"b" in side.unit.replace("Bytes", "").replace("byte", "") for side in (left, right)}
    shared = set(right.unit.split("/")[1:]) - set(left.unit.split("/")[1:])
    if pair.sign in _VERBS and any(readings(word) and not readings(word)[0].dimension for word in shared):
        return "a share of it, and perhaps no conversion"
    if pair.sign in _VERBS and len(kinds) == 1 and len(bits) == 1 and not 0.5 < ratio < 2:
        return "two amounts, and perhaps no conversion"
    return ""


def _has_tight_minus(node: Node) -> bool:
    if not isinstance(node, Operation):
        return False
    return (node.sign == "-" and node.tight) or any(_has_tight_minus(argument) for argument in node.arguments)


def _of_neighbours(pair: Pair) -> str:
    before = pair.tokens[pair.start - 1] if pair.start > 0 else None
    after = pair.tokens[pair.ends] if pair.ends < len(pair.tokens) else None
    text = pair.block.text
    first, last = pair.tokens[pair.start], pair.tokens[pair.ends - 1]
    if before is not None and before.kind in ("sign", "other") and before.text not in ("(", "["):
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
        if after.kind in ("sign", "other") and after.text not in (")", "]", "$"):
            return "the right side goes on"
        if after.kind == "word" and (after.glued or after.math):
            return "the right side goes on"
        if after.kind == "number":
            return "the right side goes on"
        if pair.sign in _VERBS and after.text.lower() in _COMPARED:
            return "a comparison"
    if text[last.end : last.end + 2].strip()[:1] in ("–", "…"):
        return "a range"
    return ""


def _closes(pair: Pair) -> bool:
    """Whether the bracket that opens before the left side closes behind the right one."""
    return any(token.text in (")", "]") for token in pair.tokens[pair.at : pair.ends + 2])

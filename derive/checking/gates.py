"""The gates before *false*: everything that may make two sides differ without an error."""

from __future__ import annotations

import re
from dataclasses import dataclass

from derive.checking.blocks import WALL, Block, sentence
from derive.checking.causes import UNKNOWN, slip
from derive.checking.grammar import Name, Node, Operation, leaves
from derive.checking.judging import Options
from derive.checking.lexer import Token
from derive.checking.relations import RESULTS, VERBS
from derive.checking.scope import Evaluator
from derive.checking.values import Literal
from derive.checking.words import is_binary, readings

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
    "at",
}
_MULTIPLE = {
    "times", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "sixteen",
    "twenty", "thirty", "thirty-two", "forty", "sixty", "sixty-four", "eighty", "ninety", "hundred", "thousand", "both",
    "half", "twice", "double", "triple", "dozen", "quarter", "third", "by", "plus", "minus",
}  # fmt: skip
_COMPARED = {
    "larger", "smaller", "more", "less", "faster", "slower", "bigger", "higher", "lower", "of", "per", "each", "away",
    "short", "too", "over", "under", "above", "below", "times", "longer", "shorter", "free", "left", "remaining", "out",
    "cheaper", "for", "worth", "behind", "ahead", "apart", "off", "spare", "or", "and", "to", "on", "plus", "in",
}  # fmt: skip
_CHANGES = re.compile(
    r"\b(?:f[ae]ll|fallen|falls|gr[eo]w(?:s|n)?|r[io]se[sn]?|drop\w*|increas\w*|decreas\w*|reduc\w*|improv\w*|sh?r[iau]nks?|up|"
    r"down|cut|cheaper|faster|slower|larger|smaller|higher|lower|off|exceed\w*) by$",
    re.IGNORECASE,
)
AMOUNT_BEFORE = re.compile(r"\d ?[A-Za-zµ]{0,5}, ?$")
_CORRECTING = re.compile(
    r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|mistake(?:n|nly|s)?|in error|erroneous(?:ly)?|typo|myth|misread\w*|misleading|"
    r"instead of|rather than|should (?:be|have|read)|naively|claim(?:s|ed|ing)?|pretend|careless(?:ly)?|bug|"
    r"bogus|corrected|fixed\b[^.]*\b(?:said|gave|read|listed|stated|had)|errat(?:um|a)|"
    r"used to (?:say|be|read|give)|(?:is|was|are|were) off|not right|"
    r"too (?:high|low|large|small)|off by|fallacy|falsely|overstates?|understates?|reported|"
    r"would be\b[^.]*\bbut\b|(?:might|may|would|could) (?:think|say|guess|expect)|tempting|at first (?:sight|glance)|"
    r"contradict\w*|nonsense|isn['’]t|aren['’]t)\b",
    re.IGNORECASE,
)
SPOKEN = "the text speaks of a number that it may not hold for right"
"""Why a number is not false where words of doubt stand in its sentence."""
_DENIED = re.compile(r"(?:\b(?:not|never|nor)|n['’]t)\b[^.]{0,18}$", re.IGNORECASE)
_CORRECTED = re.compile(
    r"\b(?:wrong|incorrect|mistake|erroneous|typo|should (?:be|have|read)|actually|in fact|correct(?:ed|ion)?|really|"
    r"not true|(?:is|was|are|were) off|off by|"
    r"in truth|the right (?:number|value|answer|figure|result)|overstates?|understates?|forgot|forgets|"
    r"forgotten|twice as (?:large|high)|half of (?:it|that)|confus\w+|mixes|mixed up)\b",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    r"\b(?:wrong|incorrect|mistake|error|off by|not right|should (?:be|have|read)|the (?:right|correct) (?:number|"
    r"value|answer|figure|result|calculation)|bits? and bytes?)\b",
    re.IGNORECASE,
)
_OF_DIGITS = ("digits swapped", "power of ten")
_FOLLOWING = 220
_PART = 6


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
        return _computes(self.left) or _computes(self.right) or self._same_dimension()

    def _same_dimension(self) -> bool:
        return any(
            one.dimension == other.dimension != () for _, one in self.lefts for _, other in self.rights
        ) or (
            all(not one.dimension for _, one in (*self.lefts, *self.rights))
            and "%" in (getattr(self.left, "unit", ""), getattr(self.right, "unit", ""))
        )


def may_claim(sign: str, left: Node, right: Node) -> bool:
    """Whether two sides can say something about numbers, before they are evaluated."""
    if sign in RESULTS:
        return _is_worked(left) and isinstance(right, Literal)
    if sign in VERBS and not (_has_unit(left) and _has_unit(right)):
        return _is_worked(left) and isinstance(right, Literal) and not _has_unit(left)
    if _computes(left) or _computes(right):
        return isinstance(right, Literal) or all(
            any(isinstance(leaf, Literal) for leaf in leaves(side)) for side in (left, right)
        )
    if isinstance(left, Literal) and isinstance(right, Literal):
        return bool(left.unit and right.unit) and left.unit != right.unit
    return False


def _is_worked(side: Node) -> bool:
    """Whether a side is a calculation that is written out with its signs."""
    return isinstance(side, Operation) and side.sign in "×/" and not side.tight and len(side.arguments) == 2


def _has_unit(side: Node) -> bool:
    return any(
        isinstance(leaf, Literal) and leaf.unit and any(option.dimension for option in leaf.options)
        for leaf in leaves(side)
    )


def _computes(node: Node) -> bool:
    """Whether a side works something out: more than a number with a minus before it."""
    if not isinstance(node, Operation):
        return False
    return not (node.sign == "-" and len(node.arguments) == 1 and isinstance(node.arguments[0], Literal))


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
    if block.quoted:
        return "somebody else is quoted"
    if block.set_off and (_DOUBTED.search(block.after) or _CORRECTING.search(block.before)):
        return "the text beside it speaks of an error"
    begin, end = sentence(block.text, place)
    around = block.text[begin:end]
    if _CORRECTING.search(around) or _DENIED.search(block.text[max(0, place - 40) : place]):
        return SPOKEN
    if around.rstrip().endswith("?"):
        return "the text asks"
    if _CORRECTED.search(block.text, end, min(len(block.text), end + _FOLLOWING)):
        return "the text corrects it"
    if end + _FOLLOWING > len(block.text) and _DOUBTED.search(block.after):
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
    if _is_setting(pair):
        return "a name is set"
    worded = pair.sign in RESULTS or (pair.sign in VERBS and not _has_unit(pair.right))
    if worded and isinstance(pair.right, Literal) and _slip(pair, pair.right) == UNKNOWN:
        return "a word between them, and perhaps no result"
    if _is_of_another(pair):
        return "the subject may be something else"
    if isinstance(pair.left, Literal) and isinstance(pair.right, Literal):
        return _of_conversion(pair, pair.left, pair.right)
    if isinstance(pair.right, Operation) and isinstance(pair.left, Operation) and _runs_on(pair, pair.right):
        return "a running calculation"
    if isinstance(pair.right, Operation) and pair.right.sign == "/" and _counted(pair.right.arguments):
        return "a rate for so many"
    if not literals:
        return "no numbers"
    return ""


def _runs_on(pair: Pair, right: Operation) -> bool:
    """Whether the right side takes the result of the left one and goes on with it: 2 × 3 = 6 × 4 = 24."""
    if right.sign in "+-":
        return True
    first = next(iter(leaves(right)))
    return isinstance(first, Literal) and any(
        abs(value.mid - first.value * option.factor) <= first.slack * option.factor
        for _, value in pair.lefts
        for option in first.options
    )


def _counted(arguments: tuple[Node, ...]) -> bool:
    """Whether something is told for a number of others: 200 requests/1k ticks."""
    above, below = arguments
    if not isinstance(above, Literal) or not isinstance(below, Literal) or not above.unit:
        return False
    return below.start - above.end == 1 and not any(option.dimension for option in above.options)


def _is_setting(pair: Pair) -> bool:
    """Whether the words before the sign are a name that is set, and belong to no number: n=12 m=4, PPL=3.9."""
    last = list(leaves(pair.left))[-1]
    word, sign = pair.tokens[pair.at - 1], pair.tokens[pair.at]
    if word.kind != "word" or word.math:
        return False
    before = pair.tokens[pair.start - 1] if pair.start > 0 else None
    listed = before is not None and before.text == "=" and before.glued
    passed = isinstance(last, Literal) and last.end < word.end  # a label, no unit
    alone = isinstance(pair.left, Literal) and not pair.left.unit
    return (sign.glued and not word.glued and (listed or passed)) or (passed and alone)


def _slip(pair: Pair, right: Literal) -> str:
    """The slip that leads from the left side to the number on the right; plain numbers have few."""
    found = slip(right, pair.lefts[0][1].mid / right.options[0].factor)
    if pair.rights[0][1].dimension:
        return found
    named = {word for leaf in leaves(pair.left) if isinstance(leaf, Literal) for word in leaf.unit.split()}
    other = set(right.unit.split())
    if pair.sign == "or" or (named and other and not named & other):
        return UNKNOWN
    return found if found.startswith(_OF_DIGITS) else UNKNOWN


def _is_of_another(pair: Pair) -> bool:
    """Whether a lone number before a verb belongs to the words before it: … at 4 bytes is …"""
    if pair.sign not in VERBS or not isinstance(pair.left, Literal):
        return False
    named = pair.tokens[pair.at - 1].text in ("which", "that")  # the amount itself is the subject
    before = pair.tokens[pair.start - 1].text.lower() if pair.start > 0 else ""
    return not named and before in _BACKWARD


def _of_conversion(pair: Pair, left: Literal, right: Literal) -> str:
    ratio = max(
        (one.mid / other.mid for _, one in pair.lefts for _, other in pair.rights if other.mid), default=0.0
    )
    if pair.sign == "or" and AMOUNT_BEFORE.search(pair.block.text, max(0, left.start - 16), left.start):
        return "a list of amounts"
    kinds = {any(is_binary(word) for word in side.unit.split("/")) for side in (left, right)}
    bits = {"b" in side.unit.replace("Bytes", "").replace("byte", "") for side in (left, right)}
    shared = set(right.unit.split("/")[1:]) - set(left.unit.split("/")[1:])
    if pair.sign in VERBS and any(readings(word) and not readings(word)[0].dimension for word in shared):
        return "a share of it, and perhaps no conversion"
    opens = pair.start == 0 or pair.tokens[pair.start - 1].kind == "wall"
    opens = opens or pair.tokens[pair.at - 1].text in ("which", "that")
    alone = opens and _slip(pair, right) != UNKNOWN
    if pair.sign in VERBS and len(kinds) == 1 and len(bits) == 1 and not 0.5 < ratio < 2 and not alone:
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
    if _is_named_part(pair):
        return "the left side may begin earlier"
    multiplies = (
        before is not None and before.text.lower() in _MULTIPLE and not _CHANGES.search(text, 0, before.end)
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
        if after.kind in ("sign", "other") and after.text not in (")", "]", "$"):
            return "the right side goes on"
        if after.kind == "word" and (after.glued or after.math) and not _is_times(pair, after):
            return "the right side goes on"
        if after.kind == "number":
            return "the right side goes on"
        if after.text == "!" and after.glued and last.kind == "number":
            return "a factorial"
        following = pair.tokens[pair.ends + 1] if pair.ends + 1 < len(pair.tokens) else None
        if (
            after.text == ":"
            and following is not None
            and (following.kind == "number" or following.text == "(")
        ):
            return "a proportion"
        if (pair.sign in VERBS or pair.sign in RESULTS) and after.text.lower() in _COMPARED:
            return "a comparison"
    if text[last.end : last.end + 2].strip()[:1] in ("–", "…"):
        return "a range"
    return ""


def _is_times(pair: Pair, after: Token) -> bool:
    """Whether the x behind a number says how many times, and multiplies nothing: 1.76x in capacity."""
    following = pair.tokens[pair.ends + 1] if pair.ends + 1 < len(pair.tokens) else None
    return after.text == "x" and (following is None or following.kind in ("word", "wall"))


def _is_named_part(pair: Pair) -> bool:
    """Whether words lead back from the left side to a sign: the 6.2 of 21.5 + what is cached 6.2."""
    at = pair.start - 1
    while at >= 0 and pair.tokens[at].kind == "word" and pair.start - at <= _PART:
        at -= 1
    return 0 <= at < pair.start - 1 and pair.tokens[at].text in ("+", "×", "*")


def _goes_before(pair: Pair, before: Token, first: Token) -> bool:
    """Whether what stands before the left side belongs to it: a function that nobody read, the 3 of 3 : 1, the
    thousands of a number, a formula that the left side explains in brackets.
    """
    if before.kind == "wall" and before.text == WALL:
        return first.glued and first.math
    if before.text == ":" and pair.start > 1:
        return pair.tokens[pair.start - 2].kind == "number" and first.kind == "number"
    if before.kind == "number" and first.kind == "number" and first.start - before.end == 1:
        return len(first.text) == 3 and len(before.text) < 4  # thousands set apart by a blank
    explains = first.text == "(" and isinstance(pair.left, Literal) and bool(pair.left.unit)
    return explains and before.kind in ("number", "word") and pair.tokens[pair.at - 1].text == ")"


def _closes(pair: Pair) -> bool:
    """Whether the bracket that opens before the left side closes behind the right one."""
    return any(token.text in (")", "]") for token in pair.tokens[pair.at : pair.ends + 2])

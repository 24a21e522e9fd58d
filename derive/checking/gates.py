"""The gates before *false*: everything that may make two sides differ without an error."""

from __future__ import annotations

import re
from itertools import pairwise

from derive.checking.blocks import Block, sentence
from derive.checking.causes import UNKNOWN, slip
from derive.checking.grammar import Name, Node, Operation, leaves
from derive.checking.neighbours import of_neighbours
from derive.checking.pairs import Pair, has_unit
from derive.checking.relations import RESULTS, VERBS
from derive.checking.unwritten import (
    is_in_percent,
    is_in_points,
    is_worked_out,
    lacks_percent,
    leaves_magnitude_out,
    leaves_units_out,
)
from derive.checking.values import Literal
from derive.checking.words import counted, is_binary, readings

_ABOUT = re.compile(
    r"(?:about|roughly|approximately|around|nearly|almost|some|circa|ca\.?|order of|~)\s*\W{0,3}$",
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
AMOUNT_BEFORE = re.compile(r"\d ?[A-Za-zµ]{0,5}, ?$")
_SHOULD = r"should (?:be|have (?:been|said|read)|read)"
_INDEED = (
    r"(?:it|this|that|they|which)(?:['’]s| is| are| was| were) (?:actually|really|in fact)|"
    r"(?:actually|in fact|in truth|in reality|really),? (?:(?:it|this|that|they)\b|"
    r"the (?:right|true|real|correct|product|sum|number|value|result|answer|figure)\b)|(?:actually|really) \W{0,2}\d"
)
_CORRECTING = re.compile(
    r"\b(?:(?<!nothing )wrong(?:ly)?|incorrect(?:ly)?|mistake(?:n|nly|s)?|in error|erroneous(?:ly)?|typo|myth|"
    rf"misread\w*|misleading|[Ww]e (?:also |once |had |first )*(?:printed|claimed)|"
    rf"(?:instead of|rather than)(?=[^.]{{0,40}}\d)|{_SHOULD}|naively|"
    r"claim(?:s|ed|ing)?|pretend|careless(?:ly)?|bug|"
    r"bogus|corrected|fixed\b[^.]*\b(?:said|gave|read|listed|stated|had)|errat(?:um|a)|"
    r"used to (?:say|be|read|give)|(?:(?:first|earlier|previous|old|last) (?:version|draft|edition|revision)|"
    r"(?:version|draft|edition|revision) \w+ of (?:this|the) (?:page|post|text|document|table|sheet|note))\b[^.]*"
    r"\b(?:said|gave|had|listed|showed|read)|"
    r"(?:noticed|pointed out|spotted) that|(?:had|['’]d) (?:written|said)|"
    r"object(?:s|ed)|(?:is|was|are|were) off|not right|"
    r"too (?:high|low|large|small)|off by|fallacy|falsely|overstates?|understates?|reported|"
    r"would be\b[^.]*\bbut\b(?! (?:of course |naturally |in fact )?(?:we|they|you|I|it|nobody|no one) "
    r"(?:do|does|did|will)(?:n['’]t| not)\b)|(?:might|may|would|could) (?:think|say|guess|expect)|tempting to|"
    r"at first (?:sight|glance)|"
    r"contradict\w*|nonsense|isn['’]t|aren['’]t)\b",
    re.IGNORECASE,
)
SPOKEN = "the text speaks of a number that it may not hold for right"
"""Why a number is not false where words of doubt stand in its sentence."""
_DENIED = re.compile(r"(?:\b(?:not|never|nor)|n['’]t)\b[^.]{0,18}$", re.IGNORECASE)
_CORRECTED = re.compile(
    r"\b(?:(?<!nothing )wrong|incorrect|mistake|erroneous|typo|"
    + _SHOULD
    + rf"|{_INDEED}|correct(?:ed|ion)?|"
    r"not true|not so|(?:typing|copying|printing|clerical|arithmetic|transcription) (?:error|slip)|is right\b|"
    r"(?:is|was|are|were) (?:off|twice as (?:large|high))|off by|"
    r"the right (?:number|value|answer|figure|result)|overstates?|understates?|forgot|forgets|"
    r"forgotten|(?:is|are|was|only|just) half of (?:it|that)|confus\w+|mix(?:es|ed|ing) up)\b",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b(?:says?|said|claims?|claimed|writes?|wrote|asks?|asked|told|states?|heard|read)\b[^\"“”.]{0,24}[\"“][^\"“”]*$",
    re.IGNORECASE,
)
"""What opens a quotation in which a number stands."""
_DENIES = re.compile(
    r"[\s.!\"”’'*_(]*(?:No\b[,:.]|(?:It|That|This) (?:does|did|is|was)(?: not|n['’]t)\b(?! \W{0,2}\d)"
    r"(?! (?:used|needed|involved|touched|counted|included|shared|part of|in use|(?:the|a|our) bottleneck)\b))"
)
_DOUBTED = re.compile(
    r"\b(?:(?<!nothing )wrong|incorrect|mistake|(?<!rounding )(?<!not an )error(?![- ](?:bar|rate|correct))|"
    rf"off by|not right|{_SHOULD}|the (?:right|correct) (?:number|"
    r"value|answer|figure|result|calculation)|bits? and bytes?|forg[eo]ts?|forgotten)\b",
    re.IGNORECASE,
)
_OF_DIGITS = ("digits swapped", "power of ten")
_REPLACED, _ASIDE = re.compile(r"instead|rather", re.IGNORECASE), re.compile(r"[,;] (?:but|and|while)\s")
_WORDED = re.compile(r"[a-z]{3,}")
_EXPECTED = re.compile(r"should be", re.IGNORECASE)
"""What comes before a number says what it is, behind one that it is another."""
_SPEECH = re.compile(r"\s*(?:[-*•>]\s*)?[\"“„«][^\"“”„«»]*[\"”“»]\s*")
"""A paragraph that is a quotation from its first to its last word."""
_TASK = re.compile(
    r"\b(?:find|spot|correct|name|which are|where are) (?:the|all|his|her|their|its|both|\w+) (?:\w+ )?"
    r"(?:mistake|error|slip)s?\b",
    re.IGNORECASE,
)
_QUOTATION = re.compile(r"[\"“„«][^\"”»]{4,}[\"”»]")
_OTHER_QUOTATION = re.compile(
    r"\b(?:said|say|says|claim(?:s|ed)?|stated|wrote|read|gave) [\"“][^\"”]*\d[^\"”]*[\"”]"
)
_EACH = re.compile(r"\b(?:each|apiece|every)\b")
_OF_SEVERAL = re.compile(r"\d [A-Za-z-]+s (?:of|at|with|each of) (?:about )?[~≈]?$")
_SHARE_OF = re.compile(r"\s*of (?:that|this|it|them|these|those|what|the|its|their|all)\b")
_OTHER_NUMBER = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MAGNITUDES = ("k", "K", "M", "B", "G", "T")
_APART = 20.0
_FOLLOWING, _AROUND = 220, 2000


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
    return _of_sides(pair) or of_neighbours(pair) or of_text(pair.block, pair.tokens[pair.start].start)


def of_text(block: Block, place: int) -> str:
    """Whether the text around a number corrects or asks about it."""
    if block.quoted or _SPEECH.fullmatch(block.text):
        return "somebody else is quoted"
    if _TASK.search(block.text, max(0, place - _AROUND), place + _AROUND):
        return "the text asks for its errors"
    if block.set_off and (_DOUBTED.search(block.after) or _CORRECTING.search(block.before)):
        return "the text beside it speaks of an error"
    begin, end = sentence(block.text, place)
    around = block.text[begin:end]
    doubts = [
        one
        for one in _CORRECTING.finditer(around)
        if not (_EXPECTED.fullmatch(one[0]) and begin + one.end() <= place)
        and not (_REPLACED.match(one[0]) and _ASIDE.search(around, place - begin, one.start()))
    ]
    if _SAYS.search(block.text, max(0, place - _FOLLOWING), place):
        return "somebody else is quoted"
    if doubts or _DENIED.search(block.text[max(0, place - 40) : place]):
        return SPOKEN
    if around.rstrip().endswith("?"):
        return "the text asks"
    if _DENIES.match(block.text, end) or _is_corrected(block.text, end, place):
        return "the text corrects it"
    if end + _FOLLOWING > len(block.text) and _is_doubted(block.after[: sentence(block.after, 0)[1]]):
        return "the text corrects it"
    return ""


def _is_doubted(behind: str) -> bool:
    """Whether the sentence behind a paragraph doubts it, and not something that it quotes itself."""
    found = _DOUBTED.search(behind)
    return found is not None and not _QUOTATION.search(behind, 0, found.start())


def _is_corrected(text: str, end: int, place: int) -> bool:
    """Whether the text behind a sentence corrects it: the next one, or a later one that tells no other number."""
    found = _CORRECTED.search(text, end, min(len(text), end + _FOLLOWING))
    if found is None:
        return False
    begin, last = sentence(text, found.start())
    other = _OTHER_QUOTATION.search(text, end, found.start())
    if other and not set(_NUMBER.findall(other[0])) & set(_NUMBER.findall(text, place, end)):
        return False  # of a number that it quotes itself
    return begin <= end + 1 or not _OTHER_NUMBER.search(text, begin, last)


def _of_sides(pair: Pair) -> str:
    if any(
        token.glued
        and number.kind == "number"
        and token.text in _MAGNITUDES
        and token.text in pair.evaluator.used
        for number, token in pairwise(pair.tokens[pair.start : pair.ends])
        if not token.math
    ):
        return "the letter behind a number may be a magnitude"
    if pair.evaluator.several or (pair.evaluator.far and not _is_sure(pair)):
        return "a letter has more than one value, or one from elsewhere"
    if any(isinstance(leaf, Name) for leaf in leaves(pair.right)):
        return "a letter stands on the right"
    last = list(leaves(pair.left))[-1]
    worked = isinstance(next(iter(leaves(pair.left))), Literal) and pair.tokens[pair.at - 2].text in (
        "×",
        "*",
        "/",
    )
    named = isinstance(last, Name) and isinstance(pair.left, Operation) and not worked
    if named and not pair.tokens[pair.at - 1].math:
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
    if lacks_percent(pair, literals) or is_in_percent(pair) or is_in_points(pair, literals):
        return "perhaps a percentage without its sign"
    worded = pair.sign in RESULTS or (pair.sign in VERBS and not has_unit(pair.right))
    if worded and isinstance(pair.right, Literal) and _slip(pair, pair.right) == UNKNOWN:
        return "a word between them, and perhaps no result"
    if _is_of_another(pair):
        return "the subject may be something else"
    if isinstance(pair.left, Literal) and _EACH.search(
        pair.block.text, pair.left.end, pair.tokens[pair.at].start
    ):
        return "so much for each of them"
    if isinstance(pair.left, Literal) and isinstance(pair.right, Literal):
        if _OF_SEVERAL.search(pair.block.text, 0, pair.left.start):
            return "so many of them"
        return _of_conversion(pair, pair.left, pair.right)
    if _is_in_parts(pair):
        return "the parts of a sum, each with its result"
    if isinstance(pair.right, Operation) and _is_share(pair.right):
        return "a share is told of an amount"
    if isinstance(pair.right, Operation) and _runs_on(pair, pair.right):
        return "a running calculation"
    if isinstance(pair.right, Operation) and pair.right.sign == "/" and _counted(pair.right.arguments):
        return "a rate for so many"
    if not literals:
        return "no numbers"
    if leaves_units_out(pair):
        return "both sides may leave their units out"
    if leaves_magnitude_out(pair):
        return "a number may be meant in billions"
    return ""


def _is_sure(pair: Pair) -> bool:
    """Whether a letter of another section may be relied on: its unit fits, or digits show the slip."""
    kinds = {value.dimension for _, value in (*pair.lefts, *pair.rights)}
    if len(kinds) == 1 and () not in kinds:
        return True
    return isinstance(pair.right, Literal) and _slip(pair, pair.right).startswith(_OF_DIGITS)


def _is_in_parts(pair: Pair) -> bool:
    """Whether a result belongs to the last part of a sum alone: 34 × 32 = 1,088 here + 40 × 32 = 1,280 there."""
    left, right = pair.left, pair.right
    if not isinstance(left, Operation) or left.sign not in "+-" or len(left.arguments) != 2:
        return False
    before = pair.tokens[pair.start - 1].text if pair.start > 0 else ""
    first, *more = leaves(left)
    labelled = bool(more) and _WORDED.search(pair.block.text, first.end, more[0].start)
    if before != "=" and not labelled:
        return False
    if not isinstance(left.arguments[1], Operation) or not isinstance(right, Literal):
        return False
    slack = right.slack * right.options[0].factor
    return any(
        abs(one.mid - other.mid) <= slack + 1e-9 * abs(other.mid)
        for _, one in pair.evaluator.options(left.arguments[1])
        for _, other in pair.rights
    )


def _is_share(right: Operation) -> bool:
    """Whether a side is so many percent of something, which the words tell of the other side."""
    first = right.arguments[0]
    return right.sign == "×" and isinstance(first, Literal) and first.unit == "%"


def _runs_on(pair: Pair, right: Operation) -> bool:
    """Whether the right side takes the result of the left one and goes on with it: 2 × 3 = 6 × 4 = 24.

    A single number goes on in another unit: 12.07 MWh = 43.5 GJ / 300e9.
    """
    first = next(iter(leaves(right)))
    if isinstance(pair.left, Literal):
        if not isinstance(first, Literal):
            return False
        if first.unit == pair.left.unit:  # 1,600 Gb/s = 1,600 Gb/s / 8 = 200 GB/s
            return right.sign in "×/" and first.digits == pair.left.digits
    elif right.sign in "+-":
        return not is_worked_out(pair, right)
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
    if right.unit == "%" and _SHARE_OF.match(pair.block.text, right.end):
        return "a share of something else"
    ratio = max(
        (one.mid / other.mid for _, one in pair.lefts for _, other in pair.rights if other.mid), default=0.0
    )
    if pair.sign == "or" and AMOUNT_BEFORE.search(pair.block.text, max(0, left.start - 16), left.start):
        return "a list of amounts"
    before = pair.tokens[pair.start - 1].text.lower() if pair.start > 0 else ""
    if before in _BACKWARD and not 1 / _APART < ratio < _APART:
        return "two amounts, and perhaps no conversion"
    kinds = {any(is_binary(word) for word in side.unit.split("/")) for side in (left, right)}
    bits = {"b" in side.unit.replace("Bytes", "").replace("byte", "") for side in (left, right)}
    shared = set(right.unit.split("/")[1:]) - set(left.unit.split("/")[1:])
    if counted(left.unit) != counted(right.unit) and left.value != right.value:
        return "one of the two is told for so many"
    counts = any(readings(word) and not readings(word)[0].dimension for word in shared)
    if counts and (pair.sign in VERBS or left.value != right.value):
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

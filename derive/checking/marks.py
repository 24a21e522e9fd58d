"""Sentences with their numbers replaced by marks, and the words of which patterns over them are made."""

from __future__ import annotations

import re

from derive.checking.blocks import MATH, TEXT
from derive.checking.clauses import Clause, once
from derive.checking.quantities import Quantity
from derive.checking.worded import MOST

Q, PERCENT, FACTOR = "\ue001", "\ue002", "\ue003"
"""Marks of an amount or plain number, of a percentage, and of a factor (3.4 times, 3.4x)."""

MARK = re.compile(f"[{Q}{PERCENT}{FACTOR}]")
_FOLD = re.compile(r"\s?(?:x|×|-fold|fold)(?![\w])(?!\s*[\d$(])")
ABOUT = r"(?:(?:about|roughly|around|nearly|almost|only|just|some|exactly|approximately) )*[~≈]? ?"
WORD = r"[A-Za-z][\w/'’-]*"
VERB = (
    r"(?:is|are|makes?|gives?|equals?|means|amounts? to|comes? to|takes?|needs?|costs?|has|have|holds?|totals?|"
    r"becomes?|was|were|yields?|draws?|uses?|weighs?|delivers?|moves?|reads?)"
)
THAT = (
    r"(?:,? (?:which|that|this|it)(?: is|'s| are| makes?| means| gives)(?: only)?|,? i\.e\.,?|,? that is,?|,? hence|"
    r",? thus|,? so|,? therefore|,? meaning)"
)
LOOSE = r"(?P<loose>,|,? or|:| →| \()"
THE = (
    r"(?:the |its |our |their |an? |all |those |these |his |your )?"
    r"(?:theoretical |peak |possible |maximum |full |total |old |other |available |usable |dense )*(?:of )?[~≈]?"
)
MORE = r"(?:more|less|faster|slower|higher|lower|larger|smaller|better|worse|cheaper|fewer|longer|shorter|quicker)"
GAIN = (
    r"(?:speed-?ups?|improvement|gain|increase|growth|rise|jump|factor|ratio|advantage|loss|drop|fall|cut|decrease|"
    r"reduction|decline|savings?|slowdown)"
)
VERSUS = r"(?:against|versus|vs\.?|compared (?:with|to)|over|instead of|relative to|rather than)"
TOGETHER = r"(?:in all|together|in total|altogether|in sum|combined|all told)"


def words(most: int) -> str:
    """Up to so many plain words, as few as will do."""
    return rf"(?: {WORD}){{0,{most}}}?"


@once
def skeleton(clause: Clause) -> tuple[str, list[Quantity]]:
    """A sentence with a mark for each quantity, and the quantities."""
    made, at = [], 0
    marked = clause.quantities[:MOST]
    for one in marked:
        made.append(clause.text[at : one.start])
        at = one.end
        folded = None if one.literal.unit else _FOLD.match(clause.text, at)
        if one.literal.unit == "%":
            made.append(PERCENT)
        elif one.literal.unit == "times" or folded:
            made.append(FACTOR)
            at = folded.end() if folded else at
        else:
            made.append(Q)
    made.append(clause.text[at:])
    return " ".join("".join(made).replace(MATH, "").replace(TEXT, "").split()), marked

"""LaTeX as MathML, which browsers set without a script or a font of ours.

latex2mathml does the translation. What it leaves undone is done on the tree: words
in upright or italic type become one element instead of one a letter, the comma of
16,384 belongs to its number, and displayed cells say so themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert

from reports.view import Equation

_STYLE = re.compile(r"\\displaystyle\s*")
_TALL = (r"\frac", r"\sum")  # as large in the line as in a paragraph of their own
_RELATIONS = ("=", "≈", "≤", "≥", "<", ">", "→")
_LINE_END = re.compile(r"\\cr\b")


@lru_cache(maxsize=20_000)
def inline(latex: str) -> str:
    """A formula in the line."""
    return _mathml(latex, "inline")


def display(equations: Iterable[Equation]) -> str:
    """Equations in a paragraph of their own, aligned at their relations."""
    lines = r" \\ ".join(f"{one.left} &{one.relation} {one.right}" for one in equations)
    return _mathml(rf"\begin{{align*}} {lines} \end{{align*}}", "block")


@lru_cache(maxsize=20_000)
def _mathml(latex: str, mode: str) -> str:
    plain = _LINE_END.sub(r"\\\\", _STYLE.sub("", latex))
    translated = convert(plain, display=mode).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1)
    root = ElementTree.fromstring(translated)
    _tidy(root)
    if mode == "inline":
        root.attrib.pop("display")
        if any(tall in latex for tall in _TALL):
            root.set("displaystyle", "true")
    _open_flush(root)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def _tidy(element: ElementTree.Element) -> None:
    for child in element:
        _tidy(child)
    if element.tag == "mtable":
        element.set("displaystyle", "true")
        for name in ("rowspacing", "columnspacing"):
            element.attrib.pop(name, None)
    if element.tag == "mo" and element.text == "/":
        element.attrib.update(lspace="0", rspace="0")  # FLOP/byte, as TeX sets it
    if element.tag == "mtd" and "columnalign" in element.attrib:
        element.set("class", element.attrib.pop("columnalign"))  # MathML Core leaves alignment to the style
    merged: list[ElementTree.Element] = []
    for child in element:
        if child.tag == "mo" and child.text == "−" and merged and merged[-1].text in _RELATIONS:
            child.set("form", "prefix")  # a sign of a number, not a difference
        if merged and _joins(merged[-1], child, element):
            merged[-1].text = (merged[-1].text or "") + "".join(child.itertext())
        elif merged and child.tag == "mn" and _is_number_with_comma(merged):
            comma = merged.pop()
            merged[-1].text = f"{merged[-1].text}{''.join(comma.itertext())}{child.text}"
        else:
            merged.append(child)
    element[:] = merged
    for child in element:
        if child.tag == "mi" and child.get("mathvariant") == "italic" and len(child.text or "") > 1:
            child.set("class", "word")
            del child.attrib["mathvariant"]


def _open_flush(root: ElementTree.Element) -> None:
    """A formula that begins with a relation begins without the space before one."""
    first = root
    while len(first) and first.tag in ("math", "mrow"):
        first = first[0]
    if first.tag == "mo":
        first.set("lspace", "0")


def _joins(before: ElementTree.Element, child: ElementTree.Element, parent: ElementTree.Element) -> bool:
    """Whether two letters are of one word: they stand in a row in the same upright or italic type."""
    variant = child.get("mathvariant")
    return (
        parent.tag in ("mrow", "mtd", "math")
        and variant is not None
        and before.tag == child.tag == "mi"
        and before.get("mathvariant") == variant
    )


def _is_number_with_comma(before: list[ElementTree.Element]) -> bool:
    """Whether a number and {,} stand at the end, as latex2mathml leaves 16{,}384."""
    if len(before) < 2 or before[-2].tag != "mn" or before[-1].tag != "mrow":
        return False
    return "".join(before[-1].itertext()) == ","

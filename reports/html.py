"""HTML: self-contained pages with MathML, live numbers and links between them.

A page needs no network and no file beside it. Texts are escaped here; formulas
become MathML; what a page computes is code of ours (`reports.javascript`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape

from reports import markup, mathml
from reports.view import Entry, Equation, Formula, Link, Rich, Strong
from reports.widths import width_of

_WIDE = 22  # letters: a phone's line has about 30
_CODE = re.compile(r"`([^`]+)`")
_BREAKABLE = re.compile(r"(?<=[a-z0-9])([._/])(?=[a-z0-9]{4})")


def text(words: str) -> str:
    """Plain text: escaped, code between backticks set as such, letters with an index as mathematics."""
    parts = _CODE.split(" ".join(words.split(" ")))
    return "".join(code(part) if place % 2 else _letters(part) for place, part in enumerate(parts))


def code(words: str) -> str:
    """An id or a command, which may break behind its dots."""
    broken = _BREAKABLE.sub(r"\1<wbr>", escape(words))
    return f"<code>{broken}</code>"


def math(formula: Formula) -> str:
    """A formula in the line; one that a phone is too narrow for can be scrolled."""
    return _scrolled(formula.latex)


def display(equations: tuple[Equation, ...]) -> str:
    """Equations in a paragraph of their own."""
    return mathml.display(equations)


def equation(one: Equation) -> str:
    """An equation in the line."""
    return _scrolled(f"{one.left} {one.relation} {one.right}")


def entry(cell: Entry) -> str:
    """What stands in a table's cell."""
    if isinstance(cell, Link):
        return link(cell)
    return math(cell) if isinstance(cell, Formula) else text(cell or "")


def link(to: Link) -> str:
    """A cross-reference to the page at hand that holds the derivation, or its text alone."""
    shown = code(to.text) if to.text == to.id else text(to.text)
    return f'<a href="{escape(to.file)}.html#{escape(to.id)}">{shown}</a>' if to.file else shown


def strong(words: Strong) -> str:
    return f"<strong>{text(words.text)}</strong>"


def rich(parts: Rich) -> str:
    """A sentence of texts, formulas and cross-references."""
    return markup.rich(parts, text, math, strong, link)


def unlinked(parts: Rich) -> str:
    """A sentence whose cross-references are text alone, for what is a control itself."""
    return markup.rich(parts, text, math, strong, lambda to: text(to.text))


def plain(words: str) -> str:
    """Text for a title or an attribute."""
    return escape(words.replace("`", ""))


def _scrolled(latex: str) -> str:
    found = mathml.inline(latex)
    return f'<span class="wide scroll">{found}</span>' if width_of(latex) > _WIDE else found


def _letters(words: str) -> str:
    return "".join(
        mathml.inline(part.latex) if isinstance(part, Formula) else escape(part)
        for part in markup.with_letters(words)
    )


FILTERS: Mapping[str, Callable[..., object]] = {
    "text": text,
    "code": code,
    "math": math,
    "display": display,
    "equation": equation,
    "entry": entry,
    "link": link,
    "rich": rich,
    "unlinked": unlinked,
    "plain": plain,
}
"""What the templates of pages call."""

"""Texts and formulas in each markup: what a template's filters do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise

from sympy.printing.latex import greek_letters_set, translate

from reports.view import Entry, Formula, Link, Rich, Strong

_SET = re.compile(
    r"(?<![\w.^])(?:(?P<letter>[A-Za-z])_(?P<index>[A-Za-z0-9])(?!\w)"
    r"|(?P<base>\d+|[A-Za-z])\^(?P<power>\([A-Za-z0-9 +−·-]{1,24}\)|[−-]?[A-Za-z0-9]{1,8})(?![\w^]))"
)
_NAME = re.compile(r"[A-Za-z]{2,}")
_CODE = re.compile(r"`([^`|\\]+)`")
_LONG_WORD = 30
_BREAKABLE = 10  # letters of a word after which a slash or an underscore may end a line
_BREAK = r"\allowbreak{}"

_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]<>|$#~])")
_LINE_START = re.compile(r"^(\s*)([-+=]|\d+[.)])(?=\s|$)", re.MULTILINE)

_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
    "·": r"\textperiodcentered{}",
    "×": r"$\times$",
    "÷": r"$\div$",
    "±": r"$\pm$",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "≈": r"$\approx$",
    "≠": r"$\neq$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≪": r"$\ll$",
    "≫": r"$\gg$",
    "→": r"$\to$",
    "←": r"$\leftarrow$",
    "↔": r"$\leftrightarrow$",
    "⇒": r"$\Rightarrow$",
    "∞": r"$\infty$",
    "√": r"$\surd$",
    "∑": r"$\Sigma$",
    "∏": r"$\Pi$",
    "∈": r"$\in$",
    "∂": r"$\partial$",
    "ᵀ": r"\textsuperscript{T}",
    "⁺": r"\textsuperscript{+}",
    "⁻": r"\textsuperscript{$-$}",
    "ⁿ": r"\textsuperscript{n}",
    "⌈": r"$\lceil$",
    "⌉": r"$\rceil$",
    "⌊": r"$\lfloor$",
    "⌋": r"$\rfloor$",
    "✓": r"$\surd$",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "„": r"\quotedblbase{}",
    "µ": r"\textmu{}",
    "μ": r"\textmu{}",
    "`": r"\textasciigrave{}",
    "\u00a0": "~",
    "\u202f": r"\,",
    "\u2009": r"\,",
    **{sign: rf"\textsuperscript{{{digit}}}" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{sign: rf"\textsubscript{{{digit}}}" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}
_QUOTE, _STRAIGHT = "'", r"\textquotesingle{}"
_GREEK = "αβγδεζηθικλνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"
_NAMES = [(sign, unicodedata.name(sign).split()[-1]) for sign in _GREEK]
_TEX |= {sign: f"${translate(name.title() if sign.isupper() else name.lower())}$" for sign, name in _NAMES}
_RARE_LATIN = frozenset("ĀāĒēĪīŌōŪūŊŋħĦĿŀŉŦŧƀ")


def markdown_text(text: str) -> str:
    """Plain text in Markdown: nothing in it is read as markup; B_r and the like become mathematics."""
    return _LINE_START.sub(r"\1\\\2", _markdown_inline(text))


def _markdown_inline(text: str) -> str:
    """Plain text that does not begin a line."""
    return "".join(
        f"`{part}`" if code else _split_letters(part, lambda plain: _MARKDOWN_SPECIAL.sub(r"\\\1", plain))
        for part, code in _split_code(" ".join(text.split()))
    )


def markdown_math(formula: Formula) -> str:
    """A formula in the line. A bar would end a table's cell and is spelled out."""
    return f"${_bare(formula.latex)}$"


def markdown_display(latex: str) -> str:
    """LaTeX in a paragraph of its own."""
    return f"$${_bare(latex)}$$"


def markdown_entry(cell: Entry) -> str:
    """What stands in a table's cell."""
    if isinstance(cell, Link):
        return markdown_link(cell)
    return markdown_math(cell) if isinstance(cell, Formula) else markdown_text(cell or "")


def markdown_link(link: Link) -> str:
    """A cross-reference to the document at hand that holds the derivation, or its text alone."""
    shown = f"`{link.text}`" if link.text == link.id else markdown_text(link.text)
    return f"[{shown}]({link.file}.md#{link.id})" if link.file else shown


def markdown_strong(strong: Strong) -> str:
    return f"**{markdown_text(strong.text)}**"


def tex_text(text: str) -> str:
    """Plain text in LaTeX; a sign that the standard fonts lack is shown by its code point."""
    spaced = re.sub(r"[ \t\r\n]+", " ", unicodedata.normalize("NFC", text)).strip()
    return "".join(
        rf"\texttt{{{_tex_plain(part).replace(_QUOTE, _STRAIGHT)}}}"
        if code
        else _split_letters(part, _tex_plain)
        for part, code in _split_code(spaced)
    )


def tex_math(formula: Formula) -> str:
    """A formula in the line, its fractions at full size."""
    size = r"\displaystyle " if any(tall in formula.latex for tall in (r"\frac", r"\sum")) else ""
    return f"${size}{formula.latex}$"


def tex_entry(cell: Entry) -> str:
    """What stands in a table's cell; the fractions of a formula are small."""
    if isinstance(cell, Link):
        return tex_link(cell)
    return rf"\mbox{{${cell.latex}$}}" if isinstance(cell, Formula) else tex_text(cell or "")


def tex_link(link: Link) -> str:
    r"""A cross-reference; \refer (in the preamble) links it where the document holds the derivation."""
    return rf"\refer{{{link.id}}}{{{tex_text(link.text)}}}" if link.file else tex_text(link.text)


def tex_place(link: Link) -> str:
    """A cross-reference as the number of the section."""
    return rf"\place{{{link.id}}}" if link.file else tex_text(link.text)


def tex_strong(strong: Strong) -> str:
    return rf"\textbf{{{tex_text(strong.text)}}}"


def tex_title(text: str) -> str:
    """A heading, with a plain form for the PDF's bookmarks."""
    return rf"\texorpdfstring{{{tex_text(text)}}}{tex_bookmark(text)}"


def tex_bookmark(text: str) -> str:
    """A text in ASCII without signs that TeX or hyperref would read."""
    plain = unicodedata.normalize("NFKD", text.replace("×", "x").replace("→", "to"))
    kept = "".join(sign for sign in plain if sign.isascii() and (sign.isalnum() or sign in " .:;()/-+"))
    return f"{{{kept}}}"


def rich(
    parts: Rich,
    text: Callable[[str], str],
    math: Callable[[Formula], str],
    strong: Callable[[Strong], str],
    link: Callable[[Link], str],
) -> str:
    """A sentence of texts, formulas and strong words; the spaces at the ends of its texts are kept."""
    found = []
    for part in parts:
        if isinstance(part, Formula):
            found.append(math(part))
        elif isinstance(part, Strong):
            found.append(strong(part))
        elif isinstance(part, Link):
            found.append(link(part))
        else:
            inner = text(part)
            found.append(
                f"{' ' if part[:1] == ' ' else ''}{inner}{' ' if part[-1:] == ' ' and inner else ''}"
            )
    return "".join(found)


def markdown_rich(parts: Rich) -> str:
    """`rich` in Markdown; only its first part begins a line."""
    first, others = parts[:1], parts[1:]
    return rich(first, markdown_text, markdown_math, markdown_strong, markdown_link) + rich(
        others, _markdown_inline, markdown_math, markdown_strong, markdown_link
    )


def tex_rich(parts: Rich) -> str:
    """`rich` in LaTeX."""
    return rich(parts, tex_text, tex_math, tex_strong, tex_link)


def _bare(latex: str) -> str:
    return latex.replace("|", r"\mid ")


def _split_code(text: str) -> list[tuple[str, bool]]:
    """A text's parts, and whether each stood between backticks; a backtick without a partner is a sign."""
    found, end = [], 0
    for match in _CODE.finditer(text):
        found += [(text[end : match.start()], False), (match[1], True)]
        end = match.end()
    return [*found, (text[end:], False)]


def _split_letters(text: str, escape: Callable[[str], str]) -> str:
    """The text escaped, letters with an index and powers set as mathematics."""
    return "".join(
        f"${part.latex}$" if isinstance(part, Formula) else escape(part) for part in with_letters(text)
    )


def with_letters(text: str) -> Iterator[str | Formula]:
    """A text taken apart: B_r and 2^(E + M) as formulas, and what stands between them."""
    end = 0
    for match in _SET.finditer(text):
        yield text[end : match.start()]
        if match["letter"]:
            yield Formula(f"{match['letter']}_{{{match['index']}}}")
        else:
            power = _NAME.sub(_spelled, match["power"].strip("()"))
            power = power.replace("−", "-").replace("·", r" \cdot ")
            yield Formula(f"{match['base']}^{{{power}}}")
        end = match.end()
    yield text[end:]


def _spelled(name: re.Match[str]) -> str:
    """A name of several letters in mathematics: a Greek one as its sign."""
    return f"\\{name[0]}" if name[0] in greek_letters_set else rf"\mathit{{{name[0]}}}"


def _tex_plain(text: str) -> str:
    found, run = [], 0
    for sign, following in pairwise(f"{text} "):
        run = 0 if sign in " -" else run + 1
        if run > _LONG_WORD:
            found.append(_BREAK)
        found.append(_TEX[sign] if sign in _TEX else _tex_sign(sign))
        if run >= _BREAKABLE and (sign in "/_" or (sign == "." and following.isalpha())):
            found.append(_BREAK)
    return "".join(found)


def _tex_sign(sign: str) -> str:
    if " " <= sign <= "~" or ("\u00a1" <= sign <= "\u017f" and sign.isalpha() and sign not in _RARE_LATIN):
        return sign
    if sign in "§©®°£¥¡¿«»¬¶¢":
        return sign
    return rf"\texttt{{U+{ord(sign):04X}}}"

"""The text of one block made plain: maths as arithmetic, markup to nothing or to walls, one spelling of each sign."""

from __future__ import annotations

import html
import re

from derive.checking.blocks import MATH, TEXT, WALL
from derive.checking.latex import linear

_MATH = re.compile(
    r"(?<!\\)\$\$(?P<display>.{1,4000}?)\$\$|\\\\?\((?P<round>.{1,4000}?)\\\\?\)|\\\\?\[(?P<square>.{1,4000}?)\\\\?\]"
    r"|(?<![\\$])\$(?=[^\s$])(?P<dollar>[^$]{1,1500}?)(?<=[^\s\\])\$(?!\d)",
    re.DOTALL,
)
_EXPONENT = re.compile(r"(?<=\d)\s?\\(?:text|mathrm|rm|mathit)\{\s?([eE])\s?\}(?=[-+]?\d)")
_MICRO = re.compile(r"\\mu\s*\\(?:text|mathrm)\{\s*s\s*\}")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]")
_RAISED = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_HTML_UP = re.compile(r"<sup>\s*([-−+]?[\w.]{1,12})\s*</sup>", re.IGNORECASE)
_HTML_DOWN = re.compile(r"<sub>\s*(\w{1,20})\s*</sub>", re.IGNORECASE)
_BREAK = re.compile(
    r"<(?:br|hr|li|td|th|tr|p|div|d-footnote)\b[^<>]{0,300}>|\{%|%\}|\{\{|\}\}", re.IGNORECASE
)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,400}>")
_LINK = re.compile(r"(!?)\[([^\[\]]{0,400})\]\([^()\s]{0,600}(?:\s+\"[^\"]{0,200}\")?\)")
_FOOTNOTE = re.compile(r"\[\^[^\[\]]{1,40}\]")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>)\]\"']{1,600}")
_POWER = re.compile(r"(?<=[\d)])\*\*(?=[\d(-])")
# what begins with the sign itself is found far sooner than what begins with a look behind it
_STRONG = re.compile(r"[*_~`](?:(?<=\*)\*+|(?<=_)_+(?=\W|$)|(?<=_)(?<!\w_)_+|(?<=~)~|(?<=`)`*)")
_EMPHASIS = re.compile(
    r"\*(?:(?<![\w)\]\d\s*]\*)(?=[^\s*])|(?<=[^\s*]\*)(?![\w(\[\d\s*])|(?<=\s\*)(?=[A-Za-z~≈$])|(?<=^\*)(?=\w))"
)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~=$%&])")
_PCIE = re.compile(r"(?i)\b(PCI-?e(?:xpress)?)[ -]*(?:gen ?)?(\d)(?:\.\d)?[ -]*[x×] ?(\d{1,2})\b")
_X_BEFORE_DIGIT, _X_APART = re.compile(r"[xX]\s?\d"), re.compile(r"\s[xX]\s")
_BETWEEN = re.compile(r"(?<=\d)(\s?)[xX](\s?)(?=\d)")
_TIMES_LETTER = re.compile(r"(?<=[\w)])(\s)[xX](\s)(?=[\w($€£])")
_DASH = re.compile(r"(?<=[\d%])\s?[–—]\s?(?=[~≈$]?\d)")
_BLANKS = "\t\r\f\v"
_THOUSANDS = re.compile("(?<=\\d)[\u2009\u202f](?=\\d{3}(?!\\d))")
_SIGNS = str.maketrans(
    {
        "·": "×", "⋅": "×", "∗": "×", "✕": "×", "•": WALL, "−": "-", "‐": "-", "‑": "-", "÷": "/", "∕": "/", "⁄": "/",
        "≃": "≈", "≅": "≈", "∼": "≈", "≊": "≈", "⇒": "→", "➔": "→", "➜": "→", "⟶": "→", "\u00a0": " ", "\u202f": " ",
        "\u2009": " ", "\u200a": " ", "\u2002": " ", "\u2003": " ", "\u200b": "", "\u2060": "", "\ufeff": "",
        "μ": "µ", "│": WALL, "┃": WALL, "║": WALL, "½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)", "⅛": "(1/8)",
        "⅞": "(7/8)", "\t": " ", "\r": " ", "\f": " ", "\v": " ", "\x85": " ", "\u2028": " ", "\u2029": " ",
    }
)  # fmt: skip
_OTHERWISE = re.compile(f"[{re.escape(''.join(map(chr, _SIGNS)))}]")
"""A sign that is spelled otherwise."""


def plain(text: str, markup: bool = True) -> str:
    """A block's text made plain; markup: Markdown and inline HTML are resolved, not only mathematics."""
    if "$\\(" in text:
        text = text.replace("$\\(", "\\(").replace("\\)$", "\\)")
    out, last = [], 0
    if "$" in text or "\\" in text:
        for found in _MATH.finditer(text):
            body = _EXPONENT.sub("e", next(group for group in found.groups() if group is not None))
            body = _MICRO.sub(r"\\text{µs}", body)
            out.append(_words(text[last : found.start()], markup))
            out.append(_signs(linear(body)) if _is_math(found, body) else _words(found[0], markup))
            last = found.end()
    out.append(_words(text[last:], markup))
    return "".join(out)


def _is_math(found: re.Match[str], body: str) -> bool:
    """Whether dollars around a text are delimiters and no prices: $5 to $10."""
    if found["dollar"] is None:
        return True
    return not re.match(r"\d[\d.,]*\s*(?:[a-zA-Z/]|k\b|[-–])[^$\\^_={}]*$", body)


def _words(text: str, markup: bool) -> str:
    if not text:
        return ""
    if markup:
        if "<" in text:
            text = _HTML_UP.sub(r"^(\1)", text)
            text = _HTML_DOWN.sub(r"_\1", text)
            text = _keeping_lines(_BREAK, WALL, text)
            text = _keeping_lines(_TAG, "", text)
        elif "{" in text:
            text = _keeping_lines(_BREAK, WALL, text)
        if "[" in text:
            text = _LINK.sub(lambda link: WALL + "\n" * link[0].count("\n") if link[1] else link[2], text)
            text = _FOOTNOTE.sub("", text)
        if "**" in text:
            text = _POWER.sub("^", text)
        if "*" in text or "__" in text or "`" in text or "~~" in text:
            text = _STRONG.sub("", text)
        if "*" in text:
            text = _EMPHASIS.sub("", text)
        if "\\" in text:
            text = _ESCAPED.sub(r"\1", text)
        if "&" in text:
            text = html.unescape(text.replace("&#10;", " ").replace("&#xA;", " "))
    if "://" in text or "www." in text:
        text = _ADDRESS.sub(WALL, text)
    if "\\" in text:
        text = linear(text, math=False)
    return _signs(text)


def _signs(text: str) -> str:
    """One spelling of each sign; a range gets its own."""
    if not text.isascii():
        if "\u2009" in text or "\u202f" in text:
            text = _THOUSANDS.sub(",", text)
        if "–" in text or "—" in text:
            text = _DASH.sub("‥", text)
        if _OTHERWISE.search(text):
            text = text.translate(_SIGNS)
        if "\\" not in text and _SUPERSCRIPT.search(text):
            text = _RAISED.sub(lambda found: f"^({found[0].translate(_SUPERSCRIPTS)})", text)
    elif any(map(text.__contains__, _BLANKS)):
        text = text.translate(_SIGNS)
    if "PCI" in text or "pci" in text:
        text = _PCIE.sub(r"\1\2x\3", text)
    if "x" in text or "X" in text:
        if _X_BEFORE_DIGIT.search(text):
            text = _BETWEEN.sub(r"\1×\2", text)
        if _X_APART.search(text):
            text = _TIMES_LETTER.sub(r"\1×\2", text)
    if "=" in text:
        text = text.replace("~=", "≈").replace("==", "=").replace("<=", "≤").replace(">=", "≥")
    return text.replace("->", "→")


def _keeping_lines(pattern: re.Pattern[str], put: str, text: str) -> str:
    return pattern.sub(lambda found: put + "\n" * found[0].count("\n"), text)


def unmarked(text: str) -> str:
    """A text without the marks of mathematics, for showing."""
    return " ".join(text.replace(MATH, "").replace(TEXT, "").replace(WALL, " ").split())

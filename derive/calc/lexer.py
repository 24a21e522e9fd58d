"""A line cut into tokens, within bounds on its length, its numbers and its characters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from derive.calc import misread
from derive.calc.errors import CalcError, Span

MOST_CHARACTERS = 2000
_MOST_DIGITS = 60
_LARGEST_EXPONENT = 300

_SPACES = " \t\u00a0\u2009\u202f\u2002\u2003"
_NUMBER = re.compile(
    r"(?P<mantissa>(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9][0-9_]*)(?:\.[0-9]*)?|\.[0-9]+)(?P<exponent>[eE][+\-−]?[0-9]+)?"
)
_RUN_ON = re.compile(r"[,.][0-9]+(?:[.,][0-9]+){0,20}")
_NAME = re.compile(r"[A-Za-zµμ_][A-Za-z0-9µμ_]*")
_CONSTANT = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*\.[A-Za-z_][A-Za-z0-9_]*")
_TAG = re.compile(r"\[([^\[\]]{0,80})\]")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPTS = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_OPERATORS = {
    "**": "^", "->": "->", "=>": "->", "<=": "<=", ">=": ">=", "==": "==", "//": "//", "<<": "<<", "→": "->", "⇒": "->",
    "^": "^", "*": "*", "×": "*", "·": "*", "⋅": "*", "∙": "*", "•": "*", "∗": "*", "/": "/",
    "÷": "/", "∕": "/", "⁄": "/",
    "+": "+", "-": "-", "−": "-", "–": "-", "(": "(", ")": ")", ",": ",", "%": "%", "<": "<", ">": ">", "≤": "<=",
    "≥": ">=", "=": "=", "⌈": "⌈", "⌉": "⌉", "⌊": "⌊", "⌋": "⌋", "~": "~", "≈": "~", "$": "$", "¢": "¢", "?": "?",
    ":": ":",
}  # fmt: skip


@dataclass(frozen=True)
class Token:
    """kind: number, name, constant, tag, power (a superscript), or an operator itself; "end" closes the line."""

    kind: str
    text: str
    span: Span
    value: Fraction = Fraction(0)
    digits: int = 0

    @property
    def whole(self) -> bool:
        """Whether a number was written as a plain integer."""
        return not set(self.text) & set(".eE")


def tokens(line: str) -> list[Token]:
    """The tokens of a line. Raises CalcError for what can stand in no line."""
    if len(line) > MOST_CHARACTERS:
        raise CalcError(
            "too-large",
            f"the line has {len(line)} characters, at most {MOST_CHARACTERS} are read",
            hint="split it into parts",
        )
    if not line.strip():
        raise CalcError(
            "empty", "there is nothing to work out", hint="give a line such as '16 GB / (3.35 TB/s)'"
        )
    found: list[Token] = []
    position = 0
    while position < len(line):
        if line[position] in _SPACES:
            position += 1
            continue
        if line[position] == "." and found and not line[position + 1 :].strip():
            break  # the full stop of a sentence
        token = _next(line, position, found)
        found.append(token)
        position = token.span[1]
    found.append(Token("end", "", (len(line), len(line))))
    return found


def _next(line: str, at: int, before: list[Token]) -> Token:
    glued = bool(before) and before[-1].kind == "number" and before[-1].span[1] == at
    if line[at] == "x" and glued and re.match(r"x(?=\s*[0-9.(]|[A-Z]|\s+[A-Za-z])", line[at:]):
        if before[-1].text == "0":
            raise CalcError(
                "syntax", "hexadecimal numbers are not read", (at - 1, at + 1), hint="write it in decimal"
            )
        return Token("*", "x", (at, at + 1))
    for pattern, kind in ((_NUMBER, "number"), (_CONSTANT, "constant"), (_NAME, "name")):
        match = pattern.match(line, at)
        if match is None:
            continue
        if kind == "number":
            return _number(line, match, before)
        return Token(kind, match[0], match.span())
    match = _SUPERSCRIPTS.match(line, at)
    if match is not None:
        digits = match[0].translate(_SUPERSCRIPT)
        if len(digits) > 6:
            raise CalcError("too-large", f"exponent {match[0][:12]}… is too large", match.span())
        return Token("power", match[0], match.span(), Fraction(int(digits)))
    match = _TAG.match(line, at)
    if match is not None:
        return Token("tag", match[1], match.span())
    if line[at] == "–" and line[at - 1 : at].isdigit() and line[at + 1 : at + 2].isdigit():
        raise CalcError(
            "ambiguous",
            "a range has no single value",
            (at, at + 1),
            hint="give one of its ends, or a minus with spaces",
        )
    for width in (2, 1):
        text = line[at : at + width]
        if text in _OPERATORS:
            return Token(_OPERATORS[text], text, (at, at + len(text)))
    raise misread.character(line, at)


def _number(line: str, match: re.Match[str], before: list[Token]) -> Token:
    text, span = match[0], match.span()
    if "," in text and _splits(line, span[0], before):
        text = text.partition(",")[0]
        span = (span[0], span[0] + len(text))
    mantissa, _, exponent = text.lower().replace(",", "").replace("_", "").replace("−", "-").partition("e")
    digits = mantissa.replace(".", "").lstrip("0")
    if len(mantissa) > _MOST_DIGITS or len(exponent) > 6 or abs(int(exponent or 0)) > _LARGEST_EXPONENT:
        raise CalcError(
            "too-large",
            f"the number {text[:12]}… has more than {_MOST_DIGITS} digits or lies outside 1e±300",
            span,
        )
    more = _RUN_ON.match(line, span[1])
    if more is not None and not _function_depth(before):
        raise CalcError(
            "ambiguous-number",
            f"{text}{more[0]} is no number: commas group three digits, a point marks decimals",
            (span[0], more.end()),
            hint="write 1.5 for one and a half, 1,024 or 1024 for one thousand and twenty-four",
        )
    whole = not set(text) & set(".eE")
    value = Fraction(f"{mantissa}e{exponent}") if exponent else Fraction(mantissa)
    return Token("number", text, span, value, len((digits.rstrip("0") or "0") if whole else digits) or 1)


def _function_depth(before: list[Token]) -> bool:
    """Whether the innermost open parenthesis is that of min or max."""
    depth = 0
    for index in range(len(before) - 1, -1, -1):
        if before[index].kind == ")":
            depth += 1
        elif before[index].kind == "(":
            if depth == 0:
                name = (
                    before[index - 1].text.lower()
                    if index and before[index - 1].kind in ("name", "constant")
                    else ""
                )
                return name.rpartition(".")[2] in ("min", "max", "minimum", "maximum")
            depth -= 1
    return False


def _splits(line: str, start: int, before: list[Token]) -> bool:
    """Whether the commas of 100,200 separate arguments: only in a min or max that has no other comma."""
    if not _function_depth(before):
        return False
    if any(token.kind == "," for token in before[_last_opening(before) :]):
        return False
    match = _NUMBER.match(line, start)
    rest = line[match.end() :] if match else ""
    closing = re.match(r"[^()]*\)", rest)
    if match is None or closing is None or "," in closing[0]:
        return False
    if ",0" in match[0]:
        raise CalcError(
            "ambiguous-number",
            f"{match[0]} is one number, or two?",
            match.span(),
            hint="put a space behind each comma that separates",
        )
    return True


def _last_opening(before: list[Token]) -> int:
    return max(index for index, token in enumerate(before) if token.kind == "(")

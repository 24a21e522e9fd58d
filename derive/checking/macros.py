"""Macros that a LaTeX source defines, put in where it uses them: \\newcommand{\\TF}{\\,\\text{TFLOP/s}}.

Only what has no meaning beyond its text: bodies of one line with numbered arguments in braces. All is bounded, and
every line stays where it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_DEFINES = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|DeclareSIUnit)\*?"
    r"\s*(?:\{\s*\\(?P<braced>[A-Za-z]+)\s*\}|\\(?P<bare>[A-Za-z]+))\s*(?:\[(?P<many>\d)\])?(?P<option>\s*\[)?\s*(?=\{|\[)|"
    r"\\def\s*\\(?P<old>[A-Za-z]+)(?P<parameters>(?:#\d)*)\s*(?=\{)"
)
_NAME = re.compile(r"\\([A-Za-z]+)")
_TAIL = re.compile(r"\\xspace\b\s*")
_ENSURED = re.compile(r"\\ensuremath\s*(?=\{)")
_PARAMETER = re.compile(r"#(\d)")
_MOST, _LONGEST, _ROUNDS, _GROWTH = 200, 300, 4, 100_000


@dataclass(frozen=True)
class _Macro:
    arguments: int
    body: str

    def filled(self, given: Sequence[str]) -> str:
        """Its body with what is given in place of #1, #2 and so on."""
        parts = _PARAMETER.split(self.body)
        texts = [given[int(part) - 1] if 0 < int(part) <= len(given) else "" for part in parts[1::2]]
        return "".join(text for pair in zip(parts[::2], (*texts, ""), strict=True) for text in pair)


def expanded(source: str) -> str:
    """A source without the definitions that can be put in, and with their bodies where it uses them."""
    if "\\" not in source or not _DEFINES.search(source):
        return source
    rest, macros = _without_definitions(source)
    room = _GROWTH
    for _ in range(_ROUNDS if macros else 0):
        longer = _put_in(rest, macros, room)
        if longer == rest:
            break
        room -= max(0, len(longer) - len(rest))
        rest = longer
    return rest


def _without_definitions(source: str) -> tuple[str, Mapping[str, _Macro]]:
    macros: dict[str, _Macro] = {}
    out, last = [], 0
    for found in _DEFINES.finditer(source):
        name = found["braced"] or found["bare"] or found["old"]
        body = None if found["option"] else group(source, found.end())
        if found.start() < last or body is None or len(macros) >= _MOST:
            continue
        inner, end = body
        out.append(source[last : found.start()] + "\n" * source.count("\n", found.start(), end))
        last = end
        arguments = int(found["many"] or 0) or (found["parameters"] or "").count("#")
        inner = _ENSURED.sub("", _TAIL.sub("", inner))
        if "$" not in inner and "\n" not in inner and f"\\{name}" not in inner:
            macros[name] = _Macro(arguments, inner)
    return "".join((*out, source[last:])), macros


def group(source: str, at: int) -> tuple[str, int] | None:
    """The inside of the group in braces that begins at a place, and where it ends; none where it is too long."""
    if not source.startswith("{", at):
        return None
    level = 0
    for place in range(at, min(at + _LONGEST, len(source))):
        sign = source[place]
        escaped = source[place - 1] == "\\" and source[place - 2 : place] != "\\\\"
        level += 0 if escaped else {"{": 1, "}": -1}.get(sign, 0)
        if level == 0:
            return source[at + 1 : place], place + 1
    return None


def _put_in(source: str, macros: Mapping[str, _Macro], room: int) -> str:
    """A source with each macro that it uses put in once; those inside of others wait for the next round.

    room: how many letters the text may grow by; the macros after that stay.
    """
    out, last = [], 0
    for found in _NAME.finditer(source):
        macro = macros.get(found[1])
        if room <= 0:
            break
        if macro is None or found.start() < last:
            continue
        arguments: list[str] = []
        end = found.end()
        for _ in range(macro.arguments):
            argument = group(source, end)
            if argument is None:
                break
            arguments.append(argument[0])
            end = argument[1]
        if len(arguments) != macro.arguments:
            continue
        body = macro.filled(arguments)
        apart = " " if source[max(0, found.start() - 1)].isalpha() and body[:1].isalpha() else ""
        room -= max(0, len(body) - (end - found.start()))
        lines = source.count("\n", found.start(), end) - body.count("\n")
        out.append(f"{source[last : found.start()]}{apart}{body}" + "\n" * max(lines, 0))
        last = end + (2 if source.startswith("{}", end) else 0)
    return "".join((*out, source[last:]))

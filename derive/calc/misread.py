"""The refusals of what cannot be read: a word, a character, a multiplier that stands alone, a token out of place."""

from __future__ import annotations

import re
import unicodedata

from derive.calc import vocabulary
from derive.calc.errors import CalcError, Span
from derive.errors import DeriveError
from derive.suggest import nearest
from units import kinds

_UNITS = (
    "units are such as GB, GiB, Gbit/s, TFLOP/s, token, param, ms, GPU-hour, "
    "constants such as h100-sxm.bandwidth"
)
_PLAIN = "type plain letters, digits and + - * / ^ ( )"
_ENTRY = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*")
_SIZES = {"k": "e3", "K": "e3", "M": "e6", "G": "e9", "B": "e9", "T": "e12", "P": "e15"}
_OUT_OF_PLACE = {
    ")": ("this ) closes nothing", "drop it, or open it with ("),
    "=": ("a line with = is a claim, not a question", "give one side; `derive check` compares both"),
    "//": ("// is not read", "write floor(a / b)"),
    "<<": ("<< is not read", "write 2^30"),
    ",": ("a comma separates arguments of min and max only", "write 1.5 for one and a half"),
    "number": ("two values stand side by side", "write * between them, or drop a space inside a number"),
}


def suffix_alone(name: str, span: Span, number: str) -> CalcError:
    """The refusal of 7B, 8k and 15T that no noun follows. number: the one before it, or nothing."""
    said, number = f"{number}{name}", number or "7"
    plain = f"{number}{_SIZES.get(name, 'e9')}"
    if name in ("k", "K"):
        plain += f" or, where 1024 is meant, {number}*1024"
    if name in ("B", "b"):
        readings = "billion or bytes" if name == "B" else "bits or billion"
        noun, other = f"{number}B params", f"{number} B for bytes" if name == "B" else f"{number} bit"
        why = "a model's size read as bytes is wrong by the bytes of a parameter, and nothing shows it"
    else:
        noun = f"{number}{name} tokens"
        readings = {"T": "trillion, tera- or a unit"}.get(name, "a multiplier of what, or a unit cut short")
        units = {"K": ("kB", "KiB"), "k": ("kB", "kbit/s"), "G": ("GB", "Gbit/s")}.get(
            name, (f"{name}B", f"{name}FLOP/s")
        )
        other = " or ".join(f"{number} {unit}" for unit in units)
        why = "a number without its unit fits many, and is right in one"
    return CalcError(
        "ambiguous-unit",
        f"{said} stands alone: {readings}?",
        span,
        why=why,
        hint=f"write {plain}, name what is counted ({noun}), or {other}",
    )


def unknown(name: str, span: Span, line: str, called: bool, measured: bool) -> CalcError:
    """The refusal of a word that is neither unit nor function.

    called: a parenthesis follows.  measured: a quantity stands before it.
    """
    if name.lower() in ("nan", "inf", "infinity"):
        return CalcError(
            "domain", f"{name} is no number to calculate with", span, hint="give a finite number"
        )
    if name in vocabulary.SUFFIXES:
        return suffix_alone(name, span, "")
    if name.lower() in ("log", "lg"):
        return CalcError("unknown-name", f"{name}: to which base?", span, hint="write ln, log2 or log10")
    entry = _entry(line, span)
    if entry is not None:
        return entry
    shown = repr(name if len(name) <= 40 else f"{name[:39]}…")
    if called or "_" in name or name.lower() in vocabulary.FUNCTIONS:
        functions = ", ".join(vocabulary.FUNCTIONS)
        return CalcError("unknown-name", f"unknown name {shown}", span, hint=f"functions are {functions}")
    if name.lower() in kinds.names():
        hint = f"it stands behind a unit, as in 989 TFLOP/s [{name.lower()}]"
        return CalcError("unknown-unit", f"{name} is a kind, not a quantity", span, hint=hint)
    near = vocabulary.nearest_unit(name)
    if near:
        hint = f"did you mean {near}? Case is meaning: GB, Gb and GiB differ"
    elif measured and len(name) <= 40:
        hint = f"a remark is read behind of, as in 14 GB of {name}; {_UNITS}"
    else:
        hint = _UNITS
    return CalcError("unknown-unit", f"unknown unit or name {shown}", span, hint=hint)


def _entry(line: str, span: Span) -> CalcError | None:
    """The refusal of a machine or model that is named without saying which of its values is meant."""
    from derive import constants

    found = _ENTRY.match(line, span[0])
    if found is None or len(found[0]) > 60:
        return None
    for lookup in (constants.hardware, constants.model):
        try:
            entry = lookup(found[0])
        except DeriveError:
            continue
        roles = sorted({held.role for held in entry.constants})
        usual = next((role for role in ("bandwidth", "parameters") if role in roles), roles[0])
        return CalcError(
            "unknown-name",
            f"{found[0]} has many values",
            found.span(),
            why="each is a different quantity",
            hint=f"write {found[0]}.{usual}; it has {', '.join(roles)}",
        )
    near = (
        nearest(found[0], (*constants.names("hardware"), *constants.names("model")))
        if "-" in found[0]
        else ""
    )
    if not near:
        return None
    return CalcError(
        "unknown-name",
        f"no machine or model is called {found[0]!r}{near}",
        found.span(),
        hint="`derive constants` lists them",
    )


def out_of_place(kind: str, text: str, span: Span) -> CalcError:
    """The refusal of a token behind a complete line."""
    message, hint = _OUT_OF_PLACE.get(
        kind, (f"{text[:20]!r} is not expected here", "an operator is due between two values")
    )
    return CalcError("syntax", message, span, hint=hint)


def character(line: str, at: int) -> CalcError:
    """The refusal of a character that can stand in no line."""
    letter, span = line[at], (at, at + 1)
    if letter in "[]":
        return CalcError(
            "syntax",
            "a bracket is not closed" if letter == "[" else "this ] closes nothing",
            span,
            hint="tags stand in brackets, as in 1979 TFLOP/s [sparse]",
        )
    if letter in "\r\n":
        return CalcError("syntax", "the line is broken here", span, hint="give one line at a time")
    if letter in "€£":
        return CalcError("unknown-unit", f"{letter} is not read", span, hint="money is in $ or USD")
    if letter.isascii() and letter.isprintable():
        hint = "group with ( and )" if letter in "{}" else _PLAIN
        return CalcError("syntax", f"{letter} has no meaning here", span, hint=hint)
    name = unicodedata.name(letter, f"U+{ord(letter):04X}").lower()
    shown = f"{letter} ({name})" if letter.isprintable() else name
    return CalcError(
        "character",
        f"the character {shown} is not read",
        span,
        why="a letter that only looks like a Latin one would name another unit" if letter.isalpha() else "",
        hint=_PLAIN,
    )

"""What documents say of number formats: largest value, epsilon, smallest numbers, bits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from derive.checking.causes import by_ratio
from derive.checking.claims import Claim, Verdict
from derive.checking.clauses import Clause
from derive.checking.quantities import Quantity
from derive.checking.seeking import Sought
from derive.checking.statements import said
from derive.number_formats import FORMATS, NumberFormat

_NAMES = (
    ("fp8_e4m3fnuz", r"e4m3fnuz"), ("fp8_e5m2fnuz", r"e5m2fnuz"), ("fp8_e4m3", r"(?:(?:fp|float)8[ _-]?)?e4m3(?:fn)?"),
    ("fp8_e5m2", r"(?:(?:fp|float)8[ _-]?)?e5m2"), ("fp4_e2m1", r"(?:fp4[ _-]?)?e2m1"), ("bf16", r"bf16|bfloat16"),
    ("fp16", r"fp16|float16|half precision"), ("tf32", r"tf32"), ("fp32", r"fp32|float32|single precision"),
    (
        "fp64", r"fp64|float64|"
        "double precision"), ("fp6_e2m3", r"(?:fp6[ _-]?)?e2m3"), ("fp6_e3m2", r"(?:fp6[ _-]?)?e3m2"
    ),
)  # fmt: skip
_NAME = Sought(
    r"(?<![A-Za-z0-9])(?=[bdefhst])(?:"
    + "|".join(rf"(?P<{name}>(?:{words})(?![A-Za-z0-9]))" for name, words in _NAMES)
    + ")",
    (
        "e4m3",
        "e5m2",
        "e2m1",
        "e2m3",
        "e3m2",
        "f16",
        "p16",
        "t16",
        "f32",
        "p32",
        "t32",
        "p64",
        "t64",
        "precision",
    ),
    ignore_case=True,
)
_ROLES = (
    ("exact integers", r"\b(?:integers?|whole numbers|counts?)\b(?: exactly)? up to"),
    ("smallest subnormal", r"(?:smallest|minimum|min\.?|tiniest) (?:positive )?(?:sub|de)normal"),
    ("smallest normal", r"(?:smallest|minimum|min\.?) (?:positive )?normal(?:ized)?"),
    (
        "largest",
        r"\bmax(?:imum)?\b(?! error)|largest|biggest|\bmax\.|overflows? (?:above|beyond|at|past)|"
        r"values? above|tops? out|\b(?:(?:ends?|stops?|saturates?) at|goes up to|extends to)|"
        r"\b(?:represents?|holds?|stores?|reach(?:es)?|encodes?)(?: values?| numbers?| magnitudes?)? (?:only )?"
        r"(?:up to|at most)|\banything (?:beyond|above)",
    ),
    ("epsilon", r"\beps(?:ilon)?\b|machine epsilon|\bgap (?:after|between|above)"),
)
_ROLE = Sought(
    "|".join(f"(?P<role{index}>{words})" for index, (_, words) in enumerate(_ROLES)),
    (
        "min", "small", "tini", "max", "large", "bigg", "overflow", "values", "value a", "top", "ends at", "end at",
        "stops at", "stop at", "saturate", "up to", "at most", "anything", "goes up", "extends", "eps", "gap",
    ),
    ignore_case=True,
)  # fmt: skip
_TRIPLE = re.compile(r"(?<![\d/])(\d)\s?/\s?(\d{1,2})\s?/\s?(\d{1,2})(?![\d/])")
_BITS = Sought(
    r"(\d{1,2})[ -](exponent|mantissa|fraction|significand)[ -]bits?|(\d{1,2}) bits? (?:of|for|on|"
    r"to|in)(?: the)? (exponent|mantissa|fraction)",
    ("bit",),
    ignore_case=True,
)
_WITH = re.compile(
    r"\b(?:of|like|unlike|as|than|from|to|into|with|versus|vs\.?|and|or|the same)(?: the)? ?$", re.IGNORECASE
)
_ITS = re.compile(r"['’]s\b")
_APART = re.compile(r"\b(?:whereas|while|than|both|each)\b|[:;]", re.IGNORECASE)
_LEADS = re.compile(
    r"[\s\x02\x03]*(?:(?:finite|representable|number|value|in|is|of|at|=|≈|~|:|about|the|normal|subnormal|\()"
    r"[\s\x02\x03~≈(]*)*"
)
_PARTS = re.compile(r"exp\w*.*\bmant|exp\w*.*\b(?:fraction|significand)", re.IGNORECASE)
_SUM = re.compile(r"total(?: bits)?|sum|together", re.IGNORECASE)
_FAMILY = re.compile(r"\b[Ff][Pp][468]\b|\(\)|['’]s\b")
_LOOSELY = re.compile(r"(?:represent|hold|store|reach|encode|anything|integer|whole|count)", re.IGNORECASE)
"""Words that may lead to a limit of something else: only a limit of another format is a wrong one."""
_BIAS = Sought(r"\bexponent bias(?: of| is| =|:)? (\d{1,4})\b", ("bias",))
_OF_OTHERS = ("another", "reserved codes")
_BAND = 0.012
_EXACT = 5  # with so many digits a number is no rounded one
_IN_SUM = re.compile(r"\^|\s*[-+*×/]\s*\d")
_NOT_FALSE = re.compile(
    r"\bsum(?:s|ming|med)?\b|\badd(?:s|ing)?\b|count|accumul|"
    r"\bsaid that\b|\bwould\b|infinit|scale|scaled|scaling|clip|clamp|\bloss\b|logit|grad|\bnorm of|\bbetween\b|"
    r"\bup to\b.*\bup to\b|next|1\.0|\+",
    re.IGNORECASE,
)


def claims(clause: Clause, header: str) -> Iterator[Claim]:
    """The statements of a clause about number formats; header: the line over a row of a text table."""
    named = list(_NAME.finditer(clause.text))
    if not named:
        return
    names = {match.lastgroup or "" for match in named}
    first = named[0].lastgroup or ""
    if len(names) != 1 and not (header and named[0].start() < 6) and not clause.row:
        yield from _of_several(clause, named)
        return
    if clause.row and named[0].end() > (clause.columns[1][0] if len(clause.columns) > 1 else 0):
        return
    form = FORMATS[first]
    if not isinstance(form, NumberFormat):
        return
    yield from _triples(
        clause, form, f"{header} {clause.heading(len(clause.text))} {' '.join(h for _, h in clause.columns)}"
    )
    for found in _BITS.finditer(clause.text):
        yield _bits(clause, form, found)
    for found in _BIAS.finditer(clause.text):
        yield _bias(clause, form, found)
    if clause.row:
        yield from _of_row(clause, form)
    elif named[0].start() < 6 and _TRIPLE.search(clause.text) and header:
        yield from _of_line(clause, form, header)
    else:
        yield from _of_sentence(clause, form)


def _values(form: NumberFormat) -> dict[str, Fraction]:
    least = Fraction(2) ** (1 - form.bias)
    return {
        "exact integers": Fraction(2) ** (form.mantissa_bits + 1),
        "largest": form.largest,
        "epsilon": Fraction(1, 2**form.mantissa_bits),
        "smallest normal": least,
        "smallest subnormal": least / 2**form.mantissa_bits,
    }


def _role(text: str) -> str:
    found = None
    for match in _ROLE.finditer(text):
        found = match
    return _ROLES[int((found.lastgroup or "role0")[4:])][0] if found else ""


def _of_row(clause: Clause, form: NumberFormat) -> Iterator[Claim]:
    headings = " ".join(heading for _, heading in clause.columns)
    for quantity in clause.quantities:
        counted = _PARTS.search(headings) and _SUM.fullmatch(clause.heading(quantity.start).strip())
        if counted and _lone(clause, quantity) and not quantity.literal.unit:
            yield _total(clause, quantity, form)
        role = _role(clause.heading(quantity.start))
        if role and _lone(clause, quantity):
            yield from _held(clause, quantity, form, role, strict=True)


def _total(clause: Clause, quantity: Quantity, form: NumberFormat) -> Claim:
    """The bits of a format together, in a table that has those of its parts beside them."""
    true = quantity.literal.value == form.bits
    hindered = "" if true else clause.hindered(quantity.start)
    verdict: Verdict = "true" if true else "unsure" if hindered else "false"
    cause = "" if true else hindered or "the bits of sign, exponent and mantissa add up to another number"
    text, because = (
        clause.piece(quantity),
        f"{form.sign_bits} + {form.exponent_bits} + {form.mantissa_bits} bits",
    )
    return said(clause, quantity.start, text, f"{form.bits} bits", verdict, cause, "number-format", because)


def _lone(clause: Clause, quantity: Quantity) -> bool:
    """Whether a quantity opens its cell, and is no part of a power or a product."""
    begin = max((place for place, _ in clause.columns if place <= quantity.start), default=0)
    goes_on = clause.text[quantity.end : quantity.end + 2].strip(" \x02\x03")[:1]
    return not clause.text[begin : quantity.start].strip(" ~≈±\x02\x03") and goes_on not in tuple("^*×⋅·")


def _of_line(clause: Clause, form: NumberFormat, header: str) -> Iterator[Claim]:
    """A line of a text table: numbers behind the bits in the order of the header's words."""
    roles = [_ROLES[int((match.lastgroup or "role0")[4:])][0] for match in _ROLE.finditer(header)]
    triple = _TRIPLE.search(clause.text)
    if triple is None:
        return
    numbers = [one for one in clause.quantities if one.start >= triple.end()]
    for quantity, role in zip(numbers, roles, strict=False):
        if not clause.plain[quantity.end :].lstrip().startswith("^"):  # 2^-23
            yield from _held(clause, quantity, form, role, strict=True)


def _of_sentence(clause: Clause, form: NumberFormat) -> Iterator[Claim]:
    for match in _ROLE.finditer(clause.plain):
        yield from _of_role(clause, form, match)


def _of_several(clause: Clause, named: Sequence[re.Match[str]]) -> Iterator[Claim]:
    """A sentence about several formats: a number is of the last of them that it speaks of, not with."""
    spoken = [
        one
        for one in named
        if not _WITH.search(clause.text[: one.start()]) and not _ITS.match(clause.text, one.end())
    ]
    for pattern in (_BITS, _ROLE):
        for match in pattern.finditer(clause.plain):
            before = [one for one in spoken if one.end() <= match.start()]
            form = FORMATS[before[-1].lastgroup or ""] if before else None
            if not isinstance(form, NumberFormat) or _APART.search(
                clause.text, before[-1].end(), match.start()
            ):
                continue
            if pattern is _BITS:
                yield _bits(clause, form, match)
            else:
                yield from _of_role(clause, form, match)


def _of_role(clause: Clause, form: NumberFormat, match: re.Match[str]) -> Iterator[Claim]:
    role = _ROLES[int((match.lastgroup or "role0")[4:])][0]
    behind = [
        one
        for one in clause.quantities
        if 0 <= one.start - match.end() < 32 and not _IN_SUM.match(clause.text, one.end)
    ]
    if not behind or _ROLE.search(clause.text, match.end(), behind[0].start):
        return
    between = _FAMILY.sub("", _NAME.sub("", clause.text[match.end() : behind[0].start]))
    after = clause.text[behind[0].end : behind[0].end + 12].partition(",")[0]
    near = clause.text[max(0, match.start() - 40) : behind[0].end] + after
    strict = bool(_LEADS.fullmatch(between)) and not _NOT_FALSE.search(near)
    for claim in _held(clause, behind[0], form, role, strict):
        if claim.verdict == "true" or not _LOOSELY.match(match[0]) or claim.cause.startswith(_OF_OTHERS):
            yield claim


def _held(clause: Clause, quantity: Quantity, form: NumberFormat, role: str, strict: bool) -> Iterator[Claim]:
    if quantity.literal.options[0].dimension or quantity.literal.unit == "%":
        return
    value = float(_values(form)[role])
    own = quantity.base(()) or 0.0
    readings = [quantity.literal.value * option.factor for option in quantity.literal.options]
    rounded = len(readings) > 1 and any(abs(reading / value - 1) < 0.002 for reading in readings)
    if quantity.agrees(value, ()) or rounded:
        yield _claim(clause, quantity, form, role, value, "true", "")
    elif role == "largest" and own < 1:
        return  # the end at the other side
    elif strict and abs(own / value - 1) > (0 if _is_exact(quantity) else _BAND):
        hindered = clause.hindered()
        yield _claim(
            clause,
            quantity,
            form,
            role,
            value,
            "unsure" if hindered else "false",
            hindered or _cause(own, role, form),
        )


def _is_exact(quantity: Quantity) -> bool:
    """Whether a number is printed with all its digits."""
    digits = quantity.literal.digits.lower().partition("e")[0].replace(",", "")
    return not quantity.about and len(digits) >= _EXACT and not quantity.literal.unit


def _cause(own: float, role: str, form: NumberFormat) -> str:
    for other_role, other in _values(form).items():
        if other_role != role and abs(own / float(other) - 1) < 0.02:
            return f"another value of the format: this is its {other_role}"
    for twin in FORMATS.values():
        if isinstance(twin, NumberFormat) and abs(own / float(_values(twin)[role]) - 1) < 0.02:
            return f"another format: this is the {role} of {twin.name}"
    if role == "largest":
        whole = (2 - Fraction(1, 2**form.mantissa_bits)) * Fraction(2) ** (
            2**form.exponent_bits - 1 - form.bias
        )
        if abs(own / float(whole) - 1) < 0.02:
            return "reserved codes: the codes of infinity and NaN are counted as numbers"
    return by_ratio(own / float(_values(form)[role]))


def _claim(
    clause: Clause, quantity: Quantity, form: NumberFormat, role: str, value: float, verdict: str, cause: str
) -> Claim:
    text = clause.piece(quantity)
    shown = f"{value:.6g}" if value < 1e6 else f"{value:.4g}"
    return Claim(
        line=clause.line(quantity.start),
        text=text,
        verdict="true" if verdict == "true" else "false" if verdict == "false" else "unsure",
        expected=shown,
        claimed=text,
        cause=cause,
        rule="number-format",
        because=f"{role} of {form.name}, from {form.exponent_bits} exponent and {form.mantissa_bits} mantissa bits",
        cell=clause.block.cell,
    )


def _triples(clause: Clause, form: NumberFormat, header: str) -> Iterator[Claim]:
    if not re.search(r"exp|mant|sign", header, re.IGNORECASE):
        return
    for found in _TRIPLE.finditer(clause.text):
        own = tuple(int(group) for group in found.groups())
        right = (form.sign_bits, form.exponent_bits, form.mantissa_bits)
        hindered = "" if own == right else clause.hindered()
        cause = "" if own == right else hindered or _bits_cause(own, form)
        yield Claim(
            line=clause.line(found.start()),
            text=found[0],
            verdict="true" if own == right else "unsure" if hindered else "false",
            expected="/".join(map(str, right)),
            claimed=found[0],
            cause=cause,
            rule="number-format",
            because=f"sign, exponent and mantissa bits of {form.name}",
            cell=clause.block.cell,
        )


def _bits_cause(own: tuple[int, ...], form: NumberFormat) -> str:
    for other in FORMATS.values():
        if isinstance(other, NumberFormat) and own == (
            other.sign_bits,
            other.exponent_bits,
            other.mantissa_bits,
        ):
            return f"another format: these are the bits of {other.name}"
    return f"the bits of {form.name} are miscounted: they add up to {sum(own)} where it has {form.bits}"


def _bias(clause: Clause, form: NumberFormat, found: re.Match[str]) -> Claim:
    true = int(found[1]) == form.bias
    reason = "" if true else clause.hindered(found.start())
    verdict: Verdict = "true" if true else "unsure" if reason else "false"
    cause, because = "" if true else reason or "another format", f"exponent bias of {form.name}"
    return said(
        clause, found.start(), found[0], f"bias {form.bias}", verdict, cause, "number-format", because
    )


def _bits(clause: Clause, form: NumberFormat, found: re.Match[str]) -> Claim:
    own, kind = int(found[1] or found[3]), (found[2] or found[4]).lower()
    right = form.exponent_bits if kind == "exponent" else form.mantissa_bits
    true = own == right or (kind == "significand" and own == right + 1)
    hidden = "" if own != right + 1 or _alike(own, kind) else "the hidden bit may be counted"
    hindered = "" if true else clause.hindered() or hidden
    return Claim(
        line=clause.line(found.start()),
        text=found[0],
        verdict="true" if true else "unsure" if hindered else "false",
        expected=f"{right} {kind} bits",
        claimed=found[0],
        cause=hindered or ("" if true else _alike(own, kind) or "another format"),
        rule="number-format",
        because=f"{form.name}: sign {form.sign_bits}, exponent {form.exponent_bits}, mantissa {form.mantissa_bits}",
        cell=clause.block.cell,
    )


def _alike(own: int, kind: str) -> str:
    """The usual format that has so many bits of a kind."""
    for name in ("fp32", "fp16", "bf16"):
        other = FORMATS[name]
        bits = getattr(other, "exponent_bits" if kind == "exponent" else "mantissa_bits", None)
        if own == bits:
            return f"another format: so many has {name}"
    return ""

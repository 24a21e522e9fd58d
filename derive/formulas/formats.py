"""Number formats: what sign, exponent and mantissa bits buy.

A code with exponent field c and mantissa field m stands for (1 + m/2^M)·2^(c − bias),
so exponent bits buy range and mantissa bits buy steps: between 2^k and 2^(k + 1)
there are 2^M of them, all alike. Below the smallest normal number the leading 1
goes and the steps stay as they are (subnormals), down to zero. Formats differ in
which codes they spend on infinities and NaN. `format` names one; all else here
follows from its numbers.
"""

from __future__ import annotations

from sympy import Integer

from derive import (
    Approx,
    Check,
    Column,
    Computed,
    Derivation,
    Equal,
    Example,
    Identity,
    Ledger,
    Limit,
    Rational,
    Row,
    Solve,
    SpecialCase,
    Table,
    Use,
    count,
    format_rules,
    number,
    number_formats,
    oo,
    quantity,
)

E = count("E", "exponent bits", role="format.exponent_bits")
M = number("M", "mantissa bits", role="format.mantissa_bits", nonnegative=True)
M_1 = count("M", "mantissa bits, at least one for subnormals", role="format.mantissa_bits")
bias = number("bias", "exponent bias", role="format.bias", nonnegative=True)
r = number("r", "exponent codes kept for infinities and NaN", role="format.reserved", nonnegative=True)
t = number(
    "t", "mantissa codes of the largest exponent that stand for NaN", role="format.missing", nonnegative=True
)
c_min = number("c_min", "smallest normal exponent code", role="format.least_code", nonnegative=True)
sign = number("sign", "sign bits", role="format.sign_bits", nonnegative=True)
x_max = number("x_max", "largest number of the format", filled_by="formats.max")
x_min = number("x_min", "smallest positive number of the format", filled_by="formats.smallest_subnormal")
eps = number("eps", "gap between 1 and the next number", filled_by="formats.epsilon")
element = quantity("element", "bits of an element", "bit", role="format.element")
scale = quantity(
    "scale", "bits of the scale that a block shares", "bit", role="format.scale", nonnegative=True
)
block = count("block", "elements in a block", role="format.block")
x = number("x", "number in the format", signed=True)
delta = number("delta", "what is added to it", signed=True)
lo = number("lo", "smallest magnitude of a gradient")
hi = number("hi", "largest magnitude of a gradient")
s = number("s", "loss scale")

significand = Ledger(
    ("leading 1", "it is not stored", 1),
    ("largest fraction", "all mantissa bits set, less the codes for NaN", (2**M - 1 - t) / 2**M),
    title="largest significand",
)
exponent = Ledger(
    ("largest exponent code", "all exponent bits set", 2**E - 1),
    ("kept for infinities and NaN", -r),
    ("bias", "codes count from −bias", -bias),
    title="largest exponent",
)
gap = Ledger(
    ("next number after 1", "the same exponent and mantissa code 1", 1 + 1 / 2**M),
    ("1 itself", "mantissa code 0", -1),
)
stored = Ledger(
    ("elements", block * element),
    ("scale", "once a block", scale),
    title="bits of a block",
)

max = Derivation(
    "x_max",
    "Largest number of a format",
    unit="dimensionless",
    about="""The largest finite one. IEEE formats keep the top exponent for infinities and NaN (r = 1, t = 0);
    FP8 E4M3 keeps only its last code (r = 0, t = 1); formats without either use them all.""",
    start=significand.total * 2**exponent.total,
    steps=[
        Equal(
            (2 - (1 + t) * 2 ** (-M)) * 2 ** (2**E - 1 - r - bias),
            because="1 + (2^M − 1 − t)/2^M is 2 less 1 + t steps",
        ),
    ],
    facts=[
        SpecialCase(
            {r: 1, t: 0},
            (2 - 2 ** (-M)) * 2 ** (2**E - 2 - bias),
            because="one exponent code goes to infinities and NaN, as in IEEE formats",
        ),
        SpecialCase(
            {r: 1, t: 0, bias: 2 ** (E - 1) - 1},
            (2 - 2 ** (-M)) * 2 ** (2 ** (E - 1) - 1),
            because="with the usual bias the range is centred on 1",
        ),
        Limit(
            M,
            oo,
            2 ** (2**E - r - bias),
            because="mantissa bits never reach the next power of two: range is bought with exponent bits",
        ),
    ],
    examples=[
        Example({"format": "fp32"}, "340282346638528859811704183484516925440"),
        Example({"format": "tf32"}, "340116213421465348979261631549233168384"),
        Example({"format": "bf16"}, "338953138925153547590470800371487866880"),
        Example({"format": "fp16"}, "65504"),
        Example({"format": "fp8_e4m3"}, "448"),
        Example({"format": "fp8_e5m2"}, "57344"),
        Example({"format": "fp8_e4m3fnuz"}, "240"),
        Example({"format": "fp8_e5m2fnuz"}, "57344"),
        Example({"format": "fp6_e2m3"}, "7.5"),
        Example({"format": "fp6_e3m2"}, "28"),
        Example({"format": "fp4_e2m1"}, "6"),
        Example({"format": "e8m0"}, "170141183460469231731687303715884105728"),
    ],
    sources=[
        "IEEE 754-2019, clause 3.3",
        "Open Compute Project, 8-bit Floating Point Specification (OFP8) 1.0",
        "Open Compute Project, Microscaling Formats (MX) Specification 1.0",
    ],
)

epsilon = Derivation(
    "eps",
    "Gap between 1 and the next number of a format",
    unit="dimensionless",
    about="""The relative step at a power of two, a step being 2^−M of it. Rounding to nearest errs by half of it
    at most; some call that half the epsilon (see unit_roundoff).""",
    start=gap,
    steps=[Equal(2 ** (-M), because="mantissa code 1 is worth 1/2^M")],
    examples=[
        Example({"format": "fp32"}, "1.1920928955078125e-7"),
        Example({"format": "tf32"}, "0.0009765625"),
        Example({"format": "bf16"}, "0.0078125"),
        Example({"format": "fp16"}, "0.0009765625"),
        Example({"format": "fp8_e4m3"}, "0.125"),
        Example({"format": "fp8_e5m2"}, "0.25"),
        Example({"format": "fp8_e4m3fnuz"}, "0.125"),
        Example({"format": "fp8_e5m2fnuz"}, "0.25"),
        Example({"format": "fp6_e2m3"}, "0.125"),
        Example({"format": "fp6_e3m2"}, "0.25"),
        Example({"format": "fp4_e2m1"}, "0.5"),
        Example({"format": "e8m0"}, "1"),
    ],
)

smallest_normal = Derivation(
    "x_norm",
    "Smallest normal number of a format",
    unit="dimensionless",
    about="""The smallest with a leading 1: mantissa code 0 at the smallest normal exponent code. That is 1, since
    code 0 is for zero and subnormals; E8M0, a format of scales, has neither and begins at 0.""",
    start=2 ** (c_min - bias),
    facts=[
        SpecialCase({c_min: bias}, 1, because="the code that equals the bias stands for 2^0"),
        SpecialCase(
            {c_min: 1, bias: 2 ** (E - 1) - 1},
            4 * 2 ** (-(2 ** (E - 1))),
            because="with the usual bias it follows from the exponent bits alone",
        ),
    ],
    examples=[
        Example({"format": "fp32"}, "1.17549435082228750797e-38"),
        Example({"format": "tf32"}, "1.17549435082228750797e-38"),
        Example({"format": "bf16"}, "1.17549435082228750797e-38"),
        Example({"format": "fp16"}, "0.00006103515625"),
        Example({"format": "fp8_e4m3"}, "0.015625"),
        Example({"format": "fp8_e5m2"}, "0.00006103515625"),
        Example({"format": "fp8_e4m3fnuz"}, "0.0078125"),
        Example({"format": "fp8_e5m2fnuz"}, "0.000030517578125"),
        Example({"format": "fp6_e2m3"}, "1"),
        Example({"format": "fp6_e3m2"}, "0.25"),
        Example({"format": "fp4_e2m1"}, "1"),
        Example({"format": "e8m0"}, "5.87747175411143753984e-39"),
    ],
)

smallest_subnormal = Derivation(
    "x_min",
    "Smallest positive number of a format",
    unit="dimensionless",
    about="""Exponent code 0 and mantissa code 1: one step above zero. Without mantissa bits there is no such code.
    Subnormals are counted; hardware that flushes them to zero ends at the smallest normal number.""",
    start=(1 / 2**M_1) * 2 ** (1 - bias),
    steps=[Equal(2 ** (1 - bias - M_1), because="powers of two multiply by adding exponents")],
    facts=[
        Identity(
            2 ** (1 - bias - M_1),
            epsilon.result.xreplace({M: M_1}) * smallest_normal.result.xreplace({c_min: Integer(1)}),
            because="below the smallest normal number the steps stay as long as they are above it",
        ),
    ],
    examples=[
        Example({"format": "fp32"}, "1.40129846432481707092e-45"),
        Example({"format": "tf32"}, "1.14794370197489014450e-41"),
        Example({"format": "bf16"}, "9.18354961579912115601e-41"),
        Example({"format": "fp16"}, "5.9604644775390625e-8"),
        Example({"format": "fp8_e4m3"}, "0.001953125"),
        Example({"format": "fp8_e5m2"}, "0.0000152587890625"),
        Example({"format": "fp8_e4m3fnuz"}, "0.0009765625"),
        Example({"format": "fp8_e5m2fnuz"}, "7.62939453125e-6"),
        Example({"format": "fp6_e2m3"}, "0.125"),
        Example({"format": "fp6_e3m2"}, "0.0625"),
        Example({"format": "fp4_e2m1"}, "0.5"),
    ],
)

unit_roundoff = Derivation(
    "u",
    "Largest relative update that a power of two loses",
    unit="dimensionless",
    about="""1 + δ rounds back to 1 when δ is at most half a step; just below 2 the same half step is a half as
    much of the number. A typical update of Adam is 1e-3 to 1e-4 of a weight: lost in bf16, where the half
    step is 1/256, and kept in fp32. Hence the fp32 master copy.""",
    start=eps / 2,
    steps=[
        Use(eps, epsilon, because="a step after 1 is 2^−M"),
        Equal(2 ** (-M - 1), because="a half of it"),
    ],
    facts=[
        SpecialCase({M: 7}, Rational(1, 256), because="bf16: an update of 1e-3 of a weight is below 1/256"),
        SpecialCase({M: 10}, Rational(1, 2048), because="fp16: 1e-3 is above 1/2048, 1e-4 below"),
        SpecialCase({M: 23}, Rational(1, 16777216), because="fp32: even 1e-7 of a weight is kept"),
    ],
    examples=[Example({"format": "bf16"}, "0.00390625"), Example({"format": "fp16"}, "0.00048828125")],
)

bits_per_element = Derivation(
    "w",
    "Stored bits an element",
    unit="bit",
    about="""What memory spends: elements and their part of the shared scale. NVFP4 has one fp32 scale a tensor
    besides, which is left out. TF32 is stored in 32 bits although it has 19.""",
    start=stored.total / block,
    steps=[Equal(element + scale / block, because="the scale is split among the elements of its block")],
    facts=[
        Limit(block, oo, element, because="a long block hides its scale"),
        Approx(element, error_at_most=scale / (block * element), because="drop the scale"),
        SpecialCase({scale: 0}, element, because="a format without scales"),
    ],
    examples=[
        Example({"format": "mxfp4"}, "4.25 bit"),
        Example({"format": "nvfp4"}, "4.5 bit"),
        Example({"format": "mxfp6"}, "6.25 bit"),
        Example({"format": "mxfp8"}, "8.25 bit"),
        Example({"format": "bf16"}, "16 bit"),
        Example({"format": "tf32"}, "32 bit"),
        Example({"element": "4 bit", "scale": "16 bit", "block": 32}, "4.5 bit"),
    ],
    sources=["Open Compute Project, Microscaling Formats (MX) Specification 1.0, table 1"],
)

least_loss_scale = Derivation(
    "s",
    "Loss scale below which the smallest gradients vanish",
    unit="dimensionless",
    about="""Scaling the loss scales every gradient. A gradient that stays below the smallest positive number may
    round to zero. fp16 ends at 6e-8, which small gradients pass; bf16 ends at 9e-41, which none does.""",
    start=s,
    steps=[
        Solve(
            s, s * lo, x_min, gives=x_min / lo, because="the smallest gradient lands on the smallest number"
        )
    ],
    examples=[
        Example({"format": "fp16", "lo": "7.450580596923828125e-9"}, "8"),
        Example({"format": "bf16", "lo": "7.450580596923828125e-9"}, "1.233e-32"),
    ],
    sources=["Micikevicius et al., Mixed Precision Training, arXiv:1710.03740, section 3.2"],
)

greatest_loss_scale = Derivation(
    "s",
    "Loss scale above which the largest gradients overflow",
    unit="dimensionless",
    about="One overflowing gradient spoils the step: dynamic loss scaling then skips it and halves the scale.",
    start=s,
    steps=[
        Solve(s, s * hi, x_max, gives=x_max / hi, because="the largest gradient lands on the largest number")
    ],
    examples=[Example({"format": "fp16", "hi": "0.5"}, "131008")],
    sources=["Micikevicius et al., Mixed Precision Training, arXiv:1710.03740, section 3.2"],
)

_BITS = (E, M, bias, r, t, c_min, sign)

representable = Computed(
    "values",
    "The numbers of a small format",
    letters=_BITS,
    compute=format_rules.listed,
    explain=format_rules.list_words,
    about="""Every finite number from 0 up, decoded code by code, of formats of at most 8 bits. Infinities and
    NaN are left out, and so are the negatives, which mirror the list where there is a sign bit.""",
    checks=[
        Check(
            "the list rises, has 2^(E + M) − r·2^M − t numbers, and each is a multiple of the smallest with at "
            "most M + 1 significant bits",
            because="every number of every named format of at most 8 bits",
            counterexample=format_rules.unlisted,
        ),
    ],
    examples=[
        Example({"format": "fp4_e2m1"}, [0, "0.5", 1, "1.5", 2, 3, 4, 6]),
        Example({"E": 2, "M": 0, "bias": 1, "r": 0, "t": 0, "c_min": 1, "sign": 1}, [0, 1, 2, 4]),
    ],
    sources=["Open Compute Project, Microscaling Formats (MX) Specification 1.0, section 5.3"],
)

update_lost = Computed(
    "lost",
    "Whether a number plus an update is the number again",
    letters=(x, delta, *_BITS),
    compute=format_rules.lost,
    explain=format_rules.lost_words,
    about="""x is first rounded to the format, as it would be stored; delta is not. Their sum is exact and rounded
    once, to the nearest number and between two to the one with an even mantissa. A sum half a step or more
    beyond the largest number overflows and is not x. Running sums in bf16 stall in this way at 256 when ones
    are added, and weights keep none of the updates below half a step.""",
    checks=[
        Check(
            "rounding gives the nearest number of the list, and of two as near the one with the even code",
            because="five points on each gap, ends and middle among them, in every format of at most 8 bits",
            counterexample=format_rules.misrounded,
        ),
    ],
    examples=[
        Example({"format": "bf16", "x": 1, "delta": "1e-3"}, True),
        Example({"format": "bf16", "x": 256, "delta": 1}, True),
        Example({"format": "bf16", "x": 257, "delta": 1}, True),
        Example({"format": "bf16", "x": 258, "delta": 1}, False),
        Example({"format": "bf16", "x": 1, "delta": "-2e-3"}, False),
        Example({"format": "fp16", "x": 1, "delta": "1e-3"}, False),
        Example({"format": "fp32", "x": 1, "delta": "1e-4"}, False),
    ],
    sources=["IEEE 754-2019, clause 4.3.1 (rounding to nearest, ties to even)"],
)

loss_scale_range = Computed(
    "scales",
    "Powers of two that keep all gradients representable",
    letters=(lo, hi, *_BITS),
    compute=format_rules.scales,
    explain=format_rules.scales_words,
    about="""The least and the greatest 2^k for which gradients of magnitude lo … hi, times 2^k, lie between the
    smallest positive number of the format, subnormals included, and the largest; none where they span more
    than the format. fp16 has 40 powers of two, so that the scale must be found and kept; bf16 has fp32's 8
    exponent bits and holds any gradient as it is: 1 is among its scales, and no scaling is needed.""",
    checks=[
        Check(
            "trying every power of two from 2^−48 to 2^48 finds the same two",
            because="50 spans of gradients in every format of at most 8 bits",
            counterexample=format_rules.misscaled,
        ),
    ],
    examples=[
        Example({"format": "fp16", "lo": "7.450580596923828125e-9", "hi": "0.5"}, [8, 65536]),
        Example({"format": "fp16", "lo": "1e-12", "hi": 1000}, []),
        Example({"format": "fp4_e2m1", "lo": 1, "hi": 2}, ["0.5", 2]),
    ],
    sources=["Micikevicius et al., Mixed Precision Training, arXiv:1710.03740, section 3.2"],
)

by_format = Table(
    "Number formats",
    heading="format",
    about="Derived from the bits; e8m0 is a scale without zero, sign or subnormal numbers.",
    columns=[
        Column("largest", "formats.max", "dimensionless", digits=5),
        Column("epsilon", "formats.epsilon", "dimensionless"),
        Column("smallest normal", "formats.smallest_normal", "dimensionless"),
        Column("smallest subnormal", "formats.smallest_subnormal", "dimensionless"),
    ],
    rows=[Row(name, {"format": name}) for name in number_formats.with_role("bias")],
    optional=["smallest subnormal"],
)
by_block = Table(
    "Bits an element with block scales",
    heading="format",
    columns=[Column("bits an element", "formats.bits_per_element", "bit")],
    rows=[Row(name, {"format": name}) for name in ("mxfp4", "nvfp4", "mxfp8")],
)

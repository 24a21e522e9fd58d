"""Elementwise kernels: a few operations an element and a whole trip to memory for each.

GELU, residual additions, dropout and norms read and write every element they
touch. Their arithmetic runs on the ordinary units, not on the tensor cores, and
is still far faster than the memory. Fusing several of them into one pass saves
the trips in between.
"""

from derive import (
    BYTE,
    FLOP,
    Derivation,
    Equal,
    Example,
    Inequality,
    Ledger,
    Limit,
    Max,
    Put,
    Regime,
    SpecialCase,
    count,
    letters,
    number,
    oo,
    quantity,
)

N = count("N", "elements of the tensor")
r = count("r", "tensors read")
w = count("w", "tensors written")
c = number("c", "operations an element")
k = count("k", "passes that are fused into one")
x = number("x", "further tensors that each pass reads", nonnegative=True)
e, W = letters.e, letters.W
P = quantity("P", "peak of the non-tensor units", "FLOP/s", role="hardware.vector_peak", precision="fp32")

moved = Ledger(
    ("read the inputs", r * N * e),
    ("write the outputs", w * N * e),
)
work = Ledger(("operations", c * N * FLOP))
separate = Ledger(
    ("read the running tensor", k * N * e),
    ("read the further operands", k * x * N * e),
    ("write the running tensor", k * N * e),
)
fused = Ledger(
    ("read the input", N * e),
    ("read the further operands", k * x * N * e),
    ("write the output", N * e),
)

traffic = Derivation(
    "Q",
    "Memory traffic of an elementwise kernel",
    unit="byte",
    about="Each of r inputs is read once and each of w outputs written once; broadcast operands are left out.",
    start=moved,
    steps=[
        Equal((r + w) * e * N, because="every tensor has N elements of e bytes"),
        Put(r, 1, because="one input"),
        Put(w, 1, because="one output"),
    ],
    examples=[Example({"N": 16777216}, "67.11 MB"), Example({"N": 16777216, "r": 2}, "100.7 MB")],
)

intensity = Derivation(
    "I",
    "Arithmetic intensity of an elementwise kernel",
    unit="FLOP/byte",
    start=work.total / moved.total,
    steps=[
        Equal(c * FLOP / ((r + w) * e), because="the size of the tensor cancels"),
        Put(r, 1, because="one input"),
        Put(w, 1, because="one output"),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
    ],
    facts=[
        Inequality(
            c * FLOP / ((r + w) * e),
            "<",
            P / W,
            where=c * FLOP < (r + w) * e * P / W,
            because="so few operations an element leave the kernel below the ridge",
        ),
        Inequality(
            c * FLOP / ((r + w) * e),
            ">=",
            P / W,
            where=c * FLOP >= (r + w) * e * P / W,
            because="and only so few do",
        ),
    ],
    examples=[Example({"c": 1}, "0.25 FLOP/byte"), Example({"c": 8, "r": 2}, "1.333 FLOP/byte")],
)

time = Derivation(
    "t",
    "Time of an elementwise kernel",
    unit="s",
    about="""Memory time, in the region where memory decides: c operations an element below (r + w)·e·P/W,
    P being the peak of the non-tensor units. Launch overhead is left out.""",
    start=moved.total / W,
    steps=[
        Equal((r + w) * e * N / W, because="every tensor has N elements of e bytes"),
        Put(r, 1, because="one input"),
        Put(w, 1, because="one output"),
    ],
    facts=[
        Regime(
            (r + w) * e * N / W,
            when=c * FLOP <= (r + w) * e * P / W,
            of=Max(work.total / P, moved.total / W),
            because="the roofline of the kernel is its memory time there",
            name="memory-bound",
        ),
    ],
    examples=[Example({"N": 16777216, "W": "3.35 TB/s"}, "20.03 us")],
)

fused_saving = Derivation(
    "q",
    "Traffic of separate passes over that of one fused pass",
    unit="dimensionless",
    about="""k passes over one tensor, each reading x further tensors of the same size. Fused, the running
    tensor stays in registers between the passes.""",
    start=separate.total / fused.total,
    steps=[
        Equal(k * (2 + x) / (2 + k * x), because="the size of the tensor cancels"),
        Put(x, 0, because="unary passes read nothing else: k round trips become one"),
    ],
    facts=[
        SpecialCase(
            {x: 1}, 3 * k / (k + 2), because="one further operand a pass", of=k * (2 + x) / (2 + k * x)
        ),
        Limit(k, oo, 3, because="the further operands must be read in any case", of=3 * k / (k + 2)),
    ],
    examples=[Example({"k": 4}, "4"), Example({"k": 4, "x": 1}, "2")],
)

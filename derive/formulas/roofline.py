"""The roofline: a kernel takes at least its arithmetic time and at least its memory time.

Both are ratios of an amount to a rate, and the machine enters only through two
rates. The ridge point P/W is the arithmetic intensity at which the two times are
equal: a kernel below it waits for memory, a kernel above it for arithmetic.
"""

from derive import Column, Derivation, Example, Limit, Max, Min, Regime, Row, Table, letters, oo, quantity

F, Q, P, W = letters.F, letters.Q, letters.P, letters.W
I = quantity("I", "arithmetic intensity of the kernel", "FLOP/byte")
t_0 = quantity("t_0", "overhead of one launch", "s", nonnegative=True)

compute_time = Derivation(
    "t",
    "Arithmetic time",
    unit="s",
    about="Every operation at the peak rate; nothing else is counted.",
    start=F / P,
    examples=[Example({"F": "268435456 FLOP", "P": "989 TFLOP/s"}, "0.2714 us")],
)

memory_time = Derivation(
    "t",
    "Memory time",
    unit="s",
    about="Every byte at the full memory bandwidth; caches and latency are left out.",
    start=Q / W,
    examples=[Example({"Q": "100663296 byte", "W": "3.35 TB/s"}, "30.05 us")],
)

time = Derivation(
    "t",
    "Roofline time",
    unit="s",
    about="""Arithmetic and memory traffic overlap perfectly, so the slower of the two decides. A lower
    bound: launch overhead, tiling and latency only add to it.""",
    start=Max(F / P, Q / W),
    facts=[
        Regime(
            F / P,
            when=F / Q >= P / W,
            because="at or above the ridge arithmetic takes longer",
            name="compute-bound",
        ),
        Regime(
            Q / W,
            when=F / Q <= P / W,
            because="at or below the ridge memory takes longer",
            name="memory-bound",
        ),
    ],
    examples=[
        Example({"F": "1e12 FLOP", "Q": "1e9 byte", "P": "989 TFLOP/s", "W": "3.35 TB/s"}, "1.011 ms"),
        Example({"F": "1e9 FLOP", "Q": "1e9 byte", "P": "989 TFLOP/s", "W": "3.35 TB/s"}, "0.2985 ms"),
    ],
    sources=["Williams, Waterman and Patterson, Roofline, Communications of the ACM 52(4), 2009"],
)

time_with_launch = Derivation(
    "t",
    "Roofline time with launch overhead",
    unit="s",
    about="""The launch is not overlapped with the kernel. For small kernels it is all that is left,
    which is why a 512×512 matmul does not get faster on a faster machine.""",
    start=t_0 + Max(F / P, Q / W),
    facts=[
        Limit((F, Q), 0, t_0, because="work and traffic vanish together, the launch stays"),
        Regime(t_0 + F / P, when=F / Q >= P / W, because="at or above the ridge", name="compute-bound"),
        Regime(t_0 + Q / W, when=F / Q <= P / W, because="at or below the ridge", name="memory-bound"),
    ],
    examples=[
        Example(
            {"F": "268435456 FLOP", "Q": "1572864 byte", "t_0": "3 us", "P": "989 TFLOP/s", "W": "3.35 TB/s"},
            "3.470 us",
        ),
    ],
)

ridge = Derivation(
    "R",
    "Ridge point",
    unit="FLOP/byte",
    about="The intensity at which F/P = Q/W. It belongs to the machine and the precision, not to the kernel.",
    start=P / W,
    examples=[
        Example({"P": "989 TFLOP/s", "W": "3.35 TB/s"}, "295.2 FLOP/byte"),
        Example({"P": "0.768 TFLOP/s", "W": "89.6 GB/s"}, "8.571 FLOP/byte"),
    ],
)

attainable = Derivation(
    "A",
    "Attainable rate",
    unit="FLOP/s",
    about="The rate of arithmetic that a kernel of intensity I can reach.",
    start=Min(P, I * W),
    facts=[
        Limit(I, oo, P, because="the arithmetic units cannot do more than their peak"),
        Regime(
            I * W,
            when=I <= P / W,
            because="below the ridge each byte brings I operations",
            name="memory-bound",
        ),
        Regime(P, when=I >= P / W, because="above the ridge the units are busy", name="compute-bound"),
    ],
    examples=[
        Example({"I": "62 FLOP/byte", "P": "989 TFLOP/s", "W": "3.35 TB/s"}, "207.7 TFLOP/s"),
        Example({"I": "1000 FLOP/byte", "P": "989 TFLOP/s", "W": "3.35 TB/s"}, "989 TFLOP/s"),
    ],
)

reference = Table(
    "Reference machines: dense bf16 peak, memory bandwidth and ridge point",
    heading="machine",
    about="Peaks without sparsity and full memory bandwidth, as their makers specify them.",
    columns=[
        Column("peak", "", "TFLOP/s", constant={"role": "peak", "sparsity": "dense", "precision": "bf16"}),
        Column("bandwidth", "", "TB/s", constant={"role": "bandwidth"}),
        Column("ridge", "roofline.ridge", "FLOP/byte", digits=3),
    ],
    rows=[Row(name, on=name) for name in ("a100-80gb-sxm", "h100-sxm", "h200-sxm", "b200-sxm", "l40s")],
)

"""Matrix multiplication: (m×k)(k×n), from operation count to the batch that reaches the ridge.

Each of the mn results is a sum of k products. At the least, both factors are
read once and the product is written once; what a kernel re-reads because its
tiles are small is left out. Everything else in this chapter is these two counts
divided, with sizes put equal or sent to a limit.
"""

from derive import (
    BYTE,
    FLOP,
    Approx,
    Derivation,
    Equal,
    Example,
    Ledger,
    Limit,
    NoSolution,
    Put,
    Regime,
    Solve,
    SpecialCase,
    Use,
    count,
    get,
    letters,
    oo,
)

m = count("m", "rows of A and C")
k = count("k", "columns of A, rows of B")
n = count("n", "columns of B and C")
d = count("d", "width of the square weight matrix")
B = count("B", "sequences decoded together")
e, P, W, R, F, Q = letters.e, letters.P, letters.W, letters.R, letters.F, letters.Q

work = Ledger(
    ("multiplications", "one for each of mn results and k terms", m * k * n * FLOP),
    ("additions", "each product joins its sum", m * k * n * FLOP),
)
moved = Ledger(
    ("read A", m * k * e),
    ("read B", k * n * e),
    ("write C", m * n * e),
)

flops = Derivation(
    "F",
    "Operations of a matmul",
    unit="FLOP",
    about="A multiply-add counts as two operations; the first addition of each sum is counted as well.",
    start=work,
    steps=[Equal(2 * m * k * n * FLOP, because="one multiplication and one addition a term")],
    examples=[Example({"m": 4096, "k": 4096, "n": 4096}, "137.4 GFLOP")],
)

traffic = Derivation(
    "Q",
    "Least memory traffic of a matmul",
    unit="byte",
    about="Each matrix crosses the memory bus once; re-reads by small tiles and accumulation into C are left out.",
    start=moved,
    steps=[Equal(e * (m * k + k * n + m * n), because="every element has e bytes")],
    examples=[Example({"m": 4096, "k": 4096, "n": 4096}, "100.7 MB")],
)

intensity = Derivation(
    "I",
    "Arithmetic intensity of a matmul",
    unit="FLOP/byte",
    about="Operations over the least traffic, so the best that any kernel can do.",
    start=work.total / moved.total,
    steps=[
        Equal(
            2 * m * k * n * FLOP / (e * (m * k + k * n + m * n)), because="the rows of both ledgers added up"
        ),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
    ],
    facts=[
        Limit(
            m,
            oo,
            k * n * FLOP / ((k + n) * BYTE),
            because="for many rows only the reading of B stops mattering",
        ),
        Limit(
            m,
            oo,
            2 * k * n * FLOP / (e * (k + n)),
            because="the same for elements of any size",
            of=2 * m * k * n * FLOP / (e * (m * k + k * n + m * n)),
        ),
        SpecialCase({m: n, k: n}, n * FLOP / (3 * BYTE), because="three equal matrices"),
    ],
    examples=[Example({"m": 1, "k": 4096, "n": 4096}, "0.9995 FLOP/byte")],
)

square_intensity = Derivation(
    "I",
    "Arithmetic intensity of a square matmul",
    unit="FLOP/byte",
    start=intensity,
    steps=[
        Put(m, n, because="A is square"),
        Put(k, n, because="and so is B"),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
    ],
    examples=[Example({"n": 4096}, "1365 FLOP/byte")],
)

decode_intensity = Derivation(
    "I",
    "Arithmetic intensity of decoding one token",
    unit="FLOP/byte",
    about="""One row of activations meets a d×d weight matrix: every weight is read for a single
    multiply-add. Batch 1; the key-value cache is another chapter's.""",
    start=intensity,
    steps=[
        Put(m, 1, because="one token, one row", fixed=True),
        Put(k, d, because="the weight matrix is d×d"),
        Put(n, d, because="the weight matrix is d×d"),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
        Equal(d * FLOP / ((d + 2) * BYTE), because="d² over 2d + d², divided by d"),
    ],
    facts=[
        Limit(d, oo, FLOP / BYTE, because="the two vectors weigh nothing beside the matrix"),
        Approx(FLOP / BYTE, error_at_most=2 / d, because="drop 2 beside d"),
    ],
    examples=[Example({"d": 4096}, "0.9995 FLOP/byte")],
)

batched_decode_intensity = Derivation(
    "I",
    "Arithmetic intensity of decoding a batch",
    unit="FLOP/byte",
    about="B rows of activations share one reading of a d×d weight matrix.",
    start=intensity,
    steps=[
        Put(m, B, because="one row a sequence"),
        Put(k, d, because="the weight matrix is d×d"),
        Put(n, d, because="the weight matrix is d×d"),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
        Equal(B * d * FLOP / ((2 * B + d) * BYTE), because="Bd² over 2Bd + d², divided by d"),
    ],
    facts=[
        Approx(
            B * FLOP / BYTE, error_at_most=2 * B / d, because="drop 2B beside d: batching climbs the roofline"
        ),
        Limit(B, oo, d * FLOP / (2 * BYTE), because="for large batches the activations are the traffic"),
        SpecialCase({B: 1}, d * FLOP / ((d + 2) * BYTE), because="a batch of one is plain decoding"),
    ],
    examples=[Example({"B": 345, "d": 4096}, "295.3 FLOP/byte")],
)

critical_batch = Derivation(
    "B",
    "Batch at which decoding reaches the ridge",
    unit="dimensionless",
    about="""The batch that makes a d×d decode matmul as fast in arithmetic as in memory. Weights only; the
    key-value cache of each sequence comes on top and does not amortise.""",
    start=B,
    steps=[
        Solve(
            B,
            batched_decode_intensity.general,
            R,
            gives=R * e * d / (2 * (d * FLOP - R * e)),
            where=d * FLOP > R * e,
            because="the intensity of the batch is set equal to the ridge R",
        ),
        Put(e, 2 * BYTE, because="bf16 and fp16 store an element in 2 bytes"),
        Equal(R * d * BYTE / (d * FLOP - 2 * R * BYTE), because="the 2 cancels"),
    ],
    facts=[
        Limit(d, oo, R * BYTE / FLOP, because="for wide matrices the batch is the ridge itself"),
        NoSolution(
            when=d * FLOP <= R * e,
            says="no batch reaches the ridge",
            because="the intensity stays below d/e operations a byte however large the batch",
        ),
    ],
    examples=[Example({"d": 4096, "R": "295.2238805970149 FLOP/byte"}, "344.9")],
)

time = Derivation(
    "t",
    "Time of a matmul",
    unit="s",
    about="The roofline with the operations and the least traffic of a matmul put in; launch and tiling are left out.",
    start=get("roofline.time"),
    steps=[
        Use(F, flops),
        Use(Q, traffic),
    ],
    facts=[
        Regime(
            2 * m * k * n * FLOP / P,
            when=2 * m * k * n * FLOP / (e * (m * k + k * n + m * n)) >= P / W,
            because="its intensity is at or above the ridge",
            name="compute-bound",
        ),
        Regime(
            e * (m * k + k * n + m * n) / W,
            when=2 * m * k * n * FLOP / (e * (m * k + k * n + m * n)) <= P / W,
            because="its intensity is at or below the ridge",
            name="memory-bound",
        ),
    ],
    examples=[
        Example({"m": 4096, "k": 4096, "n": 4096, "P": "989 TFLOP/s", "W": "3.35 TB/s"}, "139.0 us"),
        Example({"m": 512, "k": 512, "n": 512, "P": "989 TFLOP/s", "W": "3.35 TB/s"}, "0.4695 us"),
    ],
)

"""Serving: a prompt is read at the speed of arithmetic, an answer written at the speed of memory.

A step of decoding takes the longer of its arithmetic and its memory time, and
the batch at which the two meet need not exist: each sequence brings a cache that
must be read, and with long sequences reading it takes longer than the arithmetic
that it feeds. What helps is to read less: fewer bits, a shorter or smaller cache,
or several tokens a pass, drafted by a small model and checked by the large one.
How many requests are in flight follows from how many arrive and how long they stay.
"""

from __future__ import annotations

from derive import (
    BYTE,
    FLOP,
    PARAMETER,
    TOKEN,
    Column,
    Derivation,
    Equal,
    Example,
    Inequality,
    Ledger,
    Limit,
    Max,
    NoSolution,
    Put,
    Rational,
    Regime,
    Row,
    Solve,
    SpecialCase,
    Table,
    Use,
    count,
    get,
    letters,
    number,
    oo,
    quantity,
)
from derive.formulas import _serving_caches as _caches
from derive.formulas import _serving_drafts as _drafts
from derive.formulas._memory_rows import H_kv, L, d_h
from derive.formulas._memory_rows import N as N_all

P, W, e, T = letters.P, letters.W, letters.e, letters.T
N = quantity("N", "parameters that take part in matmuls", "parameter", filled_by="parameters.matmul")
F = quantity("F", "operations of the forward pass, a token", "FLOP/token", filled_by="flops.forward")
MFU = number("MFU", "share of the peak that is reached", at_most=1)
B = count("B", "sequences decoded together")
weights = quantity("weights", "bytes of weights that a step reads", "byte", filled_by="decode.weights_read")
KV = quantity("KV", "bytes of the cache of one sequence", "byte", filled_by="memory.kv_cache_sequence")
KV_t = quantity("KV_t", "bytes of the cache of one token", "byte", filled_by="memory.kv_cache_token")
t_0 = quantity("t_0", "overhead of one step", "s", nonnegative=True)
x = quantity("x", "any time", "s")
lam = quantity("lam", "requests that arrive a second", "1/s")
t = quantity("t", "time that a request stays", "s")
H = quantity("H", "time over which is counted", "s")
in_flight = number("n", "requests in flight", filled_by="serving.little")
price = quantity("price", "price of the devices", "USD/h")
rate = quantity("rate", "tokens a second while serving", "token/s", filled_by="decode.tokens_per_second")
u = number("u", "share of the time in which requests fill the batch", at_most=1)
w = quantity("w", "stored bits an element", "bit", filled_by="formats.bits_per_element")
weights_q = quantity("weights_q", "bytes of quantized weights", "byte", filled_by="serving.quantized_weights")
KV_q = quantity("KV_q", "bytes of a quantized cache", "byte", filled_by="serving.quantized_cache")
prompts = quantity("rate", "prompt tokens read a second", "token/s")

_A_WEIGHT = FLOP / PARAMETER
_ARITHMETIC = 2 * N * B * _A_WEIGHT / P
_MEMORY = (weights + B * KV) / W

_answering = Ledger(
    ("multiplications", "every weight meets the newest token of each sequence", N * B * _A_WEIGHT),
    ("additions", "each product joins its sum", N * B * _A_WEIGHT),
    title="operations of a step",
)
_reading = Ledger(
    ("read the weights", "once for the whole batch", weights),
    ("read the caches", "every sequence has its own", B * KV),
    title="bytes of a step",
)
_staying = Ledger(("each of lam·H arrivals stays t", lam * H * t))
_quantized = Ledger(
    ("quantized weights", weights_q), ("quantized caches", B * KV_q), title="bytes of a quantized step"
)

prefill_time = Derivation(
    "t",
    "Time to read a prompt",
    unit="s",
    about="""All T tokens of the prompt go through the weights at once. Attention comes on top, LTd/N of it
    (flops.attention_share), and the time of reading the weights is hidden for all but short prompts.""",
    start=F * T * TOKEN / (P * MFU),
    steps=[
        Use(F, get("flops.forward"), because="two operations a weight and token"),
        Equal(2 * N * T * _A_WEIGHT / (P * MFU), because="every token costs the same"),
    ],
    facts=[
        SpecialCase({MFU: 1}, 2 * N * T * _A_WEIGHT / P, because="the least: every unit busy all the time")
    ],
    examples=[
        Example({"T": 8192, "MFU": "0.5"}, "248.65 ms", on="h100-sxm", model="llama-3-8b"),
        Example({"N": "70e9 parameter", "T": 1000, "MFU": "1"}, "141.557 ms", on="h100-sxm"),
    ],
)

prefill_critical_prompt = Derivation(
    "T",
    "Prompt above which reading it is bound by arithmetic",
    unit="dimensionless",
    about="Shorter prompts wait for the weights as decoding does. One sequence; a batch of prompts adds up.",
    start=T,
    steps=[
        Solve(
            T,
            2 * N * T * _A_WEIGHT / P,
            weights / W,
            gives=weights * P / (2 * N * W * _A_WEIGHT),
            because="the arithmetic of T tokens is set equal to one reading of the weights",
        )
    ],
    facts=[
        SpecialCase(
            {weights: N * 2 * BYTE / PARAMETER},
            P * BYTE / (W * FLOP),
            because="with 2 bytes a weight it is the ridge point of the machine",
        )
    ],
    examples=[Example({}, "315.9", on="h100-sxm", model="llama-3-8b")],
)

step_time = Derivation(
    "t",
    "Time of a decode step, arithmetic and memory",
    unit="s",
    about="""The roofline of a step: B tokens through the weights, weights and caches read once. Attention's own
    arithmetic is left out, as it hides behind the reading of the cache. t_0 is what launches cost.""",
    start=t_0 + Max(_answering.total / P, _reading.total / W),
    steps=[
        Equal(t_0 + Max(_ARITHMETIC, _MEMORY), because="the rows of both ledgers added up"),
        Put(t_0, 0, because="launches are hidden, as with a captured graph"),
    ],
    facts=[
        Regime(
            _ARITHMETIC,
            when=_ARITHMETIC >= _MEMORY,
            because="the arithmetic takes longer",
            name="compute-bound",
        ),
        Regime(_MEMORY, when=_ARITHMETIC <= _MEMORY, because="the reading takes longer", name="memory-bound"),
    ],
    examples=[
        Example({"B": 32, "T": 8192}, "15.05 ms", on="h100-sxm", model="llama-3-8b"),
        Example({"B": 1024, "T": 128}, "15.54 ms", on="h100-sxm", model="llama-3-8b"),
        Example({"B": 32, "T": 8192, "t_0": "1 ms"}, "16.05 ms", on="h100-sxm", model="llama-3-8b"),
    ],
)

crossing_batch = Derivation(
    "B",
    "Batch at which a decode step turns from memory to arithmetic",
    unit="dimensionless",
    about="""Caches included, unlike matmul.critical_batch. A sequence adds 2N/P of arithmetic and KV/W of reading;
    where reading is the larger, every further sequence makes the step more bound by memory.""",
    start=B,
    steps=[
        Solve(
            B,
            _ARITHMETIC,
            _MEMORY,
            gives=(weights / W) / (2 * N * _A_WEIGHT / P - KV / W),
            where=2 * N * _A_WEIGHT / P > KV / W,
            because="the two times of a step are set equal",
        )
    ],
    facts=[
        Limit(KV, 0, weights * P / (2 * N * W * _A_WEIGHT), because="without caches it is the ridge again"),
        NoSolution(
            when=KV / W >= 2 * N * _A_WEIGHT / P,
            says="no batch makes the step compute-bound",
            because="each sequence adds more reading than arithmetic",
        ),
    ],
    examples=[Example({"T": 128}, "471.49", on="h100-sxm", model="llama-3-8b")],
)

little = Derivation(
    "n",
    "Requests in flight",
    unit="dimensionless",
    about="""Little's law: a mean over a long time, whatever the order in which requests come and are served, as
    long as no more arrive than leave.""",
    start=_staying.total / H,
    steps=[Equal(lam * t, because="the time that all requests stay, over the time counted")],
    examples=[Example({"lam": "20 1/s", "t": "12 s"}, "240"), Example({"lam": "0.5 1/s", "t": "5 s"}, "2.5")],
    sources=["Little, A Proof for the Queuing Formula L = λW, Operations Research 9(3), 1961"],
)

little_cache = Derivation(
    "M",
    "Caches of the requests in flight",
    unit="byte",
    about="Every request keeps the cache of T tokens for as long as it stays; T is the mean over its stay.",
    start=in_flight * KV,
    steps=[
        Use(in_flight, little, because="as many caches as requests"),
        Equal(lam * t * KV, because="arrivals, stay and bytes multiply"),
    ],
    examples=[Example({"lam": "5 1/s", "t": "12 s", "T": 8192}, "60 GiB", model="llama-3-8b")],
)

cost = Derivation(
    "c",
    "Cost of a served token",
    unit="USD/token",
    about="""The price of all devices together over the tokens that they make. u is the share of the time in which
    the batch is full: devices that wait are paid for too.""",
    start=price / (rate * u),
    steps=[Put(u, 1, because="the batch is full all the time")],
    facts=[
        Limit(rate, oo, 0, because="the faster, the cheaper"),
        SpecialCase(
            {u: Rational(1, 2)},
            2 * price / rate,
            of=price / (rate * u),
            because="machines that wait half of the time make tokens twice as dear",
        ),
    ],
    examples=[
        Example({"price": "2 USD/h", "rate": "2000 token/s"}, "0.27778 USD/Mtok"),
        Example({"price": "2 USD/h", "rate": "2000 token/s", "u": "0.4"}, "0.69444 USD/Mtok"),
        Example(
            {"price": "3 USD/h", "B": 32, "T": 8192}, "0.39195 USD/Mtok", on="h100-sxm", model="llama-3-8b"
        ),
    ],
)

speculative, speculative_speedup = _drafts.speculative, _drafts.speculative_speedup
speculative_best_k = _drafts.speculative_best_k

quantized_weights = Derivation(
    "M",
    "Weights in a block-scaled format",
    unit="byte",
    about="All parameters in one format, scales included. Embeddings and norms often stay in 16 bits.",
    start=N_all * w / PARAMETER,
    examples=[
        Example({"N": "8e9 parameter", "format": "mxfp4"}, "4.25 GB"),
        Example({"format": "nvfp4"}, "4517021952 byte", model="llama-3-8b"),
    ],
)

quantized_cache = Derivation(
    "M",
    "Cache of a sequence in a block-scaled format",
    unit="byte",
    about="Keys and values of T tokens, scales included.",
    start=2 * L * H_kv * d_h * T * w,
    examples=[Example({"T": 8192, "format": "mxfp8"}, "528 MiB", model="llama-3-8b")],
)

quantized = Derivation(
    "s",
    "Speed-up of decoding by quantization, at most",
    unit="dimensionless",
    about="""Bytes of a step before over bytes after, both bound by memory: unpacking takes time of its own. One
    format for weights and caches unless KV_q or weights_q is given.""",
    start=_reading.total / _quantized.total,
    steps=[Equal((weights + B * KV) / (weights_q + B * KV_q), because="the rows of both ledgers added up")],
    facts=[
        Limit(
            B,
            oo,
            KV / KV_q,
            because="for large batches only the cache counts, and quantized weights alone gain nothing",
        ),
        Limit(B, 0, weights / weights_q, because="for few sequences only the weights count"),
        Inequality(
            (weights + B * KV) / (weights_q + B * KV_q),
            "<=",
            weights / weights_q,
            where=KV / KV_q <= weights / weights_q,
            because="a cache that shrinks less holds the gain down",
        ),
        Inequality(
            (weights + B * KV) / (weights_q + B * KV_q),
            ">=",
            KV / KV_q,
            where=KV / KV_q <= weights / weights_q,
            because="and never below its own",
        ),
    ],
    examples=[
        Example({"B": 32, "T": 8192, "format": "mxfp8"}, "1.93939", model="llama-3-8b"),
        Example({"weights": "16 GB", "weights_q": "4 GB", "KV": "1 GB", "KV_q": "1 GB", "B": 8}, "2.0"),
    ],
    sources=["Open Compute Project, Microscaling Formats (MX) Specification 1.0, table 1"],
)

mla_cache, window_cache = _caches.mla_cache, _caches.window_cache

kv_transfer = Derivation(
    "b",
    "Bandwidth between prefill and decode machines",
    unit="byte/s",
    about="""Where prompts are read on one pool of machines and answered on another, the cache of every prompt token
    crosses over. Of all machines together.""",
    start=KV_t * prompts / TOKEN,
    facts=[
        SpecialCase(
            {prompts: P * TOKEN * PARAMETER / (2 * N * FLOP)},
            KV_t * P / (2 * N * _A_WEIGHT),
            because="a device that reads prompts at its peak sends at most that much",
        )
    ],
    examples=[
        Example({"rate": "50000 token/s"}, "6.5536 GB/s", model="llama-3-8b"),
        Example({"rate": "10000 token/s", "KV_t": "69120 byte"}, "0.6912 GB/s"),
    ],
    sources=["Zhong et al., DistServe, arXiv:2401.09670, section 3"],
)

by_batch = Table(
    "Llama-3-8B on an H100 by batch and length",
    heading="batch and tokens",
    about="""The longer of arithmetic and memory time. At 128 tokens of context 472 sequences make the step
    compute-bound; at 8192 no number does, for each brings more reading than arithmetic.""",
    columns=[
        Column("step", "serving.step_time", "ms", digits=3),
        Column("bytes", "decode.step_traffic", "GB", digits=3),
    ],
    rows=[
        Row(f"B = {batch}, T = {tokens}", {"B": batch, "T": tokens})
        for tokens in (128, 8192)
        for batch in (1, 32, 1024)
    ],
    on="h100-sxm",
    model="llama-3-8b",
)

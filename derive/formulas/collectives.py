"""Collectives: what n devices pay to exchange a buffer over links of finite speed and latency.

Each device has a link that carries beta bytes a second each way, in both
directions at once, and each step costs a latency alpha whatever it carries. The
buffer S is the full one: what a device holds before a reduce-scatter and after
an all-gather. A ring cuts it into n shares and hands one share to the right
neighbour at every step, so that all links are busy all the time. Adding the
shares that arrive is faster than the link and left out.
"""

from sympy import Dummy

from derive import (
    Approx,
    Column,
    Derivation,
    Equal,
    Example,
    Ledger,
    Limit,
    NoSolution,
    Row,
    Solve,
    SpecialCase,
    Sum,
    Table,
    Use,
    count,
    oo,
    quantity,
)

n = count("n", "devices")
n_2 = count("n", "devices, at least two", at_least=2)
S = quantity("S", "bytes of the full buffer", "byte")
S_p = quantity("S_p", "bytes of the parameters that the step updates", "byte")
beta = quantity("beta", "bandwidth of a device's link", "byte/s", role="hardware.link", direction="each-way")
alpha = quantity("alpha", "latency of one step", "s", nonnegative=True)
t = quantity("t", "time of the collective", "s")
t_ar = quantity("t", "time of the all-reduce", "s", filled_by="collectives.all_reduce_ring")
t_rs = quantity("t_rs", "time of the reduce-scatter", "s", filled_by="collectives.reduce_scatter")
t_ag = quantity("t_ag", "time of the all-gather", "s", filled_by="collectives.all_gather")
b = quantity("b", "bus bandwidth", "byte/s")
i = Dummy("i", positive=True)

PASS = S * (n - 1) / (n * beta) + alpha * (n - 1)
RING = 2 * S * (n - 1) / (n * beta) + 2 * alpha * (n - 1)

scattering = Ledger(
    ("shares on the link", "a partial sum of S/n at each of n − 1 steps", Sum(S / (n * beta), (i, 1, n - 1))),
    ("latency", "once a step", Sum(alpha, (i, 1, n - 1))),
)
gathering = Ledger(
    ("shares on the link", "a finished S/n at each of n − 1 steps", Sum(S / (n * beta), (i, 1, n - 1))),
    ("latency", "once a step", Sum(alpha, (i, 1, n - 1))),
)
exchanging = Ledger(
    ("parts on the link", "its S/n for each of n − 1 others in turn", Sum(S / (n * beta), (i, 1, n - 1))),
    ("latency", "once a partner", Sum(alpha, (i, 1, n - 1))),
)
sending = Ledger(
    ("bytes on the link", "the whole buffer, once", S / beta),
    ("latency", "one step", alpha),
)

reduce_scatter = Derivation(
    "t",
    "Time of a ring reduce-scatter",
    unit="s",
    about="""Every device begins with a buffer of S bytes and ends with one share of the sum. At each step a
    device passes on the partial sum that it received, its own part added; after n − 1 steps each share
    has met all n devices.""",
    start=scattering,
    steps=[Equal(PASS, because="n − 1 equal steps: all but the own share crosses the link")],
    facts=[
        SpecialCase({alpha: 0}, S * (n - 1) / (n * beta), because="without latency only the bytes count"),
        Limit(n, oo, S / beta, put={alpha: 0}, because="the own share shrinks to nothing"),
        SpecialCase({n: 1}, 0, because="a single device has nobody to ask"),
    ],
    examples=[
        Example({"n": 8, "S": "2 GB", "alpha": "0 s", "beta": "450 GB/s"}, "3.889 ms"),
        Example({"n": 8, "S": "2 GB", "alpha": "10 us", "beta": "450 GB/s"}, "3.959 ms"),
    ],
    sources=[
        "Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005"
    ],
)

all_gather = Derivation(
    "t",
    "Time of a ring all-gather",
    unit="s",
    about="""Every device begins with one share of S/n bytes and ends with all n of them. At each step it passes
    on the share that it received last: the reduce-scatter run backwards, without the adding.""",
    start=gathering,
    steps=[Equal(PASS, because="n − 1 equal steps: all but the own share arrives over the link")],
    facts=[
        SpecialCase({alpha: 0}, S * (n - 1) / (n * beta), because="without latency only the bytes count"),
        Limit(n, oo, S / beta, put={alpha: 0}, because="nearly all of the buffer must arrive"),
        SpecialCase({n: 1}, 0, because="a single device has it all"),
    ],
    examples=[
        Example({"n": 8, "S": "2 GB", "alpha": "0 s", "beta": "450 GB/s"}, "3.889 ms"),
        Example({"n": 8, "S": "2 GB", "alpha": "10 us", "beta": "450 GB/s"}, "3.959 ms"),
    ],
    sources=[
        "Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005"
    ],
)

all_reduce_ring = Derivation(
    "t",
    "Time of a ring all-reduce",
    unit="s",
    about="""Every device begins with a buffer of S bytes and ends with the sum of all n. First each share is
    summed somewhere, then every share is handed to everyone. ZeRO stage 2 splits the two halves: it
    reduce-scatters the gradients, updates the parameters of its own share and all-gathers them.""",
    start=t_rs + t_ag,
    steps=[
        Use(t_rs, reduce_scatter, because="first every share is summed"),
        Use(t_ag, all_gather, because="then the summed shares go round"),
        Equal(RING, because="both halves cost the same"),
    ],
    facts=[
        SpecialCase({alpha: 0}, 2 * S * (n - 1) / (n * beta), because="without latency only the bytes count"),
        Limit(
            n,
            oo,
            2 * S / beta,
            put={alpha: 0},
            because="every byte goes out and comes back once, however many devices there are",
        ),
        Approx(
            2 * S / beta + 2 * alpha * (n - 1),
            error_at_most=S / ((n - 1) * (S + n * alpha * beta)),
            where=n >= 2,
            because="counting the own share too is 1/(n − 1) too much, and less where latency matters",
        ),
        SpecialCase(
            {S_p: S},
            RING,
            of=reduce_scatter.whole + all_gather.whole.xreplace({S: S_p}),
            because="gradients scattered and as many bytes of parameters gathered are one all-reduce: "
            "ZeRO stages 1 and 2 cost what plain data parallelism costs",
        ),
    ],
    examples=[
        Example({"n": 8, "S": "2 GB", "alpha": "0 s", "beta": "450 GB/s"}, "7.778 ms"),
        Example({"n": 8, "S": "2 GB", "alpha": "0 s", "beta": "64 GB/s"}, "54.69 ms"),
        Example({"n": 8, "S": "2 GB", "alpha": "10 us", "beta": "450 GB/s"}, "7.918 ms"),
    ],
    sources=[
        "Patarasuk and Yuan, Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, 2009",
        "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 7 (the traffic of its stages)",
    ],
)

all_to_all = Derivation(
    "t",
    "Time of an all-to-all",
    unit="s",
    about="""Every device holds S bytes, one part of S/n for each device, and keeps its own. The partners take
    turns so that nobody receives from two at once, and the links between do not congest.""",
    start=exchanging,
    steps=[Equal(PASS, because="n − 1 partners, a part of S/n for each")],
    facts=[
        SpecialCase({alpha: 0}, S * (n - 1) / (n * beta), because="without latency only the bytes count"),
        Limit(n, oo, S / beta, put={alpha: 0}, because="the part that stays shrinks to nothing"),
    ],
    examples=[
        Example({"n": 8, "S": "2 GB", "alpha": "0 s", "beta": "450 GB/s"}, "3.889 ms"),
        Example({"n": 8, "S": "2 GB", "alpha": "10 us", "beta": "450 GB/s"}, "3.959 ms"),
    ],
)

send_recv = Derivation(
    "t",
    "Time of a send and its receive",
    unit="s",
    about="One device sends S bytes to another in a single message: the model that the collectives are built on.",
    start=sending,
    steps=[Equal(S / beta + alpha, because="the message starts once and then streams")],
    facts=[
        Limit(S, 0, alpha, because="an empty message still takes the latency"),
        Approx(
            S / beta, error_at_most=alpha * beta / S, because="beside a long message the latency is small"
        ),
        SpecialCase({S: alpha * beta}, 2 * alpha, because="at alpha·beta bytes half of the time is latency"),
    ],
    examples=[
        Example({"S": "2 GB", "alpha": "0 s", "beta": "450 GB/s"}, "4.444 ms"),
        Example({"S": "1 MB", "alpha": "10 us", "beta": "450 GB/s"}, "12.22 us"),
    ],
    sources=["Hockney, The communication challenge for MPP, Parallel Computing 20(3), 1994"],
)

bus_bandwidth = Derivation(
    "b",
    "Bus bandwidth of an all-reduce",
    unit="byte/s",
    about="""The link bandwidth that a measured all-reduce of S bytes in time t gives away: the algorithm
    bandwidth S/t times 2(n − 1)/n. It can be held against the link's own rate for any n, which S/t cannot.
    The latency is charged to the bandwidth, so that small buffers look slow.""",
    start=b,
    steps=[
        Solve(
            b,
            2 * S * (n - 1) / (n * b),
            t_ar,
            gives=2 * S * (n - 1) / (n * t_ar),
            where=n >= 2,
            because="the ring without latency, on links of b, would have taken the time t",
        ),
    ],
    facts=[
        SpecialCase(
            {t_ar: 2 * S * (n - 1) / (n * beta)},
            beta,
            because="a ring without latency shows the link itself",
        ),
        SpecialCase(
            {t_ar: RING},
            beta * S / (S + n * alpha * beta),
            because="with latency it shows less: a half of the link at n·alpha·beta bytes",
        ),
        SpecialCase({n: 2}, S / t_ar, because="between two devices bus and algorithm bandwidth are one"),
        NoSolution(
            when=n <= 1,
            says="a single device uses no link",
            because="nothing crosses a link, so that no bandwidth makes it take the time t",
        ),
    ],
    examples=[
        Example({"n": 8, "S": "2 GB", "t": "7.918 ms"}, "442.0 GB/s"),
        Example({"n": 8, "S": "2 GB", "t": "10 ms"}, "350 GB/s"),
    ],
    sources=["NVIDIA nccl-tests, doc/PERFORMANCE.md (algorithm and bus bandwidth)"],
)

bus_bandwidth_one_pass = Derivation(
    "b",
    "Bus bandwidth of a reduce-scatter, all-gather or all-to-all",
    unit="byte/s",
    about="""As for the all-reduce, with the factor (n − 1)/n of a collective that goes round once. S is the
    full buffer; a benchmark that prints the share of one device prints S/n.""",
    start=b,
    steps=[
        Solve(
            b,
            S * (n - 1) / (n * b),
            t,
            gives=S * (n - 1) / (n * t),
            where=n >= 2,
            because="one pass without latency, on links of b, would have taken the time t",
        ),
    ],
    facts=[
        SpecialCase(
            {t: S * (n - 1) / (n * beta)}, beta, because="a pass without latency shows the link itself"
        ),
        NoSolution(
            when=n <= 1,
            says="a single device uses no link",
            because="nothing crosses a link, so that no bandwidth makes it take the time t",
        ),
    ],
    examples=[Example({"n": 8, "S": "2 GB", "t": "5 ms"}, "350 GB/s")],
    sources=["NVIDIA nccl-tests, doc/PERFORMANCE.md (algorithm and bus bandwidth)"],
)

latency_bound_size = Derivation(
    "S",
    "Buffer below which a ring all-reduce waits for latency",
    unit="byte",
    about="""Below this size the 2(n − 1) latencies of the ring take longer than its bytes, and a tree with
    fewer steps is faster; above it the bandwidth decides.""",
    start=S,
    steps=[
        Solve(
            S,
            2 * S * (n_2 - 1) / (n_2 * beta),
            2 * alpha * (n_2 - 1),
            gives=n_2 * alpha * beta,
            where=alpha > 0,
            because="the time of the bytes is set equal to that of the latencies",
        ),
    ],
    facts=[
        SpecialCase(
            {S: n_2 * alpha * beta},
            4 * alpha * (n_2 - 1),
            of=all_reduce_ring.whole.xreplace({n: n_2}),
            because="at this size the all-reduce takes twice its latencies",
        ),
    ],
    examples=[Example({"n": 8, "alpha": "1 us", "beta": "450 GB/s"}, "3.6 MB")],
)

by_link = Table(
    "2 GB over 8 devices by link",
    heading="link",
    about="The gradients of a model of a billion parameters in bf16; latency is left out.",
    columns=[
        Column("all-reduce", "collectives.all_reduce_ring", "ms", given={"n": 8}),
        Column("reduce-scatter", "collectives.reduce_scatter", "ms", given={"n": 8}),
        Column("all-gather", "collectives.all_gather", "ms", given={"n": 8}),
        Column("all-to-all", "collectives.all_to_all", "ms", given={"n": 8}),
        Column("send", "collectives.send_recv", "ms"),
    ],
    rows=[Row(name, on=name) for name in ("pcie-5-x16", "h100-sxm", "ib-ndr")],
    given={"S": "2 GB", "alpha": "0 s"},
)

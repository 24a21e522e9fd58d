"""Saving a training run: what a checkpoint holds, what it costs and how often to write one."""

from __future__ import annotations

from derive import (
    BYTE,
    PARAMETER,
    Derivation,
    Difference,
    Equal,
    Example,
    Limit,
    Minimise,
    Rational,
    SpecialCase,
    Use,
    oo,
    sqrt,
)
from derive.formulas import _training_rows as rows
from derive.formulas._training_rows import M, N_all, W_s, k, saved, t_s, t_step, tau

checkpoint_bytes = Derivation(
    "M",
    "Bytes of a training checkpoint",
    unit="byte",
    about="""Weights and optimizer state of Adam in mixed precision, once for all devices together. Gradients are summed
    anew; the 16-bit weights could be rounded from the master copy but are mostly written too.""",
    start=rows.kept,
    steps=[Equal(14 * N_all * BYTE / PARAMETER, because="2 + 4 + 4 + 4 bytes a parameter")],
    facts=[
        Difference(
            rows.kept, rows.state, -2 * N_all * BYTE / PARAMETER, because="gradients do not outlive a step"
        ),
    ],
    examples=[
        Example({"N": "70e9 parameter"}, "980 GB"),
        Example({}, "112423657472 byte", model="llama-3-8b"),
    ],
    sources=["Rajbhandari et al., ZeRO, arXiv:1910.02054, section 3.1 (the state that Adam keeps)"],
)

checkpoint_io = Derivation(
    "t",
    "Time to write a checkpoint",
    unit="s",
    about="All devices write their shares at once; W_s is what the storage takes from all of them together.",
    start=saved / W_s,
    examples=[
        Example({"N": "70e9 parameter", "W_s": "50 GB/s"}, "19.6 s"),
        Example({"W_s": "10 GB/s"}, "11.2423657472 s", model="llama-3-8b"),
    ],
)

checkpoint_share = Derivation(
    "q",
    "Share of the time that writing checkpoints takes",
    unit="dimensionless",
    about="""A share of the whole: of a period of k steps and one checkpoint, with training stopped while it is
    written. Written in the background it takes less.""",
    start=rows.written.total / rows.period.total,
    steps=[Equal(t_s / (t_s + k * t_step), because="one checkpoint in k steps")],
    facts=[
        Limit(k, oo, 0, because="the rarer, the cheaper, as long as nothing fails"),
        SpecialCase({t_step: t_s / k}, Rational(1, 2), because="k steps that take as long as the writing"),
    ],
    examples=[
        Example({"N": "70e9 parameter", "W_s": "50 GB/s", "k": 100, "t_step": "10 s"}, "1.9223 percent")
    ],
)

checkpoint_interval = Derivation(
    "tau",
    "Time between checkpoints that loses least",
    unit="s",
    about="""Written too often, checkpoints cost time; too rarely, a failure costs more. To first order, for a writing
    time far below the time between failures; a job of n devices fails n times as often as one device.""",
    start=tau,
    steps=[
        Minimise(
            tau,
            rows.lost.total,
            gives=sqrt(2 * t_s * M),
            because="the share lost to writing falls with tau, the share lost to failures rises",
        )
    ],
    examples=[
        Example({"t_s": "20 s", "M": "3 h"}, "657.27 s"),
        Example({"t_s": "1 min", "M": "8 h"}, "1859.03 s"),
    ],
    sources=["Young, A First Order Approximation to the Optimum Checkpoint Interval, CACM 17(9), 1974"],
)

checkpoint_loss = Derivation(
    "q",
    "Share of the work that writing and failures cost at the best interval",
    unit="dimensionless",
    about="A share of the work done: half of it goes into writing, half into work repeated.",
    start=rows.lost.total,
    steps=[
        Use(tau, checkpoint_interval),
        Equal(sqrt(2 * t_s / M), because="both halves are the same there"),
    ],
    facts=[
        Limit(M, oo, 0, because="machines that never fail need no checkpoints"),
        Limit(t_s, 0, 0, because="checkpoints that cost nothing are written all the time"),
    ],
    examples=[Example({"t_s": "20 s", "M": "3 h"}, "6.0858 percent")],
    sources=["Young, A First Order Approximation to the Optimum Checkpoint Interval, CACM 17(9), 1974"],
)

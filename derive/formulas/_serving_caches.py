"""Caches that grow less: one latent for all heads, a window in place of the whole past."""

from __future__ import annotations

from derive import (
    Derivation,
    Equal,
    Example,
    Identity,
    Ledger,
    Limit,
    Min,
    Put,
    Regime,
    count,
    get,
    letters,
    oo,
)
from derive.formulas._memory_rows import B, H_kv, L, d_h

T, e = letters.T, letters.e
d_c = count("d_c", "width of the latent that keys and values are computed from")
d_r = count("d_r", "width of the key part that carries the position")
width = count("window", "tokens that a query looks back", role="model.window")

_latent = Ledger(
    ("latent of keys and values", "shared by all heads", L * d_c * T * B * e),
    ("rotated part of the keys", "shared by all heads", L * d_r * T * B * e),
)
_window = Ledger(
    ("keys", L * H_kv * d_h * Min(T, width) * B * e),
    ("values", L * H_kv * d_h * Min(T, width) * B * e),
)

mla_cache = Derivation(
    "M",
    "Cache of multi-head latent attention",
    unit="byte",
    about="""Keys and values of all heads are computed from one latent of width d_c; a part of the key of width d_r
    carries the position and is kept beside it. L layers, B sequences of T tokens.""",
    start=_latent,
    steps=[
        Equal(L * (d_c + d_r) * T * B * e, because="both are kept for each token and layer"),
        Put(d_c, 512, because="DeepSeek-V2 and V3 keep a latent of 512"),
        Put(d_r, 64, because="and rotate 64 numbers of the key"),
    ],
    facts=[
        Identity(
            L * (d_c + d_r) * T * B * e / get("memory.kv_cache").result,
            (d_c + d_r) / (2 * H_kv * d_h),
            because="beside keys and values of H_kv heads: 576 numbers stand for 2·128·128",
        ),
    ],
    examples=[
        Example({"L": 60, "T": 1, "B": 1}, "69120 byte"),
        Example({"L": 61, "T": 4096, "B": 1}, "274.5 MiB"),
    ],
    sources=[
        "DeepSeek-AI, DeepSeek-V2, arXiv:2405.04434, section 2.1 and table 1",
        "DeepSeek-AI, DeepSeek-V3, arXiv:2412.19437, section 4.2",
    ],
)

window_cache = Derivation(
    "M",
    "Cache of sliding-window attention",
    unit="byte",
    about="""A query looks back over the last tokens of the window, so older keys and values are overwritten.
    L layers, all of them with the window, B sequences of T tokens.""",
    start=_window,
    steps=[Equal(2 * L * H_kv * d_h * Min(T, width) * B * e, because="keys and values are of one size")],
    facts=[
        Regime(
            get("memory.kv_cache").result,
            when=width >= T,
            because="up to the window nothing is dropped: the full cache",
            name="within the window",
        ),
        Regime(
            2 * L * H_kv * d_h * width * B * e,
            when=width <= T,
            because="beyond it the cache does not grow",
            name="beyond the window",
        ),
        Limit(T, oo, 2 * L * H_kv * d_h * width * B * e, because="the length no longer matters"),
    ],
    examples=[
        Example({"T": 1024, "B": 1}, "128 MiB", model="mistral-7b"),
        Example({"T": 32768, "B": 1}, "512 MiB", model="mistral-7b"),
    ],
    sources=["Jiang et al., Mistral 7B, arXiv:2310.06825, section 2"],
)

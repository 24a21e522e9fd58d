"""The table of lessons: which derivations a formula reduces through, and the sentence to remember.

A sentence rests on statements of its lesson, named by their derivation and kind, so that it
cannot outlive a proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Ladder:
    """ids: the formula itself and the stages after it. at: usual numbers.

    over: the letter of the picture. shows: what it divides where that is not the usual
    (`derive.teaching.parts`), or `STAGES`. names: what a part is called, by a letter that it alone has.
    values: of the picture's letter, where factors of 8 around its own make no sense.
    """

    ids: tuple[str, ...]
    remember: str = ""
    rests_on: tuple[tuple[str, str], ...] = ()
    over: str = ""
    at: Mapping[str, str] = field(default_factory=dict)
    shows: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    values: tuple[int, ...] = ()


STAGES = "stages"
_TIMES = {"P": "arithmetic", "W": "memory traffic"}
_RING = {"alpha": "latency", "beta": "bandwidth"}
_ATTENTION = {"T": "4096", "d": "128", "B_r": "128", "g": "4"}
_BUCKET = {"n": "8", "S": "25 MB", "alpha": "10 us", "beta": "64 GB/s"}
_GPT2 = {"s": "1024", "b": "8", "h": "768", "a": "12", "L": "1"}

_LADDERS = (
    Ladder(
        ("roofline.time",),
        "A kernel takes the longer of its two times, and the ridge P/W says which one that is.",
        (("roofline.time", "Regime"),),
        over="F",
        at={"F": "100 GFLOP", "Q": "1 GB", "P": "989 TFLOP/s", "W": "3.35 TB/s"},
        names=_TIMES,
    ),
    Ladder(
        ("roofline.attainable",),
        "Below the ridge every byte brings I operations, above it the peak is all there is.",
        (("roofline.attainable", "Regime"), ("roofline.attainable", "Limit")),
        over="I",
        at={"I": "295 FLOP/byte", "P": "989 TFLOP/s", "W": "3.35 TB/s"},
        names={"P": "the peak", "W": "what the bandwidth feeds"},
    ),
    Ladder(
        ("roofline.time_with_launch",),
        "Shrink the work and only the launch remains.",
        (("roofline.time_with_launch", "Limit"),),
        over="F",
        at={"F": "268435456 FLOP", "Q": "1572864 byte", "t_0": "5 us", "P": "989 TFLOP/s", "W": "3.35 TB/s"},
        shows="terms",
        names={"t_0": "launch", "F": "arithmetic or memory traffic"},
    ),
    Ladder(
        (
            "matmul.intensity",
            "matmul.square_intensity",
            "matmul.decode_intensity",
            "matmul.batched_decode_intensity",
        ),
        "A square matmul does n/3 operations a byte, a single row does 1, and B rows do about B: batching climbs "
        "the roofline.",
        (
            ("matmul.intensity", "SpecialCase"),
            ("matmul.decode_intensity", "Limit"),
            ("matmul.batched_decode_intensity", "Approx"),
        ),
        over="m",
        at={"m": "4096", "k": "4096", "n": "4096", "d": "4096", "B": "64"},
    ),
    Ladder(
        ("matmul.decode_intensity",),
        "One token reads every weight for one multiply-add: an operation a byte, whatever the width.",
        (("matmul.decode_intensity", "Limit"),),
        at={"d": "4096"},
    ),
    Ladder(
        ("matmul.batched_decode_intensity", "matmul.critical_batch"),
        "While B is small beside d the intensity is B, and the batch that reaches the ridge is a little more than the "
        "ridge.",
        (("matmul.batched_decode_intensity", "Approx"), ("matmul.critical_batch", "Limit")),
        over="B",
        at={"B": "64", "d": "4096", "R": "295 FLOP/byte"},
    ),
    Ladder(
        ("matmul.time",),
        "Arithmetic decides where the intensity is above the ridge, the three matrices' bytes where it is below.",
        (("matmul.time", "Regime"),),
        over="m",
        at={"m": "4096", "k": "4096", "n": "4096", "P": "989 TFLOP/s", "W": "3.35 TB/s"},
        names=_TIMES,
    ),
    Ladder(
        ("elementwise.intensity",),
        "An element that travels brings only a few operations with it: such kernels wait for memory.",
        (("elementwise.intensity", "Inequality"),),
        at={"c": "8", "P": "67 TFLOP/s", "W": "3.35 TB/s"},
        over="c",
        values=(1, 8, 64, 512),
        shows="sides",
        names={"c": "the kernel", "P": "the ridge"},
    ),
    Ladder(
        ("elementwise.fused_saving",),
        "Fusing k passes saves k times the traffic where nothing else is read, and at most 3 times with an operand a "
        "pass.",
        (("elementwise.fused_saving", "Equal"), ("elementwise.fused_saving", "Limit")),
        over="k",
        at={"k": "4", "N": "16777216"},
        shows="saved",
    ),
    Ladder(
        (
            "attention.naive_intensity",
            "attention.flash_ideal_intensity",
            "attention.flash_tiled_intensity",
            "attention.decode_intensity",
        ),
        "Scores in memory hold attention at d/2; on chip it reaches T/2 at best and B_r with tiles; decoding gets g.",
        (
            ("attention.naive_intensity", "Limit"),
            ("attention.flash_ideal_intensity", "Put"),
            ("attention.flash_tiled_intensity", "Limit"),
            ("attention.decode_intensity", "Limit"),
        ),
        over="T",
        at=_ATTENTION,
    ),
    Ladder(
        ("attention.naive_traffic",),
        "Four passes over the T×T scores are the traffic; Q, K, V and O hardly count at long lengths.",
        (("attention.naive_traffic", "Equal"),),
        over="T",
        at=_ATTENTION,
    ),
    Ladder(
        ("attention.flash_tiled_intensity", "attention.causal_intensity"),
        "A tile of B_r queries makes about B_r operations of every byte it reads, masked or not.",
        (("attention.flash_tiled_intensity", "Limit"), ("attention.causal_intensity", "Limit")),
        over="T",
        at=_ATTENTION,
    ),
    Ladder(
        ("attention.decode_intensity",),
        "Every sequence reads its own cache, so that only the g heads that share it raise the intensity.",
        (("attention.decode_intensity", "Limit"), ("attention.decode_intensity", "Equal")),
        over="T",
        at={**_ATTENTION, "B": "8"},
    ),
    Ladder(
        ("attention.causal_flops",),
        "The mask halves the operations, but for a diagonal that weighs 1/T.",
        (("attention.causal_flops", "Approx"),),
        at=_ATTENTION,
    ),
    Ladder(
        (
            "memory.activations_gpt3",
            "memory.activations_flash",
            "memory.activations_selective",
            "memory.activations_checkpointed",
        ),
        "34sbh for the layer and 5as²b for its scores: FlashAttention or selective recomputation drops the second, "
        "checkpointing leaves 2sbh.",
        (
            ("memory.activations_gpt3", "Equal"),
            ("memory.activations_flash", "Difference"),
            ("memory.activations_selective", "Difference"),
            ("memory.activations_checkpointed", "Equal"),
        ),
        over="s",
        at=_GPT2,
    ),
    Ladder(
        ("memory.training_state",),
        "Adam in mixed precision takes 16 bytes a parameter, 18 with fp32 gradients.",
        (("memory.training_state", "Equal"), ("memory.training_state", "SpecialCase")),
        at={"N": "7e9 parameter"},
    ),
    Ladder(
        ("memory.kv_cache", "memory.kv_cache_sequence", "memory.kv_cache_token"),
        "A key and a value for each token, KV head and layer: the cache grows with batch and length, the weights do "
        "not.",
        (("memory.kv_cache", "Equal"), ("memory.kv_cache", "SpecialCase")),
        at={"T": "8192", "B": "8"},
        shows=STAGES,
    ),
    Ladder(
        ("memory.inference",),
        "The weights are shared by the batch, the caches are not.",
        (("memory.inference", "Limit"),),
        over="B",
        at={"B": "8", "weights": "16.06 GB", "KV": "1 GiB"},
    ),
    Ladder(
        ("decode.tokens_per_second", "decode.even_batch", "decode.kv_share"),
        "At first every further sequence is free; in the end each token reads one cache, and W/KV is the ceiling.",
        (("decode.tokens_per_second", "Approx"), ("decode.tokens_per_second", "Limit")),
        over="B",
        at={"B": "8", "weights": "16.06 GB", "KV": "1 GiB", "W": "3.35 TB/s"},
        names={"KV": "caches"},
    ),
    Ladder(
        ("flops.forward", "flops.training", "flops.training_checkpointed"),
        "2N operations a token forward, 6N in training, 8N with recomputation.",
        (
            ("flops.forward", "Equal"),
            ("flops.training", "Identity"),
            ("flops.training_checkpointed", "Identity"),
        ),
        at={"N": "7e9 parameter"},
        shows=STAGES,
    ),
    Ladder(
        ("flops.attention_share", "flops.attention_crossover"),
        "Attention beside the weights is LTd/N, and costs as much where T = N/(Ld).",
        (("flops.attention_share", "Equal"), ("flops.attention_crossover", "Solve")),
        at={"T": "8192", "N": "7.5e9 parameter", "L": "32", "d": "4096"},
        over="T",
        shows="ratio",
        names={"T": "attention", "N": "weights"},
    ),
    Ladder(
        (
            "collectives.all_reduce_ring",
            "collectives.reduce_scatter",
            "collectives.all_gather",
            "collectives.latency_bound_size",
        ),
        "A ring all-reduce sends nearly every byte twice, 2S/beta, however many devices there are; buffers below "
        "n·alpha·beta bytes wait for latency instead.",
        (
            ("collectives.all_reduce_ring", "Limit"),
            ("collectives.all_reduce_ring", "Approx"),
            ("collectives.latency_bound_size", "Solve"),
        ),
        over="S",
        at=_BUCKET,
        names=_RING,
    ),
    Ladder(
        ("collectives.reduce_scatter",),
        "All but the own share crosses each link once, S/beta in the end; each of the n − 1 steps costs its latency.",
        (("collectives.reduce_scatter", "Limit"), ("collectives.reduce_scatter", "Equal")),
        over="S",
        at=_BUCKET,
        names=_RING,
    ),
    Ladder(
        ("collectives.all_gather",),
        "All but the own share arrives once, S/beta in the end; each of the n − 1 steps costs its latency.",
        (("collectives.all_gather", "Limit"), ("collectives.all_gather", "Equal")),
        over="S",
        at=_BUCKET,
        names=_RING,
    ),
    Ladder(
        ("collectives.all_to_all",),
        "Only a device's own part stays at home, S/beta in the end; each of the n − 1 partners costs its latency.",
        (("collectives.all_to_all", "Limit"), ("collectives.all_to_all", "Equal")),
        over="S",
        at=_BUCKET,
        names=_RING,
    ),
    Ladder(
        ("collectives.send_recv",),
        "A short message costs its latency, a long one its bytes; at alpha·beta bytes both cost the same.",
        (("collectives.send_recv", "Limit"), ("collectives.send_recv", "SpecialCase")),
        over="S",
        at={"S": "1 MB", "alpha": "10 us", "beta": "50 GB/s"},
    ),
    Ladder(
        ("formats.max",),
        "Range is bought with exponent bits: mantissa bits never double it.",
        (("formats.max", "Limit"),),
        at={"format": "bf16"},
        over="M",
        values=(0, 1, 2, 3, 7, 10),
        shows="short",
    ),
)

LADDERS: Mapping[str, Ladder] = {ladder.ids[0]: ladder for ladder in _LADDERS}

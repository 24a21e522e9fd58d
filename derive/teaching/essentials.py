"""The questions that everybody should be able to answer, from the ridge point to a utilization above 1.

A question of the kind "why" has options that are statements; which of them is true is
computed when the exercise is made, and exactly one must be.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy

from derive.catalogue import get
from derive.errors import DeriveError
from derive.evaluation import evaluate
from derive.facts import Ceiling
from derive.ledger import Row
from derive.teaching.exercise import Amount, Asked, Exercise
from derive.teaching.kinds import estimate_of, regime_of, value_of
from derive.teaching.making import Drawn, amount_text, chain
from derive.teaching.statements import number, scene_at, true_one

_H100 = "h100-sxm"
_RECOMPUTED = "activations were recomputed in the backward pass"


def essentials() -> list[Exercise]:
    """The questions in their order, the same at every call."""
    return [make() for make in _QUESTIONS]


def _one_token() -> Exercise:
    return value_of(
        scene_at(
            "matmul.decode_intensity",
            "A single token goes through a weight matrix of {d} × {d} in bf16.",
            "Write down the intensity of a matmul for sizes m, k and n, and give its value here.",
            "FLOP/byte",
            Asked("matmul.decode_intensity", {"d": "4096"}),
        )
    )


def _ridge() -> Exercise:
    return value_of(
        scene_at(
            "roofline.ridge",
            "Take the dense bf16 peak and the memory bandwidth of the {on}.",
            "Where is its ridge point?",
            "FLOP/byte",
            Asked("roofline.ridge", {}, _H100),
        )
    )


def _batch() -> Exercise:
    return value_of(
        scene_at(
            "matmul.critical_batch",
            "Decoding goes through bf16 weight matrices of {d} × {d} on the {on}.",
            "How many sequences must be batched before the matmul is compute-bound?",
            "dimensionless",
            Asked("matmul.critical_batch", {"d": "4096"}, _H100),
        )
    )


def _naive() -> Exercise:
    return _bound(
        scene_at(
            "attention.naive_intensity",
            "On the {on}, naive attention of {T} tokens with heads of {d} keeps its scores in memory.",
            "",
            "FLOP/byte",
            Asked("attention.naive_intensity", {"T": "4096", "d": "128"}, _H100),
        )
    )


def _flash() -> Exercise:
    return _bound(
        scene_at(
            "attention.flash_ideal_intensity",
            "On the {on}, FlashAttention over {T} tokens moves Q, K, V and O once each.",
            "",
            "FLOP/byte",
            Asked("attention.flash_ideal_intensity", {"T": "4096"}, _H100),
        )
    )


def _bound(drawn: Drawn) -> Exercise:
    made = regime_of(drawn)
    if made is None:
        raise DeriveError(f"{drawn.template.id}: the question is too near the ridge")
    return made


def _what_flash_saves() -> Exercise:
    naive, ideal = (get(f"attention.{name}_intensity") for name in ("naive", "flash_ideal"))
    (work, moved), (work_too, moved_too) = naive.ledgers, ideal.ledgers
    kept = {(row.what, row.amount) for row in moved_too.rows}
    saved = [row.what for row in moved.rows if (row.what, row.amount) not in kept]
    same_work = work.total.doit() == work_too.total.doit()
    return true_one(
        ideal.id,
        ("Naive attention is memory-bound and FlashAttention is not. What has changed between the two?",),
        [
            ("it does fewer operations, so that the memory has time to follow", not same_work),
            (
                "the T×T scores and probabilities no longer travel to memory and back",
                same_work and saved == ["write S", "read S", "write P", "read P"],
            ),
            ("K and V are no longer read from memory", "read K" in saved),
            (
                "its elements take fewer bytes",
                any(row.what == "read Q" for row in moved.rows) and "read Q" in saved,
            ),
        ],
        [
            (f"Both do the same operations. What no longer travels: {', '.join(saved)}.",),
            ("Without those T² rows the intensity grows as T/2 instead of stopping at d/2.",),
        ],
    )


def _shared_heads() -> Exercise:
    alone, shared = (number("attention.decode_intensity", T="8192", g=g) for g in ("1", "4"))
    prefill = {letter.name for letter in get("attention.flash_tiled_intensity").all_letters}
    ratio = shared / alone
    near = abs(ratio - 4) < Fraction(1, 100)
    return true_one(
        "attention.decode_intensity",
        (
            "Grouped-query attention lets four query heads share a key-value head. What does it speed up, and why?",
        ),
        [
            (
                "decoding: each cached key and value that is read serves four queries; prefill reads each for many "
                "queries anyway",
                near and "g" not in prefill,
            ),
            ("decoding and prefill alike: attention does a quarter of the operations", ratio < 2),
            ("prefill: four heads fill the tensor cores better", "g" in prefill),
            ("neither: it saves memory only", ratio == 1),
        ],
        [
            (
                f"Decode intensity at 8192 cached tokens: {amount_text(alone, 'FLOP/byte')} with g = 1, "
                f"{amount_text(shared, 'FLOP/byte')} with g = 4.",
            ),
            (
                "The operations stay, the bytes fall. In prefill the tile B_r sets the intensity, and g is not in it.",
            ),
        ],
    )


def _thirty_four() -> Exercise:
    asked = Asked("memory.activations_selective", {"s": "1", "b": "1", "h": "1", "L": "1"})
    evaluation = evaluate(asked.id, asked.given)
    return Exercise(
        key="value 34",
        kind="value",
        level=3,
        id=asked.id,
        question=(
            (
                "A GPT-3 layer keeps, without anything of size s×s, a number of bytes proportional to s·b·h, "
                "with 16-bit numbers and 1-byte masks. How many bytes for each of the s·b·h places?",
            ),
            ("Count the tensors one by one. A whole number of bytes is due.",),
        ),
        answer=Amount(evaluation.exact("byte"), "byte", Fraction(0), evaluation.text),
        chain=(
            *((f"{row.what}: {_told(_bytes(row))}",) for row in evaluation.derivation.ledgers[0].rows),
            *chain(evaluation, "byte"),
        ),
        asked=asked,
    )


def _bytes(row: Row) -> int:
    """A row's bytes for one place, with 16-bit numbers and 1-byte masks."""
    sizes = {"e": 2}
    ones = {symbol: sympy.Integer(sizes.get(symbol.name, 1)) for symbol in row.amount.free_symbols}
    return int(row.amount.xreplace(ones))


def _told(size: int) -> str:
    return f"{size} byte" if size == 1 else f"{size} bytes"


def _largest_part() -> Exercise:
    (kept,) = get("memory.activations_selective").ledgers
    parts = {
        "the input and the output of the GELU": ("GELU input", "GELU output"),
        "Q, K and V": ("Q and K", "V"),
        "the inputs of both LayerNorms": ("inputs of both LayerNorms",),
        "the masks of the two dropouts": (
            "mask of the dropout after attention",
            "mask of the dropout after the block",
        ),
    }
    sizes = {
        name: sum(_bytes(row) for row in kept.rows if row.what in whats) for name, whats in parts.items()
    }
    most = max(sizes.values())
    return true_one(
        "memory.activations_selective",
        ("Which of these takes the most memory among the activations of a GPT-3 layer without its scores?",),
        [(name, size == most) for name, size in sizes.items()],
        [(f"{name}: {_told(size)} for each of s·b·h places",) for name, size in sizes.items()],
    )


def _master_weights() -> Exercise:
    lost = {
        name: evaluate("formats.update_lost", {"format": name, "x": "1", "delta": "0.001"}).value is True
        for name in ("bf16", "fp32")
    }
    gap = number("formats.epsilon", format="bf16")
    return true_one(
        "formats.update_lost",
        (
            "A weight of 1 receives an update of 0.001. Why is it kept in fp32 although the matmuls run in bf16?",
        ),
        [
            ("in bf16 the sum rounds back to 1, in fp32 it does not", lost["bf16"] and not lost["fp32"]),
            (
                "bf16 cannot represent 0.001",
                number("formats.smallest_normal", format="bf16") > Fraction(1, 1000),
            ),
            ("the update overflows in bf16", number("formats.max", format="bf16") < 1),
            (
                "the sum rounds back to 1 in both, and only fp32 counts how often",
                lost["bf16"] and lost["fp32"],
            ),
        ],
        [
            (
                f"After 1 the next bf16 number is {amount_text(1 + gap, 'dimensionless', 6)}: half a step is 0.0039.",
            ),
            ("An update below half a step is rounded away; the fp32 copy adds up what bf16 would lose.",),
        ],
    )


def _range() -> Exercise:
    small = {name: number("formats.smallest_subnormal", format=name) for name in ("fp16", "bf16")}
    large = {name: number("formats.max", format=name) for name in ("fp16", "bf16")}
    gaps = {name: number("formats.epsilon", format=name) for name in ("fp16", "bf16")}
    gradient = Fraction(1, 10**9)
    return true_one(
        "formats.max",
        (
            "bf16 has fewer mantissa bits than fp16, and yet training prefers it. Which of these speaks for it?",
        ),
        [
            ("the gap between neighbouring numbers is smaller in bf16", gaps["bf16"] < gaps["fp16"]),
            (
                "a gradient of 1e-9 and a value of 1e5 exist in bf16, and neither does in fp16",
                small["bf16"] < gradient < small["fp16"] and large["fp16"] < 10**5 < large["bf16"],
            ),
            ("its numbers take fewer bytes", False),
            ("it has no numbers above 65504 that could overflow", large["bf16"] <= 65504),
        ],
        [
            (
                f"fp16 reaches from {amount_text(small['fp16'], 'dimensionless')} to {large['fp16']}; bf16 has the "
                "exponent of fp32.",
            ),
            (
                "So fp16 needs a loss scale, and bf16 does not. What bf16 loses in precision fp32 sums give back.",
            ),
        ],
    )


def _gradients() -> Exercise:
    return estimate_of(
        scene_at(
            "collectives.all_reduce_ring",
            "The bf16 gradients of a model of a billion parameters, {S}, are all-reduced among {n} GPUs over PCIe, "
            "{beta} each way, latency left out.",
            "How long does it take?",
            "ms",
            Asked(
                "collectives.all_reduce_ring",
                {"S": "2 GB", "n": "8", "beta": "64 GB/s", "alpha": "0 s"},
            ),
        )
    )


def _against_the_wait() -> Exercise:
    given = {"S": "2 GB", "beta": "64 GB/s", "alpha": "0 s"}
    ring = "collectives.all_reduce_ring"
    now, wider, faster = (
        number(ring, n=n, **{**given, "beta": beta})
        for n, beta in (("8", "64 GB/s"), ("16", "64 GB/s"), ("8", "128 GB/s"))
    )
    backward = Fraction(80, 1000)
    return true_one(
        ring,
        (
            "The gradients of a model of a billion parameters take 55 ms a step to be all-reduced among 8 GPUs, and "
            "the backward pass takes 80 ms. Which of these does NOT shorten the wait?",
        ),
        [
            (
                "sending each bucket of gradients while the backward pass still runs",
                max(now, backward) >= now + backward,
            ),
            ("accumulating the gradients of four micro-batches before each all-reduce", now / 4 >= now),
            ("putting 16 GPUs into the ring instead of 8", wider >= now),
            ("a link of twice the bandwidth", faster >= now),
        ],
        [
            (
                f"The ring takes {amount_text(now, 'ms')} with 8 GPUs and {amount_text(wider, 'ms')} with 16: 2S/beta "
                "is reached however many there are.",
            ),
            (
                f"Overlapped, backward pass and all-reduce take {amount_text(max(now, backward), 'ms')} together, not "
                f"{amount_text(now + backward, 'ms')}.",
            ),
        ],
    )


def _launches() -> Exercise:
    given = {"F": "268435456 FLOP", "Q": "1572864 byte", "t_0": "5 us"}
    times = {
        name: evaluate("roofline.time_with_launch", given, name).exact() for name in ("a100-80gb-sxm", _H100)
    }
    faster = times["a100-80gb-sxm"] / times[_H100]
    return true_one(
        "roofline.time_with_launch",
        (
            "A model made of 512 × 512 bf16 matmuls, each launched alone at 5 µs, moves from an A100 to an H100. How "
            "much faster is a matmul at best?",
        ),
        [
            ("three times: the peak is three times as high", faster > Fraction(5, 2)),
            ("1.6 times: the bandwidth is 1.6 times as high", Fraction(3, 2) < faster < Fraction(5, 2)),
            ("hardly: the launch takes longer than arithmetic and memory together", faster < Fraction(6, 5)),
            ("it is slower: the ridge has moved up", faster < 1),
        ],
        [
            tuple(
                f"{name}: 5 us + {amount_text(time - Fraction(5, 10**6), 'us')} = {amount_text(time, 'us')}. "
                for name, time in times.items()
            ),
            ("Larger batches, fused kernels and CUDA graphs help; a faster GPU does not.",),
        ],
    )


def _too_high() -> Exercise:
    causes = next(fact.causes for fact in get("utilization.mfu").facts if isinstance(fact, Ceiling))
    named = {
        "the timer was read before the GPU had finished": "the clock stopped before the device had finished",
        "all experts of a mixture were counted, not the active ones": "total parameters given for a mixture",
        "the rate was divided by the peak of another precision": "the peak of another precision",
    }
    options = [(text, not any(cause.startswith(start) for cause in causes)) for text, start in named.items()]
    return true_one(
        "utilization.mfu",
        ("A run reports 120 % model FLOPs utilization. Which of these can NOT be the reason?",),
        [*options, (_RECOMPUTED, not any("recomput" in cause for cause in causes))],
        [
            (f"Utilization cannot be above 1. What can be wrong: {'; '.join(causes)}.",),
            ("Recomputation takes time and is not counted in MFU, so that it lowers it.",),
        ],
    )


_QUESTIONS: tuple[Callable[[], Exercise], ...] = (
    _one_token,
    _ridge,
    _batch,
    _naive,
    _flash,
    _what_flash_saves,
    _shared_heads,
    _thirty_four,
    _largest_part,
    _master_weights,
    _range,
    _gradients,
    _against_the_wait,
    _launches,
    _too_high,
)

"""Common traps: mistakes that the field makes, each beside the computation that exposes it.

What a trap shows is a worked table like any other, so that each of its numbers is an
evaluation; the factor between two of its cells is computed from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from derive.constants import hardware, model
from derive.errors import DeriveError
from derive.evaluation import evaluate
from derive.tables import Column, Row, Table

_MACHINE, _MODEL, _SMALL = "h100-sxm", "llama-3-8b", "gpt2-small"
_CONTEXT = 8192
_STEP = {"B": 1, "T": _CONTEXT}


@dataclass(frozen=True)
class Ask:
    """A question that the engine refuses: what `derive.evaluate` takes."""

    id: str
    arguments: dict[str, Any] = field(default_factory=dict)

    def refusal(self, extra: str | Path | None) -> str:
        """The refusal in the engine's words. Raises DeriveError where it answers instead."""
        try:
            found = evaluate(self.id, hardware=extra, **self.arguments)
        except DeriveError as error:
            return str(error)
        raise DeriveError(f"{self.id} was to be refused and gives {found.text}")


@dataclass(frozen=True)
class Mistake:
    """A trap: a table, and two of its cells (row, column), the first of which is `factor` times the second.

    says: what the factor tells, with {factor} in it. ask: a question that is refused.
    """

    title: str
    about: str
    table: Table
    cells: tuple[tuple[int, int], tuple[int, int]]
    says: str
    ask: Ask | None = None


def mistakes(extra: str | Path | None = None) -> Iterator[Mistake]:
    """The traps. extra: a file of machines laid over the catalogue's."""
    yield from _units(extra)
    yield from _inference(extra)
    yield from _training()


def _units(extra: str | Path | None) -> Iterator[Mistake]:
    both_ways = hardware(_MACHINE, Path(extra) if extra is not None else None).pick(
        "link", direction="both-ways"
    )
    port = hardware("ib-ndr", Path(extra) if extra is not None else None).pick("link", direction="each-way")
    misread = port.text.replace("Gb", "GB")
    yield Mistake(
        "A peak with sparsity",
        "The largest number of a datasheet counts multiplications by the zeros of 2:4 sparsity. A dense model "
        "does none of them, and a time or a utilization from that peak is half of what it should be.",
        Table(
            "A PFLOP of bf16 matmuls on an H100",
            heading="peak",
            columns=[
                Column("arithmetic time", "roofline.compute_time", "ms", given={"F": "1 PFLOP"}),
                Column("ridge", "roofline.ridge", "FLOP/byte"),
            ],
            rows=[
                Row("dense", conventions={"sparsity": "dense"}),
                Row("2:4", conventions={"sparsity": "2:4"}),
            ],
            on=_MACHINE,
        ),
        ((0, 0), (1, 0)),
        "The dense time is {factor} times what the headline promises.",
    )
    yield Mistake(
        "GB and GiB",
        "Memory is sold and allocated in powers of two and bandwidth is sold in powers of ten. The difference grows "
        "with each prefix; at giga it is already the size of a rounding that nobody would allow elsewhere.",
        Table(
            "Llama-3-8B",
            heading="what",
            columns=[
                Column("in GB", "memory.kv_cache_sequence", "GB"),
                Column("in GiB", "memory.kv_cache_sequence", "GiB"),
            ],
            rows=[
                Row("KV cache, 8192 tokens", {"T": _CONTEXT}),
                Row("KV cache, 131072 tokens", {"T": 131_072}),
            ],
            model=_MODEL,
        ),
        ((0, 0), (0, 1)),
        "The same bytes: the number in GB is {factor} times the number in GiB.",
    )
    yield Mistake(
        "Bits and bytes",
        f"Network ports are named in bits a second and buffers in bytes. {port.text} is not {misread}.",
        Table(
            "A send of 2 GB",
            heading="link",
            columns=[Column("time", "collectives.send_recv", "ms", given={"S": "2 GB", "alpha": "0 s"})],
            rows=[
                Row(f"{port.text} as it is", on="ib-ndr"),
                Row("its bits taken for bytes", {"beta": misread}),
            ],
        ),
        ((0, 0), (1, 0)),
        "It takes {factor} times as long as the careless reading says.",
    )
    yield Mistake(
        "Both ways",
        "A link's headline adds the traffic of both directions. A ring sends each way at once, and each way has half.",
        Table(
            "A ring all-reduce of 2 GB over 8 devices",
            heading="bandwidth a device",
            columns=[
                Column(
                    "time", "collectives.all_reduce_ring", "ms", given={"S": "2 GB", "n": 8, "alpha": "0 s"}
                )
            ],
            rows=[Row("each way", on=_MACHINE), Row("both ways together", {"beta": both_ways.text})],
        ),
        ((0, 0), (1, 0)),
        "The time is {factor} times what the sum of both directions promises.",
    )


def _inference(extra: str | Path | None) -> Iterator[Mistake]:
    queries = model(_MODEL).pick("heads")
    yield Mistake(
        "Decoding at the peak",
        "Operations over peak is a lower bound that decoding never comes near: at batch 1 each weight is read for "
        "one multiply-add, and the bytes take the time.",
        Table(
            "One token on an H100, 4096 wide",
            heading="batch",
            columns=[
                Column("intensity of the step", "matmul.decode_intensity", "FLOP/byte"),
                Column("intensity that the peak needs", "roofline.ridge", "FLOP/byte"),
            ],
            rows=[Row("1", {"d": 4096})],
            on=_MACHINE,
        ),
        ((0, 1), (0, 0)),
        "The peak needs {factor} times the intensity that there is, and the step runs at that share of it.",
    )
    yield Mistake(
        "A larger batch shares the weights, not the caches",
        "Twice the batch is twice the tokens only while the weights are most of what a step reads.",
        Table(
            "Llama-3-8B on an H100, 8192 tokens of context",
            heading="batch",
            columns=[
                Column("rate", "decode.tokens_per_second", "token/s"),
                Column("share of the caches", "decode.kv_share", "percent"),
            ],
            rows=[Row(str(batch), {"B": batch}) for batch in (1, 8, 64)],
            given={"T": _CONTEXT},
            on=_MACHINE,
            model=_MODEL,
        ),
        ((2, 0), (0, 0)),
        "64 sequences give {factor} times the tokens of one.",
    )
    yield Mistake(
        "Query heads for key-value heads",
        "With grouped queries several query heads share one key and value, and the cache holds only the shared ones.",
        Table(
            "Llama-3-8B, cache of 8192 tokens",
            heading="heads counted",
            columns=[Column("cache", "memory.kv_cache_sequence", "GiB")],
            rows=[Row("key-value heads"), Row("query heads", {"H_kv": queries.text})],
            given={"T": _CONTEXT},
            model=_MODEL,
        ),
        ((1, 0), (0, 0)),
        "Counting query heads gives {factor} times the cache that there is.",
    )
    yield Mistake(
        "The embedding counted twice",
        "An LM head that is the embedding table is one matrix: in memory, on disk and in the count of parameters.",
        Table(
            "GPT-2 small",
            heading="LM head",
            columns=[Column("parameters", "parameters.total", "parameter", digits=12)],
            rows=[
                Row("the table itself", conventions={"tied": "tied"}),
                Row("a matrix of its own", conventions={"tied": "untied"}),
            ],
            model=_SMALL,
        ),
        ((1, 0), (0, 0)),
        "Counting both gives {factor} times the model.",
    )


def _training() -> Iterator[Mistake]:
    yield Mistake(
        "6N at long context",
        "Six operations a weight and token leave attention out. That is fair for short contexts only: its part grows "
        "with the length.",
        Table(
            "Training of Llama-3-8B",
            heading="context",
            columns=[
                Column("6N", "flops.training", "GFLOP/token"),
                Column("attention beside it", "flops.attention_training", "GFLOP/token"),
                Column("attention over 6N", "flops.attention_share", "percent"),
            ],
            rows=[Row(str(length), {"T": length}) for length in (2048, _CONTEXT, 131_072)],
            model=_MODEL,
        ),
        ((2, 1), (2, 0)),
        "At 131072 tokens what 6N leaves out is {factor} times what it counts.",
    )
    yield Mistake(
        "The causal half",
        "A causal mask leaves half of the scores. Both conventions are in use, for kernels and for utilizations, and "
        "neither number says by itself which it is.",
        Table(
            "Attention of one head, 8192 tokens, 128 wide",
            heading="mask",
            columns=[Column("operations", "attention.flops", "GFLOP")],
            rows=[Row("full", conventions={"mask": "full"}), Row("causal", conventions={"mask": "causal"})],
            given={"T": _CONTEXT, "d": 128},
        ),
        ((0, 0), (1, 0)),
        "The full count is {factor} times the causal one.",
    )
    yield Mistake(
        "Forgotten logits",
        "A large vocabulary makes the last layer the largest tensor of all, in fp32 and for every token.",
        Table(
            "Llama-3-8B, one sequence of 8192 tokens",
            heading="what is kept",
            columns=[
                Column("logits", "memory.logits", "GiB"),
                Column("all layers, checkpointed", "memory.activations_checkpointed", "GiB"),
            ],
            rows=[Row("for the backward pass", {"s": _CONTEXT, "b": 1})],
            model=_MODEL,
        ),
        ((0, 0), (0, 1)),
        "The logits take {factor} times the memory of all checkpointed layers.",
    )
    yield Mistake(
        "A utilization above 1",
        "More operations than the peak allows were not done. A clock that stopped too early or a peak of another "
        "precision was. Such a value is refused here, not reported.",
        Table(
            "Llama-3-8B on one H100, 8192 tokens of context",
            heading="tokens a second, as measured",
            columns=[Column("MFU", "utilization.mfu", "percent")],
            rows=[Row(str(rate), {"rate": f"{rate} token/s"}) for rate in (2000, 4000)],
            given={"T": _CONTEXT, "n": 1},
            on=_MACHINE,
            model=_MODEL,
        ),
        ((1, 0), (0, 0)),
        "Twice the tokens give {factor} times the utilization; a million tokens a second are refused:",
        Ask(
            "utilization.mfu",
            {"given": {"rate": "1e6 token/s", "T": _CONTEXT, "n": 1}, "on": _MACHINE, "model": _MODEL},
        ),
    )

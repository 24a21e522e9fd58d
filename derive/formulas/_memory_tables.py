"""Worked tables of the chapter memory."""

from __future__ import annotations

from derive import Column, Row, Table

_SMALL = {"s": 1024, "b": 8, "h": 768}
by_variant = Table(
    "Activations of GPT-2 small by what is stored",
    heading="s = 1024, b = 8, h = 768, a = 12",
    about="Stored for the backward pass, in 16-bit numbers, without the logits.",
    columns=[
        Column("everything", "memory.activations_gpt3", "MiB", given={"a": 12}),
        Column("flash", "memory.activations_flash", "MiB", given={"a": 12}),
        Column("selective", "memory.activations_selective", "MiB"),
        Column("checkpointed", "memory.activations_checkpointed", "MiB"),
    ],
    rows=[Row("one layer", {**_SMALL, "L": 1}), Row("12 layers", {**_SMALL, "L": 12})],
)
by_model = Table(
    "Weights, training state and cache by model",
    heading="model",
    about="Training state is mixed-precision Adam before activations; the cache holds 8192 tokens of one sequence.",
    columns=[
        Column("16-bit weights", "memory.weights", "GB"),
        Column("training state", "memory.training_state", "GB"),
        Column("KV cache a token", "memory.kv_cache_token", "KiB"),
        Column("KV cache, 8192 tokens", "memory.kv_cache_sequence", "GiB", given={"T": 8192}),
    ],
    rows=[Row(name, model=name) for name in ("llama-3-8b", "llama-3-70b", "mistral-7b", "mixtral-8x7b")],
)

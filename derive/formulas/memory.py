"""Memory: what training and inference must keep, counted in bytes.

Training keeps a state for every parameter and, from the forward pass to the
backward pass, whatever each operation needs to compute its gradient: a matmul
its inputs, a softmax its output, a dropout its mask, a norm its input. What is
kept can be read off the layer row by row; every variant below (no scores kept,
no dropout, another block) is a row dropped or added. Inference keeps the weights
and, for every token seen, a key and a value in each layer.
"""

from __future__ import annotations

from derive import (
    BYTE,
    PARAMETER,
    Choice,
    Derivation,
    Difference,
    Equal,
    Example,
    Identity,
    Ledger,
    Limit,
    Put,
    SpecialCase,
    count,
    letters,
    oo,
    quantity,
)
from derive.formulas import _memory_rows as rows
from derive.formulas import _memory_tables as _tables
from derive.formulas._memory_rows import B, H_kv, L, N, a, a_kv, b, d_h, f, g, h, mu, s

T, e = letters.T, letters.e
V = count("V", "rows of the embedding table", role="model.vocabulary")
c = count("c", "chunks in which the loss is computed")
_weights = quantity("weights", "bytes of all weights", "byte", filled_by="memory.weights")
KV = quantity("KV", "bytes of the cache of one sequence", "byte", filled_by="memory.kv_cache_sequence")

_16_BIT = "bf16 and fp16 store an element in 2 bytes"
_MASK = "a fused kernel keeps a mask in one byte an element"

training_state_autocast = Derivation(
    "M",
    "Training state under autocast",
    unit="byte",
    about="PyTorch's autocast with fp32 parameters and Adam. The 16-bit copies that it casts come and go.",
    start=rows.autocast,
    steps=[Equal(16 * N * BYTE / PARAMETER, because="4 + 4 + 8 bytes a parameter")],
    facts=[
        Difference(
            rows.autocast,
            rows.mixed,
            N * (2 * BYTE - g) / PARAMETER,
            because="2-byte gradients make it nothing",
        ),
    ],
    examples=[Example({"N": "7e9 parameter"}, "112 GB")],
)

training_state = Derivation(
    "M",
    "Training state with Adam in mixed precision",
    unit="byte",
    about="""Weights, gradients and optimizer state, the same for every batch and length. All parameters count,
    those of every expert included. Activations and buffers of the framework come on top.""",
    start=rows.mixed,
    steps=[
        Equal(N * (14 * BYTE + g) / PARAMETER, because="2 + 4 + 4 + 4 bytes beside the gradient"),
        Put(g, 2 * BYTE, because="gradients are kept in the 16 bits of the weights"),
        Equal(16 * N * BYTE / PARAMETER, because="14 + 2"),
    ],
    facts=[
        Identity(
            16 * N * BYTE / PARAMETER,
            training_state_autocast.result,
            because="the autocast recipe keeps fp32 weights and gradients and no master copy, and lands on the same",
        ),
        SpecialCase(
            {g: 4 * BYTE},
            18 * N * BYTE / PARAMETER,
            of=N * (14 * BYTE + g) / PARAMETER,
            because="fp32 gradients beside 16-bit weights take 2 bytes more",
        ),
    ],
    examples=[
        Example({"N": "7e9 parameter"}, "112 GB"),
        Example({"N": "7e9 parameter"}, "126 GB", conventions={"gradients": "fp32"}),
        Example({}, "128484179968 byte", model="llama-3-8b"),
    ],
    sources=["Rajbhandari et al., ZeRO, arXiv:1910.02054, section 3.1"],
)

_GPT3 = (16 * e + 2 * mu) * s * b * h + (2 * e + mu) * a * s**2 * b

activations_gpt3 = Derivation(
    "M",
    "Activations of a GPT-3 layer, everything kept",
    unit="byte",
    about="""What the backward pass needs of one layer with dropout, GELU and scores in memory: every input of a
    matmul, every mask, P and the inputs of the norms. L layers; statistics of the norms (a few bytes a token)
    and the embedding are left out.""",
    start=L * rows.gpt3.total,
    steps=[
        Equal(L * _GPT3, because="16 tensors of s·b·h and two masks; two tensors of a·s²·b and a mask"),
        Put(e, 2 * BYTE, because=_16_BIT),
        Put(mu, BYTE, because=_MASK),
        Equal(L * (34 * s * b * h + 5 * a * s**2 * b) * BYTE, because="16 × 2 + 2 × 1 and 2 × 2 + 1"),
    ],
    facts=[
        SpecialCase(
            {e: 4 * BYTE, mu: BYTE},
            L * (66 * s * b * h + 9 * a * s**2 * b) * BYTE,
            of=L * _GPT3,
            because="the whole layer in fp32: 16 × 4 + 2 and 2 × 4 + 1",
        ),
        SpecialCase(
            {e: 2 * BYTE, mu: 2 * BYTE},
            L * (36 * s * b * h + 6 * a * s**2 * b) * BYTE,
            of=L * _GPT3,
            because="masks of two bytes, as PyTorch's dropout on a CPU saves them",
        ),
        Identity(
            (34 * s * b * h + 5 * a * s**2 * b) * BYTE,
            s * b * h * (34 + 5 * a * s / h) * BYTE,
            because="beside 34 the scores weigh 5as/h: they take over where a·s > 6.8 h",
        ),
    ],
    examples=[
        Example({"s": 1024, "b": 8, "h": 768, "a": 12}, "684 MiB"),
        Example({"s": 2048, "b": 4, "h": 12288, "a": 96}, "11475615744 byte"),
        Example({"s": 1024, "b": 8, "h": 768, "a": 12}, "1260 MiB", conventions={"precision": "fp32"}),
        Example({"s": 1024, "b": 8, "h": 768, "a": 12}, "792 MiB", conventions={"mask_bytes": "2"}),
    ],
    sources=["Korthikanti et al., Reducing Activation Recomputation, arXiv:2205.05198, section 4.1"],
)

activations_flash = Derivation(
    "M",
    "Activations of a GPT-3 layer with FlashAttention",
    unit="byte",
    about="""No s×s tensor is stored: the kernel keeps the log-sum-exp of every row of scores in fp32 and computes
    P again in the backward pass, dropout mask included. L layers.""",
    start=L * rows.flash.total,
    steps=[
        Equal(
            L * ((16 * e + 2 * mu) * s * b * h + 4 * a * b * s * BYTE),
            because="the rows of one layer without those of s×s, and one number a row of scores",
        ),
        Put(e, 2 * BYTE, because=_16_BIT),
        Put(mu, BYTE, because=_MASK),
        Equal(L * (34 * s * b * h + 4 * a * b * s) * BYTE, because="16 × 2 + 2 × 1"),
    ],
    facts=[
        Difference(
            rows.flash,
            rows.gpt3,
            4 * a * b * s * BYTE - (2 * e + mu) * a * s**2 * b,
            because="three tensors of s×s make way for one number a row",
        ),
        Limit(
            s,
            oo,
            ((16 * e + 2 * mu) * h + 4 * a * BYTE) / ((2 * e + mu) * a),
            of=s * rows.flash.total / rows.gpt3.total,
            because="what is left grows with s, what is dropped with s²: their ratio falls as 1/s",
        ),
    ],
    examples=[
        Example({"s": 1024, "b": 8, "h": 768, "a": 12}, "204.375 MiB"),
        Example({"s": 1024, "b": 8, "h": 768, "a": 12, "L": 12}, "2.39501953125 GiB"),
    ],
    sources=["Dao et al., FlashAttention, arXiv:2205.14135, section 3.1"],
)

activations_checkpointed = Derivation(
    "M",
    "Activations with full checkpointing",
    unit="byte",
    about="""Every layer keeps its input and runs forward once more in the backward pass, which takes training from
    6N to 8N operations a token. What one layer needs while it is recomputed comes on top, once. L layers.""",
    start=L * rows.checkpoint.total,
    steps=[
        Put(e, 2 * BYTE, because=_16_BIT),
        Equal(2 * L * s * b * h * BYTE, because="one tensor of s·b·h a layer"),
    ],
    facts=[
        Difference(
            rows.checkpoint,
            rows.selective,
            -(15 * e + 2 * mu) * s * b * h,
            because="all but one tensor of s·b·h is computed again",
        ),
    ],
    examples=[Example({"s": 1024, "b": 8, "h": 768}, "12 MiB")],
    sources=["Chen et al., Training Deep Nets with Sublinear Memory Cost, arXiv:1604.06174"],
)

activations_selective = Derivation(
    "M",
    "Activations of a GPT-3 layer, scores recomputed",
    unit="byte",
    about="""Selective recomputation: only the three s×s rows are dropped and computed again in the backward
    pass, large in memory and cheap in operations. L layers.""",
    start=L * rows.selective.total,
    steps=[
        Equal(L * (16 * e + 2 * mu) * s * b * h, because="16 tensors of s·b·h and two masks"),
        Put(e, 2 * BYTE, because=_16_BIT),
        Put(mu, BYTE, because=_MASK),
        Equal(34 * L * s * b * h * BYTE, because="16 × 2 + 2 × 1"),
    ],
    facts=[
        Difference(
            rows.selective,
            rows.gpt3,
            -(2 * e + mu) * a * s**2 * b,
            because="the tensors of s×s are the ones recomputed",
        ),
    ],
    examples=[Example({"s": 1024, "b": 8, "h": 768}, "204 MiB")],
    sources=["Korthikanti et al., Reducing Activation Recomputation, arXiv:2205.05198, section 5"],
)

activations_swiglu_plain = Derivation(
    "M",
    "Activations of a Llama layer, gate not fused",
    unit="byte",
    about="silu(g)·u written as two operations: silu(g) is kept as an input of the product.",
    start=L * rows.swiglu_plain.total,
    steps=[
        Equal(
            L * (e * s * b * (4 * h + 2 * a * d_h + 2 * a_kv * d_h + 4 * f) + 4 * a * b * s * BYTE),
            because="rows of one width together",
        ),
        Put(e, 2 * BYTE, because=_16_BIT),
        Equal(
            L
            * (8 * s * b * h + 4 * s * b * a * d_h + 4 * s * b * a_kv * d_h + 8 * s * b * f + 4 * a * b * s)
            * BYTE,
            because="2 bytes an element",
        ),
    ],
    facts=[Difference(rows.swiglu_plain, rows.swiglu, e * s * b * f, because="one tensor of s·b·f more")],
    examples=[Example({"s": 8192, "b": 1}, "42016 MiB", model="llama-3-8b")],
)

activations_swiglu = Derivation(
    "M",
    "Activations of a Llama layer",
    unit="byte",
    about="""RMSNorm, grouped-query attention without stored scores, a SwiGLU block f wide, no dropout, counted by
    the same method: the least that such a layer keeps. RMSNorm keeps its input and recomputes the root mean
    square; the rotation of Q and K needs nothing but its tables, which layers share. L layers.""",
    start=L * rows.swiglu.total,
    steps=[
        Equal(
            L * (e * s * b * (4 * h + 2 * a * d_h + 2 * a_kv * d_h + 3 * f) + 4 * a * b * s * BYTE),
            because="rows of one width together",
        ),
        Put(e, 2 * BYTE, because=_16_BIT),
        Equal(
            L
            * (8 * s * b * h + 4 * s * b * a * d_h + 4 * s * b * a_kv * d_h + 6 * s * b * f + 4 * a * b * s)
            * BYTE,
            because="2 bytes an element",
        ),
    ],
    facts=[
        SpecialCase(
            {d_h: h / a},
            L * (12 * s * b * h + 4 * s * b * a_kv * h / a + 6 * s * b * f + 4 * a * b * s) * BYTE,
            because="where the heads add up to h",
        ),
        SpecialCase(
            {d_h: h / a, a_kv: a, f: 8 * h / 3},
            L * (32 * s * b * h + 4 * a * b * s) * BYTE,
            because="without shared heads and 8h/3 wide it keeps nearly what GPT-3 does: two masks less",
        ),
    ],
    choice=Choice("swiglu", "fused", {"plain": activations_swiglu_plain}),
    examples=[Example({"s": 8192, "b": 1}, "34848 MiB", model="llama-3-8b")],
)

logits_with_gradient = Derivation(
    "M",
    "Logits and their gradient",
    unit="byte",
    about="Both of s·b rows of V numbers in fp32, alive together in the backward pass of the loss.",
    start=Ledger(
        ("logits", "fp32", 4 * s * b * V * BYTE),
        ("gradient of the logits", "fp32", 4 * s * b * V * BYTE),
    ),
    steps=[Equal(8 * s * b * V * BYTE, because="two tensors of one size")],
    examples=[Example({"s": 1024, "b": 8, "V": 50257}, "3293642752 byte")],
)

logits_chunked = Derivation(
    "M",
    "Logits, the loss computed in chunks",
    unit="byte",
    about="The loss of s·b/c tokens at a time, each chunk's gradient taken before the next: c chunks of equal size.",
    start=4 * (s * b / c) * V * BYTE,
    steps=[Equal(4 * s * b * V * BYTE / c, because="only one chunk is alive")],
    facts=[Limit(c, oo, 0, because="what is alive shrinks as the chunks grow in number")],
    examples=[Example({"s": 1024, "b": 8, "V": 50257, "c": 8}, "205852672 byte")],
)

logits = Derivation(
    "M",
    "Logits",
    unit="byte",
    about="The s·b rows of V numbers that the loss reads, in fp32 whatever the model computes in.",
    start=4 * s * b * V * BYTE,
    facts=[
        Identity(
            logits_with_gradient.result,
            2 * (4 * s * b * V * BYTE),
            because="the gradient has the size of the logits",
        ),
        Identity(
            logits_chunked.result,
            (4 * s * b * V * BYTE) / c,
            because="in c chunks a c-th is alive at a time",
        ),
    ],
    choice=Choice("logits", "once", {"with-gradient": logits_with_gradient}),
    examples=[Example({"s": 1024, "b": 8, "V": 50257}, "1646821376 byte")],
)

kv_cache = Derivation(
    "M",
    "Key-value cache",
    unit="byte",
    about="""A key and a value of every token seen, for each key-value head of each layer. Queries are not kept.
    L layers, B sequences of T tokens.""",
    start=rows.cache,
    steps=[Equal(2 * L * H_kv * d_h * T * B * e, because="keys and values are of one size")],
    facts=[
        SpecialCase({T: 1, B: 1}, 2 * L * H_kv * d_h * e, because="one token"),
        SpecialCase({B: 1}, 2 * L * H_kv * d_h * T * e, because="one sequence"),
    ],
    examples=[
        Example({"T": 1, "B": 1}, "128 KiB", model="llama-3-8b"),
        Example({"T": 8192, "B": 1}, "1 GiB", model="llama-3-8b"),
        Example({"T": 8192, "B": 8}, "8 GiB", model="llama-3-8b"),
    ],
)

kv_cache_token = Derivation(
    "M",
    "Key-value cache of a token",
    unit="byte",
    start=kv_cache,
    steps=[
        Put(T, 1, because="one token", fixed=True),
        Put(B, 1, because="of one sequence", fixed=True),
        Equal(2 * L * H_kv * d_h * e, because="a key and a value a head and layer"),
    ],
    examples=[Example({}, "128 KiB", model="llama-3-8b")],
)

kv_cache_sequence = Derivation(
    "M",
    "Key-value cache of a sequence",
    unit="byte",
    start=kv_cache,
    steps=[
        Put(B, 1, because="one sequence", fixed=True),
        Equal(2 * L * H_kv * d_h * T * e, because="T tokens, a key and a value a head and layer"),
    ],
    examples=[Example({"T": 8192}, "1 GiB", model="llama-3-8b")],
)

weights = Derivation(
    "M",
    "Weights",
    unit="byte",
    about="All parameters at the size of a stored element, those of every expert included; scales are left out.",
    start=N * e / PARAMETER,
    examples=[Example({}, "16060522496 byte", model="llama-3-8b"), Example({"N": "7e9 parameter"}, "14 GB")],
)

inference = Derivation(
    "M",
    "Memory of inference",
    unit="byte",
    about="Weights and the caches of B sequences. The activations of one step and the framework come on top.",
    start=Ledger(
        ("weights", "read by every sequence, kept once", _weights),
        ("key-value caches", "one a sequence", B * KV),
    ),
    steps=[Equal(_weights + B * KV, because="the weights are shared, the caches are not")],
    facts=[
        Limit(B, oo, KV, of=(_weights + B * KV) / B, because="a sequence's share of the weights vanishes"),
    ],
    examples=[Example({"B": 8, "T": 8192}, "24650457088 byte", model="llama-3-8b")],
)

by_variant, by_model = _tables.by_variant, _tables.by_model

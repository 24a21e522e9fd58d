"""Counting parameters, tensor by tensor: every model is a handful of matrices, repeated L times.

A linear layer from h to f has h·f weights, and f more where it has a bias. What
differs between families is which matrices there are: four of attention, two of a
feed-forward block or three where it is gated, and at both ends a table of V rows
of h, which some models use twice. Two counts matter. All parameters must be
stored. Only those that take part in matmuls cost operations: the embedding is
looked up, not multiplied, while the LM head is multiplied whether or not it is
the same matrix.
"""

from __future__ import annotations

from typing import Any

from derive import (
    PARAMETER,
    Choice,
    Derivation,
    Difference,
    Equal,
    Example,
    Families,
    Inequality,
    Ledger,
    Put,
    SpecialCase,
    count,
    number,
)

L = count("L", "layers", role="model.layers")
h = count("h", "width of the residual stream", role="model.hidden")
a = count("a", "query heads", role="model.heads")
a_kv = count("a_kv", "key-value heads", role="model.kv_heads")
d_h = count("d_h", "head dimension", role="model.head_dim")
f = count("f", "inner width of the feed-forward block", role="model.ffn")
V = count("V", "rows of the embedding table", role="model.vocabulary")
n_ctx = count("n_ctx", "rows of the learned position table", role="model.positions")
E = count("E", "experts a layer", role="model.experts")
k = count("k", "experts that a token visits", role="model.experts_per_token")
q = number("q", "1 where Q, K and V have a bias, else 0", role="model.qkv_bias", nonnegative=True)
o = number("o", "1 where the output projection has a bias, else 0", role="model.output_bias", nonnegative=True)
m = number("m", "1 where the feed-forward matrices have a bias, else 0", role="model.ffn_bias", nonnegative=True)

_Row = tuple[Any, ...]

_gpt2_matrices: list[_Row] = [
    ("Q, K and V weights", "one matrix of h × 3h a layer", 3 * L * h**2 * PARAMETER),
    ("output projection weights", L * h**2 * PARAMETER),
    ("up-projection weights", L * h * f * PARAMETER),
    ("down-projection weights", L * f * h * PARAMETER),
]
_gpt2_rest: list[_Row] = [
    ("token embedding", "also the LM head", V * h * PARAMETER),
    ("position embedding", n_ctx * h * PARAMETER),
    ("attention LayerNorms", "a gain and a bias each", 2 * L * h * PARAMETER),
    ("Q, K and V biases", 3 * L * h * PARAMETER),
    ("output projection biases", L * h * PARAMETER),
    ("feed-forward LayerNorms", "a gain and a bias each", 2 * L * h * PARAMETER),
    ("up-projection biases", L * f * PARAMETER),
    ("down-projection biases", L * h * PARAMETER),
    ("final LayerNorm", 2 * h * PARAMETER),
]
_head: _Row = ("LM head", "from h to V, no bias", V * h * PARAMETER)
_attention: list[_Row] = [
    ("Q projection", "a heads of d_h, which need not add up to h", L * h * a * d_h * PARAMETER),
    ("K projection", "fewer heads where queries share them", L * h * a_kv * d_h * PARAMETER),
    ("V projection", L * h * a_kv * d_h * PARAMETER),
    ("output projection", L * a * d_h * h * PARAMETER),
]
_gated: list[_Row] = [
    ("gate projection", L * h * f * PARAMETER),
    ("up projection", L * h * f * PARAMETER),
    ("down projection", L * f * h * PARAMETER),
]
_norms: list[_Row] = [
    ("attention RMSNorms", "a gain, no bias", L * h * PARAMETER),
    ("feed-forward RMSNorms", "a gain, no bias", L * h * PARAMETER),
    ("final RMSNorm", h * PARAMETER),
]
_embedding: _Row = ("token embedding", V * h * PARAMETER)
_biases: list[_Row] = [
    ("Q bias", q * L * a * d_h * PARAMETER),
    ("K and V biases", q * 2 * L * a_kv * d_h * PARAMETER),
    ("output bias", o * L * h * PARAMETER),
    ("gate and up biases", m * 2 * L * f * PARAMETER),
    ("down bias", m * L * h * PARAMETER),
]
_router: _Row = ("routers", "a score for each expert", L * h * E * PARAMETER)

_gpt2_rows = Ledger(*_gpt2_rest, *_gpt2_matrices, title="GPT-2, tied")
_gpt2_untied_rows = Ledger(*_gpt2_rest, *_gpt2_matrices, _head, title="GPT-2 with an LM head of its own")
_gpt2_matmul_rows = Ledger(*_gpt2_matrices, _head, title="matmul weights of GPT-2")
_llama_rows = Ledger(_embedding, *_attention, *_gated, *_norms, _head, title="Llama, untied")
_llama_tied_rows = Ledger(_embedding, *_attention, *_gated, *_norms, title="Llama, tied")
_llama_matmul_rows = Ledger(*_attention, *_gated, _head, title="matmul weights of Llama")
_biased_rows = Ledger(_embedding, *_attention, *_gated, *_biases, *_norms, _head, title="Llama with biases")
_biased_tied_rows = Ledger(
    _embedding, *_attention, *_gated, *_biases, *_norms, title="Llama with biases, tied"
)
_mixtral_rows = Ledger(
    _embedding,
    *_attention,
    _router,
    ("experts", "three matrices each", 3 * L * E * h * f * PARAMETER),
    *_norms,
    _head,
    title="Mixtral, all experts",
)
_mixtral_active_rows = Ledger(
    _embedding,
    *_attention,
    _router,
    ("experts visited", "k of E, three matrices each", 3 * L * k * h * f * PARAMETER),
    *_norms,
    _head,
    title="Mixtral, what a token meets",
)
_mixtral_matmul_rows = Ledger(
    *_attention,
    _router,
    ("experts visited", "k of E, three matrices each", 3 * L * k * h * f * PARAMETER),
    _head,
    title="matmul weights that a token of Mixtral meets",
)

_GPT2_LAYER = 4 * h**2 + 2 * h * f + 9 * h + f
_LLAMA_LAYER = 2 * h * (a + a_kv) * d_h + 3 * h * f + 2 * h
_BIASES = q * (a + 2 * a_kv) * d_h + o * h + m * (2 * f + h)
_MODERN_LAYER = "Q and output take a heads, K and V take a_kv; three matrices of h × f; two gains"

gpt2_untied = Derivation(
    "N",
    "Parameters of a GPT-2 whose LM head is a matrix of its own",
    unit="parameter",
    about="The released GPT-2 is tied; this is the count that forgets it, or that of a model trained untied.",
    start=_gpt2_untied_rows,
    steps=[
        Equal(
            ((2 * V + n_ctx) * h + L * _GPT2_LAYER + 2 * h) * PARAMETER,
            because="two tables of V rows, one of positions, L equal layers and the last norm",
        )
    ],
    facts=[
        Difference(_gpt2_untied_rows, _gpt2_rows, V * h * PARAMETER, because="one table of V rows more"),
    ],
    families=Families(("gpt2",)),
    examples=[Example({}, "163037184 parameter", model="gpt2-small")],
)

gpt2 = Derivation(
    "N",
    "Parameters of a GPT-2",
    unit="parameter",
    about="""Learned positions, LayerNorm with gain and bias, biases in every linear layer, a plain
    feed-forward block, and heads that add up to h. The LM head is the token embedding, counted once.""",
    start=_gpt2_rows,
    steps=[
        Equal(
            ((V + n_ctx) * h + L * _GPT2_LAYER + 2 * h) * PARAMETER,
            because="both tables, L equal layers and the last norm",
        )
    ],
    facts=[
        SpecialCase(
            {f: 4 * h},
            ((V + n_ctx) * h + L * (12 * h**2 + 13 * h) + 2 * h) * PARAMETER,
            because="the block is four times as wide as the stream in every released size",
        )
    ],
    choice=Choice("tied", "tied", {"untied": gpt2_untied}),
    families=Families(("gpt2",)),
    examples=[
        Example({}, "124439808 parameter", model="gpt2-small"),
        Example({}, "1557611200 parameter", model="gpt2-xl"),
    ],
    sources=["Radford et al., Language Models are Unsupervised Multitask Learners, 2019, and its released weights"],
)

llama_tied = Derivation(
    "N",
    "Parameters of a Llama that ties embedding and LM head",
    unit="parameter",
    about="One table of V rows serves at both ends. Small Llamas and the Gemma family are built so.",
    start=_llama_tied_rows,
    steps=[Equal((V * h + L * _LLAMA_LAYER + h) * PARAMETER, because=_MODERN_LAYER)],
    facts=[
        Difference(_llama_tied_rows, _llama_rows, -V * h * PARAMETER, because="the head's table is not there"),
    ],
    families=Families(("llama", "mistral", "gemma")),
    examples=[Example({}, "1235814400 parameter", model="llama-3.2-1b")],
)

llama = Derivation(
    "N",
    "Parameters of a Llama",
    unit="parameter",
    about="""Rotary positions (no table), RMSNorm, no biases, grouped-query attention, a gated feed-forward
    block. The head dimension is a size of its own. Mistral is built alike.""",
    start=_llama_rows,
    steps=[Equal((2 * V * h + L * _LLAMA_LAYER + h) * PARAMETER, because=_MODERN_LAYER)],
    choice=Choice("tied", "untied", {"tied": llama_tied}),
    families=Families(("llama", "mistral")),
    examples=[
        Example({}, "8030261248 parameter", model="llama-3-8b"),
        Example({}, "7241732096 parameter", model="mistral-7b"),
        Example({}, "3212749824 parameter", model="llama-3.2-3b"),
    ],
    sources=["Grattafiori et al., The Llama 3 Herd of Models, arXiv:2407.21783, table 3, and the published weights"],
)

biased_tied = Derivation(
    "N",
    "Parameters of a tied Llama with biases",
    unit="parameter",
    start=_biased_tied_rows,
    steps=[Equal((V * h + L * (_LLAMA_LAYER + _BIASES) + h) * PARAMETER, because="the biases join each layer")],
    families=Families(("llama-biased", "qwen2")),
)

biased = Derivation(
    "N",
    "Parameters of a Llama with biases",
    unit="parameter",
    about="q, o and m say which biases there are: of Q, K and V, of the output projection, of the block.",
    start=_biased_rows,
    steps=[Equal((2 * V * h + L * (_LLAMA_LAYER + _BIASES) + h) * PARAMETER, because="the biases join each layer")],
    facts=[
        Difference(_biased_rows, _llama_rows, L * _BIASES * PARAMETER, because="nothing else is added"),
        SpecialCase({q: 0, o: 0, m: 0}, llama.result, because="without biases it is a Llama"),
    ],
    choice=Choice("tied", "untied", {"tied": biased_tied}),
    families=Families(("llama-biased",)),
)

_QWEN2 = (
    Put(q, 1, because="Q, K and V have biases", fixed=True),
    Put(o, 0, because="the output projection has none", fixed=True),
    Put(m, 0, because="nor have the matrices of the block", fixed=True),
)

qwen2_tied = Derivation(
    "N",
    "Parameters of a Qwen2 that ties embedding and LM head",
    unit="parameter",
    start=biased_tied,
    steps=[
        *_QWEN2,
        Equal((V * h + L * (_LLAMA_LAYER + (a + 2 * a_kv) * d_h) + h) * PARAMETER, because="one bias a head"),
    ],
    families=Families(("qwen2",)),
)

qwen2 = Derivation(
    "N",
    "Parameters of a Qwen2",
    unit="parameter",
    about="A Llama with biases on Q, K and V.",
    start=biased,
    steps=[
        *_QWEN2,
        Equal((2 * V * h + L * (_LLAMA_LAYER + (a + 2 * a_kv) * d_h) + h) * PARAMETER, because="one bias a head"),
    ],
    choice=Choice("tied", "untied", {"tied": qwen2_tied}),
    families=Families(("qwen2",)),
    examples=[Example({}, "7615616512 parameter", model="qwen2-7b")],
    sources=["Yang et al., Qwen2 Technical Report, arXiv:2407.10671, table 1, and the published weights"],
)

gemma = Derivation(
    "N",
    "Parameters of a Gemma",
    unit="parameter",
    about="A tied Llama with heads of 256, which add up to more than h in the 7B. The norms hold a gain each.",
    start=llama_tied,
    choice=Choice("tied", "tied", {}),
    families=Families(("gemma",)),
    examples=[
        Example({}, "2506172416 parameter", model="gemma-2b"),
        Example({}, "8537680896 parameter", model="gemma-7b"),
    ],
    sources=["Gemma Team, Gemma, arXiv:2403.08295, table 1, and the published weights"],
)

mixtral_active = Derivation(
    "N",
    "Parameters that a token of a Mixtral meets",
    unit="parameter",
    about="The embedding is counted whole, as is usual when active parameters are named.",
    start=_mixtral_active_rows,
    steps=[
        Equal(
            (2 * V * h + L * (2 * h * (a + a_kv) * d_h + h * E + 3 * k * h * f + 2 * h) + h) * PARAMETER,
            because="of the experts only those visited",
        )
    ],
    families=Families(("mixtral",)),
    examples=[Example({}, "12879925248 parameter", model="mixtral-8x7b")],
)

mixtral = Derivation(
    "N",
    "Parameters of a Mixtral",
    unit="parameter",
    about="A Llama with E feed-forward blocks a layer and a router before them. All experts must be stored.",
    start=_mixtral_rows,
    steps=[
        Equal(
            (2 * V * h + L * (2 * h * (a + a_kv) * d_h + h * E + 3 * E * h * f + 2 * h) + h) * PARAMETER,
            because="attention and norms of a Llama, a router of h × E, and E blocks",
        )
    ],
    facts=[
        Difference(
            _mixtral_rows,
            _mixtral_active_rows,
            3 * L * (E - k) * h * f * PARAMETER,
            because="the experts that a token does not visit are stored all the same",
        ),
    ],
    choice=Choice("tied", "untied", {}),
    families=Families(("mixtral",)),
    examples=[Example({}, "46702792704 parameter", model="mixtral-8x7b")],
    sources=["Jiang et al., Mixtral of Experts, arXiv:2401.04088, table 1, and the published weights"],
)

total = Derivation(
    "N",
    "All parameters of a model",
    unit="parameter",
    about="""What must be stored. The formula is that of the model's family; without a model that of Llama.
    A mixture of experts counts all experts.""",
    start=llama,
    choice=Choice("tied", "untied", {"tied": llama_tied}),
    families=Families(
        ("llama", "mistral"),
        {"gpt2": gpt2, "gemma": gemma, "qwen2": qwen2, "llama-biased": biased, "mixtral": mixtral},
    ),
    examples=[
        Example({}, "8030261248 parameter", model="llama-3-8b"),
        Example({}, "124439808 parameter", model="gpt2-small"),
        Example({}, "46702792704 parameter", model="mixtral-8x7b"),
    ],
)

matmul_gpt2 = Derivation(
    "N",
    "Parameters of a GPT-2 that take part in matmuls",
    unit="parameter",
    about="The LM head multiplies although it is the embedding; looking an embedding up does not multiply.",
    start=_gpt2_matmul_rows,
    steps=[Equal((V * h + L * (4 * h**2 + 2 * h * f)) * PARAMETER, because="the head and four matrices a layer")],
    facts=[
        Difference(
            _gpt2_matmul_rows,
            _gpt2_untied_rows,
            -((V + n_ctx) * h + L * (9 * h + f) + 2 * h) * PARAMETER,
            because="tables that are looked up, gains and biases multiply no matrix",
        ),
        SpecialCase({f: 4 * h}, (V * h + 12 * L * h**2) * PARAMETER, because="4h² of attention and 8h² of the block"),
    ],
    families=Families(("gpt2",)),
    examples=[Example({}, "123532032 parameter", model="gpt2-small")],
)

matmul_llama = Derivation(
    "N",
    "Parameters of a Llama that take part in matmuls",
    unit="parameter",
    about="""The same for Mistral, Gemma and Qwen2, tied or not: a tied head multiplies too, and biases add but
    do not multiply.""",
    start=_llama_matmul_rows,
    steps=[
        Equal(
            (V * h + L * (2 * h * (a + a_kv) * d_h + 3 * h * f)) * PARAMETER,
            because="the head, and seven matrices a layer",
        )
    ],
    facts=[
        Difference(
            _llama_matmul_rows,
            _llama_rows,
            -(V * h + 2 * L * h + h) * PARAMETER,
            because="the embedding is looked up and the norms multiply no matrix",
        ),
    ],
    families=Families(("llama", "mistral", "gemma", "qwen2", "llama-biased")),
    examples=[
        Example({}, "7504658432 parameter", model="llama-3-8b"),
        Example({}, "2506096640 parameter", model="gemma-2b"),
    ],
)

matmul_mixtral = Derivation(
    "N",
    "Parameters that take part in the matmuls of a token of a Mixtral",
    unit="parameter",
    about="The active ones: the operations of a token follow the experts that it visits.",
    start=_mixtral_matmul_rows,
    steps=[
        Equal(
            (V * h + L * (2 * h * (a + a_kv) * d_h + h * E + 3 * k * h * f)) * PARAMETER,
            because="the head, attention, the router and k experts",
        )
    ],
    families=Families(("mixtral",)),
    examples=[Example({}, "12748587008 parameter", model="mixtral-8x7b")],
)

matmul = Derivation(
    "N",
    "Parameters that take part in matmuls",
    unit="parameter",
    about="""The N of 2N: every weight that a token is multiplied by, LM head included, embedding lookup not.
    The formula is that of the model's family; without a model that of Llama. Of experts those visited count.""",
    start=matmul_llama,
    facts=[
        Inequality(matmul_llama.result, "<", llama_tied.result, because="norms are counted in no matmul"),
    ],
    families=Families(
        ("llama", "mistral", "gemma", "qwen2", "llama-biased"),
        {"gpt2": matmul_gpt2, "mixtral": matmul_mixtral},
    ),
    examples=[
        Example({}, "123532032 parameter", model="gpt2-small"),
        Example({}, "7504658432 parameter", model="llama-3-8b"),
    ],
)

attention_width = Derivation(
    "d",
    "Width of all queries together",
    unit="dimensionless",
    about="Not always the width h of the stream: heads have a size of their own.",
    start=a * d_h,
    examples=[Example({}, "4096", model="llama-3-8b"), Example({"a": 16, "d_h": 256}, "4096")],
)

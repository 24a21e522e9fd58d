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

from derive import (
    PARAMETER,
    Choice,
    Derivation,
    Difference,
    Equal,
    Example,
    Families,
    Put,
    SpecialCase,
)
from derive.formulas import _parameter_rows as rows
from derive.formulas._parameter_rows import E, L, V, a, a_kv, d_h, f, h, k, m, n_ctx, o, q

_GPT2_LAYER = 4 * h**2 + 2 * h * f + 9 * h + f
_LLAMA_LAYER = 2 * h * (a + a_kv) * d_h + 3 * h * f + 2 * h
_BIASES = q * (a + 2 * a_kv) * d_h + o * h + m * (2 * f + h)
_MODERN_LAYER = "Q and output take a heads, K and V take a_kv; three matrices of h × f; two gains"

gpt2_untied = Derivation(
    "N",
    "Parameters of a GPT-2 whose LM head is a matrix of its own",
    unit="parameter",
    about="The released GPT-2 is tied; this is the count that forgets it, or that of a model trained untied.",
    start=rows.gpt2_untied,
    steps=[
        Equal(
            ((2 * V + n_ctx) * h + L * _GPT2_LAYER + 2 * h) * PARAMETER,
            because="two tables of V rows, one of positions, L equal layers and the last norm",
        )
    ],
    facts=[
        Difference(rows.gpt2_untied, rows.gpt2, V * h * PARAMETER, because="one table of V rows more"),
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
    start=rows.gpt2,
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
    sources=[
        "Radford et al., Language Models are Unsupervised Multitask Learners, 2019, and its released weights"
    ],
)

llama_tied = Derivation(
    "N",
    "Parameters of a Llama that ties embedding and LM head",
    unit="parameter",
    about="One table of V rows serves at both ends. Small Llamas and the Gemma family are built so.",
    start=rows.llama_tied,
    steps=[Equal((V * h + L * _LLAMA_LAYER + h) * PARAMETER, because=_MODERN_LAYER)],
    facts=[
        Difference(rows.llama_tied, rows.llama, -V * h * PARAMETER, because="the head's table is not there"),
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
    start=rows.llama,
    steps=[Equal((2 * V * h + L * _LLAMA_LAYER + h) * PARAMETER, because=_MODERN_LAYER)],
    choice=Choice("tied", "untied", {"tied": llama_tied}),
    families=Families(("llama", "mistral")),
    examples=[
        Example({}, "8030261248 parameter", model="llama-3-8b"),
        Example({}, "7241732096 parameter", model="mistral-7b"),
        Example({}, "3212749824 parameter", model="llama-3.2-3b"),
    ],
    sources=[
        "Grattafiori et al., The Llama 3 Herd of Models, arXiv:2407.21783, table 3, and the published weights"
    ],
)

biased_tied = Derivation(
    "N",
    "Parameters of a tied Llama with biases",
    unit="parameter",
    start=rows.biased_tied,
    steps=[
        Equal((V * h + L * (_LLAMA_LAYER + _BIASES) + h) * PARAMETER, because="the biases join each layer")
    ],
    families=Families(("llama-biased", "qwen2")),
)

biased = Derivation(
    "N",
    "Parameters of a Llama with biases",
    unit="parameter",
    about="q, o and m say which biases there are: of Q, K and V, of the output projection, of the block.",
    start=rows.biased,
    steps=[
        Equal(
            (2 * V * h + L * (_LLAMA_LAYER + _BIASES) + h) * PARAMETER, because="the biases join each layer"
        )
    ],
    facts=[
        Difference(rows.biased, rows.llama, L * _BIASES * PARAMETER, because="nothing else is added"),
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
        Equal(
            (2 * V * h + L * (_LLAMA_LAYER + (a + 2 * a_kv) * d_h) + h) * PARAMETER, because="one bias a head"
        ),
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
    start=rows.mixtral_active,
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
    start=rows.mixtral,
    steps=[
        Equal(
            (2 * V * h + L * (2 * h * (a + a_kv) * d_h + h * E + 3 * E * h * f + 2 * h) + h) * PARAMETER,
            because="attention and norms of a Llama, a router of h × E, and E blocks",
        )
    ],
    facts=[
        Difference(
            rows.mixtral,
            rows.mixtral_active,
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
    start=rows.gpt2_matmul,
    steps=[
        Equal((V * h + L * (4 * h**2 + 2 * h * f)) * PARAMETER, because="the head and four matrices a layer")
    ],
    facts=[
        Difference(
            rows.gpt2_matmul,
            rows.gpt2_untied,
            -((V + n_ctx) * h + L * (9 * h + f) + 2 * h) * PARAMETER,
            because="tables that are looked up, gains and biases multiply no matrix",
        ),
        SpecialCase(
            {f: 4 * h}, (V * h + 12 * L * h**2) * PARAMETER, because="4h² of attention and 8h² of the block"
        ),
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
    start=rows.llama_matmul,
    steps=[
        Equal(
            (V * h + L * (2 * h * (a + a_kv) * d_h + 3 * h * f)) * PARAMETER,
            because="the head, and seven matrices a layer",
        )
    ],
    facts=[
        Difference(
            rows.llama_matmul,
            rows.llama,
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
    start=rows.mixtral_matmul,
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

looked_up_tied = Derivation(
    "N_t",
    "Parameters only looked up, tied",
    unit="parameter",
    about="None: the LM head multiplies by the whole table at every step.",
    start=0 * PARAMETER,
    examples=[Example({}, "0 parameter")],
)

looked_up_gpt2_untied = Derivation(
    "N_t",
    "Parameters only looked up in an untied GPT-2",
    unit="parameter",
    start=rows.gpt2_untied_tables,
    steps=[Equal((V + n_ctx) * h * PARAMETER, because="both tables have rows of h")],
    families=Families(("gpt2",)),
    examples=[Example({}, "39383808 parameter", model="gpt2-small")],
)

looked_up_gpt2 = Derivation(
    "N_t",
    "Parameters only looked up in a GPT-2",
    unit="parameter",
    about="The token embedding is also the LM head and read whole; the positions are looked up.",
    start=rows.gpt2_tables,
    steps=[Equal(n_ctx * h * PARAMETER, because="one row a position")],
    choice=Choice("tied", "tied", {"untied": looked_up_gpt2_untied}),
    families=Families(("gpt2",)),
    examples=[Example({}, "786432 parameter", model="gpt2-small")],
)

looked_up = Derivation(
    "N_t",
    "Parameters only looked up",
    unit="parameter",
    about="""The tables of which a token needs a single row: the embedding, where the LM head is a matrix of its
    own, and learned positions.""",
    start=V * h * PARAMETER,
    choice=Choice("tied", "untied", {"tied": looked_up_tied}),
    families=Families(
        ("llama", "mistral", "gemma", "qwen2", "llama-biased", "mixtral"), {"gpt2": looked_up_gpt2}
    ),
    examples=[
        Example({}, "525336576 parameter", model="llama-3-8b"),
        Example({}, "0 parameter", model="gemma-2b"),
    ],
)

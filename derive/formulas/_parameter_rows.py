"""The tensors of each model family, a row each: what the chapter `parameters` adds up."""

from __future__ import annotations

from typing import Any

from derive import PARAMETER, Ledger, count, number

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
o = number(
    "o", "1 where the output projection has a bias, else 0", role="model.output_bias", nonnegative=True
)
m = number(
    "m", "1 where the feed-forward matrices have a bias, else 0", role="model.ffn_bias", nonnegative=True
)

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

gpt2 = Ledger(*_gpt2_rest, *_gpt2_matrices, title="GPT-2, tied")
gpt2_untied = Ledger(*_gpt2_rest, *_gpt2_matrices, _head, title="GPT-2 with an LM head of its own")
gpt2_matmul = Ledger(*_gpt2_matrices, _head, title="matmul weights of GPT-2")
llama = Ledger(_embedding, *_attention, *_gated, *_norms, _head, title="Llama, untied")
llama_tied = Ledger(_embedding, *_attention, *_gated, *_norms, title="Llama, tied")
llama_matmul = Ledger(*_attention, *_gated, _head, title="matmul weights of Llama")
biased = Ledger(_embedding, *_attention, *_gated, *_biases, *_norms, _head, title="Llama with biases")
biased_tied = Ledger(_embedding, *_attention, *_gated, *_biases, *_norms, title="Llama with biases, tied")
mixtral = Ledger(
    _embedding,
    *_attention,
    _router,
    ("experts", "three matrices each", 3 * L * E * h * f * PARAMETER),
    *_norms,
    _head,
    title="Mixtral, all experts",
)
mixtral_active = Ledger(
    _embedding,
    *_attention,
    _router,
    ("experts visited", "k of E, three matrices each", 3 * L * k * h * f * PARAMETER),
    *_norms,
    _head,
    title="Mixtral, what a token meets",
)
mixtral_matmul = Ledger(
    *_attention,
    _router,
    ("experts visited", "k of E, three matrices each", 3 * L * k * h * f * PARAMETER),
    _head,
    title="matmul weights that a token of Mixtral meets",
)

gpt2_tables = Ledger(("positions", "added to the embedding of a token", n_ctx * h * PARAMETER))
gpt2_untied_tables = Ledger(
    ("token embedding", "the LM head is another matrix", V * h * PARAMETER),
    ("positions", "added to the embedding of a token", n_ctx * h * PARAMETER),
)

"""Each way of writing a layer as a ledger: the catalogue's rows, and what PyTorch keeps beside them.

A case is a layer in one form and the derivation of its bytes: the rows of the
catalogue's formula, some changed, dropped or added, each with the reason, and a
closed form that is proved equal to their sum. So no difference between a measured
and a derived total is left over: it is a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy

import derive
from derive import BYTE, Derivation, Equal, Ledger, Put
from measuring.layers import Form

GPT3, FLASH, SELECTIVE = "memory.activations_gpt3", "memory.activations_flash", "memory.activations_selective"
LLAMA, LLAMA_PLAIN = "memory.activations_swiglu", "memory.activations_swiglu_plain"

Rule = tuple[str, tuple[str, ...], str]
"""Who saved it, its shape in letters, and the row it is: for what only PyTorch's own code can see."""

STATISTICS = "mean and 1/deviation of both LayerNorms"
WEIGHTS = "16-bit copies of the weights"


@dataclass(frozen=True)
class Case:
    """A form of a layer, where it runs, and the rows by which it differs from the catalogue's formula.

    changed and added: rows (what, why, amount); dropped: names of rows. closed: the
    bytes of a layer in one expression. conventions: those under which the
    catalogue's own number is evaluated.
    """

    name: str
    base: str
    form: Form
    closed: sympy.Expr
    device: str = "meta"
    precision: str = "bf16"
    autocast: bool = False
    conventions: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[tuple[str, str, sympy.Expr], ...] = ()
    dropped: tuple[tuple[str, str], ...] = ()
    added: tuple[tuple[str, str, sympy.Expr], ...] = ()
    rules: tuple[Rule, ...] = ()

    @property
    def derivation(self) -> Derivation:
        """The bytes of one layer: the ledger, the sizes of its elements, the closed form."""
        instead = {what: (what, why, amount) for what, why, amount in self.changed}
        gone = {what for what, _ in self.dropped}
        rows = [
            instead.get(row.what, (row.what, row.why, row.amount))
            for row in derive.get(self.base).ledgers[0].rows
            if row.what not in gone
        ]
        ledger = Ledger(*rows, *self.added, title=self.name)
        steps: list[Any] = [
            Put(one, size * BYTE, because=why, fixed=True)
            for one, (size, why) in self.sizes.items()
            if one in ledger.total.free_symbols
        ]
        closed = Equal(self.closed * BYTE, because="the rows added up")
        return Derivation("M", self.name, unit="byte", start=ledger, steps=[*steps, closed])

    @property
    def differences(self) -> list[str]:
        """What differs from the catalogue's formula, in words; empty where nothing does."""
        found = [f"{what}: {why}" for what, why, _ in (*self.changed, *self.added)]
        return found + [f"no {what}: {why}" for what, why in self.dropped]

    @property
    def sizes(self) -> dict[sympy.Symbol, tuple[int, str]]:
        """The bytes of an element and of a mask's element, each with its reason."""
        element = 4 if self.precision == "fp32" else 2
        mask = int(self.conventions.get("mask_bytes", "1"))
        return {
            letter("e"): (element, f"elements of {self.precision}"),
            letter("mu"): (mask, "an element of a mask, or of the noise that stands for it"),
        }


def letter(name: str) -> sympy.Symbol:
    """A letter of the catalogue's formulas for activations."""
    (found,) = {one for id in (GPT3, LLAMA) for one in derive.get(id).all_letters if one.name == name}
    return found


def cases() -> list[Case]:
    """All ways of writing a layer, the catalogue's own first."""
    s, b, h, a = (letter(name) for name in "sbha")
    d_h, a_kv, f = (letter(name) for name in ("d_h", "a_kv", "f"))
    sbh, scores = s * b * h, a * s**2 * b
    masks_of_scores = ("mask of the dropout on P", "no dropout"), ("P after dropout", "P itself is mixed")
    all_masks = (
        *masks_of_scores,
        ("mask of the dropout after attention", "no dropout"),
        ("mask of the dropout after the block", "no dropout"),
    )
    statistics = (
        ("NativeLayerNormBackward0.result1", ("s", "b", "1"), STATISTICS),
        (
            "NativeLayerNormBackward0.result2",
            ("s", "b", "1"),
            STATISTICS,
        ),
    )
    wide_statistics = (STATISTICS, "fp32, two a token and norm", 16 * s * b * BYTE)
    copies = tuple(
        ("AddmmBackward0.mat2", shape, WEIGHTS)
        for shape in (("h", "3h"), ("h", "h"), ("h", "4h"), ("4h", "h"))
    )
    math = (
        ("BmmBackward0.self", ("ba", "s", "d"), "Q and K"),
        ("BmmBackward0.mat2", ("ba", "d", "s"), "Q and K"),
        ("BmmBackward0.mat2", ("ba", "s", "d"), "V"),
        ("BmmBackward0.self", ("ba", "s", "s"), "P after dropout"),
        ("SafeSoftmaxBackward0.result", ("b", "a", "s", "s"), "softmax output P"),
        ("MulBackward0.other", ("b", "a", "s", "s"), "mask of the dropout on P"),
    )
    tables = ("cos and sin", "two tables of s·d_h in 16 bits, shared by all layers", 4 * s * d_h * BYTE)
    llama = 4 * sbh + 2 * s * b * a * d_h + 2 * s * b * a_kv * d_h
    llama_rest = 4 * a * b * s + 4 * s * d_h
    upcast = "the math path computes in fp32 and keeps the scaled copies"
    return [
        Case("everything kept, masks of one byte", GPT3, Form(), 34 * sbh + 5 * scores),
        Case(
            "nn.LayerNorm, meta device",
            GPT3,
            Form(norm="native"),
            34 * sbh + 5 * scores + 16 * s * b,
            added=(wide_statistics,),
            rules=statistics,
        ),
        Case(
            "nn.LayerNorm, CPU",
            GPT3,
            Form(norm="native"),
            34 * sbh + 5 * scores + 8 * s * b,
            device="cpu",
            added=((STATISTICS, "16 bits, two a token and norm", 8 * s * b * BYTE),),
            rules=statistics,
        ),
        Case(
            "F.dropout",
            GPT3,
            Form(dropout="functional"),
            36 * sbh + 6 * scores,
            conventions={"mask_bytes": "2"},
        ),
        Case(
            "softmax in fp32, cast back",
            GPT3,
            Form(softmax="fp32"),
            34 * sbh + 7 * scores,
            changed=(("softmax output P", "fp32, before it is cast", 4 * scores * BYTE),),
        ),
        Case(
            "causal mask by masked_fill",
            GPT3,
            Form(causal=True),
            34 * sbh + 5 * scores + s**2,
            added=(("causal mask", "a byte a pair of positions, for all heads", s**2 * BYTE),),
        ),
        Case("no dropout", GPT3, Form(dropout="none"), 32 * sbh + 2 * scores, dropped=all_masks),
        Case(
            "whole layer in fp32",
            GPT3,
            Form(),
            66 * sbh + 9 * scores,
            precision="fp32",
            conventions={"precision": "fp32"},
        ),
        Case(
            "autocast, fp32 parameters",
            GPT3,
            Form(norm="native"),
            38 * sbh + 5 * scores + 16 * s * b + 24 * h**2,
            device="cpu",
            autocast=True,
            changed=(("inputs of both LayerNorms", "the residual stream stays in fp32", 8 * sbh * BYTE),),
            added=(
                wide_statistics,
                (WEIGHTS, "12h² of them: 3 + 1 + 4 + 4", 24 * h**2 * BYTE),
            ),
            rules=(*statistics, *copies),
        ),
        Case(
            "flash attention",
            FLASH,
            Form(attention="flash"),
            34 * sbh + 4 * a * b * s,
        ),
        Case(
            "flash attention and nn.LayerNorm, CPU",
            FLASH,
            Form(attention="flash", norm="native"),
            34 * sbh + 4 * a * b * s + 8 * s * b,
            device="cpu",
            added=((STATISTICS, "16 bits, two a token and norm", 8 * s * b * BYTE),),
            rules=statistics,
        ),
        Case(
            "F.scaled_dot_product_attention, math",
            GPT3,
            Form(attention="math"),
            40 * sbh + 12 * scores,
            changed=(
                ("Q and K", upcast, 8 * sbh * BYTE),
                ("V", upcast, 4 * sbh * BYTE),
                ("softmax output P", "fp32", 4 * scores * BYTE),
                ("mask of the dropout on P", "noise in fp32", 4 * scores * BYTE),
                ("P after dropout", "fp32", 4 * scores * BYTE),
            ),
            rules=math,
        ),
        Case(
            "scores recomputed",
            SELECTIVE,
            Form(recompute="scores"),
            34 * sbh,
        ),
        Case(
            "Llama layer, SwiGLU fused",
            LLAMA,
            Form(attention="flash", dropout="none"),
            2 * llama + 6 * s * b * f + llama_rest,
            added=(tables,),
        ),
        Case(
            "Llama layer, silu(g)·u in two steps",
            LLAMA_PLAIN,
            Form(attention="flash", dropout="none", swiglu="plain"),
            2 * llama + 8 * s * b * f + llama_rest,
            added=(tables,),
        ),
    ]

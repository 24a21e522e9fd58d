"""Conventions: named choices that change a number, each with a default and a reason.

A formula is under a convention when a letter of it is filled by one (the bytes
of a stored element) or when it declares another derivation for another choice
(`Choice`). Every evaluation says which were in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from derive.errors import DeclarationError, DeriveError
from derive.suggest import nearest

if TYPE_CHECKING:
    from derive.derivation import Derivation


@dataclass(frozen=True)
class Convention:
    """A named choice: what it decides, its choices in words, the default and the reason for it.

    `roles` gives the value that each choice fills into letters of a role. `flag` is the
    yes-or-no of a model that decides where nobody chose: the first choice where it is
    true, the second where it is false.
    """

    name: str
    decides: str
    choices: Mapping[str, str]
    default: str
    reason: str
    roles: Mapping[str, Mapping[str, str]]
    flag: str = ""


@dataclass(frozen=True)
class Choice:
    """Which derivation holds under which choice of a convention; `default` names the one declared here."""

    convention: str
    default: str
    others: Mapping[str, Derivation]

    def __post_init__(self) -> None:
        known = CONVENTIONS.get(self.convention)
        if known is None:
            raise DeclarationError(f"unknown convention {self.convention!r}: one of {', '.join(CONVENTIONS)}")
        for choice in (self.default, *self.others):
            if choice not in known.choices:
                raise DeclarationError(
                    f"convention {self.convention!r} has no choice {choice!r}: one of {', '.join(known.choices)}"
                )


_ELEMENT = {
    "fp32": "4 byte",
    "tf32": "4 byte",
    "bf16": "2 byte",
    "fp16": "2 byte",
    "fp8": "1 byte",
}

CONVENTIONS: dict[str, Convention] = {
    convention.name: convention
    for convention in (
        Convention(
            "precision",
            "the number format of stored elements and of the tensor-core peak",
            {name: f"{size} an element, peak at {name}" for name, size in _ELEMENT.items()},
            "bf16",
            "training and inference store and multiply 16-bit numbers unless said otherwise",
            {"convention.element": _ELEMENT},
        ),
        Convention(
            "sparsity",
            "whether the peak counts the zeros of 2:4 structured sparsity",
            {"dense": "every multiply-add is done", "2:4": "half of the weights are zeros that are skipped"},
            "dense",
            "headline peaks assume 2:4 sparsity; hardly any model is pruned so",
            {},
        ),
        Convention(
            "mask",
            "whether a query attends to all keys or only to earlier ones",
            {
                "full": "every query attends to every key",
                "causal": "a query attends to itself and earlier keys",
            },
            "full",
            "a formula names the mask it was derived for; one head is counted in full, a language model causally",
            {},
        ),
        Convention(
            "capacity",
            "how a memory size printed by a vendor is read",
            {"decimal": "1 GB is 10⁹ bytes", "binary": "1 GB is 2³⁰ bytes"},
            "decimal",
            "the smaller reading promises nothing that is not there",
            {},
        ),
        Convention(
            "embedding",
            "whether decoding is charged for the whole embedding table or for the rows that it looks up",
            {
                "whole": "all weights are read, the table among them",
                "lookup": "tables of which a token needs one row are left out",
            },
            "whole",
            "the weights are usually taken as they lie on disk",
            {},
        ),
        Convention(
            "tied",
            "whether the LM head is the embedding table or a matrix of its own",
            {
                "tied": "one matrix serves as both and is counted once",
                "untied": "two matrices of the same shape are counted",
            },
            "untied",
            "a model says which it is; large models of the Llama family keep two",
            {},
            flag="tied",
        ),
        Convention(
            "mask_bytes",
            "the bytes in which an element of a dropout mask is kept",
            {
                "1": "a byte, as fused kernels keep it",
                "2": "a 16-bit number, as PyTorch's dropout on a CPU saves",
            },
            "1",
            "a mask is a yes or no, and the kernels that train on GPUs keep it in a byte",
            {"convention.mask_element": {"1": "1 byte", "2": "2 byte"}},
        ),
        Convention(
            "gradients",
            "the number format in which gradients are kept beside 16-bit weights",
            {"16-bit": "2 bytes a parameter", "fp32": "4 bytes a parameter, accumulated without rounding"},
            "16-bit",
            "mixed-precision training keeps gradients in the format of the weights",
            {"convention.gradient": {"16-bit": "2 byte", "fp32": "4 byte"}},
        ),
        Convention(
            "swiglu",
            "whether silu(g)·u is one kernel that recomputes silu(g) in the backward pass",
            {"fused": "g and u are kept and silu(g) is recomputed", "plain": "silu(g) is kept as well"},
            "fused",
            "the least that a gated block can keep",
            {},
        ),
        Convention(
            "logits",
            "whether the gradient of the logits is counted beside them",
            {"once": "the logits alone", "with-gradient": "the logits and their gradient"},
            "once",
            "the gradient can overwrite the logits; a loss of plain operations keeps both",
            {},
        ),
        Convention(
            "zero_stage",
            "which parts of the training state the devices of data parallelism share",
            {
                "0": "none: every device keeps all of it",
                "1": "the optimizer's: master weights and moments",
                "2": "the optimizer's and the gradients",
                "3": "all of it, weights as well",
            },
            "3",
            "large models are trained fully sharded",
            {},
        ),
        Convention(
            "loss_fit",
            "whose fit of the loss over parameters and tokens is used",
            {
                "hoffmann": "Hoffmann et al. 2022, arXiv:2203.15556, equation 10 (the third approach)",
                "besiroglu": "Besiroglu et al. 2024, arXiv:2404.10102, the same runs fitted again",
            },
            "hoffmann",
            "the fit that is quoted as Chinchilla's; the later one corrects it",
            {
                "convention.loss_floor": {"hoffmann": "1.69", "besiroglu": "1.8172"},
                "convention.loss_size": {"hoffmann": "406.4", "besiroglu": "482.01"},
                "convention.loss_data": {"hoffmann": "410.7", "besiroglu": "2085.43"},
                "convention.loss_size_exponent": {"hoffmann": "0.34", "besiroglu": "0.3478"},
                "convention.loss_data_exponent": {"hoffmann": "0.28", "besiroglu": "0.3658"},
            },
        ),
    )
}


def by_default(role: str) -> tuple[Convention, str] | None:
    """The convention that fills letters of this role, and the value of its default choice; None where none does."""
    for convention in CONVENTIONS.values():
        if role in convention.roles:
            return convention, convention.roles[role][convention.default]
    return None


def chosen(wanted: Mapping[str, str]) -> dict[str, str]:
    """The choices wanted, checked. Raises DeriveError naming the known ones."""
    for name, choice in wanted.items():
        known = CONVENTIONS.get(name)
        if known is None:
            raise DeriveError(
                f"unknown convention {name!r}{nearest(name, CONVENTIONS)}: one of {', '.join(CONVENTIONS)}"
            )
        if choice not in known.choices:
            raise DeriveError(
                f"convention {name} has no choice {choice!r}: one of {', '.join(known.choices)}"
            )
    return dict(wanted)

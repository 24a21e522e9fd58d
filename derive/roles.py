"""What a machine or a model can say of itself: roles, their units and the tags that keep kinds apart.

A unit cannot tell a dense peak from a 2:4-sparse one, or each way from both ways.
Tags can; a role names those that each of its constants must bear.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["hardware", "model"]

TAGS: Mapping[str, tuple[str, ...]] = {
    "basis": ("specification", "measured", "computed"),
    "sparsity": ("dense", "2:4"),
    "precision": ("fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "fp4", "int8"),
    "direction": ("each-way", "both-ways"),
    "capacity": ("decimal", "binary", "nominal"),
}
"""Every tag with its values. `basis` says how a value was got, the others what it is of."""


@dataclass(frozen=True)
class Role:
    """One thing that formulas ask of a machine or a model.

    unit: text that any unit of the role converts to; `whole` roles are counts,
    `flag` roles are true or false. tags: those that each constant must bear
    beside `basis`. letter: the formulas' letter for it, "" where they have none.
    """

    name: str
    meaning: str
    unit: str
    tags: tuple[str, ...] = ()
    letter: str = ""
    whole: bool = False
    flag: bool = False


def _count(name: str, meaning: str) -> Role:
    return Role(name, meaning, "dimensionless", whole=True)


def _flag(name: str, meaning: str) -> Role:
    return Role(name, meaning, "dimensionless", flag=True)


def _by_name(*roles: Role) -> dict[str, Role]:
    return {role.name: role for role in roles}


ROLES: Mapping[Kind, Mapping[str, Role]] = {
    "hardware": _by_name(
        Role("peak", "rate of the matrix units", "FLOP/s", ("sparsity", "precision"), "P"),
        Role("vector_peak", "rate of the ordinary, non-tensor lanes", "FLOP/s", ("precision",), "P"),
        Role("exp_rate", "exponentials a second", "1/s", ("precision",), "X"),
        Role("bandwidth", "memory bandwidth", "byte/s", letter="W"),
        Role("capacity", "memory capacity", "byte", ("capacity",)),
        Role("l2", "second-level cache", "byte"),
        _count("sms", "streaming multiprocessors or compute units"),
        Role("link", "link between devices", "byte/s", ("direction",), "beta"),
        Role("power", "power limit", "watt"),
        _count("cores", "cores"),
        _count("fma_units", "fused multiply-add units a core"),
        _count("lanes", "fp32 lanes a unit"),
        Role("clock", "clock rate", "cycle/s"),
        _count("channels", "memory channels"),
        Role("transfer_rate", "transfers a second and channel", "transfer/s"),
        Role("bus_width", "bytes a transfer", "byte/transfer"),
    ),
    "model": _by_name(
        _count("layers", "layers"),
        _count("hidden", "width of the residual stream"),
        _count("heads", "query heads"),
        _count("kv_heads", "key-value heads"),
        _count("head_dim", "head dimension"),
        _count("ffn", "inner width of the feed-forward block, of one expert in a mixture"),
        _count("vocabulary", "rows of the embedding table"),
        _count("context", "longest sequence"),
        _count("positions", "rows of the learned position table"),
        _count("window", "width of sliding-window attention"),
        _count("experts", "experts a layer"),
        _count("experts_per_token", "experts that a token visits"),
        Role("parameters", "elements of the published checkpoint", "parameter", whole=True),
        _flag("tied", "embedding and LM head are one matrix"),
        _flag("bias", "every linear layer has a bias"),
        _flag("qkv_bias", "the Q, K and V projections have a bias"),
        _flag("output_bias", "the output projection of attention has a bias"),
        _flag("ffn_bias", "the matrices of the feed-forward block have a bias"),
    ),
}


def unit_of(role: Role, tags: Mapping[str, str]) -> str:
    """The unit that the role's values convert to: an int8 peak counts integer operations."""
    return "OP/s" if role.name == "peak" and tags.get("precision") == "int8" else role.unit

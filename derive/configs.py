"""A model's extents from the `config.json` that Hugging Face checkpoints carry.

The file is data and may come from anywhere: it is bounded before it is parsed,
and each field that a count of parameters needs is checked. Fields of another
architecture, or of an architecture that no formula counts, are never guessed at.
What a file may leave out has the value that the library gives it: no biases, as
many key-value heads as query heads (Llama), a head dimension of hidden/heads.
To see what is read: `read_config(Path("config.json")).constants`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from derive.constants_file import entries, read
from derive.entries import Entry
from derive.errors import DeriveError
from derive.textfile import shown

_LARGEST = {
    "layers": 10**5,
    "experts": 10**5,
    "experts_per_token": 10**5,
    "heads": 10**6,
    "kv_heads": 10**6,
    "head_dim": 10**6,
    "hidden": 10**8,
    "ffn": 10**9,
    "vocabulary": 10**9,
    "positions": 10**10,
    "context": 10**10,
    "window": 10**10,
}


@dataclass(frozen=True)
class _Architecture:
    """How one architecture writes its extents.

    family: of the formulas. model: the class whose parameters they count. fields:
    of the file by role; those in `optional` may be left out. tied: where the file
    does not say.
    """

    family: str
    model: str
    fields: Mapping[str, str]
    optional: tuple[str, ...] = ()
    tied: bool = False


_GPT2 = {
    "layers": "n_layer",
    "hidden": "n_embd",
    "heads": "n_head",
    "ffn": "n_inner",
    "vocabulary": "vocab_size",
    "positions": "n_positions",
}
_LLAMA = {
    "layers": "num_hidden_layers",
    "hidden": "hidden_size",
    "heads": "num_attention_heads",
    "kv_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "ffn": "intermediate_size",
    "vocabulary": "vocab_size",
    "context": "max_position_embeddings",
}
_WINDOW = {**_LLAMA, "window": "sliding_window"}
_EXPERTS = {**_WINDOW, "experts": "num_local_experts", "experts_per_token": "num_experts_per_tok"}

_ARCHITECTURES = {
    "gpt2": _Architecture("gpt2", "GPT2LMHeadModel", _GPT2, ("ffn",), tied=True),
    "llama": _Architecture("llama", "LlamaForCausalLM", _LLAMA, ("kv_heads", "head_dim", "context")),
    "mistral": _Architecture("mistral", "MistralForCausalLM", _WINDOW, ("head_dim", "context", "window")),
    "qwen2": _Architecture("qwen2", "Qwen2ForCausalLM", _LLAMA, ("head_dim", "context")),
    "gemma": _Architecture("gemma", "GemmaForCausalLM", _LLAMA, ("context",), tied=True),
    "mixtral": _Architecture("mixtral", "MixtralForCausalLM", _EXPERTS, ("head_dim", "context", "window")),
}


def is_config(name: str) -> bool:
    """Whether a model's name is the path of a config.json or of the folder that holds one."""
    return name.endswith(".json") or "/" in name or "\\" in name


def read_config(path: Path) -> Entry:
    """The model that a config.json (or the folder that holds one) describes, under its own name.

    Raises DeriveError for a file that cannot be read, is larger than 1 MiB or no
    JSON object, for an architecture that no formula counts, for a field that is
    missing or no whole number in bounds, and for heads that do not divide.
    """
    file = path / "config.json" if os.path.isdir(path) else path  # Path.is_dir raises for a long name
    where = shown(file)
    config = _object(read(file, "the config.json of a model"), where)
    architecture = _architecture(config, where)
    values = _extents(config, architecture, where)
    family = _flags(config, architecture, values, where)
    table = {
        "title": f"{architecture.model} of {_printable(file.name)}",
        "family": family,
        "source": where,
        "date": date.today(),
        "tags": {"basis": "specification"},
        "values": values,
    }
    return next(iter(entries({_name(file): table}, "model", where).values()))


def _object(text: str, where: str) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise DeriveError(f"{where}: {_printable(key)!r} stands twice in one object: give it once")
            found[key] = value
        return found

    try:
        config = json.loads(text, object_pairs_hook=once)
    except RecursionError as error:
        raise DeriveError(f"{where}: is nested too deeply: give the config.json of a model") from error
    except json.JSONDecodeError as error:
        raise DeriveError(
            f"{where}, line {error.lineno}: is no JSON ({error.msg}): give the config.json of a model"
        ) from error
    except ValueError as error:  # Python's own limit on the digits of an integer
        raise DeriveError(f"{where}: holds a number of thousands of digits: give whole numbers") from error
    if not isinstance(config, dict):
        raise DeriveError(f"{where}: is no JSON object: give the config.json of a model")
    return config


def _architecture(config: Mapping[str, Any], where: str) -> _Architecture:
    """The architecture by `model_type`, or by the class that `architectures` names."""
    classes = config.get("architectures") or []
    if not isinstance(classes, list) or not all(isinstance(name, str) for name in classes):
        raise DeriveError(f'{where}: architectures is no list of names: give ["LlamaForCausalLM"]')
    known = {architecture.model: kind for kind, architecture in _ARCHITECTURES.items()}
    kind = config.get("model_type", known.get(classes[0]) if classes else None)
    counted = f"one of {', '.join(_ARCHITECTURES)}"
    if kind is None and not classes:
        raise DeriveError(f"{where}: has no model_type, so its architecture is unknown: give {counted}")
    if not isinstance(kind, str) or kind not in _ARCHITECTURES:
        name = kind if isinstance(kind, str) else classes[0] if classes else type(kind).__name__
        raise DeriveError(f"{where}: no formula counts the architecture {_printable(name)!r}: give {counted}")
    architecture = _ARCHITECTURES[kind]
    for name in classes:
        if name != architecture.model:
            raise DeriveError(
                f"{where}: no formula counts {_printable(name)!r}: a {kind} is counted as {architecture.model}"
            )
    return architecture


def _extents(config: Mapping[str, Any], architecture: _Architecture, where: str) -> dict[str, Any]:
    """The whole numbers by role, those left out computed from others."""
    values: dict[str, Any] = {}
    for role, field in architecture.fields.items():
        value = config.get(field)
        if value is None and (role in architecture.optional or (role == "kv_heads" and field in config)):
            continue
        if value is None:
            raise DeriveError(
                f"{where}: has no {field}, which a {architecture.family} needs: give a whole number"
            )
        if isinstance(value, bool) or not isinstance(value, int):
            raise DeriveError(f"{where}: {field} is {_printable(str(value))}: give a whole number")
        if not 1 <= value <= _LARGEST[role]:
            raise DeriveError(
                f"{where}: {field} is {_printable(str(value))}: give a whole number from 1 to {_LARGEST[role]}"
            )
        values[role] = value
    hidden, heads = values["hidden"], values["heads"]
    fields = architecture.fields
    if "head_dim" not in values:
        if hidden % heads:
            raise DeriveError(
                f"{where}: {fields['hidden']} = {hidden} does not divide into {fields['heads']} = {heads} heads: "
                "give heads that divide it, or head_dim"
            )
        values["head_dim"] = hidden // heads
    values.setdefault("kv_heads", heads)
    if heads % values["kv_heads"]:
        raise DeriveError(
            f"{where}: {fields['heads']} = {heads} does not divide by {fields['kv_heads']} = {values['kv_heads']}: "
            "each key-value head serves the same number of query heads"
        )
    if architecture.family == "gpt2":
        values.setdefault("ffn", 4 * hidden)
    if values.get("experts_per_token", 1) > values.get("experts", 1):
        raise DeriveError(
            f"{where}: {fields['experts_per_token']} = {values['experts_per_token']} is more than "
            f"{fields['experts']} = {values['experts']}: a token visits each expert at most once"
        )
    return values


def _flags(config: Mapping[str, Any], architecture: _Architecture, values: dict[str, Any], where: str) -> str:
    """Adds what is yes or no to the values; the family, which biases change."""
    family = architecture.family
    values["tied"] = _flag(config, "tie_word_embeddings", architecture.tied, where)
    if family in ("gemma", "mixtral") and values["tied"] != architecture.tied:
        state = "tied" if architecture.tied else "untied"
        raise DeriveError(
            f"{where}: a {family} is counted with its embedding {state}: leave tie_word_embeddings out"
        )
    if family == "gpt2":
        values["bias"] = True
        if _flag(config, "add_cross_attention", False, where):
            raise DeriveError(f"{where}: add_cross_attention is true: no formula counts cross-attention")
        return family
    attention = _flag(config, "attention_bias", False, where)
    block = _flag(config, "mlp_bias", False, where)
    if (attention or block) and family != "llama":
        raise DeriveError(
            f"{where}: a {family} with attention_bias or mlp_bias is counted by no formula: leave them out"
        )
    values["bias"] = attention and block
    values["qkv_bias"] = attention or family == "qwen2"
    values["output_bias"], values["ffn_bias"] = attention, block
    return "llama-biased" if attention or block else family


def _flag(config: Mapping[str, Any], field: str, default: bool, where: str) -> bool:
    value = config.get(field)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise DeriveError(f"{where}: {field} is {_printable(str(value))}: give true or false")
    return value


def _name(file: Path) -> str:
    """A name for the model: the file's, or its folder's where the file is a plain config.json."""
    stem = file.resolve().parent.name if file.name == "config.json" else file.stem
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("._-")
    return name[:64] or "config"


def _printable(text: str) -> str:
    short = text if len(text) <= 40 else f"{text[:40]}…"
    return "".join(letter if letter.isprintable() else "?" for letter in short)

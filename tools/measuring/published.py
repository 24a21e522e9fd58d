"""A published model from its config.json, built by transformers on the meta device, against the catalogue.

Nothing is downloaded and no weight is made: parameters, operations and saved bytes
follow from the shapes alone.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

import derive
from derive.constants import model as model_named
from derive.errors import DeriveError
from measuring.flops import a_token
from measuring.saved import SavedTensors
from measuring.session import Findings, Section, Session

LENGTH = 1024
"""Tokens of the sequence that is run, or the longest that the model takes where that is less."""

_LISTED = 12


def run(session: Session, path: Path) -> Findings:
    """Parameters, operations and saved bytes of the model of a config.json.

    Raises DeriveError where transformers is absent or cannot build it, and where the catalogue
    cannot read the file.
    """
    entry = model_named(str(path))
    if find_spec("transformers") is None:
        raise DeriveError("transformers is not installed: pip install transformers, or leave --config out")
    length = min([LENGTH, *(int(one.value) for one in entry.constants if one.role == "context")])
    session.advance(0, 2, f"building {path.name}")
    model = _built(path)
    findings = Findings()
    stored = sum({id(p): p.numel() for p in model.parameters()}.values())
    expected = int(derive.evaluate("parameters.total", model=str(path)).exact("parameter"))
    rows = [_row(findings, "parameters", stored, expected)]
    session.advance(1, 2, f"running {path.name}")
    embedded = model.get_input_embeddings()
    # the embedding's rows come in from outside, so that its lookup is no part of the graph
    x = torch.empty(
        1, length, embedded.embedding_dim, device="meta", dtype=torch.bfloat16, requires_grad=True
    )
    counter = FlopCounterMode(display=False)
    with SavedTensors(model.parameters()) as tensors, counter:
        logits = _forward(model, x)
    counted = a_token(counter, length)
    T = {"T": length}
    weights = derive.evaluate("flops.forward", model=str(path)).exact("FLOP/token")
    scores = derive.evaluate("flops.attention", T, model=str(path), conventions={"mask": "full"})
    rows += [
        _row(findings, "operations of the weights, a token", counted.weights, int(weights)),
        _row(
            findings,
            f"operations of attention without a mask, a token at T {length}",
            counted.scores,
            int(scores.exact("FLOP/token")),
        ),
    ]
    saved = tensors.listed(logits)
    held: dict[str, int] = defaultdict(int)
    for one in saved:
        held[f"{', '.join(dict.fromkeys(one.holders)) or 'recomputed'}: {one.dtype}"] += one.size
    largest = sorted(held.items(), key=lambda pair: -pair[1])[:_LISTED]
    total = sum(held.values())
    findings.sections = [
        Section(f"{path}: as transformers builds it", ("what", ">derived", ">measured", ""), rows),
        Section(
            f"Bytes saved for the backward pass, one sequence of {length} in bf16: {total:,} in all",
            ("saved by", ">byte"),
            [(name, f"{size:,}") for name, size in largest],
            (
                "Eager attention, which keeps the scores; masks, tables and fp32 copies are transformers' own.",
            ),
        ),
    ]
    return findings


def _built(path: Path) -> Any:
    transformers: Any = import_module("transformers")
    try:
        with warnings.catch_warnings(), torch.device("meta"):
            warnings.simplefilter("ignore")
            config = transformers.AutoConfig.from_pretrained(str(path))
            config.use_cache = False
            build = transformers.AutoModelForCausalLM.from_config
            return build(config, attn_implementation="eager", dtype=torch.bfloat16).train()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DeriveError(
            f"{path}: transformers cannot build it: {str(error).splitlines()[0][:200]}"
        ) from error


def _forward(model: Any, x: torch.Tensor) -> torch.Tensor:
    length = x.shape[1]
    places = torch.arange(length, device="meta")[None]
    # a mask of its own: the one that transformers makes asks for a tensor's value, which meta has none of
    mask = torch.zeros(1, 1, length, length, device="meta", dtype=x.dtype)
    found: torch.Tensor = model(
        inputs_embeds=x, attention_mask=mask, position_ids=places, use_cache=False
    ).logits
    return found


def _row(findings: Findings, what: str, measured: int, derived: int) -> tuple[str, ...]:
    same = findings.expect(what, measured, derived)
    return (what, f"{derived:,}", f"{measured:,}", "equal" if same else "DIFFERS")

"""What the makers of models publish beside the extents: parameters that a token uses, tokens of the pretraining.

No formula asks for these numbers, so that they stand here and not in the catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """The values of one kind that a maker gives, any of which may be quoted, and where it gives them."""

    values: tuple[float, ...]
    source: str


_LLAMA_2 = Published((2.0e12,), "Touvron et al. 2023, Llama 2, arXiv:2307.09288, table 1")
_LLAMA_3 = Published(
    (15.0e12, 15.6e12),
    "Llama 3 model card; Grattafiori et al. 2024, The Llama 3 Herd of Models, arXiv:2407.21783",
)
_QWEN = Published((18.0e12,), "Qwen Team 2024, Qwen2.5 Technical Report, arXiv:2412.15115, abstract")

TRAINED_ON: Mapping[str, Published] = {
    "gpt3-175b": Published((300.0e9,), "Brown et al. 2020, arXiv:2005.14165, table 2.1"),
    **dict.fromkeys(("llama-2-7b", "llama-2-13b", "llama-2-70b"), _LLAMA_2),
    **dict.fromkeys(
        ("llama-3-8b", "llama-3-70b", "llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b"), _LLAMA_3
    ),
    **dict.fromkeys((f"qwen2.5-{size}b" for size in ("0.5", "1.5", "3", "7", "14", "32", "72")), _QWEN),
    "gemma-2b": Published((3.0e12,), "Gemma Team 2024, Gemma, arXiv:2403.08295"),
    "gemma-7b": Published((6.0e12,), "Gemma Team 2024, Gemma, arXiv:2403.08295"),
}
"""Tokens of the pretraining."""

ACTIVE: Mapping[str, Published] = {
    "mixtral-8x7b": Published((12.9e9, 13.0e9), "Jiang et al. 2024, Mixtral of Experts, arXiv:2401.04088"),
    "mixtral-8x22b": Published((39.0e9,), "Mistral AI 2024, announcement of Mixtral 8x22B"),
}
"""Parameters that a token uses, in a mixture of experts."""

LINKS: Mapping[str, int] = {
    "v100-sxm2": 6,
    "a100-40gb-sxm": 12,
    "a100-80gb-sxm": 12,
    "h100-sxm": 18,
    "h200-sxm": 18,
    "b200-sxm": 18,
}
"""NVLinks of a GPU, from NVIDIA's architecture white papers of these GPUs."""

GENERATIONS: Mapping[str, str] = {"2": "v100-sxm2", "3": "a100-80gb-sxm", "4": "h100-sxm", "5": "b200-sxm"}
"""The GPU of each generation of NVLink, whose rates are those of the generation."""

POWERS: Mapping[str, tuple[float, ...]] = {
    "v100": (250.0, 300.0, 350.0),
    "a100": (250.0, 300.0, 400.0, 500.0),
    "h100": (300.0, 350.0, 400.0, 700.0),
    "h200": (600.0, 700.0),
    "b200": (1000.0, 1200.0),
    "mi250x": (500.0, 560.0),
}
"""Power limits in watts of all boards of a name, from their datasheets: the name alone does not say which board."""

OTHER_BOARDS: Mapping[str, tuple[float, ...]] = {
    "v100-sxm2": (250.0,),
    "a100-40gb-sxm": (250.0, 300.0),
    "a100-80gb-sxm": (250.0, 300.0),
    "h100-sxm": (300.0, 350.0, 400.0),
    "h100-pcie": (700.0,),
    "h200-sxm": (600.0,),
}
"""Power limits in watts that a board has not, but one of the same name and another form, from their datasheets."""

ONLY_BOARDS = frozenset(
    ("t4", "l4", "l40s", "h200-sxm", "mi300x", "mi325x", "tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e")
)
"""Machines that are sold in one form alone, so that no other number of the kind can be that of a variant."""


@dataclass(frozen=True)
class Board:
    """A board that the catalogue lacks: what it is called, its power limit in watts, the rate of its memory."""

    title: str
    power: float
    bandwidth: float


BOARDS: Mapping[tuple[str, str], Board] = {
    ("A100", "80"): Board("NVIDIA A100 PCIe 80 GB", 300.0, 1935.0e9),
    ("A100", "40"): Board("NVIDIA A100 PCIe 40 GB", 250.0, 1555.0e9),
    ("V100", ""): Board("NVIDIA V100 PCIe", 250.0, 900.0e9),
}
"""PCI Express cards whose name is that of a module, by the name and the GB of memory, from their datasheets."""

RATES: Mapping[str, float] = {
    "A100 PCIe": 1935.0e9,
    "H100 NVL": 3900.0e9,
    "RTX A6000": 768.0e9,
    "RTX 5090": 1792.0e9,
    "P100": 732.0e9,
    "MI210": 1638.4e9,
    "TPU v4": 1228.0e9,
    "Gaudi 2": 2450.0e9,
    "Gaudi 3": 3700.0e9,
}
"""Bytes a second of the memory of boards that the catalogue lacks, from their datasheets, or has from another page."""

MEMORIES: Mapping[str, tuple[float, ...]] = {
    "b200-sxm": (180.0, 186.0, 192.0),
    "h100-sxm": (64.0, 80.0, 94.0, 96.0),
    "h100-pcie": (80.0, 94.0, 96.0),
}
"""GB of memory of all boards of a name, where they differ, from their datasheets."""

PORTS: Mapping[str, float] = {
    "FDR": 56.0,
    "EDR": 100.0,
    "HDR": 200.0,
    "NDR": 400.0,
    "XDR": 800.0,
    "ConnectX-5": 100.0,
    "ConnectX-6": 200.0,
    "ConnectX-7": 400.0,
    "ConnectX-8": 800.0,
}
"""Gb/s each way of a port of four lanes, the most that an adapter of the name has, from NVIDIA's product pages."""

PORT_NAME = re.compile(r"\b(?:(?:FDR|EDR|HDR|NDR|XDR)(?!\w)|ConnectX-[5-8]\b)")
"""A name of PORTS in a text."""

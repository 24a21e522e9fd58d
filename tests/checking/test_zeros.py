"""Documents whose numbers are zero, negative or beyond measure: a report all the same, and no traceback."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from derive.checking import check_text

DOCUMENTS = sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
TABLES = """Our model has 13e9 parameters, 16 bytes per parameter. 12.9 of 46.7 billion parameters, 27.6 %, are active.

| | H100 | H200 | A100 |
|---|---|---|---|
| $ per hour | 2.40 | 3.10 | 1.30 |
| change, % | -12.0 | 5.0 | 3.1 |
| ridge (FLOP/byte) | 295 | 206 | 153 |

| Item | Quantity | Unit price | Cost |
|---|---|---|---|
| Power | 451,215 kWh | $0.09 | $40,609 |
| Rental | 368,640 h | $2.20 | $811,008 |
| total | 3 | 4 | 851,617 |

It takes 61,600 s, about 17 hours, i.e. 17.1 hours. From 40 to 30 GB, a drop of 25 %. 64 tokens every 8.47 ms is some
7,560 tokens/s. Two boxes of 640 GB, 1,280 GB, hold the 1,342. Of 18 M requests 7 % failed, 34 bytes per 32 weights.
An H100 has 3.35 TB/s; 8 H100s have 26.8 TB/s. At 06:30 to 09:48 it is 3 h 18 min. 2 × 32 × 8 × 128 × 2 = 131,072 bytes.
"""
CLUSTER = """The cluster has 24 nodes of 8 H100 SXM, 192 GPUs in all, each with 2 × 400 Gb/s or 8 NDR ports, 400 GB/s.
It does 1.92 million tokens/s on all GPUs, and 10,000 tokens/s per GPU. A node stages 3.9 GB of 748.8 GB. Each rank has
4 layers. A token takes 2 × 32 × 8 × 128 × 2 bytes = 128 KiB; a KV cache of 8,192 tokens is 1 GiB, or 1.07 GB (1 GiB).

Adam keeps 16 bytes per parameter. Full fine-tuning of Llama 2 7B needs 108 GB before the first activation. It has 1.57
billion parameters, or 3.14 GB in BF16. Of 1.03 million tokens/s we store 1.03e6 × 4 bytes = 4.12 MB/s. In BF16 it is
67 % (6.87 ms against 10.3 ms), a factor of 3.56 (16 bits -> 4.5 bits). 320 GB - 141 GB leaves 179 GB.

- a model of 1.5 billion parameters takes 27 GB;
- one of 3.2 billion takes 57.6 GB;
- one of 7.4 billion takes 133 GB;

| model | layers | KV heads | head dim | KiB per token | Parameters (B) | State (GB) |
|---|---|---|---|---|---|---|
| Llama 2 7B | 32 | 32 | 128 | 512 | 6.74 | 107.8 |
| Llama 3 8B | 32 | 8 | 128 | 128 | 8.03 | 128.5 |
| Llama 3 70B | 80 | 8 | 128 | 320 | 70.6 | 1,130 |

| what | per rack | 6 racks | 2^n |
|---|---|---|---|
| servers | 8 | 48 | 128 |
| power, kW | 21.4 | 128.4 | 256 |
| cooling, kW | 5.7 | 34.2 | 512 |
| subtotal | 35.1 | 210.6 | 1,024 |
| total | 35.1 | 210.6 | 2,048 |
"""
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
STRANGE = ("0", "0", "0.0", "-1", "1e308", "99999999999999999999")


@pytest.mark.parametrize("seed", range(30))
def test_strange_numbers_in_a_dense_text(seed: int) -> None:
    _checked(TABLES, random.Random(seed))


@pytest.mark.parametrize("seed", range(40))
def test_strange_numbers_of_a_cluster(seed: int) -> None:
    _checked(CLUSTER, random.Random(seed))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_strange_numbers_in_documents(path: Path) -> None:
    _checked(path.read_text("utf-8"), random.Random(1))


def _checked(text: str, chance: random.Random) -> None:
    changed = NUMBER.sub(lambda found: chance.choice((*STRANGE, *[found[0]] * 4)), text)
    report = check_text(changed)
    assert all(1 <= claim.line <= changed.count("\n") + 1 for claim in report.claims)

"""The command line in this process, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from derive.cli.app import run


@dataclass(frozen=True)
class Ran:
    """Exit status, standard output and standard error."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run `derive` with these arguments, its errors turned into lines as for a user."""

    def call(*arguments: str) -> Ran:
        capsys.readouterr()
        status = run(arguments)
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return call


MINE = '''
"""A file of one's own."""

from derive import BYTE, FLOP, Derivation, Equal, Example, Ledger, Limit, count, oo

T = count("T", "sequence length")
d = count("d", "head dimension")

work = Ledger(("S = QKᵀ", 2 * T**2 * d * FLOP), ("O = PV", 2 * T**2 * d * FLOP))
traffic = Ledger(("read Q, K and V, write O", 8 * T * d * BYTE), ("S and P there and back", 8 * T**2 * BYTE))

naive_intensity = Derivation(
    "I",
    "Arithmetic intensity of naive attention",
    unit="FLOP/byte",
    start=work.total / traffic.total,
    steps=[Equal(T * d * FLOP / (2 * (T + d) * BYTE), because="4T cancels above and below")],
    facts=[Limit(T, oo, d * FLOP / (2 * BYTE), because="the T² traffic takes over")],
    examples=[Example({"T": 4096, "d": 128}, "62.06 FLOP/byte")],
)
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file with one true formula."""
    path = tmp_path / "mine.py"
    path.write_text(MINE, encoding="utf-8")
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """The same with a wrong coefficient in its only step."""
    path = tmp_path / "wrong.py"
    path.write_text(MINE.replace("(2 * (T + d) * BYTE)", "(4 * (T + d) * BYTE)"), encoding="utf-8")
    return path

"""Fuzz `derive calc` with atheris: any text must be answered or refused, and within a second.

    pip install atheris
    python fuzz/calc.py -max_total_time=600 -max_len=200

Not part of the test suite; what it finds becomes a line of tests/calc.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

with atheris.instrument_imports(include=["derive.calc", "units"]):
    from derive.calc import CalcError, calculate

_TEXT = (
    "16 3.35 1e9 1,024 7B 8k GB GiB/s TFLOP/s tokens params byte/param ms GPU -hours $ % + - * / ^ ** × ² ( ) , per of "
    "[sparse] [both-ways] [nominal] -> in to min( sqrt( ceil( log2( MFU million ⌈ ⌉ < == = ? ~ x KB as dense decimal "
    "h100-sxm.peak[bf16] llama-3-8b.layers both-ways per direction (bf16, dense) : . /direction bpw MBU M BF16 weights "
    "H100 s^-1"
)
_WORDS = _TEXT.split()


def one(data: bytes) -> None:
    """One input: half the time raw text, half the time a row of the language's own words."""
    source = atheris.FuzzedDataProvider(data)
    if source.ConsumeBool():
        line = source.ConsumeUnicodeNoSurrogates(300)
    else:
        between = " " if source.ConsumeBool() else ""
        line = between.join(source.PickValueInList(_WORDS) for _ in range(source.ConsumeIntInRange(1, 30)))
    start = time.monotonic()
    try:
        calculate(line).as_json()
    except CalcError as error:
        error.show()
    if time.monotonic() - start > 1:
        raise TimeoutError(f"{line!r} took more than a second")


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()

"""A scene that exercises are drawn from, and what scenes share: usual values and the slips people make.

A scene is a sentence with the letters in braces; an exercise writes their values in,
or, where a letter is to be found, leaves it standing. `{on}` and `{model}` stand for
the titles of the machine and the model. The values are those that one meets: both
sides of the ridge, GB beside GiB, links in bits and in bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from derive.teaching.exercise import Slip


@dataclass(frozen=True)
class Template:
    """A scene.

    asks: the question behind the scene. result: what the value is called in a sentence.
    values: the texts that each letter is drawn from. unit: of the answer; low, high: the
    values between which it makes sense, in that unit. find: letters that one may be asked
    for. regimes: whether the kernel has a side of the ridge. estimate: whether it can be
    done in the head. fixed: letters given but not drawn.
    """

    id: str
    scene: str
    asks: str
    result: str
    values: Mapping[str, tuple[str, ...]]
    unit: str
    low: str
    high: str
    level: int = 1
    on: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    fixed: Mapping[str, str] = field(default_factory=dict)
    slips: tuple[Slip, ...] = ()
    find: tuple[str, ...] = ()
    regimes: bool = False
    estimate: bool = False


GPUS = ("a100-80gb-sxm", "h100-sxm", "h200-sxm", "b200-sxm", "l40s")
LLAMAS = ("llama-3-8b", "llama-3-70b", "mistral-7b", "llama-3.2-3b")
SMALL_MODELS = ("gpt2-small", "gpt2-medium", "gpt2-large", "llama-3.2-1b", "llama-3-8b", "mistral-7b")

SIZES = ("512", "1024", "2048", "4096", "8192")
LENGTHS = ("1024", "2048", "4096", "8192", "16384", "32768")
WIDTHS = ("1024", "2048", "4096", "5120", "8192")
PARAMETERS = ("1e9 parameter", "3e9 parameter", "7e9 parameter", "13e9 parameter", "70e9 parameter")
BUFFERS = ("100 MB", "500 MB", "1 GB", "2 GB", "2 GiB", "8 GB", "14 GB", "16 GiB")
LINKS = ("64 GB/s", "50 GB/s", "400 Gb/s", "200 Gb/s", "300 GB/s", "450 GB/s", "900 GB/s")

GIB = Fraction(1024, 1000) ** 3
MAC = Slip("MAC and FLOP", "multiply-adds are counted once, not as two operations", result=Fraction(1, 2))
THRICE = Slip("training and forward", "the backward pass is counted as well", result=Fraction(3))
BITS = Slip("bit and byte", "bits are taken for bytes: a division by 8 is missing", result=Fraction(8))
EIGHTH = Slip(
    "bit and byte", "bytes are taken for bits: it is divided by 8 once too often", result=Fraction(1, 8)
)
BINARY = Slip("GB and GiB", "a value in GiB is labelled GB", result=1 / GIB)
SPARSE = Slip("sparse and dense", "the peak is taken with 2:4 sparsity", letter="P", times=Fraction(2))
FP32 = Slip("fp32", "an element is taken as the 4 bytes of fp32", letter="e", times=Fraction(2))
FP8 = Slip("fp8", "an element is taken as the 1 byte of fp8", letter="e", times=Fraction(1, 2))
BOTH_WAYS = Slip(
    "both ways", "both directions of the link are counted together", letter="beta", times=Fraction(2)
)
LINK_BITS = Slip("bit and byte", "the link's bytes are read as bits", letter="beta", times=Fraction(1, 8))


def without(row: str) -> Slip:
    """A row of the ledger forgotten."""
    return Slip(f"{row} left out", f"the row {row!r} is left out", row=row)


def of_one(letter: str, thing: str) -> Slip:
    """Counted for a single one of several things."""
    return Slip(f"{letter} left out", f"it is counted for one {thing}", letter=letter, put=Fraction(1))


KEYS_ONLY = Slip("K without V", "the values are left out, only the keys are counted", row="values")

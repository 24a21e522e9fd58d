"""What a run of measurements shares: the machine it runs on, and what it found."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch

from derive.errors import DeriveError
from derive.measurements import Machine, Measurement, Number

Advance = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Section:
    """A table of a report with its remarks; columns with a leading ">" are aligned right."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    notes: tuple[str, ...] = ()


@dataclass
class Findings:
    """Tables to show, measurements to write, what turned out false, and further files by name."""

    sections: list[Section] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    files: dict[str, str | bytes] = field(default_factory=dict)

    def add(self, other: Findings) -> None:
        """Append what another part found."""
        self.sections += other.sections
        self.measurements += other.measurements
        self.wrong += other.wrong
        self.files |= other.files

    def remark(self, text: str) -> None:
        """Add a remark to the last table."""
        last = self.sections[-1]
        self.sections[-1] = replace(last, notes=(*last.notes, text))

    def expect(self, what: str, measured: Number, derived: Number) -> bool:
        """Hold an exact count against the derived one; a difference goes down as wrong."""
        if measured != derived:
            self.wrong.append(f"{what}: measured {measured:,}, derived {derived:,}")
        return measured == derived


@dataclass(frozen=True)
class Session:
    """Where and how things are measured. device: "cpu", "cuda" or "mps"."""

    device: str
    machine: Machine
    versions: Mapping[str, str]
    date: date
    quick: bool = False
    advance: Advance = lambda done, total, what: None

    def measurement(self, id: str, value: Number, unit: str, how: str, **rest: Any) -> Measurement:
        """A measurement of this machine and day."""
        return Measurement(id, value, unit, how, self.machine, self.versions, self.date, **rest)


def start(
    device: str, *, quick: bool = False, threads: int | None = None, advance: Advance | None = None
) -> Session:
    """A session on a device, "auto" for the fastest there is, with so many threads of the CPU.

    Raises DeriveError where the device is not there, and for more threads than cores.
    """
    chosen = _available(device)
    if threads is not None:
        if threads > cores():
            raise DeriveError(f"{threads} threads on {cores()} cores would wait for each other: give fewer")
        torch.set_num_threads(threads)
    session = Session(chosen, _machine(chosen), _versions(), date.today(), quick)
    return replace(session, advance=advance) if advance else session


def cache_bytes(device: str) -> int:
    """The largest cache of a device, as CUDA or Linux tells it; 0 where nobody does."""
    if device == "cuda":
        return int(torch.cuda.get_device_properties(0).L2_cache_size)
    sizes = [0]
    for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        text = path.read_text("ascii").strip()
        scale = {"K": 2**10, "M": 2**20, "G": 2**30}.get(text[-1:], 1)
        digits = text.rstrip("KMG")
        sizes.append(int(digits) * scale if digits.isdigit() else 0)
    return max(sizes)


def memory_bytes() -> int:
    """The memory of this machine; 0 where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _available(device: str) -> str:
    there = ["cpu"]
    if torch.cuda.is_available():
        there.insert(0, "cuda")
    elif torch.backends.mps.is_available():
        there.insert(0, "mps")
    if device == "auto":
        return there[0]
    if device not in there:
        raise DeriveError(
            f"this PyTorch sees no device {device[:20]!r}: give one of auto, {', '.join(there)}"
        )
    return device


def _machine(device: str) -> Machine:
    processor = torch.cuda.get_device_name() if device == "cuda" else _processor()
    count = cores()
    name = processor if device == "cuda" else f"{processor}, {count} core{'s' if count > 1 else ''}"
    return Machine(name, device, processor, count, f"{platform.system()} {platform.release()}")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "torch": str(torch.__version__)}
    if torch.version.cuda:
        found["cuda"] = torch.version.cuda
    try:
        found["derive"] = version("derive-arithmetic")
    except PackageNotFoundError:
        found["derive"] = "checkout"
    return found

"""The setting that reports are asked in: a machine, a model, values and conventions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from derive.measurements import Measurement


@dataclass(frozen=True)
class Setting:
    """What the reader gave. hardware: a TOML file with machines of the reader's own; measured: what they measured."""

    on: str | None = None
    model: str | None = None
    given: Mapping[str, object] = field(default_factory=dict)
    conventions: Mapping[str, str] = field(default_factory=dict)
    hardware: str | Path | None = None
    measured: tuple[Measurement, ...] = ()

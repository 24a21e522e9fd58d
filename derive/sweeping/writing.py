"""Sweeps as files: CSV and Parquet in a stream, PNG and SVG as plots.

A file is written beside its place and renamed when it is whole, so that nothing
half-written is left behind.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from derive.errors import DeriveError
from derive.sweeping.sweep import Sweep

Progress = Callable[[int], None]
_PLOTTED = 200_000
_LINES = 8
_MARKED = 40  # points that are few enough to be seen one by one
_TICKS = 6
# Okabe and Ito's palette, told apart with any colour vision (jfly.uni-koeln.de/color, 2008)
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#F0E442")
_DASHES = ("-", "--", "-.", ":")


def write(swept: Sweep, path: str | Path, progress: Progress | None = None) -> None:
    """Write a sweep to a .csv, .parquet, .png or .svg file; `progress` hears of each chunk's points.

    Raises DeriveError for another ending, a missing library or a place that cannot be written.
    """
    target = Path(path)
    writers = {".csv": _csv, ".parquet": _parquet, ".png": _plot, ".svg": _plot}
    writer = writers.get(target.suffix.lower())
    if writer is None:
        raise DeriveError(f"{path}: a sweep is written as {', '.join(writers)}")
    if not target.parent.is_dir():
        raise DeriveError(f"{target.parent}: no such folder")
    try:
        handle, name = tempfile.mkstemp(prefix=".derive-", suffix=target.suffix, dir=target.parent)
    except OSError as error:
        raise DeriveError(f"{path}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as stream:
            writer(swept, stream, progress or (lambda points: None), target.suffix.lower())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(target)
    except OSError as error:
        raise DeriveError(f"{path}: {error.strerror or error}") from error
    finally:
        with suppress(FileNotFoundError):
            Path(name).unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _csv(swept: Sweep, stream: IO[bytes], progress: Progress, _ending: str) -> None:
    """Numbers to the digits that a float has; a point without a value is an empty cell."""
    stream.write((",".join(_quoted(name) for name in swept.header) + "\n").encode())
    for columns in swept.chunks():
        cells = [[_cell(value) for value in column.tolist()] for column in columns]
        stream.write("".join(f"{','.join(row)}\n" for row in zip(*cells, strict=True)).encode())
        progress(len(columns[0]))


def _quoted(name: str) -> str:
    return f'"{name}"' if any(letter in name for letter in csv.excel.delimiter + '"') else name


def _cell(value: float) -> str:
    if value != value:
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def _parquet(swept: Sweep, stream: IO[bytes], progress: Progress, _ending: str) -> None:
    arrow, parquet = _library("pyarrow", "parquet"), _library("pyarrow.parquet", "parquet")
    schema = arrow.schema([(name, arrow.float64()) for name in swept.header])
    with parquet.ParquetWriter(stream, schema) as writer:
        for columns in swept.chunks():
            arrays = [arrow.array(column, from_pandas=True) for column in columns]
            writer.write_table(arrow.table(arrays, schema=schema))
            progress(len(columns[0]))


def _plot(swept: Sweep, stream: IO[bytes], progress: Progress, ending: str) -> None:
    """One axis as a line, two as a line for each value of the first; units on the axes."""
    if len(swept.axes) > 2 or (len(swept.axes) == 2 and swept.axes[0].count > _LINES):
        raise DeriveError(f"a plot shows one range, or two of which the first has at most {_LINES} values")
    if swept.size > _PLOTTED:
        raise DeriveError(f"{swept.size:,} points are too many for a plot: at most {_PLOTTED:,}")
    matplotlib = _library("matplotlib", "plot")
    matplotlib.rcParams["svg.hashsalt"] = "derive"
    figure = _library("matplotlib.figure", "plot").Figure(figsize=(7, 4.5), layout="constrained")
    plane = figure.add_subplot()
    columns = [np.concatenate(parts) for parts in zip(*swept.chunks(), strict=True)]
    if not np.isfinite(columns[-1]).any():
        raise DeriveError(f"{swept.derivation.name} has no value anywhere in this range: nothing to plot")
    across = swept.axes[-1]
    lines = np.split(np.arange(swept.size), swept.size // across.count)
    for index, rows in enumerate(lines):
        label = f"{swept.header[0]} = {columns[0][rows[0]]:g}" if len(swept.axes) == 2 else None
        style = {"color": _COLOURS[index % len(_COLOURS)], "linestyle": _DASHES[index % len(_DASHES)]}
        marker = "." if across.count <= _MARKED else None
        plane.plot(columns[-2][rows], columns[-1][rows], label=label, marker=marker, **style)
    if across.geometric and _decades(columns[-2]):
        doubled = across.step == 2 and float(np.log2(columns[-2][0])).is_integer()
        plane.set_xscale("log", base=2 if doubled else 10)
        if _decades(columns[-1]):
            plane.set_yscale("log")
    locator = _library("matplotlib.ticker", "plot").MaxNLocator
    for axis in (plane.xaxis, plane.yaxis):
        if axis.get_scale() == "linear":
            axis.get_major_formatter().set_useOffset(False)  # 62.02 and 62.04, not 0.02 and 0.04 over +6.2e1
            whole = axis is plane.xaxis and bool((columns[-2] == np.floor(columns[-2])).all())
            axis.set_major_locator(locator(_TICKS, integer=whole))
    plane.set_xlabel(f"{across.letter.meaning}, {swept.header[-2]}")
    plane.set_ylabel(swept.header[-1])
    plane.set_title(swept.derivation.title)
    plane.grid(visible=True, alpha=0.3)
    if len(swept.axes) == 2:
        figure.legend(loc="outside right upper")
    metadata = {"Date": None} if ending == ".svg" else None
    figure.savefig(stream, format=ending[1:], dpi=150, metadata=metadata)
    progress(swept.size)


def _decades(values: NDArray[np.float64]) -> bool:
    """Whether values are positive and span a factor of ten, so that a logarithmic scale has ticks to read."""
    there = values[np.isfinite(values)]
    return bool(there.min() > 0 and there.max() >= 10 * there.min())


def _library(name: str, extra: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = name.partition(".")[0]
        raise DeriveError(
            f"{missing} is not installed: pip install 'derive-arithmetic[{extra}]', or write .csv"
        ) from error

"""The roofline as a picture: attainable rate over arithmetic intensity, on the measured constants."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import numpy as np

from measuring.roofline import Roofline
from measuring.session import Session

Point = tuple[str, float, float]
"""A kernel: its name, arithmetic intensity in FLOP/byte and rate in FLOP/s."""

_KIND = re.compile(r" of |,| (?=\d)")  # "sum of 100,000", "fused attention, T 512", "matmul 8×8×8"
_MARKERS = "osD^v<>"


def files(session: Session, roofline: Roofline, points: list[Point]) -> dict[str, bytes]:
    """roofline.png and roofline.svg; nothing where matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        return {}
    matplotlib: Any = import_module("matplotlib")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "derive"
    figure = import_module("matplotlib.figure").Figure(figsize=(9.5, 4.8), layout="constrained")
    plane = figure.add_subplot()
    bandwidth = roofline.bandwidth
    ridges = [peak.value / bandwidth.value for peak in roofline.peaks]
    reach = max([16 * max(ridges), *(2 * intensity for _, intensity, _ in points)])
    across = np.logspace(np.log10(1 / 16), np.log10(reach), 200)
    dashes = ("-", "--", "-.", ":", (0, (1, 3)))
    for index, peak in enumerate(roofline.peaks):
        label = f"{peak.tags['precision']}: {peak.text}, ridge {ridges[index]:.1f} FLOP/byte"
        height = np.minimum(peak.value, across * bandwidth.value)
        plane.plot(across, height, label=label, linestyle=dashes[index % len(dashes)])
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for name, intensity, rate in points:
        groups[_KIND.split(name)[0]].append((intensity, rate))
    for index, (kind, places) in enumerate(groups.items()):
        marker = _MARKERS[index % len(_MARKERS)]
        plane.plot(
            *zip(*places, strict=True), marker, color="black", markersize=5, fillstyle="none", label=kind
        )
    plane.set_xscale("log", base=2)
    plane.set_yscale("log", base=10)
    plane.set_xlabel("arithmetic intensity, FLOP/byte")
    plane.set_ylabel("rate, FLOP/s")
    plane.set_title(
        f"{session.machine.name}: {bandwidth.name} {bandwidth.text}, {session.date.isoformat()}", fontsize=9
    )
    plane.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    plane.grid(True, which="major", alpha=0.3)
    drawn = {}
    for suffix in ("png", "svg"):
        buffer = BytesIO()
        metadata = {"Date": None} if suffix == "svg" else None
        figure.savefig(buffer, format=suffix, dpi=150, metadata=metadata)
        drawn[f"roofline.{suffix}"] = buffer.getvalue()
    return drawn

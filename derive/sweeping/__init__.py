"""Sweeps: a formula over ranges of its letters, any number of points in bounded memory."""

from derive.sweeping.axes import Axis, read_axis
from derive.sweeping.sweep import Sweep, sweep
from derive.sweeping.writing import write

__all__ = ["Axis", "Sweep", "read_axis", "sweep", "write"]

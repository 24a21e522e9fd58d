"""How fast derive is, each figure beside its alternative in the same run.

    python benchmarks/speed.py

Prints start-up against a bare Python, a compiled formula against the NumPy line
that a person would write and against SymPy's subs, and the proof of all links
with its median.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable, Sequence

import numpy as np

import derive
from derive.catalogue import chapter, chapters

STARTS = 15
POINTS = 10**6


def started(*arguments: str) -> float:
    """The median wall time of a Python process, in seconds."""
    command = [sys.executable, *arguments]
    return statistics.median(
        timeit.repeat(
            lambda: subprocess.run(command, check=True, capture_output=True), number=1, repeat=STARTS
        )
    )


def ratio(ours: Callable[[], object], theirs: Callable[[], object], number: int) -> float:
    """Our best time over theirs, the two measured in turns."""
    pairs = [(timeit.timeit(ours, number=number), timeit.timeit(theirs, number=number)) for _ in range(9)]
    return min(mine for mine, _ in pairs) / min(other for _, other in pairs)


LINES: dict[str, Callable[..., object]] = {
    "attention.naive_intensity": lambda T, d: T * d / (2 * (T + d)),
    "matmul.intensity": lambda k, m, n: k * m * n / (k * m + k * n + m * n),
    "matmul.time": lambda P, W, e, k, m, n: np.maximum(2 * k * m * n / P, e * (k * m + k * n + m * n) / W),
}


def compiled() -> None:
    """Compiled formulas at one point and at a million."""
    generator = np.random.default_rng(0)
    for id, line in LINES.items():
        formula = derive.get(id)
        function = formula.compile()
        names = [letter.name for letter in formula.letters]
        point: Sequence[float] = [7.0 + 3 * index for index, _ in enumerate(names)]
        arrays = [generator.uniform(1, 1e4, POINTS) for _ in names]
        assert np.allclose(function(*arrays), line(*arrays), rtol=1e-13)
        one = ratio(lambda f=function, p=point: f(*p), lambda f=line, p=point: f(*p), 200_000)
        many = ratio(lambda f=function, a=arrays: f(*a), lambda f=line, a=arrays: f(*a), 20)
        print(f"{id:32} {one:5.2f}x the NumPy line at 1 point, {many:5.2f}x at {POINTS:,}")
    formula = derive.get("attention.naive_intensity")
    function, result = formula.compile(), formula.result
    values = dict(zip(formula.letters, (4096, 128), strict=True))
    slow = (
        timeit.timeit(lambda: float(result.subs(values).subs({derive.FLOP: 1, derive.BYTE: 1})), number=200)
        / 200
    )
    fast = timeit.timeit(lambda: function(4096.0, 128.0), number=200_000) / 200_000
    print(f"{formula.id:32} {slow / fast:,.0f} times as fast as SymPy's subs at 1 point")


def proofs() -> None:
    """Every link of the catalogue, cold: nothing is cached between links."""
    began = timeit.default_timer()
    seconds = [
        link.seconds for name in chapters() for formula in chapter(name).values() for link in formula.verify()
    ]
    total = timeit.default_timer() - began
    print(
        f"{len(seconds)} links proved in {total:.2f} s, median {statistics.median(seconds) * 1e3:.1f} ms a link"
    )


def main() -> None:
    bare = started("-c", "pass")
    for name, arguments in (
        ("derive --help", ("-m", "derive", "--help")),
        ("derive list", ("-m", "derive", "list")),
    ):
        took = started(*arguments)
        print(
            f"{name:32} {took * 1e3:6.0f} ms, {took / bare:5.1f}x a bare `python -c pass` ({bare * 1e3:.0f} ms)"
        )
    compiled()
    proofs()


if __name__ == "__main__":
    main()

"""How fast `derive calc` is, each figure beside its alternative in the same run.

    python benchmarks/calc.py

Prints a cold `derive calc` against a Python that only imports pint, a line
worked out, and a compiled line on a million points against the NumPy line that
a person would write.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import timeit

import numpy as np

from derive.calc import calculate, parse

STARTS = 15
POINTS = 10**6
CALC = "from derive.cli.calc import command; command(['16 GB / 3.35 TB/s'])"


def started(code: str) -> float:
    """The median wall time of a Python process that runs the code, in seconds."""
    command = [sys.executable, "-c", code]
    return statistics.median(
        timeit.repeat(
            lambda: subprocess.run(command, check=True, capture_output=True), number=1, repeat=STARTS
        )
    )


def main() -> None:
    """Measure and print."""
    ours, pint = started(CALC), started("import pint")
    print(f"cold start        {ours * 1e3:6.0f} ms, {ours / pint:4.2f}x `import pint` ({pint * 1e3:.0f} ms)")
    once = timeit.timeit(lambda: calculate("7B params * 4 bit/param -> GB"), number=300) / 300
    print(f"a line            {once * 1e6:6.0f} us")
    function = parse("T*d / (2*(T + d)) * 1 FLOP/byte", letters=["T", "d"]).compile()
    generator = np.random.default_rng(0)
    T, d = generator.uniform(1, 1e4, POINTS), generator.uniform(1, 1e3, POINTS)
    pairs = [
        (
            timeit.timeit(lambda: function(T=T, d=d), number=5),
            timeit.timeit(lambda: T * d / (2 * (T + d)), number=5),
        )
        for _ in range(9)
    ]
    mine, theirs = (min(column) for column in zip(*pairs, strict=True))
    print(f"{POINTS:,} points  {mine / 5 * 1e3:6.1f} ms, {mine / theirs:4.2f}x the NumPy line")


if __name__ == "__main__":
    main()

"""How fast `derive check` is, and how it stands up to documents of every size.

    python benchmarks/check.py [FILE …]

Prints the rate on a text of 1 MB (the files given, repeated, or sentences with
calculations), a 40-page document with the start of Python, and documents that
are built to choke a reader: 10 MB in a line, 10⁵ relations, deep nesting.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from derive.checking import check_text

PROSE = (
    "The weights of a model with 13 billion parameters take 13e9 * 2 bytes = 26 GB in bf16, and an H100 SXM with "
    "3.35 TB/s of memory bandwidth reads them in 26 GB / (3.35 TB/s) = 7.8 ms. Whatever else a step does, it cannot "
    "be faster than that, which is why serving engines put many sequences into one batch and why they quantize.\n\n"
    "Most of what such a document says is prose: how a kernel is tiled, what a scheduler waits for, and which of two "
    "designs was dropped and for what reason, with a number here and there. A reader who meets it for the first time "
    "wants to know what happens to a request between the moment it arrives and the moment its first token leaves, and "
    "why the second token comes so much sooner than the first one did.\n\n"
    "- The queue in front of the engine decides how large a batch becomes, and how many times the weights are read.\n"
    "- Prefill works on all 2,000 tokens of a prompt at once; decode adds one token after the other to each sequence.\n"
    "- Pages of 16 tokens keep the cache from being cut into pieces that are too small for anything.\n\n"
    "None of this changes the arithmetic above, but all of it decides how close a real system comes to what the "
    "arithmetic allows, and whoever reports a speed should say which of these things were switched on when it was "
    "taken, on how many of the 8 cards of a node, and with which version of the engine.\n\n"
)
HOSTILE = {
    "one line of 10 MB": "the number 7 is 8 GB and 9 x " * 340_000,
    "10⁵ relations": "2 * 3 = 6. " * 100_000,
    "10⁵ opening brackets": "(" * 100_000 + "1 = 2",
    "LaTeX nested 20,000 deep": "$" + "\\frac{1}{" * 20_000 + "1" + "}" * 20_000 + " = 2$",
    "3,000 tables": ("|a|b|c|d|\n|---|---|---|---|\n" + "|1|2|3|5|\n" * 6 + "\n") * 3_000,
}
PAGE = 3_000
LARGE = 10**6


def timed(text: str) -> tuple[float, int]:
    """Seconds of processor time of a check, and how many claims it found."""
    begun = time.process_time()
    found = len(check_text(text).claims)
    return time.process_time() - begun, found


def main(files: list[str]) -> None:
    """Measure and print."""
    text = "\n\n".join(Path(file).read_text("utf-8") for file in files) or PROSE
    timed(text)  # loads what is loaded once, whichever part of the text asks for it
    text = text * (LARGE // len(text) + 1)
    seconds, found = timed(text)
    print(f"{len(text) / 1e6:.1f} MB of text          {len(text) / 1e6 / seconds:6.2f} MB/s, {found} claims")
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "pages.md"
        document.write_text(text[: 40 * PAGE], "utf-8")
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "derive", "check", str(document)], check=False, capture_output=True
        )
        print(f"40 pages, with the start  {time.perf_counter() - begun:6.2f} s")
    for name, hostile in HOSTILE.items():
        seconds, found = timed(hostile)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{name:25} {seconds:6.2f} s, {found} claims, at most {memory} MiB so far")


if __name__ == "__main__":
    main(sys.argv[1:])

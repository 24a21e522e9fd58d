"""The mutation run: is every slip in a formula refused?

For every start, ledger row, link, fact and example of the catalogue it makes
systematic mutants (a coefficient ±1, ×2, ÷2, an exponent ±1, a term dropped or
doubled, a sign, a symbol exchanged, a unit inverted, a limit point moved, a
region or bound changed …), each a derivation with one thing changed, and has
the engine judge it. What survives must be the same statement in another form
or follow from the original one, with a proof of that; anything else is a false
survivor, is printed, and makes the exit status 1.

    python benchmarks/mutants.py [--chapter C | --file FORMULAS.py] [--survivors] [--sample N]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mutation.judging import BAD, REFUSED, SURVIVES, Judge, Outcome, text
from mutation.parts import mutants
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from derive import catalogue

Judged = tuple[str, str, str, Outcome]


def judged(job: tuple[str, str | None, int]) -> list[Judged]:
    """(id, where and what, kind, outcome) of every `step`-th mutant of one derivation."""
    id, file, step = job
    if file is not None:
        catalogue.load_file(file)
    derivation = catalogue.get(id)
    judge = Judge(derivation)
    found = []
    for number, mutant in enumerate(mutants(derivation)):
        if number % step == 0:
            what = f"{mutant.where}, {mutant.role}: {text(mutant.old)} became {text(mutant.new)}"
            found.append((id, what, mutant.kind, judge.outcome(mutant)))
    return found


def run(jobs: list[tuple[str, str | None, int]], console: Console) -> Iterator[Judged]:
    """All jobs on all cores, with a progress bar on a terminal."""
    with (
        multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool,
        Progress(console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        bar = progress.add_task("derivations", total=len(jobs))
        for found in pool.imap_unordered(judged, jobs):
            progress.advance(bar)
            yield from found


def table(title: str, head: str, rows: dict[str, Counter[str]]) -> Table:
    """Counts by ending, a row each, with the total below."""
    made = Table(title=title, title_justify="left")
    made.add_column(head)
    for column in ("mutants", *REFUSED, *SURVIVES):
        made.add_column(column, justify="right")
    total: Counter[str] = Counter()
    for name, counts in rows.items():
        total.update(counts)
        made.add_row(name, str(counts.total()), *(str(counts[ending]) for ending in (*REFUSED, *SURVIVES)))
    made.add_section()
    made.add_row("all", str(total.total()), *(str(total[ending]) for ending in (*REFUSED, *SURVIVES)))
    return made


def main() -> int:
    """Run, print the counts and the false survivors; 1 where there is one."""
    parser = argparse.ArgumentParser(description="Mutate the catalogue and count what the engine lets pass.")
    parser.add_argument("--chapter", choices=catalogue.chapters(), help="only this chapter")
    parser.add_argument("--file", type=Path, help="a formula file instead of the catalogue")
    parser.add_argument("--survivors", action="store_true", help="print every survivor with its proof")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="only every N-th mutant")
    options = parser.parse_args()
    if options.file:
        jobs = [(id, str(options.file), options.sample) for id in catalogue.load_file(options.file)]
    else:
        names = [options.chapter] if options.chapter else catalogue.chapters()
        jobs = [(id, None, options.sample) for name in names for id in catalogue.chapter(name)]
    console, began = Console(), time.monotonic()
    by_chapter: dict[str, Counter[str]] = {}
    by_kind: dict[str, Counter[str]] = {}
    survivors: list[Judged] = []
    pointed = 0
    for id, what, kind, outcome in run(jobs, console):
        by_chapter.setdefault(id.partition(".")[0], Counter())[outcome.ending] += 1
        by_kind.setdefault(kind, Counter())[outcome.ending] += 1
        pointed += outcome.counterexample
        if outcome.ending in SURVIVES:
            survivors.append((id, what, kind, outcome))
    console.print(table("By chapter", "chapter", by_chapter))
    console.print(table("By kind", "kind", dict(sorted(by_kind.items()))))
    endings: Counter[str] = sum(by_chapter.values(), Counter())
    console.print(
        f"{endings.total()} mutants: {sum(endings[e] for e in REFUSED)} refused ({pointed} with a counterexample), "
        f"{endings['equivalent']} equivalent, {endings['weaker']} true but weaker, "
        f"{endings['false']} false survivors, {endings['crash']} crashes; {time.monotonic() - began:.0f} s",
        soft_wrap=True,
    )
    for id, what, kind, outcome in sorted(survivors):
        if outcome.ending in BAD or options.survivors:
            proof = "" if outcome.ending == "false" else f": {outcome.reason}"
            console.print(f"{outcome.ending}: {id}, {what} ({kind}){proof}", soft_wrap=True, markup=False)
    return 1 if any(endings[ending] for ending in BAD) else 0


if __name__ == "__main__":
    sys.exit(main())

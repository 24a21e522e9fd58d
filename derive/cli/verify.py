"""`derive verify`: proves every link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from derive.cli import options

if TYPE_CHECKING:
    from rich.table import Table

    from derive.derivation import Derivation, Link
    from derive.proofs.verdict import Outcome

HELP = """Prove every link of formulas, of chapters, of files of your own, or of the whole catalogue.

A link is a step of a chain, a fact about its result or an example. The exit status is 1 when one
is refuted or undecided, and each of those is printed with its reason; and it is 1 while a file has
blanks (...) where a formula is due. With --explain each link says why it holds or where it fails.

\b
derive verify
derive verify attention
derive verify mine.py --json
derive verify mine.py --explain
"""

OUTCOMES: tuple[Outcome, ...] = ("proved", "refuted", "undecided")


@click.command("verify", help=HELP, short_help="Prove every link.")
@click.argument("targets", metavar="[ID|CHAPTER|FILE.py]...", nargs=-1, shell_complete=options.complete_id)
@click.option("--explain", "explains", is_flag=True, help="Say of each link why it holds or where it fails.")
@options.as_json
@click.pass_context
def command(ctx: click.Context, targets: tuple[str, ...], explains: bool, as_json: bool) -> None:
    from derive.cli import console, explained
    from derive.cli.targets import many

    if blank := explained.blanks_of(targets):
        explained.show_blanks(blank, as_json=as_json)
        ctx.exit(1)
    if explains:
        ctx.exit(0 if explained.show(many(targets), as_json=as_json) else 1)
    links = list(_proved(many(targets)))
    counts = Counter(link.verdict.outcome for link in links)
    if as_json:
        console.show_json(_as_json(links, counts))
    else:
        console.show(*_failures(links), _summary(links), _total(counts))
    if counts["proved"] < len(links):
        ctx.exit(1)


def _proved(derivations: Sequence[Derivation]) -> Iterator[Link]:
    from derive.cli.progress import bar

    total = sum(_count(one) for one in derivations)
    done = 0
    with bar() as advance:
        for derivation in derivations:
            for link in derivation.links():
                done += 1
                advance(done, total, derivation.id)
                yield link


def _count(derivation: Derivation) -> int:
    from derive.computed import Computed

    checks = derivation.checks if isinstance(derivation, Computed) else ()
    return len(checks) + len(derivation.steps) + len(derivation.facts) + len(derivation.examples)


def _as_json(links: Sequence[Link], counts: Counter[Outcome]) -> dict[str, Any]:
    return {
        **{outcome: counts[outcome] for outcome in OUTCOMES},
        "links": [
            {
                "id": link.id,
                "relation": link.relation,
                "because": link.because,
                "verdict": link.verdict.outcome,
                "reason": link.verdict.text,
                "seconds": round(link.seconds, 6),
            }
            for link in links
        ],
    }


def _failures(links: Sequence[Link]) -> Iterator[Any]:
    from rich.padding import Padding
    from rich.text import Text

    for link in links:
        if not link.verdict.proved:
            yield Text.assemble((link.verdict.outcome, "bold red"), f"  {link.id}")
            for line in (link.statement, f"because {link.because}", f"but {link.verdict.text}"):
                yield Padding(Text(line), (0, 0, 0, 4))
            yield Text()


def _summary(links: Sequence[Link]) -> Table:
    from derive.cli import console

    chapters: dict[str, list[Link]] = {}
    for link in links:
        chapters.setdefault(link.id.partition(".")[0], []).append(link)
    made = console.table(
        "chapter", ">formulas", ">links", *(f">{outcome}" for outcome in OUTCOMES), ">seconds"
    )
    for chapter, own in chapters.items():
        counts = Counter(link.verdict.outcome for link in own)
        made.add_row(
            chapter,
            str(len({link.id for link in own})),
            str(len(own)),
            *(str(counts[outcome]) for outcome in OUTCOMES),
            f"{sum(link.seconds for link in own):.2f}",
        )
    return made


def _total(counts: Counter[Outcome]) -> Any:
    from rich.text import Text

    total = sum(counts.values())
    if counts["proved"] == total:
        return Text(
            f"\nAll {total} links are proved." if total else "\nThere is no link to prove.", style="green"
        )
    rest = ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome])
    return Text(f"\nOf {total} links: {rest}.", style="bold red")

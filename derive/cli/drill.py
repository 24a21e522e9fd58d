"""`derive drill`: exercises asked and marked in the terminal, or written as a worksheet."""

from __future__ import annotations

import click

HELP = """Exercises from the catalogue, marked with their units.

Without --format it asks in the terminal: give a number with its unit (54.7 ms, 0.0547 s, ~55ms),
a letter, or an order of letters. A wrong answer is told which slip gives it, and the right chain
is shown. Score, streak and what to review are kept on this machine; --reset forgets them.
With --format it writes a worksheet, with --key also its solutions; the same seed gives the same
sheet. An HTML sheet marks answers in the page.

\b
derive drill
derive drill --chapter memory --level 2 --count 5
derive drill --kind estimate
derive drill --essentials
derive drill --seed 7 --count 12 --format md,tex,html --key --out sheets/
"""
_COUNT = 10


@click.command("drill", help=HELP, short_help="Exercises that mark themselves.")
@click.option("--chapter", metavar="C", default="", help="Only from this chapter of the catalogue.")
@click.option("--count", metavar="N", type=int, help=f"How many exercises; {_COUNT} unless given.")
@click.option("--seed", metavar="N", type=int, help="The same seed draws the same exercises.")
@click.option("--level", metavar="N", type=int, default=0, help="1, 2 or 3; all unless given.")
@click.option(
    "--kind", "kinds", metavar="K[,K]", default="", help="Kinds, as value,regime; all unless given."
)
@click.option("--essentials", is_flag=True, help="The fixed list of what everybody should know.")
@click.option("--format", "formats", metavar="md,tex,html", default="", help="Write a worksheet.")
@click.option("--key", is_flag=True, help="Write the solutions beside the worksheet.")
@click.option("--out", metavar="DIR", help="The folder to write to; the current one unless given.")
@click.option("--reset", is_flag=True, help="Forget score, streak and what to review.")
@click.pass_context
def command(
    ctx: click.Context,
    chapter: str,
    count: int | None,
    seed: int | None,
    level: int,
    kinds: str,
    essentials: bool,
    formats: str,
    key: bool,
    out: str | None,
    reset: bool,
) -> None:
    from derive.cli import conversation
    from derive.errors import DeriveError
    from derive.teaching import progress
    from derive.teaching.drawing import draw
    from derive.teaching.essentials import essentials as everybody

    if reset:
        gone = progress.reset(progress.place())
        click.echo("Forgotten." if gone else "There was nothing to forget.")
        return
    if not formats and (key or out is not None):
        raise DeriveError(
            f"{'--key' if key else '--out'} belongs to a worksheet: give --format md, tex or html too"
        )
    wanted = tuple(kind.strip() for kind in kinds.split(",") if kind.strip())
    if essentials and (chapter or level or wanted or count is not None or seed is not None):
        raise DeriveError(
            "--essentials is a fixed list: leave --chapter, --level, --kind, --count and --seed out"
        )
    if formats:
        from reports.worksheet import write_sheet

        drawn = 0 if seed is None else seed
        exercises = (
            everybody()
            if essentials
            else draw(drawn, _COUNT if count is None else count, chapter=chapter, level=level, kinds=wanted)
        )
        name = (
            "essentials" if essentials else "-".join(["drill", *([chapter] if chapter else []), str(drawn)])
        )
        named = [one.strip() for one in formats.split(",") if one.strip()]
        for path in write_sheet(exercises, named, out or ".", name=name, key=key):
            click.echo(path)
        return
    kept = conversation.Kept(progress.place())
    if essentials:
        exercises = everybody()
    else:
        drawn = conversation.fresh_seed() if seed is None else seed
        review = kept.progress.review() if seed is None else ()
        number = _COUNT if count is None else count
        exercises = draw(
            drawn, number, chapter=chapter, level=level, kinds=wanted, review=review[: max(1, number // 3)]
        )
    ctx.exit(conversation.hold(exercises, kept))

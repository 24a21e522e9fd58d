"""`derive check`: the numbers that documents claim, held against arithmetic and the catalogue."""

from __future__ import annotations

import gc

import click

from derive.checking.output import FORMATS
from derive.cli import options

HELP = """Check the numbers claimed in documents.

FILE is Markdown, LaTeX, HTML, a notebook, reStructuredText, plain text, or a figures.toml of
structured claims. Calculations in the text, tables and facts of the catalogue are held against
what they should be; a number is called false only where no reading of it can be true, and then
with the likeliest cause. Nothing in a document is executed or fetched.

\b
derive check README.md docs/*.md
derive check post.md --format json
derive check paper.tex --select default,hints
derive check --explain conversion

Exit status: 0 nothing false, 1 a claim is false, 2 a file cannot be read.
"""


@click.command("check", cls=options.Command, help=HELP, short_help="Check the numbers claimed in documents.")
@click.argument("files", nargs=-1, metavar="FILE …", type=click.Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    help="How the findings are printed; github are annotations of a workflow.",
)
@click.option("--select", multiple=True, metavar="RULES", help="Only these rules; also all, default, hints.")
@click.option("--ignore", multiple=True, metavar="RULES", help="Not these rules.")
@click.option("--unsure", is_flag=True, help="Tell the claims too that could not be decided.")
@click.option("--explain", metavar="RULE", help='What a rule decides; "all" lists every rule.')
@options.as_json
def command(
    files: tuple[str, ...],
    form: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    unsure: bool,
    explain: str | None,
    as_json: bool,
) -> int:
    from derive.checking.rules import chosen

    if explain is not None:
        _explain(explain)
        return 0
    if not files:
        raise click.UsageError("no FILE: give the documents to check, such as README.md")
    from derive.checking import check_file
    from derive.checking.output import shown

    rules = chosen(select, ignore)
    gc.set_threshold(_COLLECTED_AFTER)
    reports = [check_file(file, rules) for file in files]
    click.echo(shown(reports, "json" if as_json else form, unsure))
    return 1 if any(report.count("false") for report in reports) else 0


_COLLECTED_AFTER = 50_000
"""New objects between two collections: a document makes many, and few of them in circles."""


def _explain(name: str) -> None:
    """Print what a rule decides, or a line for every rule."""
    from derive.checking.rules import RULES
    from derive.errors import DeriveError
    from derive.suggest import nearest

    if name == "all":
        width = max(map(len, RULES))
        for rule in RULES.values():
            click.echo(f"{rule.name:{width}}  {rule.title}{' (hint, off by default)' if rule.hint else ''}")
        return
    found = RULES.get(name)
    if found is None:
        raise DeriveError(f"unknown rule {name[:40]!r}{nearest(name, RULES)}: one of {', '.join(RULES)}")
    click.echo(f"{found.name}: {found.title}\n\n{found.explanation}")

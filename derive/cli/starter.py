"""`derive starter`: a file of one's own with blanks to fill."""

from __future__ import annotations

import click

from derive.cli import options

HELP = """Print a Python file for a formula: letters and rows are there, the formulas are blanks.

Fill each ... and let `derive verify` check it: with --explain it says for each link why it holds
or where it fails. With --out the file is written; one that is there already is left alone.

\b
derive starter attention.naive_intensity --out mine.py
derive verify mine.py --explain
"""


@click.command("starter", help=HELP, short_help="A file with blanks to fill, for any formula.")
@options.one_id
@click.option("--out", metavar="FILE.py", help="The file to write; standard output unless given.")
def command(id: str, out: str | None) -> None:
    from pathlib import Path

    from derive.cli import targets
    from derive.errors import DeriveError
    from derive.teaching.starter import starter

    text = starter(targets.one(id), out or "mine.py")
    if out is None:
        click.echo(text, nl=False)
        return
    path = Path(out)
    if path.suffix != ".py":
        raise DeriveError(f"--out {out}: give a name that ends in .py, such as mine.py")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise DeriveError(f"{out} is there already: give another name, or remove it") from None
    click.echo(out)

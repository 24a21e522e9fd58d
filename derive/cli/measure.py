"""`derive measure`: runs tools/measure.py, the one part that needs PyTorch, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

from derive.errors import DeriveError

_PACKAGE = Path(__file__).resolve().parents[1]
_PLACES = (_PACKAGE.parent / "tools" / "measure.py", _PACKAGE / "tools" / "measure.py")
"""In a checkout, and in the installed package."""

HELP = """Hold the catalogue's formulas against this machine and its PyTorch.

WHAT is roofline, activations, flops, state, times, collectives, formats or all; each has a
--help of its own. Exact counts that differ give exit status 1.

\b
derive measure all --quick --out measured
derive measure roofline --out measured
derive eval matmul.time --hardware measured/hardware.toml --on this-machine --set m=512 k=512 n=512
"""


@click.command(
    "measure",
    help=HELP,
    short_help="Formulas held against this machine (needs PyTorch).",
    # what follows the first word is for the script, its --help too
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("what", metavar="WHAT")
@click.argument("arguments", metavar="[OPTIONS]...", nargs=-1, type=click.UNPROCESSED)
def command(what: str, arguments: tuple[str, ...]) -> int:
    script = next((path for path in _PLACES if path.is_file()), None)
    if script is None:
        raise DeriveError("this installation has no tools/measure.py: run it from a checkout of derive")
    return subprocess.run([sys.executable, str(script), what, *arguments], check=False).returncode

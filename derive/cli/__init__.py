"""The command line: `main` is the entry point `derive`.

Nothing is imported before it is needed: `derive --help` loads a table, shell
completion click as well, and neither loads SymPy, pint, NumPy, rich or Jinja.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command of `sys.argv` and exit: 0 done and true, 1 something is false, 2 the question was wrong."""
    completing = "_DERIVE_COMPLETE" in os.environ  # click answers the shell itself
    if sys.argv[1:] in ([], ["-h"], ["--help"]) and not completing:
        from derive.cli.table import help_text

        print(help_text(), end="")
        return
    try:
        from derive.cli.app import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)

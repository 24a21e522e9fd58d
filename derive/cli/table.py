"""The commands with their one line of help, and the text of `derive --help`.

It is put together here without click, whose import alone takes three times as
long as starting Python.
"""

COMMANDS = {
    "list": "The catalogue, a line for each formula.",
    "show": "A formula with its ledgers, proved steps and sources.",
    "constants": "Machines and models: values, tags and sources.",
    "eval": "The worked calculation with numbers and units.",
    "solve": "The value of a letter that gives a result.",
    "sweep": "A formula over ranges, as a table, file or plot.",
    "reconcile": "Why another number differs from ours.",
    "check": "Check the numbers claimed in documents.",
    "report": "Worked-derivation documents.",
    "verify": "Prove every link.",
    "drill": "Exercises that mark themselves.",
    "starter": "A file with blanks to fill, for any formula.",
    "calc": "Arithmetic with units checked.",
    "measure": "Formulas held against this machine (needs PyTorch).",
}

HELP = """Usage: derive [OPTIONS] COMMAND [ARGS]...

  The arithmetic of AI systems, derived: formulas with units, proved steps,
  sourced constants.

  derive list
  derive show attention.naive_intensity
  derive eval attention.naive_intensity --on h100-sxm --set T=4096 --set d=128

  An ID is a formula of the catalogue, or one of your own: mine.py, mine.py:NAME.
  Exit status: 0 done and true, 1 a step or claim is false, 2 the question was
  wrong. derive COMMAND --help says more.

Options:
  --version   Show the version and exit.
  -h, --help  Show this message and exit.

Commands:
"""


def help_text() -> str:
    """What `derive --help` prints."""
    width = max(map(len, COMMANDS)) + 2
    return HELP + "".join(f"  {name:{width}}{line}\n" for name, line in COMMANDS.items())

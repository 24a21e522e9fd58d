"""`python -m derive` is the command `derive`."""

from derive.cli import main

main()

"""Checking the numbers that documents claim.

A document becomes blocks of plain text and tables (`sources`); equalities in them
are parsed and held together (`chains`), tables computed (`tables`), and what the
catalogue knows compared (`facts`). A claim is false only behind every gate
(`gates`), and then its cause is looked for (`causes`).

    >>> report = check_text("A port of 400 Gb/s = 50 GB/s.")
    >>> [claim.verdict for claim in report.claims]
    ['true']
"""

from __future__ import annotations

from derive.checking.checker import check_file, check_text
from derive.checking.claims import Claim, Report
from derive.checking.rules import RULES, chosen

__all__ = ["RULES", "Claim", "Report", "check_file", "check_text", "chosen"]

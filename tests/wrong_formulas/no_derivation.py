"""A letter is declared and nothing is derived from it."""

from derive import count

T = count("T", "sequence length")

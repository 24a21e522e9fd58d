"""Errors that a user is meant to read: one line saying what, where, and what to give instead."""


class DeriveError(Exception):
    """The question was wrong: unknown id, missing letter, bad file. Exit status 2."""


class DimensionError(DeriveError):
    """Two units clash, or one stands where another is due."""


class DeclarationError(DeriveError):
    """A formula's file declares something that cannot be right."""


class NoValue(DeriveError):
    """The formula has no value in this region, and the message says why."""

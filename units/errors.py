"""The one error of this package."""


class UnitError(ValueError):
    """A unit that is unknown, ambiguous or of the wrong dimension; says what to give."""

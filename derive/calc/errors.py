"""The refusals of `calc`: what clashes, where, why it matters, what was probably meant."""

from __future__ import annotations

from derive.errors import DeriveError

Span = tuple[int, int]
"""Where in the line: first and last-but-one character."""


class CalcError(DeriveError):
    """A line that has no value that could be trusted.

    kind: a stable slug: empty, syntax, character, too-large, unknown-unit,
        unknown-name, unknown-kind, ambiguous-unit, ambiguous-number, ambiguous,
        bare-number, dimension, kind, utilization, domain.
    span: the part of the line that is meant, or None for all of it.
    why: in a sentence, what would go wrong.  hint: what was probably meant.
    """

    def __init__(
        self, kind: str, message: str, span: Span | None = None, *, why: str = "", hint: str = ""
    ) -> None:
        super().__init__(message)
        self.kind, self.span, self.why, self.hint = kind, span, why, hint
        self.message, self.line = message, ""

    def __str__(self) -> str:
        """All of it in one line."""
        text = self.message
        for part in (self.why, self.hint):
            if part:
                text += f"{'' if text.endswith(('?', '.')) else '.'} {part[:1].upper()}{part[1:]}"
        return text

    def show(self) -> str:
        """All of it as a terminal shows it, with a caret line under the place."""
        rows = [f"{self.kind}: {self.message}"]
        if self.line and self.span is not None:
            start = max(0, min(self.span[0], len(self.line)))
            stop = max(start + 1, min(self.span[1], len(self.line) + 1))
            left = max(0, start - 60)
            window = self.line[left : left + 100]
            shown = "".join(letter if letter.isprintable() else "·" for letter in window)
            rows += [
                f"  {shown}",
                f"  {' ' * (start - left)}{'^' * max(1, min(stop - start, 100 - (start - left)))}",
            ]
        rows += [f"  {label}: {text}" for label, text in (("why", self.why), ("try", self.hint)) if text]
        return "\n".join(rows)

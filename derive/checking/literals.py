"""Numbers with their units, read from tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from derive.checking.lexer import Token, number
from derive.checking.values import Literal
from derive.checking.words import Reading, in_math, is_device, magnitudes, readings

FUNCTIONS = {"sqrt", "log", "ln", "max", "min", "ceil", "floor", "log2", "log10", "exp", "round"}
CURRENCIES = {"$": "USD", "€": "USD", "£": "USD"}
_TIMES = re.compile(r"(?:second|minute|hour|day|week|month|year)s?|h")
_LABEL, _COUNTED = 4, 2
_STOPS = {
    "and",
    "that",
    "which",
    "it",
    "this",
    "or",
    "to",
    "than",
    "is",
    "are",
    "at",
    "as",
    "but",
    "so",
    "if",
    "when",
    "per",
    "times",
    "with",
    "over",
    "x",
}
_ONE: tuple[Reading, ...] = (Reading(1.0, ()),)


class Reader:
    """A place among tokens, and what reads a number or a unit there.

    known: whether a word of running text is a defined name.
    """

    def __init__(self, tokens: Sequence[Token], known: Callable[[str], bool]) -> None:
        self.tokens, self.known = tokens, known
        self.at, self.end = 0, len(tokens)

    def number_at(self, at: int) -> tuple[Literal, int] | None:
        """The number at a token with its unit, and the token behind it."""
        self.at, self.end = at, len(self.tokens)
        priced = at > 0 and self.tokens[at - 1].text in CURRENCIES
        literal = self.number(
            self.tokens[at],
            False,
            CURRENCIES[self.tokens[at - 1].text] if priced else "",
            label=False,
            skip=1,
        )
        return None if literal is None else (literal, self.at)

    def unit_at(self, at: int) -> tuple[str, tuple[Reading, ...], int] | None:
        """The unit at a token, and the token behind it."""
        self.at, self.end = at, len(self.tokens)
        unit = self.unit()
        return None if unit is None else (*unit, self.at)

    def peek(self, ahead: int = 0) -> Token | None:
        """A token ahead, None behind the end."""
        at = self.at + ahead
        return self.tokens[at] if at < self.end else None

    def number(
        self, token: Token, bare: bool, currency: str = "", *, label: bool = True, skip: int = 0
    ) -> Literal | None:
        """The number at a token with the unit behind it; both passed over, and a label where the sum goes on."""
        digits = token.text
        self.at += skip
        if not bare:
            digits += self._ten()
        try:
            value = number(digits)
        except (ValueError, OverflowError):
            return None
        if not 1e-300 < abs(value) < 1e300 and value:
            return None
        unit = None if bare else self.unit() or self._frequency()
        if currency:
            unit = self._priced(unit, currency)
        text, options = unit if unit is not None else ("", _ONE)
        start = token.start - 1 if currency else token.start
        literal = Literal(digits, value, text, options, start, self.tokens[self.at - 1].end)
        if label and not bare:
            self._pass_label()
        return literal

    def _frequency(self) -> tuple[str, tuple[Reading, ...]] | None:
        """The unit of a plain number that is told for a time: 50 per second."""
        sign, following = self.peek(), self.peek(1)
        if sign is None or sign.text != "per" or following is None or not _TIMES.fullmatch(following.text):
            return None
        token, below = self._below(("per",))
        if token is None or not below:
            return None
        self.at += 1
        return f"/{token.text}", tuple(_turned(option) for option in below)

    def _priced(
        self, unit: tuple[str, tuple[Reading, ...]] | None, currency: str
    ) -> tuple[str, tuple[Reading, ...]]:
        """A price: the currency before the number with the unit behind it, as in $2.50/hour or $3 million."""
        text, options = unit or ("", _ONE)
        if unit is None:
            token, below = self._below(("/", "per", "a", "an"))
            if token is not None and token.text == "M" and not below:
                self.at += 1
                below = readings("million")
            if token is not None and below:
                self.at += 1
                text, options = f"/{token.text}", tuple(_turned(option) for option in below)
        dollar = readings(currency)[0]
        return f"{currency}{text}", tuple(_joined(dollar, option) for option in options)

    def _ten(self) -> str:
        """The e22 of 8.04 × 10^22, passed over."""
        sign = self.peek()
        if sign is None or sign.text not in ("×", "*"):
            return ""
        texts = [token.text if (token := self.peek(ahead)) else "" for ahead in range(6)]
        if texts[1] != "10" or texts[2] != "^":
            return ""
        opened = texts[3] == "("
        signed = texts[3 + opened] in ("-", "+")
        exponent = texts[3 + opened + signed]
        if not exponent.isdigit() or len(exponent) > 3:
            return ""
        closing = self.peek(4 + opened + signed)
        if opened and (closing is None or closing.text != ")"):
            return ""
        self.at += 4 + opened + signed + opened
        return f"e{'-' if signed and texts[3 + opened] == '-' else ''}{exponent}"

    def unit(self) -> tuple[str, tuple[Reading, ...]] | None:
        """The unit behind a number, passed over."""
        token = self.peek()
        if token is None:
            return None
        if token.text in ("%", "percent"):
            self.at += 1
            return "%", (Reading(0.01, ()),)
        if token.kind != "word" or self._is_next_label(token):
            return None
        text, options = "", _ONE
        millions = token.text == "M" and token.math and self._ends(1)
        if (not token.math or millions) and len(token.text) == 1 and not self.known(token.text):
            options = magnitudes(token.text) if token.glued or self._spaced(token) else ()
            if options:
                self.at += 1
                text = token.text
                token = self.peek()
        first = self._readings(token, after=text)
        if not first:
            return (text, options) if text else None
        if text and token is not None:
            options = tuple(option for option in options if not option.dimension) or options
        options = options if text else _ONE
        while token is not None and first:
            if options is _ONE:
                options = first
            else:
                options = tuple(_joined(one, other) for one in options for other in first if _fit(one, other))
            text = f"{text} {token.text}".strip()
            self.at += 1
            token, first = self._below()
            if token is None or not first:
                # a magnitude in words may stand before the unit: 1.3 billion FLOPs
                token = self.peek()
                first = self._readings(token, after="") if token is not None and not token.math else ()
                if first and token is not None:
                    worded = all(not option.dimension and option.factor >= 1e3 for option in options)
                    used = bool(_TIMES.fullmatch(token.text)) and is_device(text)
                    first = first if worded or used else ()
                continue
            first = tuple(_turned(option) for option in first)
            text += "/"
        return text.replace("/ ", "/"), options

    def _ends(self, ahead: int) -> bool:
        """Whether nothing is calculated with what stands so many tokens on."""
        following = self.peek(ahead)
        return following is None or (
            following.kind not in ("number", "word") and following.text not in "(^×*/·"
        )

    def _is_next_label(self, token: Token) -> bool:
        """Whether a word is the label of the next line: 6.9e10, and below it bytes: 101 MB."""
        behind = self.tokens[self.at + 1 : self.at + 2]
        before = self.tokens[self.at - 1]
        apart = token.start - before.end > 1 and not before.math
        labels = bool(behind) and (behind[0].text == "=" or (behind[0].text == ":" and behind[0].glued))
        return apart and labels

    def _spaced(self, token: Token) -> bool:
        """Whether a letter behind a blank is a magnitude: 17.6 M, 40 k tokens, 2 T tokens, 7.24 B × 2 bytes."""
        following = self.peek(1)
        counted = following is not None and following.kind == "word" and readings(following.text) == _ONE
        ends = following is None or following.kind == "wall"
        if token.text in ("G", "T", "P") and (counted or ends):
            return True
        if token.text == "k" and following is None:
            return True  # the side of a relation ends
        scaled = token.text == "B" and following is not None and following.text in ("×", "*")
        return token.text == "M" or scaled or (token.text in ("k", "B", "T") and counted)

    def _below(self, signs: tuple[str, ...] = ("/", "per")) -> tuple[Token | None, tuple[Reading, ...]]:
        """The unit behind a slash or "per", where there is one."""
        sign, following = self.peek(), self.peek(1)
        if sign is None or following is None or sign.text not in signs or following.kind != "word":
            return None, ()
        if sign.text in ("a", "an") and not _TIMES.fullmatch(following.text):
            return None, ()
        found = self._readings(following, after="/")
        if not found and following.text.islower() and len(following.text) > 2 and not following.math:
            found = _ONE
        if found:
            self.at += 1
        return following, found

    def _readings(self, token: Token | None, after: str) -> tuple[Reading, ...]:
        if token is None or token.kind != "word":
            return ()
        if token.math and not in_math(token.text) and not (after == "/" and token.text in ("s", "h")):
            return ()
        if len(token.text) == 1 and self.known(token.text) and after != "/" and (token.glued or token.math):
            return ()
        if token.text == "times" and self._goes_on():
            return ()
        if token.text == "t" and not self._is_tonne():
            return ()
        if token.text in ("a", "at", "d", "as", "in") and not (token.text == "d" and after == "/"):
            return ()
        return readings(token.text)

    def _is_tonne(self) -> bool:
        """Whether the t at hand stands for a mass: 3.85 t of CO2."""
        following = self.peek(1)
        return (
            following is None or following.kind == "wall" or following.text in ("of", "CO2", "CO2e", "CO2eq")
        )

    def _goes_on(self) -> bool:
        """Whether a factor stands behind the word at hand: 4 times 8 GB."""
        following = self.peek(1)
        return following is not None and (following.kind == "number" or following.text in ("(", *CURRENCIES))

    def is_label(self) -> bool:
        """Whether a bracket holds only words: 40 (K), 14 GB (weights)."""
        ahead = 1
        while (token := self.peek(ahead)) is not None and ahead <= _LABEL + 1:
            if token.text == ")":
                return ahead > 1
            if token.kind != "word" or token.text in FUNCTIONS:
                return False
            ahead += 1
        return False

    def pass_name(self) -> None:
        """Pass over words that say before a number what it is of: 13.5 + cache 4.0."""
        ahead = 0
        while (token := self.peek(ahead)) is not None and token.kind == "word" and ahead < _LABEL:
            if token.text in _STOPS or token.math or len(token.text) < 2 or self.known(token.text):
                return
            ahead += 1
        if ahead and token is not None and token.kind == "number":
            self.at += ahead

    def _pass_label(self) -> None:
        """Pass over words that say what a number is of, where the arithmetic goes on behind them."""
        token = self.peek()
        if token is not None and token.text == "(" and not token.glued and self.is_label():
            while (token := self.peek()) is not None and token.text != ")":
                self.at += 1
            self.at += 1
            return
        ahead = 0
        if token is not None and (token.glued or self._is_next_label(token)):
            return
        while (token := self.peek(ahead)) is not None and token.kind == "word" and ahead < _LABEL:
            if token.text in _STOPS or token.math or self.known(token.text):
                return
            ahead += 1
        if ahead and (
            (token is None and self.at + ahead == self.end)
            or (token is not None and token.text in ("+", ")"))
            or (ahead <= _COUNTED and self._is_multiplied(ahead))
        ):
            self.at += ahead

    def _is_multiplied(self, ahead: int) -> bool:
        """Whether a factor stands behind the words for what a number counts: 2,048 cables × 2 ends."""
        sign, factor = self.peek(ahead), self.peek(ahead + 1)
        words = [token.text for at in range(ahead) if (token := self.peek(at)) is not None]
        if sign is None or factor is None or sign.text not in ("×", "*"):
            return False
        return factor.kind == "number" and all(word.islower() and word.isalpha() for word in words)


def _fit(one: Reading, other: Reading) -> bool:
    """Whether two readings make the same choice where both leave the same doubt."""
    return not (
        one.choice and other.choice and one.choice[0] == other.choice[0] and one.choice != other.choice
    )


@lru_cache(maxsize=1024)
def _joined(one: Reading, other: Reading) -> Reading:
    powers = dict(one.dimension)
    for base, power in other.dimension:
        powers[base] = powers.get(base, 0) + power
    dimension = tuple(sorted((base, power) for base, power in powers.items() if power))
    return Reading(one.factor * other.factor, dimension, one.choice or other.choice)


@lru_cache(maxsize=1024)
def _turned(one: Reading) -> Reading:
    return Reading(1 / one.factor, tuple((base, -power) for base, power in one.dimension), one.choice)

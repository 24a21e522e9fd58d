"""The units written behind a number, and the walk over tokens that reading them needs."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import units
from derive.calc import misread, vocabulary
from derive.calc.errors import CalcError
from derive.calc.lexer import Token, tokens
from derive.calc.tree import Unit, Uses

Slash = Literal["", "tight", "spaced"]
"""How the division sign before the current factor was written; "" where there is none."""

_TIME = (("second", Fraction(1)),)
_KEPT_BUSY = ((("device", Fraction(1)),), (("node", Fraction(1)),))
_LARGEST_POWER = 9


class Chain:
    """A position in the tokens, and how to read units from there.

    letters: names that are free letters, never units.
    split: where `a / 5 s / GPU` may be read in two ways, take the second slash
        as an operator; otherwise as part of the unit.
    """

    def __init__(self, line: str, letters: frozenset[str], split: bool) -> None:
        self.line, self.letters, self.split = line, letters, split
        self.tokens = tokens(line)
        self.at = 0
        self.ambiguous: Token | None = None
        self.notes: list[str] = []
        self.bound = False

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.peek()
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def glued(self, ahead: int = 0) -> bool:
        """Whether the token there touches the one before it."""
        at = self.at + ahead
        return 0 < at < len(self.tokens) and self.tokens[at].span[0] == self.tokens[at - 1].span[1]

    def tight(self) -> bool:
        """Whether the operator here touches both its neighbours."""
        return self.glued() and self.glued(1)

    def is_word(self, *words: str, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token.kind == "name" and token.text in words

    def at_unit(self, ahead: int = 0) -> bool:
        """Whether a unit's name begins there, past words that are only filling."""
        token = self.peek(ahead)
        if token.kind in ("$", "¢"):
            return self.peek(ahead + 1).kind != "number" or self.peek(ahead).kind == "¢"
        if token.kind != "name" or token.text in self.letters:
            return False
        if self.peek(ahead + 1).kind == "(" and token.text.lower() in vocabulary.FUNCTIONS:
            return False
        if vocabulary.is_filling(token.text) and self.at_noun(ahead + 1):
            return True
        return vocabulary.is_unit(token.text) or vocabulary.flops_amount(token.text) is not None

    def at_noun(self, ahead: int) -> bool:
        while self.peek(ahead).kind == "name" and vocabulary.is_filling(self.peek(ahead).text):
            if vocabulary.is_unit(self.peek(ahead).text):
                return True
            ahead += 1
        token = self.peek(ahead)
        return token.kind == "name" and (
            vocabulary.is_counted(token.text) or token.text in ("tok", "toks", "it")
        )

    def chain(self, slash: Slash, numbered: bool) -> Uses:
        """The units from here on, with their powers."""
        uses: list[tuple[Unit, Fraction]] = []
        sign = 1
        while True:
            token = self.peek()
            if self.at_unit():
                if uses:
                    self._juxtaposed(uses, sign, token)
                uses += self._atom(sign)
            elif token.kind == "-" and self.tight() and (uses or numbered) and self.at_unit(1):
                self.take()
                sign = self._hyphen(uses, sign)
                uses += self._atom(sign)
            elif token.kind == "*" and token.text != "x" and self.tight() and self.at_unit(1) and uses:
                if slash and sign < 0:
                    break
                self.take()
                sign = 1
                uses += self._atom(sign)
            elif self.is_word("per") and (uses or numbered) and (self.at_unit(1) or self._group_ahead()):
                self.take()
                sign = -1
                uses += self._divisor()
            elif token.kind == "/" and (uses or numbered) and (self.at_unit(1) or self._group_ahead()):
                if not self._binds(slash, bool(uses), numbered):
                    break
                self.take()
                sign = -1
                uses += self._divisor()
            else:
                break
        if len(uses) > 1 and slash:
            self.bound = True
        return tuple(uses)

    def _binds(self, slash: Slash, named: bool, numbered: bool) -> bool:
        """Whether the division sign here belongs to the unit, or divides what stands before."""
        if not slash:
            return True
        inner = self.tight()
        if not numbered:
            if not (inner and slash == "spaced"):
                return False
        elif inner:
            return named or slash == "spaced"
        elif not named or slash == "tight":
            return False
        self.ambiguous = self.ambiguous or self.peek()
        return not self.split

    def _divisor(self) -> Uses:
        if self.peek().kind == "(":
            return tuple((unit, -power) for unit, power in self._group() or ())
        return self._atom(-1)

    def _group_ahead(self) -> bool:
        here = self.at
        self.at += 1
        found = self.peek().kind == "(" and self._group() is not None
        self.at = here
        return found

    def _group(self) -> Uses | None:
        """(param · token): units only, or None."""
        self.take()
        uses: list[tuple[Unit, Fraction]] = []
        sign = 1
        while self.at_unit():
            uses += self._atom(sign)
            if self.peek().kind in ("*", "/") or (self.peek().kind == "-" and self.tight()):
                sign = -1 if self.take().kind == "/" else 1
            elif self.is_word("per"):
                self.take()
                sign = -1
            elif self.peek().kind == ")":
                self.take()
                return tuple(uses)
        return None

    def _hyphen(self, uses: list[tuple[Unit, Fraction]], sign: int) -> int:
        """PFLOP/s-day keeps the day above the line; $/GPU-hour keeps the hour below it."""
        return 1 if sign < 0 and uses and uses[-1][0].name == "s" else sign

    def _juxtaposed(self, uses: list[tuple[Unit, Fraction]], sign: int, token: Token) -> None:
        """`GPU hours`, `GB s^-1` and `per GPU hour` are products; of other neighbours a reader cannot be sure."""
        before, name = uses[-1][0], token.text
        if sign < 0:
            if before.dimension in _KEPT_BUSY and self._time_ahead(0):
                return
            raise CalcError(
                "ambiguous",
                f"is {name} above or below the line in …/{before.name} {name}?",
                token.span,
                why="the two readings differ by that unit squared",
                hint=f"write /({before.name}·{name}), or put {name} first",
            )
        power = self.peek(1)
        inverse = power.text.startswith("⁻") or (power.kind == "^" and self.peek(2).kind == "-")
        timed = before.dimension != _TIME and self._time_ahead(0)
        if timed or inverse or (not before.dimension and before.factor == 1):
            return
        raise CalcError(
            "ambiguous",
            f"{before.name} and {name} stand side by side: a product, or a remark?",
            token.span,
            why="read as a product, the unit of the result would be another one",
            hint=f"write {before.name}·{name} for the product, or {before.name} of {name}"
            if name != before.name
            else "drop one of them",
        )

    def _atom(self, sign: int) -> Uses:
        """One named unit with its power."""
        while vocabulary.is_filling(self.peek().text) and self.at_noun(1):
            self.take()
        token = self.take()
        name = {"$": "$", "¢": "cent"}.get(token.kind, token.text)
        if (
            self.peek().kind == "name"
            and self.peek().text in vocabulary.UTILIZATION
            and not vocabulary.is_unit(name)
        ):
            raise self.unknown(token)
        found = vocabulary.rate(name) or ((self.unit(token, name), Fraction(1)),)
        if (
            found[0][0].dimension[:1] in ((("FLOP", Fraction(1)),), (("OP", Fraction(1)),))
            and len(found) == 1
        ):
            found = self._work(found)
        elif len(found) == 2 and self.peek().kind == "/" and self._time_ahead(1):
            raise CalcError(
                "dimension",
                f"{name} is a rate already: {found[0][0].name}/s",
                token.span,
                why="divided by time once more it would be an acceleration",
                hint=f"write {name} or {found[0][0].name}/s",
            )
        power = sign * self._power()
        return tuple((unit, own * power) for unit, own in found)

    def _work(self, found: Uses) -> Uses:
        """PFLOP-day: a PFLOP/s kept up for a day."""
        if self.peek().kind == "-" and self.tight() and self._time_ahead(1):
            token = self.peek(1)
            self.at += 2
            whole = f"{found[0][0].name}-{self.unit(token, token.text).name}"
            return ((vocabulary.unit(whole), Fraction(1)),)
        return found

    def _time_ahead(self, ahead: int) -> bool:
        token = self.peek(ahead)
        if token.kind != "name" or not self.at_unit(ahead) or not vocabulary.is_unit(token.text):
            return False
        return self.unit(token, token.text).dimension == _TIME

    def _power(self) -> int:
        token = self.peek()
        if token.kind == "power" and self.glued():
            self.take()
            power = int(token.value)
        elif token.kind == "^":
            skip = 2 if self.peek(1).kind == "-" else 1
            exponent = self.peek(skip)
            if exponent.kind != "number" or not exponent.whole:
                raise CalcError(
                    "syntax",
                    "the power of a unit must be a whole number",
                    exponent.span,
                    hint="write s^-1 or GB^2",
                )
            self.at += skip + 1
            power = int(exponent.value) * (-1 if skip == 2 else 1)
        else:
            return 1
        if abs(power) > _LARGEST_POWER:
            raise CalcError("too-large", f"a unit to the power {power}: at most {_LARGEST_POWER}", token.span)
        return power

    def unit(self, token: Token, name: str) -> Unit:
        """The unit of that name. Raises CalcError with the place."""
        amount = vocabulary.flops_amount(name)
        if (
            amount is not None
            and self.peek().kind == "/"
            and self.peek(1).text in ("s", "sec", "second", "byte", "B", "token")
        ):
            name = amount
        try:
            return vocabulary.unit(name)
        except units.UnitError as error:
            if "can be misread" not in str(error):
                raise self.unknown(token) from error
            raise CalcError(
                "ambiguous-unit",
                str(error).partition(":")[0],
                token.span,
                why="the readings differ by a factor that nobody would see in the result",
                hint=str(error).partition(": ")[2],
            ) from error

    def unknown(self, token: Token) -> CalcError:
        """The refusal of a word that is neither unit nor function; the position is behind it."""
        at = self.tokens.index(token)
        measured = (
            at > 0 and self.tokens[at - 1].kind == "name" and vocabulary.is_unit(self.tokens[at - 1].text)
        )
        return misread.unknown(token.text, token.span, self.line, self.peek().kind == "(", measured)

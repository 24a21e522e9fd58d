"""Numbers as people write them: 7B params, $2.50, 6×10^12, 2^30 B, 5 million tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

from derive.calc import misread, vocabulary
from derive.calc.chain import Chain, Slash
from derive.calc.errors import CalcError, Span
from derive.calc.lexer import Token
from derive.calc.tree import Binary, Node, Number, Quantity, Unary

_DEEPEST = 30
_MOST_OPERATORS = 120
_LARGEST_EXPONENT = 300


class Literals(Chain, ABC):
    """How to read a number with its power, multiplier and units, and to keep count of what was read."""

    def __init__(self, line: str, letters: Iterable[str] = (), split: bool = False) -> None:
        super().__init__(line, frozenset(letters), split)
        self.depth = self.operators = 0

    @abstractmethod
    def atom(self) -> Node:
        """What an exponent may be beside a number. Raises CalcError where nothing fits."""

    def _number(self, slash: Slash) -> Node:
        """A number, its power, its multiplier and its units."""
        start = self.peek().span[0]
        money = self.peek().kind == "$"
        if money:
            self.take()
        node: Node = self._plain(slash)
        if self.peek().kind in ("^", "power"):
            node = self._raised(node)
        scale = self._multiplier(money)
        if scale != 1:
            node = self._binary("*", node, Number(node.span, Fraction(scale), 1, False))
        uses = self.chain(slash, True)
        if money:
            dollar = self.unit(self.peek(), "$")
            uses = ((dollar, Fraction(1)), *uses)
        stop = self.tokens[self.at - 1].span[1]
        return Quantity((start, stop), node, uses, True) if uses else respanned(node, (start, stop))

    def _plain(self, slash: Slash) -> Number:
        """A number; 6×10^12 is one too."""
        token = self.peek()
        if token.kind == "name":
            return Number(token.span, Fraction(1), 1, True)
        self.take()
        value, stop = token.value, token.span[1]
        if self.peek().kind == "*" and self.peek(1).text == "10" and self.peek(2).kind in ("^", "power"):
            skip = 3 if self.peek(2).kind == "power" else 4
            sign = self.peek(3).kind == "-" and skip == 4
            exponent = self.peek(2) if skip == 3 else self.peek(4 if sign else 3)
            chained = self.peek(skip + sign).kind in ("^", "power")
            if exponent.kind in ("number", "power") and (skip == 3 or exponent.whole) and not chained:
                if slash and self.peek().text == "*":
                    raise CalcError(
                        "ambiguous",
                        "does the power of ten multiply the divisor or the quotient?",
                        self.peek().span,
                        hint=f"write {token.text}e{exponent.value}, or parentheses",
                    )
                power = -exponent.value if sign else exponent.value
                if abs(power) > _LARGEST_EXPONENT:
                    raise CalcError("too-large", f"10^{power} lies outside 1e±300", exponent.span)
                self.bound = self.bound or bool(slash)
                self.at += skip + sign
                value, stop = value * Fraction(10) ** int(power), exponent.span[1]
                return Number((token.span[0], stop), value, token.digits, False)
        return Number((token.span[0], stop), value, token.digits, token.whole)

    def _multiplier(self, money: bool) -> int:
        """The B of 7B params, the million of 5 million tokens; 1 for none. Refuses 7B that no noun follows."""
        token = self.peek()
        if self.is_word(*vocabulary.MULTIPLIERS):
            self.take()
            return vocabulary.MULTIPLIERS[token.text]
        if (
            token.kind != "name"
            or token.text not in (*vocabulary.SUFFIXES, "b")
            or token.text in self.letters
        ):
            return 1
        glued, name = self.glued(), token.text
        before = self.tokens[self.at - 1] if self.at else token
        after = 2 if self.peek(1).kind == "-" and self.glued(1) else 1
        noun = self.at_noun(after) or (money and not self.at_unit(1))
        divided = (self.peek(1).kind == "/" or self.is_word("per", ahead=1)) and self.at_unit(2)
        if name in ("B", "b") and not noun and (not glued or divided or (name == "b" and self._encoding())):
            return 1
        if noun and (glued or name != "B") and name != "b":
            self.at += after
            self.bound = True
            return vocabulary.SUFFIXES[name]
        raise misread.suffix_alone(name, token.span, before.text if before.kind == "number" else "")

    def _at_multiplier(self) -> bool:
        """Whether a multiplier stands here that no number precedes: $3 per million tokens, $3/M tokens."""
        suffix = self.is_word(*vocabulary.SUFFIXES) and self.peek().text not in self.letters
        return self.is_word(*vocabulary.MULTIPLIERS) or (suffix and self.at_noun(1))

    def _encoding(self) -> bool:
        """Whether the bits here are those of a line code, 128b/130b."""
        behind = self.at >= 2 and self.tokens[self.at - 2].kind == "/"
        return behind or (
            self.peek(1).kind == "/" and self.peek(2).kind == "number" and self.peek(3).text == "b"
        )

    def _raised(self, base: Node) -> Node:
        token = self._operator()
        if token.kind == "power":
            exponent: Node = Number(token.span, token.value, 1, True)
            raised: Node = Binary((base.span[0], token.span[1]), "^", base, exponent)
            return self._raised(raised) if self.peek().kind == "^" else raised
        exponent = self._deeper(self._exponent)
        return Binary((base.span[0], exponent.span[1]), "^", base, exponent)

    def _exponent(self) -> Node:
        token = self.peek()
        if token.kind in ("-", "+"):
            self._operator()
            inner = self._deeper(self._exponent)
            return Unary((token.span[0], inner.span[1]), inner) if token.kind == "-" else inner
        if token.kind == "number":
            self.take()
            node: Node = Number(token.span, token.value, token.digits, token.whole)
        else:
            node = self.atom()
        return self._raised(node) if self.peek().kind in ("^", "power") else node

    def _binary(self, operator: str, left: Node, right: Node) -> Node:
        return Binary((left.span[0], right.span[1]), operator, left, right)

    def _operator(self) -> Token:
        self._count()
        return self.take()

    def _count(self) -> None:
        self.operators += 1
        if self.operators > _MOST_OPERATORS:
            raise CalcError(
                "too-large", f"the line has more than {_MOST_OPERATORS} operators", hint="split it into parts"
            )

    def _deeper(self, read: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise CalcError(
                "too-large",
                f"parts are nested more than {_DEEPEST} deep",
                self.peek().span,
                hint="split the line",
            )
        found = read()
        self.depth -= 1
        return found


def respanned(node: Node, span: Span) -> Node:
    """The same part with its parentheses or dollar sign in its span."""
    return replace(node, span=span)

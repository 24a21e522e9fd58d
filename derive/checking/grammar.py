"""Arithmetic as documents write it: a bounded recursive-descent parser over tokens.

A number binds the unit behind it, then letters join (4T²d/8Td is one fraction), then
× and /, then + and −. Nothing is evaluated here.

    sum     = product (("+" | "-") product)*
    product = joined (("×" | "*" | "/" | "of" behind a percentage) joined)*
    joined  = power power*                     letters, brackets and numbers side by side
    power   = atom ("^" ["-"] atom)?
    atom    = number unit? | "$" number | name | function "(" sum ")" | "(" sum ")" | "√" atom
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from derive.checking.lexer import Token
from derive.checking.literals import CURRENCIES, FUNCTIONS, Reader
from derive.checking.values import Literal

_DEPTH = 24
_ARTICLES = "aAI"


@dataclass(frozen=True)
class Name:
    """A letter or word that must be defined somewhere."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Operation:
    """sign: + - × / ^ or the name of a function; a minus of one argument turns the sign."""

    sign: str
    arguments: tuple[Node, ...]
    tight: bool = False


Node: TypeAlias = "Literal | Name | Operation"


class Parser(Reader):
    """Parses from a token on as far as an expression goes.

    known: whether a word of running text is a defined name; wide: everything behind a
    slash up to the next sum is its denominator.
    """

    def __init__(self, tokens: Sequence[Token], known: Callable[[str], bool], wide: bool = False) -> None:
        super().__init__(tokens, known)
        self.wide, self.reached = wide, 0

    def parse(self, start: int, end: int) -> tuple[Node, int] | None:
        """The expression at `start`, and the token where it ends (at most `end`)."""
        self.at, self.end, self.reached = start, end, start
        node = self._sum(0)
        self.reached = max(self.reached, self.at)
        return None if node is None else (node, self.at)

    def _sum(self, depth: int) -> Node | None:
        node = self._product(depth)
        while node is not None:
            token = self.peek()
            if token is None or token.text not in ("+", "-"):
                break
            held = self.at
            self.at += 1
            if token.text == "+":
                self.pass_name()
            right = self._product(depth)
            if right is None:
                self.at = held
                break
            tight = token.text == "-" and token.glued and self.tokens[held + 1].glued and not token.math
            node = Operation(token.text, (node, right), tight)
        return node

    def _product(self, depth: int) -> Node | None:
        node = self._joined(depth)
        while node is not None:
            token = self.peek()
            if token is None:
                break
            share = token.text == "of" and isinstance(node, Literal) and node.unit == "%"
            held = self.at
            sign = "×" if share else self._factor(token)
            if not sign:
                break
            self.at += 1
            if share and (following := self.peek()) is not None and following.text in ("the", "its", "their"):
                self.at += 1
            right = self._product(depth) if sign == "/" and self.wide else self._joined(depth)
            if right is None:
                self.at = held
                break
            node = Operation(sign, (node, right))
        return node

    def _factor(self, token: Token) -> str:
        """The × or / that a sign or a word stands for; "" for another token."""
        if token.text in ("×", "*", "/"):
            return "/" if token.text == "/" else "×"
        if token.text == "times" and not token.math:
            return "×"
        following = self.peek(1)
        if token.text == "divided" and following is not None and following.text == "by":
            self.at += 1
            return "/"
        return ""

    def _joined(self, depth: int) -> Node | None:
        token = self.peek()
        if token is not None and token.text == "-":
            following = self.peek(1)
            if following is None or not (following.glued or token.math):
                return None  # a dash between words
            self.at += 1
            inner = self._power(depth)
            return None if inner is None else Operation("-", (inner,))
        node = self._power(depth)
        while node is not None:
            token = self.peek()
            if token is None or not self._joins(node, token):
                break
            held = self.at
            right = self._power(depth)
            if right is None:
                self.at = held
                break
            node = Operation("×", (node, right), tight=True)
        return node

    def _joins(self, node: Node, token: Token) -> bool:
        """Whether what follows without a sign multiplies."""
        plain = not isinstance(node, Literal) or not node.unit
        if token.text == "(":
            return plain and (token.glued or token.math) and not self.is_label()
        if token.kind == "word":
            together = token.math or token.glued or self._is_letter(token)
            return plain and together and token.text not in FUNCTIONS
        return token.kind == "number" and token.math and not isinstance(node, Literal)

    def _is_letter(self, token: Token) -> bool:
        """Whether a word of running text is a defined letter of a product, as in 3 n² or T d × 4."""
        if len(token.text) > 1 or token.text in _ARTICLES or not self.known(token.text):
            return False
        following = self.peek(1)
        return following is None or following.kind in ("sign", "relation") or self._is_next_letter(following)

    def _is_next_letter(self, token: Token) -> bool:
        return len(token.text) == 1 and token.kind == "word" and self.known(token.text)

    def _power(self, depth: int) -> Node | None:
        base = self._atom(depth)
        token = self.peek()
        if base is None or token is None or token.text != "^":
            return base
        held = self.at
        self.at += 1
        token = self.peek()
        negative = token is not None and token.text == "-"
        self.at += negative
        exponent = self._atom(depth, bare=True)
        if exponent is None:
            self.at = held
            return base
        if negative:
            exponent = Operation("-", (exponent,))
        if isinstance(base, Operation) and base.sign == "×" and base.tight:
            # of letters written together only the last is raised
            return Operation(
                "×", (base.arguments[0], Operation("^", (base.arguments[1], exponent))), tight=True
            )
        raised: Node = Operation("^", (base, exponent))
        return self._in_unit(raised) if isinstance(base, Literal) and not base.unit else raised

    def _in_unit(self, node: Node, *, measured: bool = False) -> Node:
        """A calculation times the unit behind it, where there is one; measured: only a unit of measure."""
        held, unit = self.at, self.unit()
        if unit is None or (measured and not any(option.dimension for option in unit[1])):
            self.at = held
            return node
        last = self.tokens[self.at - 1]
        return Operation("×", (node, Literal("1", 1.0, *unit, last.start, last.end)), tight=True)

    def _measured(self, node: Node | None) -> Node | None:
        """What stands in brackets with the unit behind them: (80 − 16) GB."""
        plain = isinstance(node, Operation) and all(
            isinstance(leaf, Literal) and not leaf.unit for leaf in leaves(node)
        )
        return self._in_unit(node, measured=True) if node is not None and plain else node

    def _atom(self, depth: int, bare: bool = False) -> Node | None:
        token = self.peek()
        self.reached = max(self.reached, self.at)
        if token is None or depth > _DEPTH:
            return None
        if token.kind == "number":
            self.at += 1
            return self.number(token, bare)
        if token.text in CURRENCIES:
            following = self.peek(1)
            if following is None or following.kind != "number":
                return None
            self.at += 2
            return self.number(following, bare, CURRENCIES[token.text])
        if token.text == "(" or (token.text == "[" and not token.glued):
            return self._measured(self._bracketed(depth, {"(": ")", "[": "]"}[token.text]))
        if token.text == "√":
            self.at += 1
            inner = self._atom(depth + 1)
            return None if inner is None else Operation("sqrt", (inner,))
        return self._word(token, depth) if token.kind == "word" else None

    def _bracketed(self, depth: int, closing: str) -> Node | None:
        self.at += 1
        inner = self._sum(depth + 1)
        token = self.peek()
        if inner is None or token is None or token.text != closing:
            return None
        self.at += 1
        if isinstance(inner, Operation) and inner.tight:
            return Operation(inner.sign, inner.arguments)
        return inner

    def _word(self, token: Token, depth: int) -> Node | None:
        following = self.peek(1)
        if token.text in FUNCTIONS and following is not None and following.text == "(":
            return self._call(token.text, depth)
        letters = list(_letters(token))
        if not token.math:
            glued = token.glued and self.at > 0 and self.tokens[self.at - 1].kind == "number"
            if self.known(token.text) or len(token.text) == 1:
                letters = [token.text]
            if not all(self.known(letter) for letter in letters) or (len(letters) > 1 and not glued):
                return None
        self.at += 1
        nodes: list[Node] = [Name(letter, token.start, token.end) for letter in letters]
        node = nodes[0]
        for other in nodes[1:]:
            node = Operation("×", (node, other), tight=True)
        return node

    def _call(self, name: str, depth: int) -> Node | None:
        self.at += 2
        arguments: list[Node] = []
        while len(arguments) < 8:
            inner = self._sum(depth + 1)
            token = self.peek()
            if inner is None or token is None:
                return None
            arguments.append(inner)
            self.at += 1
            if token.text == ")":
                return Operation(name, tuple(arguments))
            if token.text != ",":
                return None
        return None


def _letters(token: Token) -> Iterator[str]:
    """The names in a word: single letters with their subscripts, or the word as it is where it has one."""
    head, low, rest = token.text.partition("_")
    if low:
        yield from head[:-1]
        yield f"{head[-1:]}_{rest}"
    elif len(head) <= 6:
        yield from head
    else:
        yield head


def leaves(node: Node) -> Iterator[Literal | Name]:
    """The numbers and names of an expression."""
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, Operation):
            stack.extend(reversed(one.arguments))
        else:
            yield one

"""Kinds in a line: [sparse, bf16], 40% MFU, `as dense`, and what each of them binds to."""

from __future__ import annotations

import units
from derive.calc import tree, vocabulary
from derive.calc.errors import CalcError
from derive.calc.literal import Literals
from derive.calc.tree import Node, Quantity, Read, Tagged
from units import kinds

_SIZES = ("decimal", "binary")


class KindReader(Literals):
    """How to read kinds at the position in the tokens."""

    def _at_share(self) -> bool:
        """Whether `MFU` or `[utilization]` stands here: behind a quotient it says what the quotient is."""
        token = self.peek()
        if token.kind == "tag":
            return any(word.strip() in vocabulary.UTILIZATION for word in token.text.split(","))
        return token.kind == "name" and token.text in vocabulary.UTILIZATION

    def _shares(self, node: Node) -> Node:
        while self._at_share():
            node = self._with_tags(node)
        return node

    def _at_kind(self) -> bool:
        """Whether a kind is written here: [sparse], (bidirectional), or the bare word dense."""
        token = self.peek()
        if token.kind == "(" and self.peek(2).kind == ")":
            token = self.peek(1)
        bare = token.kind == "name" and token.text not in (*vocabulary.UTILIZATION, *self.letters)
        return self.peek().kind == "tag" or (bare and _is_kind(token.text))

    def _with_tags(self, node: Node) -> Node:
        token = self.peek()
        if token.kind == "tag" and token.text.strip() in _SIZES:
            self.take()
            return self._read(node, token.text.strip())
        if token.kind == "(":
            self.take()
            tags: kinds.Kinds = (kinds.named(self.take().text),)
            token = self.take()
        elif token.kind == "tag":
            tags = self._tags()
        else:
            self.take()
            tags = (kinds.named(token.text),)
        return Tagged((node.span[0], token.span[1]), node, tags)

    def _tags(self) -> kinds.Kinds:
        token = self.take()
        try:
            return kinds.parse(token.text)
        except units.UnitError as error:
            raise CalcError("unknown-kind", str(error), token.span) from error

    def _as_tagged(self, node: Node, tight: bool = False) -> Node:
        """`as dense` binds to the nearest part that bears a kind; `as MFU` to the whole line."""
        while self.is_word("as"):
            found = self._kind_after_as(advance=False)
            sized = tight and found in _SIZES and isinstance(node, Quantity | Tagged)
            if not found or found in vocabulary.UTILIZATION or not (tree.is_tagged(node) or sized):
                return node
            self._kind_after_as()
            self.take()
            node = self._read(node, found)
        return node

    def _kind_after_as(self, advance: bool = True) -> str:
        """The kind named behind `as`, with the position on its last token; "" where it is a unit."""
        start = self.peek(1).span[0]
        for words in (3, 2, 1):
            last = self.peek(words)
            text = self.line[start : last.span[1]]
            if last.kind not in ("name", "number") or (
                words > 1 and not all(letter.isalnum() or letter in "- :" for letter in text)
            ):
                continue
            if text in _SIZES or _is_kind(text):
                self.at += words if advance else 0
                return text
        return ""

    def _read(self, node: Node, text: str) -> Node:
        axis, value = ("capacity", text) if text in _SIZES else kinds.named(text)
        return Read((node.span[0], self.tokens[self.at - 1].span[1]), node, axis, value)


def _is_kind(text: str) -> bool:
    try:
        kinds.named(text)
    except units.UnitError:
        return False
    return True

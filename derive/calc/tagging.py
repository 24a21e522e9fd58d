"""Kinds in a line: [sparse, bf16], 40% MFU, `as dense`, and what each of them binds to."""

from __future__ import annotations

import units
from derive.calc import tree, vocabulary
from derive.calc.chain import Slash
from derive.calc.errors import CalcError
from derive.calc.literal import Literals
from derive.calc.tree import Node, Quantity, Read, Tagged
from derive.suggest import nearest
from units import kinds

_SIZES = ("decimal", "binary")
_LONGEST_ENCLOSED = 10


class KindReader(Literals):
    """How to read kinds at the position in the tokens."""

    def _at_share(self) -> bool:
        """Whether `MFU` or `[utilization]` stands here: behind a quotient it says what the quotient is."""
        token = self.peek(1 if self._enclosed() == 3 else 0)
        if token.kind == "tag":
            return any(word.strip() in vocabulary.UTILIZATION for word in token.text.split(","))
        return token.kind == "name" and token.text in vocabulary.UTILIZATION

    def _shares(self, node: Node) -> Node:
        while self._at_share():
            node = self._with_tags(node)
        return node

    def _at_kind(self) -> bool:
        """Whether a kind is written here: [sparse], (both ways), or the bare words per direction."""
        return self.peek().kind == "tag" or bool(self._enclosed() or self._kind_words())

    def _kind_words(self, ahead: int = 0) -> int:
        """How many tokens the kind in bare words takes there: dense, both-ways, per direction; 0 where none is."""
        if not ahead and self.peek().kind == "/" and self.is_word("direction", ahead=1):
            return 2
        for count in (3, 2, 1):
            words = [self.peek(ahead + place) for place in range(count)]
            if all(word.kind in ("name", "-") and word.text not in self.letters for word in words):
                text = self.line[words[0].span[0] : words[-1].span[1]]
                if text not in vocabulary.UTILIZATION and _is_kind(text):
                    return count
        return 0

    def _enclosed(self) -> int:
        """How many tokens the kinds in parentheses take here, as in (bf16, dense); 0 where none are."""
        if self.peek().kind != "(":
            return 0
        count = next((n for n in range(2, _LONGEST_ENCLOSED) if self.peek(n).kind == ")"), 0)
        text = self.line[self.peek().span[1] : self.peek(count).span[0]] if count else ""
        try:
            return count + 1 if kinds.parse(text) else 0
        except units.UnitError:
            return 0

    def _with_tags(self, node: Node) -> Node:
        start = self.peek()
        if start.kind == "tag" and start.text.strip() in _SIZES:
            self.take()
            return self._read(node, start.text.strip())
        tags = self._tags() if start.kind == "tag" else self._spelled()
        return Tagged((node.span[0], self.tokens[self.at - 1].span[1]), node, tags)

    def _spelled(self) -> kinds.Kinds:
        """The kinds in bare words or parentheses that stand here."""
        count, start = self._enclosed(), self.peek().span
        if count:
            self.at += count
            return kinds.parse(self.line[start[1] : self.tokens[self.at - 1].span[0]])
        self.at += self._kind_words() or 1
        text = self.line[start[0] : self.tokens[self.at - 1].span[1]]
        return (kinds.named(text.replace("/", "per ")),)

    def _kinds_before_unit(self, node: Node, slash: Slash) -> Node:
        """989 dense BF16 TFLOPS: the kinds that stand between a number and its unit belong behind it."""
        ahead = 0
        while count := self._kind_words(ahead):
            ahead += count
        if not ahead or not self.at_unit(ahead):
            return node
        start, last = self.at, self.at + ahead
        self.at = last
        uses = self.chain(slash, True)
        stop, self.at = self.at, start
        node = Quantity((node.span[0], self.tokens[stop - 1].span[1]), node, uses, True)
        tags: kinds.Kinds = ()
        while self.at < last:
            tags += self._spelled()
        self.at = stop
        return Tagged(node.span, node, tuple(sorted(tags)))

    def _tags(self) -> kinds.Kinds:
        token = self.take()
        try:
            return kinds.parse(token.text)
        except units.UnitError as error:
            message, _, hint = str(error).partition(": ")
            near = nearest(token.text, kinds.names()) if hint else ""
            raise CalcError("unknown-kind", f"{message}{near}", token.span, hint=hint) from error

    def _as_tagged(self, node: Node, tight: bool = False) -> Node:
        """`as dense` binds to the nearest part that bears a kind; `as MFU` to the whole line."""
        while self.is_word("as"):
            found = self._kind_after(advance=False)
            sized = tight and found in _SIZES and isinstance(node, Quantity | Tagged)
            if not found or found in vocabulary.UTILIZATION or not (tree.is_tagged(node) or sized):
                return node
            self._kind_after()
            self.take()
            node = self._read(node, found)
        return node

    def _kind_after(self, advance: bool = True) -> str:
        """The kind behind `as`, `in`, `to` or an arrow, with the position on its last token; "" for a unit."""
        start = self.peek(1).span[0]
        words = 1 if self.peek(1).text in (*_SIZES, *vocabulary.UTILIZATION) else self._kind_words(1)
        if not words:
            return ""
        text = self.line[start : self.peek(words).span[1]]
        self.at += words if advance else 0
        return text

    def _read(self, node: Node, text: str) -> Node:
        axis, value = ("capacity", text) if text in _SIZES else kinds.named(text)
        return Read((node.span[0], self.tokens[self.at - 1].span[1]), node, axis, value)


def _is_kind(text: str) -> bool:
    try:
        kinds.named(text)
    except units.UnitError:
        return False
    return True

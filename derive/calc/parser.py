"""The grammar of a line, from the loosest binding to the tightest.

    line     = comparison (("as" | "->" | "in" | "to") unit-or-kind)*
    compare  = sum (("<" | "<=" | ">" | ">=" | "==") sum)?
    sum      = term (("+" | "-") term)*
    term     = sign (("*" | "/") sign)*
    sign     = "-" sign | per
    per      = factor ("per" factor)*
    factor   = (number units | units | name | function | "(" line ")") power units "%" [kinds] "as" kind

A number binds the units written with it: 16 GB / 3.35 TB/s divides by a rate.
Every loop ends with the tokens, and nesting and the number of operators are bounded.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from keyword import iskeyword

from derive.calc import misread, tree, vocabulary
from derive.calc.chain import Slash
from derive.calc.errors import CalcError, Span
from derive.calc.lexer import Token
from derive.calc.literal import respanned
from derive.calc.tagging import KindReader
from derive.calc.tree import Call, Convert, Entry, Node, Number, Quantity, Unary, is_measured
from units import kinds
from units.kinds import Kinds

_PERCENT = ((tree.Unit("%", Fraction(1, 100), ()), Fraction(1)),)
_LONGEST_LABEL = 8
_COMPARISONS = ("<", "<=", ">", ">=", "==")
_OPENING = {"(": ")", "⌈": "⌉", "⌊": "⌋"}


class Parser(KindReader):
    """One reading of one line: `Parser(line).parse()`."""

    def parse(self) -> Node:
        """The whole line. Raises CalcError."""
        label = self._label()
        node = self._line()
        if isinstance(label, str):
            node = self._read(node, label)
        elif label is not None:
            node = replace(label, span=node.span, operand=node)
        if self.peek().kind == "=" and self.peek(1).kind in ("end", "?"):
            self.take()
        if self.peek().kind == "?":
            self.take()
        if self.peek().kind != "end":
            raise self._trailing(self.peek())
        return node

    def _label(self) -> Convert | str | None:
        """Pass over a spreadsheet's `=` or the name in `KV cache = …` and `KV cache: …`.

        Returns the name of a utilization, or the unit in `tokens/s = …`, in which the value is due.
        """
        length = 0
        while self.peek(length).kind in ("name", "/", "-", "(", ")") and length < _LONGEST_LABEL:
            length += 1
        sign = self.peek(length)
        words = [token.text for token in self.tokens[:length] if token.kind == "name"]
        if (
            sign.kind not in ("=", ":")
            or self.peek(length + 1).kind == "end"
            or iskeyword("".join(words[:1]))
        ):
            return None
        if length and all(vocabulary.is_unit(word) or word in self.letters for word in words):
            if length == 1:
                return None
            unit = Parser(self.line[: sign.span[0]], self.letters).parse_target()
            self.at += length + 1
            return unit
        self.at += length + 1
        return words[-1] if words and words[-1] in vocabulary.UTILIZATION else None

    def parse_target(self) -> Convert:
        """A line that holds a unit only, as `--to` gives it. Raises CalcError."""
        node = self._target(Number((0, 0), Fraction(1), 1, True))
        if self.peek().kind in ("/", "*") and self.peek(1).kind == "name":
            self.take()
        if self.peek().kind == "name":
            raise self.unknown(self.take())
        if self.peek().kind != "end":
            raise CalcError(
                "syntax", f"{self.line[:60]!r} is no unit", hint="give a unit such as GB, token/s or GPU-hour"
            )
        return node

    def _line(self) -> Node:
        node = self._comparison()
        while True:
            if self.peek().kind == "->" or self.is_word("in", "to", "as"):
                found = self._kind_after()
                self.take()
                node = self._read(node, found) if found else self._target(node)
            else:
                return node

    def _target(self, node: Node) -> Convert:
        start = self.peek().span[0]
        if self.peek().kind == "%":
            self.take()
            uses: tree.Uses = _PERCENT
        elif self.is_word("dimensionless"):
            self.take()
            uses = ()
        elif self._at_share() and self.peek().kind == "name":
            token = self.take()
            return Convert((node.span[0], token.span[1]), node, (), (kinds.named(token.text),), token.text)
        else:
            if self.peek().kind == "number" and self.peek().text == "1":
                self.take()
            uses = self.chain("", self.at > 0 and self.tokens[self.at - 1].text == "1")
            if not uses:
                raise self._no_unit(self.peek())
        shown = self.line[start : self.tokens[self.at - 1].span[1]]
        tags = self._tags() if self.peek().kind == "tag" else ()
        return Convert((node.span[0], self.tokens[self.at - 1].span[1]), node, uses, tags, shown)

    def _no_unit(self, token: Token) -> CalcError:
        words = self._kind_words()
        if words:
            kind = self.line[token.span[0] : self.peek(words - 1).span[1]]
            return CalcError(
                "syntax", f"{kind} is a kind, no unit", token.span, hint=f"write … as {kind} in the line"
            )
        if token.kind == "name":
            self.take()
            return self.unknown(token)
        return CalcError(
            "syntax", "a unit is due here", token.span, hint="write -> GB, in token/s or to GPU-hours"
        )

    def _comparison(self) -> Node:
        node = self._sum()
        if self.peek().kind in _COMPARISONS:
            operator = self._operator().kind
            node = self._binary(operator, node, self._sum())
        return node

    def _sum(self) -> Node:
        node = self._term()
        while self.peek().kind in ("+", "-") or self.is_word("plus", "minus"):
            operator = "+" if self._operator().text in ("+", "plus") else "-"
            node = self._binary(operator, node, self._term())
        return self._as_tagged(node)

    def _term(self) -> Node:
        node = self._sign("")
        slash: Slash = ""
        while True:
            token = self.peek()
            if token.kind == "*" or self.is_word("times", "x"):
                self._operator()
                slash = ""
                node = self._binary("*", node, self._sign(""))
            elif token.kind == "/" or (self.is_word("divided") and self.is_word("by", ahead=1)):
                slash = "tight" if self.tight() else "spaced"
                self._operator()
                if token.kind == "name":
                    self.take()
                grouped = self.peek().kind in _OPENING
                divisor = self._sign(slash)
                if isinstance(divisor, Quantity) and divisor.explicit and not grouped:
                    self.bound = self.bound or not is_measured(node)
                node = self._binary("/", node, divisor)
            elif self.is_word("of"):
                node = self._of(node)
            elif not self._at_share() and (
                token.kind in _OPENING or token.kind == "constant" or self._at_function() or self._at_letter()
            ):
                if slash:
                    raise CalcError(
                        "ambiguous",
                        "after a division, what does this multiply?",
                        token.span,
                        why="a/b(c) is read as (a/b)·c by some and as a/(b·c) by others",
                        hint="write * and parentheses",
                    )
                self._count()
                node = self._binary("*", node, self._sign(""))
            else:
                return self._as_tagged(self._shares(node))

    def _of(self, node: Node) -> Node:
        """40% of 989 TFLOP/s multiplies; 14 GB of weights is a remark."""
        following = self.peek(1)
        if following.kind in ("number", "(", "constant", "$") or not is_measured(node):
            self._operator()
            return self._binary("*", node, self._sign(""))
        here = self._operator().span[0]
        while self.peek().kind == "name" and not self.is_word(*vocabulary.RESERVED):
            self.take()
        remark = self.line[here : self.tokens[self.at - 1].span[1]]
        if remark.strip() == "of":
            raise CalcError(
                "syntax", "of what?", (here, here + 2), hint="write 40% of 989 TFLOP/s, or leave it out"
            )
        self.notes.append(f"“{remark}” is a remark")
        return node

    def _sign(self, slash: Slash) -> Node:
        token = self.peek()
        if token.kind not in ("-", "+", "~"):
            return self._per(slash)
        self._operator()
        with_sign = self._deeper(lambda: self._sign(slash))
        return Unary((token.span[0], with_sign.span[1]), with_sign) if token.kind == "-" else with_sign

    def _per(self, slash: Slash) -> Node:
        node = self._factor(slash)
        while self.is_word("per"):
            self._operator()
            node = self._binary("/", node, self._factor("spaced"))
        return node

    def _factor(self, slash: Slash) -> Node:
        closed = self.peek().kind in _OPENING or not self._at_literal()
        node = self._primary(slash)
        if closed and self.peek().kind in ("^", "power"):
            node = self._raised(node)
        if closed and self.at_unit():
            uses = self.chain(slash, True)
            node = Quantity((node.span[0], self.tokens[self.at - 1].span[1]), node, uses, True)
        if isinstance(node, Number):
            node = self._kinds_before_unit(node, slash)
        percent = self.peek().kind == "%"
        if percent:
            last = self.take().span[1]
            node = Quantity((node.span[0], last), node, _PERCENT, True)
        whole = bool(slash) and not percent  # 535 / 989 MFU: the quotient is the utilization
        while self._at_kind() and not (whole and self._at_share()):
            node = self._with_tags(node)
        if not whole and not is_measured(node):
            node = self._shares(node)
        return self._as_tagged(node, tight=True)

    def _primary(self, slash: Slash) -> Node:
        if self._at_literal():
            return self._literal(slash)
        return self.atom()

    def _at_literal(self) -> bool:
        token = self.peek()
        money = token.kind == "$" and self.peek(1).kind == "number"
        letter_or_call = self._at_letter() or self._at_function()
        return (
            token.kind == "number"
            or money
            or self._at_multiplier()
            or (not letter_or_call and self.at_unit())
        )

    def _literal(self, slash: Slash) -> Node:
        token = self.peek()
        numbered = token.kind in ("number", "$") and self.peek(token.kind == "$").kind == "number"
        if numbered or self._at_multiplier():
            return self._number(slash)
        uses = self.chain(slash, False)
        one = Number((token.span[0], token.span[0]), Fraction(1), 1, True)
        return Quantity((token.span[0], self.tokens[self.at - 1].span[1]), one, uses, False)

    def atom(self) -> Node:
        """A constant, a function's value, a letter, or a line in parentheses."""
        token = self.peek()
        if token.kind == "constant" and not token.text.startswith(vocabulary.MODULES):
            return self._entry()
        if self._at_function():
            return self._call()
        if self._at_letter():
            self.take()
            return tree.Name(token.span, token.text)
        if token.kind in _OPENING:
            return self._group_of(token)
        raise self._missing(token)

    def _group_of(self, token: Token) -> Node:
        self._operator()
        inner = self._deeper(self._line)
        closing = self.take()
        if closing.kind != _OPENING[token.kind]:
            raise self._unclosed(token, closing, token.kind)
        span = (token.span[0], closing.span[1])
        function = {"⌈": "ceil", "⌊": "floor"}.get(token.kind)
        return Call(span, function, (inner,)) if function else respanned(inner, span)

    def _entry(self) -> Node:
        token = self.take()
        entry, _, role = token.text.rpartition(".")
        tags: Kinds = ()
        stop = token.span[1]
        if self.peek().kind == "tag":
            stop = self.peek().span[1]
            tags = self._tags()
        return Entry((token.span[0], stop), entry, role, tags)

    def _at_function(self) -> bool:
        token = self.peek()
        return (
            token.kind in ("name", "constant")
            and self.peek(1).kind == "("
            and _function(token.text) is not None
        )

    def _at_letter(self) -> bool:
        return self.peek().kind == "name" and self.peek().text in self.letters

    def _call(self) -> Node:
        token = self.take()
        function = _function(token.text) or ""
        self._operator()
        arguments: list[Node] = []
        while True:
            arguments.append(self._deeper(self._line))
            separator = self.take()
            if separator.kind == ")":
                break
            if separator.kind != ",":
                raise self._unclosed(token, separator, f"{token.text}(")
        wanted = vocabulary.FUNCTIONS[function]
        if (wanted and len(arguments) != wanted) or (not wanted and len(arguments) < 2):
            due = "one argument" if wanted else "two or more arguments"
            raise CalcError(
                "syntax",
                f"{token.text} takes {due}, not {len(arguments)}",
                (token.span[0], separator.span[1]),
                hint=f"write {function}(x)" if wanted else f"write {function}(a, b)",
            )
        return Call((token.span[0], separator.span[1]), function, tuple(arguments))

    def _unclosed(self, opening: Token, found: Token, shown: str) -> CalcError:
        """A parenthesis at whose end something else stands."""
        if found.kind not in ("end", ")", "⌉", "⌋"):
            self.at -= 1
            return self._trailing(found)
        closing = _OPENING.get(opening.kind, ")")
        return CalcError("syntax", f"this {shown} is not closed", opening.span, hint=f"add {closing}")

    def _missing(self, token: Token) -> CalcError:
        if token.kind == "name" and not self.is_word(*vocabulary.RESERVED):
            self.take()
            return self.unknown(token)
        span: Span = token.span if token.kind != "end" else (len(self.line), len(self.line) + 1)
        if token.kind == "end":
            return CalcError(
                "syntax",
                "the line ends where a value is due",
                span,
                hint="complete it, or drop the last operator",
            )
        return CalcError(
            "syntax", f"a value is due before {token.text[:20]!r}", span, hint="give a number with its unit"
        )

    def _trailing(self, token: Token) -> CalcError:
        """The refusal of what stands behind a complete line, or where a parenthesis should close."""
        if token.kind in _COMPARISONS:
            return CalcError("syntax", "one comparison a line", token.span, hint="compare two values")
        plain = token.kind == "name" and not self.is_word(*vocabulary.RESERVED)
        if plain and not vocabulary.is_unit(token.text):
            self.take()
            return self.unknown(token)
        return misread.out_of_place(token.kind, token.text, token.span)


def _function(text: str) -> str | None:
    name = text.rpartition(".")[2].lower() if text.startswith(vocabulary.MODULES) else text.lower()
    name = vocabulary.SPELLED_FUNCTIONS.get(name, name)
    return name if name in vocabulary.FUNCTIONS else None


def unit_of(text: str) -> tree.Uses:
    """The units of a unit's text, such as "GB/s". Raises CalcError."""
    return Parser(text).parse_target().uses

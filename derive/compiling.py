"""Compiling: a formula as a plain vectorised function of its letters, in base units.

Floats or NumPy arrays go in and the same come out; unit symbols are 1. Every
product begins with a float, so that integer inputs are promoted before a
product of them could overflow (NumPy's int64 wraps silently): 4·T²·d becomes
`4.0*T*T*d`. Powers with small whole exponents are products for the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.printing.numpy import NumPyPrinter

from derive.errors import DeriveError
from derive.symbols import letters_of, without_units
from derive.total import expanded

if TYPE_CHECKING:
    from derive.derivation import Derivation

_WHOLE = 4


class _FloatFirst(NumPyPrinter):
    """NumPy source in which integers become floats before they are multiplied.

    Three habits keep that free of charge: numeric content is drawn out of sums to
    stand in front, a quotient divides before it multiplies on, and a letter that
    several terms of a sum share is factored out.
    """

    def _print_Integer(self, node: sympy.Integer) -> str:
        return f"{float(int(node))!r}"

    def _print_Rational(self, node: sympy.Rational) -> str:
        return f"{float(node)!r}"

    def _print_Max(self, node: sympy.Max) -> str:
        return self._chained("maximum", node)

    def _print_Min(self, node: sympy.Min) -> str:
        return self._chained("minimum", node)

    def _chained(self, function: str, node: sympy.Expr) -> str:
        texts = [self._print(argument) for argument in node.args]
        whole: str = texts[0]
        for text in texts[1:]:
            whole = f"{self._module_format('numpy.' + function)}({whole}, {text})"
        return whole

    def _print_Add(self, node: sympy.Add, order: Any = None) -> str:
        shared = _shared_letter(node)
        if shared is None:
            text: str = super()._print_Add(node, order=order)
            return text
        inside = sympy.Add(*(term / shared for term in node.args if term.has(shared)))
        outside = [self._print(term) for term in node.args if not term.has(shared)]
        return " + ".join([self._print(sympy.Mul(shared, inside, evaluate=False)), *outside])

    def _print_Mul(self, node: sympy.Mul) -> str:
        return self._quotient(node.args)

    def _print_Pow(self, node: sympy.Pow, **_options: Any) -> str:
        base, exponent = node.as_base_exp()
        if base.is_Rational:
            return f"({self._print(base)})**({self._print(exponent)})"
        return self._quotient((node,))

    def _quotient(self, factors: tuple[sympy.Expr, ...]) -> str:
        number = sympy.Integer(1)
        above: list[str] = []
        below: list[str] = []
        for factor in factors:
            base, exponent = factor.as_base_exp()
            if factor.is_Rational:
                number *= factor
                continue
            if isinstance(base, sympy.Add) and exponent.is_Integer:
                content, base = base.primitive()
                number *= content**exponent
            inverted = exponent.is_number and exponent.is_negative
            (below if inverted else above).extend(self._texts(base, -exponent if inverted else exponent))
        above.sort(key=lambda text: ".0" not in text)  # a sum with a constant in it is a float already
        bare = len(above) > 1 and ".0" not in above[0] and not below
        if number != 1 or bare or not above:
            above.insert(0, f"{float(number)!r}")
        return "/".join([above[0], *below]) + "".join(f"*{text}" for text in above[1:])

    def _texts(self, base: sympy.Expr, exponent: sympy.Expr) -> list[str]:
        """The factors of a power: a small whole one as repeated factors."""
        inner = self._print(base)
        text = inner if base.is_Symbol or base.is_Function else f"({inner})"
        if exponent.is_Integer and 0 < exponent <= _WHOLE:
            return [text] * int(exponent)
        if exponent == sympy.Rational(1, 2):
            return [f"{self._module_format('numpy.sqrt')}({inner})"]
        return [f"(1.0*{text})**({self._print(exponent)})"]


def _shared_letter(node: sympy.Add) -> sympy.Symbol | None:
    """A letter that several products of letters in a sum have as a factor."""
    products = [term for term in node.args if isinstance(term, sympy.Mul) and len(term.free_symbols) > 1]
    counts = {
        symbol: sum(symbol in term.args for term in products)
        for symbol in sorted(node.free_symbols, key=lambda s: s.name)
    }
    best = max(counts, key=lambda symbol: counts[symbol], default=None)
    return best if best is not None and counts[best] > 1 else None


def compile_formula(derivation: Derivation) -> Callable[..., Any]:
    """The result as a function of its letters by name, f(T=…, d=…), in base units.

    Letters that a chain puts a default for are no arguments; `compile_expression`
    takes any formula. Raises DeriveError for a formula without an array form.
    """
    return compile_expression(derivation.result, derivation.name)


def compile_expression(formula: sympy.Expr, name: str = "formula") -> Callable[..., Any]:
    """A formula as a function of its letters by name, in base units: floats or arrays in, the same out."""
    return compile_over(letters_of(formula), formula, name)


def compile_over(symbols: Sequence[sympy.Symbol], formula: sympy.Expr, name: str) -> Callable[..., Any]:
    """`compile_expression` with its arguments in the order of `symbols`."""
    plain = without_units(expanded(formula)).doit()
    if plain.has(sympy.Sum, sympy.Product):
        raise DeriveError(f"{name} has a sum that does not close: it cannot be compiled")
    if plain.has(AppliedUndef):
        raise DeriveError(f"{name} is computed case by case: it has no formula to compile")
    printer = _FloatFirst(
        {"fully_qualified_modules": False, "inline": True, "allow_unknown_functions": False}
    )
    # letters of two chapters may share a name, arguments may not
    alike = len({symbol.name for symbol in symbols}) < len(symbols)
    function: Callable[..., Any] = sympy.lambdify(
        symbols, plain, modules="numpy", printer=printer, dummify=alike
    )
    return function

"""How derivations, steps and evaluations show themselves in a notebook: as text, Markdown and LaTeX.

Units are dropped from formulas, as in `derive show`. For documents there is `reports`.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy.printing.latex import translate

import units
from derive.derivation import Derivation, step_statement
from derive.facts import Fact
from derive.filling import Filled
from derive.proofs.verdict import shown
from derive.result import Evaluation
from derive.rounding import is_rounded, readable_unit
from derive.steps import Approx, Put, Solve, Step, Use
from derive.symbols import UnitSymbol, letters_of, without_units

Bundle = dict[str, str]
"""Texts by MIME type."""

_SIGNS = {"=": "=", "put": "=", "solve": "=", "≈": r"\approx", "≤": r"\leq", "≥": r"\geq"}
_SPECIAL = {"%": r"\%", "_": r"\_", "&": r"\&", "#": r"\#", "$": r"\$", "{": r"\{", "}": r"\}", "µ": r"\mu "}


def derivation_bundle(derivation: Derivation) -> Bundle:
    """The title, the chain with its reasons, and the facts."""
    name, unit = derivation.letter, derivation.unit
    head = f"{derivation.title} [{unit}]"
    facts = [f"{_stated(name, fact)}: {fact.because}" for fact in derivation.facts]
    lines = [f"{name} = {shown(derivation.start)}"]
    items, aligned = [], [f"{_name(name)} &= {_latex(derivation.start)}"]
    for number, (before, step) in enumerate(zip(derivation.chain, derivation.steps, strict=False), 1):
        after = step.after(before)
        told = "" if isinstance(step, Put | Use) else f"{step.relation.replace('solve', '=')} {shown(after)}"
        lines.append(f"({number}) {told or step_statement(step, before)}  — {step.because}")
        sign = _SIGNS[step.relation]
        items.append(f"{number}. {_markdown(step.because)}: ${_name(name)} {sign} {_latex(after)}$")
        aligned.append(rf"&{sign} {_latex(after)} && \text{{{_escaped(step.because)}}}")
    own = f" `{derivation.id}`" if derivation.id else ""
    start = f"$${_name(name)} = {_latex(derivation.start)}$$"
    bullets = [f"- {_markdown(fact)}" for fact in facts]
    blocks = [f"**{_markdown(derivation.title)}**{own} [{unit}]", start, "\n".join(items), "\n".join(bullets)]
    return {
        "text/plain": "\n".join([head, *lines, *facts]),
        "text/markdown": "\n\n".join(block for block in blocks if block),
        "text/latex": "\\begin{align*}\n" + " \\\\\n".join(aligned) + "\n\\end{align*}",
    }


def step_bundle(step: Step) -> Bundle:
    """What a link says, and why."""
    if isinstance(step, Put):
        plain = f"put {step.letter} = {shown(step.value)}"
        latex = f"{_latex(step.letter)} = {_printed(step.value)}"
    elif isinstance(step, Use):
        plain = f"put {step.letter} = {shown(step.derivation.general)}"
        latex = f"{_latex(step.letter)} = {_latex(step.derivation.general)}"
    elif isinstance(step, Solve):
        plain = f"solve {shown(step.left)} = {shown(step.right)}: {step.letter} = {shown(step.gives)}"
        latex = rf"{_latex(step.left)} = {_latex(step.right)} \Rightarrow {_latex(step.letter)} = {_latex(step.gives)}"
    else:
        right = step.after(sympy.Integer(1))  # what stands right of =, ≈, ≤ and ≥ does not depend on the left
        plain = f"{step.relation} {shown(right)}"
        latex = f"{_SIGNS[step.relation]} {_latex(right)}"
        if isinstance(step, Approx):
            plain += f", relative error at most {shown(step.error_at_most)}"
            latex += rf" \quad \left(\text{{relative error}} \leq {_latex(step.error_at_most)}\right)"
    return {
        "text/plain": f"{plain}  — {step.because}",
        "text/markdown": f"${latex}$ — {_markdown(step.because)}",
        "text/latex": f"${latex}$",
    }


def evaluation_bundle(evaluation: Evaluation) -> Bundle:
    """The value with its formula, and where each number came from."""
    name = evaluation.derivation.letter
    latex = f"{_name(name)} = {_latex(evaluation.formula)}"
    relation = _relation(evaluation)
    rows = [
        f"| ${_latex(filled.letter)}$ | {_input(filled)} | {_markdown(filled.source)} |"
        for filled in evaluation.inputs
    ]
    table = "\n".join(["| letter | value | from |", "| --- | --- | --- |", *rows])
    value = f"${latex}$ {relation} **{_markdown(evaluation.text)}**"
    return {
        "text/plain": f"{name} {relation} {evaluation.text}",
        "text/markdown": f"{value}\n\n{table}" if rows else value,
        "text/latex": f"${latex} {_SIGNS[relation]} \\text{{{_escaped(evaluation.text)}}}$",
    }


def _relation(evaluation: Evaluation) -> str:
    """≈ where the value's text has fewer digits than the value, else =."""
    if not isinstance(evaluation.value, Fraction) or evaluation.text.split()[0] == str(evaluation.exact()):
        return "="
    scaled = evaluation.unit == evaluation.derivation.unit
    unit = readable_unit(evaluation.exact(), evaluation.unit) if scaled else evaluation.unit
    return "≈" if is_rounded(evaluation.exact(unit)) else "="


def _input(filled: Filled) -> str:
    unit = filled.letter.unit
    value = filled.amount * units.factor(unit)[0] / units.factor(readable_unit(filled.amount, unit))[0]
    exact = filled.text.split()[0] == str(value) or not is_rounded(value, 6)
    return _markdown(filled.text if exact else f"≈ {filled.text}")


def _stated(name: str, fact: Fact | Approx) -> str:
    if isinstance(fact, Approx):
        return f"{name} ≈ {shown(fact.right)} with a relative error of at most {shown(fact.error_at_most)}"
    return fact.statement(name)


def _latex(expression: sympy.Expr) -> str:
    return _printed(without_units(expression))


def _printed(expression: sympy.Expr) -> str:
    names = {one: rf"\ \mathrm{{{one.unit}}}" for one in expression.atoms(UnitSymbol)}
    return str(
        sympy.latex(expression, symbol_names=names | {one: _name(one.name) for one in letters_of(expression)})
    )


def _name(name: str) -> str:
    """A letter as LaTeX; a word in italics as one, so that KV is no product."""
    base, _, below = name.partition("_")
    shown = translate(base) if len(base) > 1 else base
    if len(base) > 1 and not shown.startswith("\\"):
        shown = rf"\mathit{{{base}}}"
    return (
        rf"{shown}_{{\mathrm{{{below}}}}}"
        if len(below) > 1
        else f"{shown}_{{{below}}}"
        if below
        else str(shown)
    )


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(sign, sign) for sign in text)


def _markdown(text: str) -> str:
    """Text in which Markdown finds no emphasis, code, table cell or formula."""
    return "".join(f"\\{sign}" if sign in "*_`|$<[\\" else sign for sign in text)

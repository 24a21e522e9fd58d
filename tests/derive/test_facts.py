"""Facts about a result, and that a fact cannot speak of anything else."""

from __future__ import annotations

import pytest
import sympy

from derive.derivation import Derivation
from derive.errors import DeclarationError, DimensionError
from derive.facts import (
    AtLeast,
    Ceiling,
    Difference,
    Fact,
    Identity,
    Inequality,
    Limit,
    NoSolution,
    Regime,
    SpecialCase,
)
from derive.ledger import Ledger
from derive.steps import Approx, Equal, Put, Solve
from derive.symbols import BYTE, FLOP, SECOND, count, number, quantity

T, d, n = count("T", "sequence length"), count("d", "head dimension"), count("n", "devices")
B = count("B", "batch")
x = number("x", "any ratio")
e = quantity("e", "size of an element", "byte")
F, Q = quantity("F", "operations", "FLOP"), quantity("Q", "bytes", "byte")
P, W = quantity("P", "peak", "FLOP/s"), quantity("W", "bandwidth", "byte/s")
R = quantity("R", "ridge point", "FLOP/byte")
oo = sympy.oo
NAIVE = T * d * FLOP / (e * (T + d))
LIMIT = d * FLOP / e


def intensity(*facts: Fact | Approx) -> Derivation:
    return Derivation("I", "Intensity", unit="FLOP/byte", start=NAIVE, facts=facts)


def time(*facts: Fact) -> Derivation:
    return Derivation("t", "Time", unit="s", start=sympy.Max(F / P, Q / W), facts=facts)


def outcomes(derivation: Derivation) -> list[str]:
    return [link.verdict.outcome for link in derivation.verify()]


@pytest.mark.parametrize(
    ("fact", "outcome"),
    [
        (Limit(T, oo, LIMIT, because="long"), "proved"),
        (Limit(T, oo, 2 * LIMIT, because="long"), "refuted"),
        (Limit(T, 0, 0, because="short"), "proved"),
        (Limit(n, oo, LIMIT, because="no n"), "refuted"),
        (Limit((T, d), oo, oo, because="both"), "proved"),
        (Limit((T, d), 0, 0, because="both"), "proved"),
        (Limit(T, oo, FLOP / e, put={d: 1}, because="narrow"), "proved"),
        (Limit(T, oo, LIMIT, put={n: 1}, because="no n"), "refuted"),
        (SpecialCase({d: T}, T * FLOP / (2 * e), because="square"), "proved"),
        (SpecialCase({d: T}, T * FLOP / e, because="square"), "refuted"),
        (SpecialCase({n: 1}, NAIVE, because="no n"), "refuted"),
        (
            Inequality(NAIVE, "<", x * FLOP / BYTE, where=x * FLOP / BYTE > NAIVE, because="a threshold"),
            "proved",
        ),
        (Inequality(NAIVE, ">", x * FLOP / BYTE, because="any threshold"), "refuted"),
        (Identity(3 * NAIVE, NAIVE + 2 * NAIVE, because="thrice"), "proved"),
        (Identity(3 * NAIVE, 2 * NAIVE, because="twice"), "refuted"),
    ],
)
def test_facts_of_an_intensity(fact: Fact, outcome: str):
    assert outcomes(intensity(fact)) == [outcome]


@pytest.mark.parametrize(
    ("fact", "outcome"),
    [
        (Regime(F / P, when=F / Q >= P / W, because="above the ridge"), "proved"),
        (Regime(Q / W, when=F / Q <= P / W, because="below the ridge"), "proved"),
        (Regime(F / P, when=F / Q >= 2 * P / W, because="far above"), "proved"),
        (Regime(F / P, when=F / Q >= P / (2 * W), because="near"), "refuted"),
        (Regime(F / P, when=F / Q <= P / W, because="reversed"), "refuted"),
        (Regime(F / W * SECOND / SECOND, when=F / Q >= P / W, because="no branch"), None),
        (Regime(2 * F / P, when=F / Q >= P / W, because="no branch"), "refuted"),
        (Limit((F, Q), 0, 0, because="nothing to do"), "proved"),
        (Limit(P, oo, Q / W, because="only memory"), "proved"),
    ],
)
def test_facts_of_a_time(fact: Fact, outcome: str | None):
    if outcome is None:
        with pytest.raises(DimensionError, match="where s is due"):
            time(fact)
    else:
        assert outcomes(time(fact)) == [outcome]


def test_regime_of_a_formula_without_branches_is_an_equality():
    fact = Regime(NAIVE, when=d <= T, because="everywhere, in fact")
    assert outcomes(intensity(fact)) == ["proved"]


def test_an_inequality_needs_both_sides_to_belong_here():
    approached = Limit(T, oo, LIMIT, because="long")
    assert (
        outcomes(intensity(approached, Inequality(NAIVE, "<", LIMIT, because="from below"))) == ["proved"] * 2
    )
    assert outcomes(intensity(approached, Inequality(NAIVE, ">", LIMIT, because="from above"))) == [
        "proved",
        "refuted",
    ]
    strange = intensity(Inequality(NAIVE, "<", LIMIT, because="LIMIT stands nowhere else")).verify()[0]
    assert strange.verdict.outcome == "refuted"
    assert strange.verdict.reason.startswith("d/e is no expression of this derivation: give one of its chain")
    other = Derivation("I", "The limit", unit="FLOP/byte", start=LIMIT)
    assert outcomes(intensity(Inequality(NAIVE, "<", other.whole, because="from below"))) == ["proved"]


@pytest.mark.parametrize(
    ("of", "known"),
    [
        (NAIVE, True),
        (2 * NAIVE * T, True),
        (T * d * FLOP / (e * (T + 2 * d)), False),
        (T / (T + 1), False),
        (Ledger(("scores", T**2 * e), ("rest", T * d * e)).total / (T**2 * e), True),
    ],
)
def test_what_a_fact_is_of_must_belong_here(of: sympy.Expr, known: bool):
    value = sympy.limit(of.doit() if not of.has(Ledger) else of, T, oo)
    link = intensity(Limit(T, oo, value, of=of, because="long")).verify()[0]
    assert link.verdict.proved is known


def test_a_limit_in_a_letter_that_cancels_is_refused():
    of = Ledger(("scores", T**2 * e)).total / (T**2 * e)
    link = intensity(Limit(T, oo, 1, of=of, because="the same")).verify()[0]
    assert link.verdict.reason == "T cancels in (T**2*e)/(T**2*e): it does not depend on it"


def test_a_branch_of_the_chain_may_be_spoken_of():
    fact = Limit(P, oo, 0, of=F / P, because="infinitely fast")
    assert outcomes(time(fact)) == ["proved"]


def test_no_solution_of_an_equation_and_of_a_result():
    left = 2 * B * d * FLOP / (e * (2 * B + d))
    gives = R * e * d / (2 * (d * FLOP - R * e))
    solve = Solve(B, left, R, gives=gives, where=d * FLOP > R * e, because="the ridge")
    for when, expected in ((d * FLOP <= R * e, "proved"), (d * FLOP > R * e, "refuted")):
        none = NoSolution(when=when, says="no batch", because="the intensity stays below d/e")
        found = Derivation("B", "Batch", unit="dimensionless", start=B, steps=[solve], facts=[none])
        assert outcomes(found) == ["proved", expected]


@pytest.mark.parametrize(("times", "outcome"), [(1, "proved"), (2, "refuted")])
def test_no_solution_where_the_result_is_not_above_zero(times: int, outcome: str):
    none = NoSolution(when=sympy.Le(Q, times * T * e), says="full", because="no room")
    room = Derivation("M", "Room", unit="byte", start=Q - T * e, facts=[none])
    assert outcomes(room) == [outcome]


def test_difference_of_two_ledgers_names_the_rows():
    full = Ledger(("S", T**2 * e), ("Q", T * d * e), title="full")
    flash = Ledger(("Q", T * d * e), ("log-sum-exp", 4 * T * BYTE), title="flash")
    fact = Difference(flash, full, 4 * T * BYTE - T**2 * e, because="the scores stay on chip")
    assert [row.what for row in fact.dropped] == ["S"]
    assert [row.what for row in fact.added] == ["log-sum-exp"]
    assert fact.statement("M").endswith("(dropped: S; added: log-sum-exp)")
    assert outcomes(Derivation("M", "Memory", unit="byte", start=flash, facts=[fact])) == ["proved"]
    wrong = Difference(flash, full, 4 * T * BYTE - 2 * T**2 * e, because="twice")
    assert outcomes(Derivation("M", "Memory", unit="byte", start=flash, facts=[wrong])) == ["refuted"]
    with pytest.raises(DimensionError, match="the ledgers differ by byte, not by FLOP"):
        Derivation(
            "M", "Memory", unit="byte", start=flash, facts=[Difference(flash, full, T * FLOP, because="no")]
        )


def test_ceiling_holds_exactly_where_the_numbers_can_be_true():
    share = F / (P * SECOND)

    def under(where: sympy.Basic, limit: int = 1) -> list[str]:
        fact = Ceiling(limit, where=where, because="nothing beats its peak", causes=("another precision",))
        return outcomes(Derivation("u", "Utilization", unit="dimensionless", start=share, facts=[fact]))

    assert under(sympy.Le(F, P * SECOND, evaluate=False)) == ["proved"]
    assert under(sympy.Le(F, 2 * P * SECOND, evaluate=False)) == ["refuted"]
    assert under(sympy.Le(2 * F, P * SECOND, evaluate=False)) == ["refuted"]
    with pytest.raises(DeclarationError, match="give a plain number"):
        Ceiling(x, where=F <= P * SECOND, because="no", causes=())


def test_at_least_another_derivation():
    less = Derivation("u", "Without recomputation", unit="FLOP", start=6 * T * FLOP)
    more = Derivation(
        "h",
        "With recomputation",
        unit="FLOP",
        start=8 * T * FLOP,
        facts=[AtLeast(less, because="more is done")],
    )
    assert outcomes(more) == ["proved"]
    wrong = Derivation("u", "Without", unit="FLOP", start=6 * T * FLOP, facts=[AtLeast(more, because="no")])
    assert outcomes(wrong) == ["refuted"]


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: Limit(T, oo, LIMIT, because=""), DeclarationError, "Limit without a reason"),
        (lambda: Limit((T, d), 5, LIMIT, because="no"), DeclarationError, "scales them together: to 0 or oo"),
        (
            lambda: SpecialCase({e: 2}, NAIVE, because="no"),
            DimensionError,
            "2 is a plain number, where byte is due",
        ),
        (lambda: Inequality(NAIVE, "=", LIMIT, because="no"), DeclarationError, "give one of <=, >=, <, >"),
        (
            lambda: intensity(Limit(T, oo, d, because="no")),
            DimensionError,
            "d is a plain number, where FLOP/byte is due",
        ),
        (
            lambda: intensity(Inequality(NAIVE, "<", d, because="no")),
            DimensionError,
            "they cannot be compared",
        ),
        (lambda: intensity(Identity(NAIVE, d, because="no")), DimensionError, "they cannot be compared"),
        (lambda: intensity(Approx(d, error_at_most=d / T, because="no")), DimensionError, "FLOP/byte is due"),
        (
            lambda: intensity(Limit(T, oo, BYTE, of=T / d, because="no")),
            DimensionError,
            "a plain number tends to byte",
        ),
        (lambda: intensity(Equal(NAIVE, because="no")), DeclarationError, "Equal does not belong in facts"),
        (lambda: intensity(Put(e, 2 * BYTE, because="no")), DeclarationError, "Put does not belong in facts"),
    ],
)
def test_refused_when_declared(make, kind: type[Exception], message: str):
    with pytest.raises(kind, match=message):
        make()


def test_statements_in_words():
    assert Limit(T, oo, LIMIT, because="long").statement("I") == "I → d/e as T → ∞"
    assert Limit((F, Q), 0, 0, because="none").statement("t") == "t → 0 as F, Q → 0⁺ together"
    assert Limit(T, oo, FLOP / e, put={d: 1}, because="x").statement("I") == "I → 1/e as T → ∞ with d = 1"
    assert SpecialCase({d: T}, T * FLOP / e, because="x").statement("I") == "I = T/e where d = T"
    assert Regime(F / P, when=F / Q > P / W, because="x").statement("t") == "t = F/P where F/Q > P/W"
    assert Inequality(T, ">=", d, because="x").statement("I") == "T ≥ d"


def test_regime_within_branches_and_at_a_tie():
    nested = sympy.Max(F / P, sympy.Min(Q / W, Q / (2 * W) + F / P))
    where = (F / P <= Q / (2 * W),)
    facts = [
        Regime(Q / (2 * W) + F / P, when=F / P <= Q / (2 * W), because="Q/W is more"),
        Regime(F / P, when=where, because="no"),
    ]
    assert outcomes(Derivation("t", "Time", unit="s", start=nested, facts=facts)) == ["proved", "refuted"]
    tie = Regime(F / P, when=sympy.Eq(F / P, Q / W), because="both are equal")
    assert outcomes(time(tie)) == ["proved"]

"""Derivations: the chain, what stays general, units, letters, and the order of the links."""

from __future__ import annotations

import pytest
import sympy

from derive.derivation import Derivation, step_statement
from derive.errors import DeclarationError, DimensionError
from derive.examples import Example
from derive.facts import Limit
from derive.ledger import Ledger
from derive.steps import Approx, Equal, Put, Use
from derive.symbols import BYTE, FLOP, count, number, quantity
from derive.total import Total

T, d = count("T", "sequence length"), count("d", "head dimension")
e, Q = quantity("e", "size of an element", "byte"), quantity("Q", "bytes moved", "byte")
W = quantity("W", "bandwidth", "byte/s")
work = Ledger(("S", 2 * T**2 * d * FLOP), ("O", 2 * T**2 * d * FLOP))
moved = Ledger(("Q, K, V, O", 4 * T * d * e), ("S and P", 4 * T**2 * e))
LIMIT = d * FLOP / (2 * BYTE)


def naive(**changed: object) -> Derivation:
    arguments: dict = {
        "unit": "FLOP/byte",
        "start": work.total / moved.total,
        "steps": [
            Equal(T * d * FLOP / (e * (T + d)), because="4T cancels"),
            Put(e, 2 * BYTE, because="bf16"),
            Equal(T * d * FLOP / (2 * (T + d) * BYTE), because="2 bytes"),
        ],
        "facts": [
            Limit(T, sympy.oo, LIMIT, because="long"),
            Approx(LIMIT, error_at_most=d / T, because="drop d"),
        ],
        "examples": [Example({"T": 4096, "d": 128}, "62.06 FLOP/byte")],
    }
    return Derivation("I", "Naive attention", **(arguments | changed))


def test_the_chain_and_its_ends():
    found = naive()
    assert len(found.chain) == 4
    assert found.chain[1] == T * d * FLOP / (e * (T + d))
    assert found.result == T * d * FLOP / (2 * (T + d) * BYTE)
    assert found.general == T * d * FLOP / (e * (T + d))
    assert found.defaults == {e: 2 * BYTE}
    assert [letter.name for letter in found.letters] == ["T", "d"]
    assert [letter.name for letter in found.all_letters] == ["T", "d", "e"]
    assert found.ledgers == [work, moved]
    assert isinstance(found.whole, Total)
    assert found.whole.doit() == found.result


def test_links_come_in_order_each_proved():
    links = naive().verify()
    assert [link.relation for link in links] == ["=", "put", "=", "→", "≈", "example"]
    assert [link.verdict.outcome for link in links] == ["proved"] * 6
    assert links[1].statement == "e = 2"
    assert links[3].statement == "I → d/2 as T → ∞"
    assert links[4].statement == "I ≈ d/2 with error at most d/T"
    assert links[5].statement == "I = 62.06 FLOP/byte at T = 4096, d = 128"
    assert all(link.seconds >= 0 for link in links)


def test_a_wrong_link_does_not_hide_the_others():
    steps = [
        Equal(2 * T * d * FLOP / (e * (T + d)), because="4T cancels"),
        Put(e, 2 * BYTE, because="bf16"),
        Equal(T * d * FLOP / ((T + d) * BYTE), because="2 bytes"),
    ]
    verdicts = [link.verdict for link in naive(steps=steps).verify()]
    assert [verdict.outcome for verdict in verdicts] == [
        "refuted",
        "proved",
        "proved",
        "refuted",
        "refuted",
        "refuted",
    ]
    assert verdicts[0].counterexample == {"T": "2", "d": "3", "e": "5"}


def test_a_derivation_may_start_from_another_or_from_a_ledger_or_a_number():
    traffic = Derivation("Q", "Traffic", unit="byte", start=moved, steps=[Put(e, 2 * BYTE, because="bf16")])
    assert traffic.general.doit() == 4 * T * d * e + 4 * T**2 * e
    time = Derivation("t", "Time", unit="s", start=Q / W, steps=[Use(Q, traffic)])
    assert time.uses == [traffic]
    assert sympy.simplify(time.result - (4 * T * d * e + 4 * T**2 * e) / W) == 0
    again = Derivation("Q", "Half", unit="byte", start=traffic, steps=[Put(d, 64, because="heads of 64")])
    assert again.starts_from is traffic
    assert again.uses == [traffic]
    assert sympy.expand(again.result) == 256 * T * e + 4 * T**2 * e
    assert Derivation("n", "One", unit="dimensionless", start=1).result == 1


def test_a_fixed_value_stays_in_the_general_result():
    found = Derivation(
        "I",
        "x",
        unit="FLOP/byte",
        start=T * d * FLOP / (e * (T + d)),
        steps=[Put(T, 1, because="one token", fixed=True), Put(e, 2 * BYTE, because="bf16")],
    )
    assert found.general == d * FLOP / (e * (1 + d))
    assert found.defaults == {e: 2 * BYTE}


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        (
            {"unit": "byte/FLOP"},
            DimensionError,
            "'Naive attention', start: .* is FLOP/byte, where byte/FLOP is due",
        ),
        (
            {"start": T + e},
            DimensionError,
            "'Naive attention', start: T is a plain number and e is byte|e is byte and T is",
        ),
        ({"steps": [Equal(T * d, because="x")]}, DimensionError, r"link 1 \(=\): T\*d is a plain number"),
        (
            {"steps": [Equal(work.total / moved.total, because="x"), Equal(T * FLOP, because="x")]},
            DimensionError,
            r"link 2 \(=\): T is FLOP",
        ),
        (
            {"facts": [Limit(T, sympy.oo, d, because="x")]},
            DimensionError,
            "'Naive attention', Limit: d is a plain number",
        ),
        (
            {"steps": [Limit(T, sympy.oo, LIMIT, because="x")]},
            DeclarationError,
            "Limit does not belong in steps",
        ),
        ({"examples": [LIMIT]}, DeclarationError, "does not belong in examples"),
        ({"start": "work"}, DeclarationError, "without quotes"),
        (
            {"start": work.total / moved.total * sympy.Symbol("h")},
            DeclarationError,
            "the symbol h has no meaning",
        ),
    ],
)
def test_refused_when_declared(changed: dict, kind: type[Exception], message: str):
    with pytest.raises(kind, match=message):
        naive(**changed)


def test_a_letter_has_one_meaning_in_a_derivation():
    other = number("d", "dropout rate")
    with pytest.raises(
        DeclarationError,
        match="the letter d stands for two things, 'dropout rate' and 'head dimension': rename one",
    ):
        Derivation("x", "Mixed", unit="dimensionless", start=d * other)
    with pytest.raises(DeclarationError, match="the letter d stands for two things"):
        naive(facts=[Limit(T, sympy.oo, LIMIT, of=work.total / moved.total * other / d, because="x")])


def test_step_statements():
    traffic = Derivation("Q", "Traffic", unit="byte", start=T * e)
    assert step_statement(Put(e, 2 * BYTE, because="bf16"), T * e) == "e = 2"
    assert step_statement(Use(Q, traffic), Q / W) == "Q = T*e"
    assert step_statement(Equal(e * T, because="x"), T * e) == "T*e = T*e"
    assert step_statement(Approx(T * e, error_at_most=1 / T, because="x"), (T + 1) * e) == "e*(T + 1) ≈ T*e"


def test_text_is_one_line_and_says_what_it_is():
    found = naive(about="One head,\n   forward  pass.")
    assert found.about == "One head, forward pass."
    assert repr(found) == "<'Naive attention': I = T*d/(2*T + 2*d) [FLOP/byte]>"
    found.id = "mine.naive"
    assert found.name == "mine.naive"

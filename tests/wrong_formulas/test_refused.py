"""Formula files with one mistake each: how each is refused, in which words, and at which point.

A file is refused when it is declared (with its line) or by the one link that is
not proved. The numbers in the messages can be checked by hand; for some of them
`test_counterexamples.py` does so in plain fractions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from derive import catalogue
from derive.errors import DeclarationError, DeriveError

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Declared:
    """Refused when the file is loaded, at this line of it (None: no single line is at fault)."""

    message: str
    line: int | None


@dataclass(frozen=True)
class Linked:
    """Refused by one link of the chain, fact or example, at a point where there is one."""

    relation: str
    message: str
    point: dict[str, str] = field(default_factory=dict)
    outcome: str = "refuted"


STRANGE = (
    "is no expression of this derivation: give one of its chain or of its other facts, "
    "or a formula made of ledgers' totals (.total) and other derivations (.whole)"
)

REFUSED: dict[str, Declared | Linked] = {
    "added_flop_and_byte": Declared("'Time', start: F is FLOP and Q is byte: they cannot be added", 9),
    "all_reduces_without_a_rate": Declared(
        "'Time of four all-reduces', start: 8*S*(n - 1)/n is byte, where s is due", 8
    ),
    "ambiguous_unit": Declared("unit 'KB' can be misread: give kB (1000 bytes) or KiB (1024 bytes)", 7),
    "approximation_from_the_wrong_end": Linked(
        "≈", "2/23 (the bound d/T) is not ≥ 23/2 (the error)", {"T": "23", "d": "2"}
    ),
    "bad_letter_name": Declared("'model width' is no letter: give ASCII letters, digits and _, as in B_r", 8),
    "bare_number": Declared(
        "'Operations of a matmul', start: 2*k*m*n is a plain number, where FLOP is due", 9
    ),
    "bound_from_the_wrong_side": Linked(
        "≥", "3/5 (T*d/(2*T + 2*d)) is not ≥ 3/2 (d/2)", {"T": "2", "d": "3"}
    ),
    "bound_negative": Linked("≈", "-3/2 (the bound -d/T) is not ≥ 3/2 (the error)", {"T": "2", "d": "3"}),
    "bound_too_tight": Linked("≈", "3/4 (the bound d/(2*T)) is not ≥ 3/2 (the error)", {"T": "2", "d": "3"}),
    "bounds_both_ways": Declared(
        "'Products': a chain with both ≤ and ≥ bounds nothing: keep to one of them", 8
    ),
    "bubble_over_the_ideal_time": Linked(
        "=", "(t*(p - 1))/(m*t + t*(p - 1)) is 1/2 and (p - 1)/m is 1", {"m": "2", "p": "3", "t": "5"}
    ),
    "case_in_a_circle": Declared(
        "SpecialCase m = n: a letter that is replaced stands in what replaces it", 13
    ),
    "circular_use": Declared(
        "circular use: circular_use.time → circular_use.traffic → circular_use.time", None
    ),
    "compared_time_and_bytes": Declared(
        "'Roofline time', start: Q is byte and F/P is s: they cannot be compared", 9
    ),
    "division_by_zero": Declared("ZeroDivisionError: integer division or modulo by zero", 5),
    "doubled_row": Linked(
        "=", "(2*T**2*d + 2*T**2*d + 2*T**2*d) is 72 and 4*T**2*d is 48", {"T": "2", "d": "3"}
    ),
    "cooling_counted_twice": Linked(
        "=", "(power*t + PUE*power*t) is 45 and PUE*power*t is 30", {"PUE": "2", "power": "3", "t": "5"}
    ),
    "cost_per_hour_for_a_token": Declared(
        "'Cost of a served token', start: price/made is USD/(s·token), where USD/token is due", 8
    ),
    "drafts_limit_without_the_own_token": Linked(
        "→", "at alpha → 1 the limit is k + 1, not k: they differ", {"k": "2"}
    ),
    "drafts_without_the_own_token": Linked(
        "=",
        "Sum(alpha**_i, (_i, 0, k)) is 15/8 and (1 - alpha**k)/(1 - alpha) is 7/4",
        {"alpha": "1/2", "k": "3"},
    ),
    "dropped_floor": Linked("=", "floor(Q/e) is 0 and Q/e is 2/3", {"Q": "2", "e": "3"}),
    "empty_because": Declared("Equal without a reason: give because='…'", 13),
    "example_lacks_a_letter": Linked(
        "example", "example_lacks_a_letter.intensity needs d (head dimension): give --set d=…"
    ),
    "example_of_a_wrong_letter": Linked(
        "example", "example_of_a_wrong_letter.intensity has no letter 't': it has T, d, e"
    ),
    "example_of_another_unit": Linked(
        "example", "example_of_another_unit.intensity is in FLOP/byte: it cannot be given in byte"
    ),
    "example_too_loose": Linked("example", "0 s says too little: give two digits or more of 0.4"),
    "exits": Declared("the file ends the program that reads it: leave sys.exit out", 5),
    "exponent_with_unit": Declared(
        "'Values', start: the exponent e bears a unit; an exponent must be a plain number", 8
    ),
    "fact_among_steps": Declared("'Time': Limit does not belong in steps", 8),
    "filled_by_nothing": Declared(
        "what fills M in filled_by_nothing.result: unknown id 'roofline.weights_of_all'",
        None,
    ),
    "float_decimal": Declared(
        "'Time', start: 0.5*T**2*d*FLOP/P holds a decimal; write 0.5 as Rational(1, 2)", 9
    ),
    "free_index": Declared(
        "'Scores': the symbol _i has no meaning and no unit: declare it with count, number or quantity", 10
    ),
    "inequality_not_everywhere": Linked(
        "<", "20 ((T**2*e)) is not > 30 (T*d*e)", {"T": "2", "d": "3", "e": "5"}
    ),
    "inequality_of_strangers": Linked(
        "<",
        f"T*e {STRANGE}",
    ),
    "infinite_bound": Declared("Bound: oo is not finite; what happens at infinity is a Limit", 8),
    "inverted_unit": Declared("'Arithmetic intensity', start: Q/F is byte/FLOP, where FLOP/byte is due", 8),
    "ledger_without_rows": Declared(
        "a ledger without rows counts nothing: give at least one (what, amount)", 5
    ),
    "letter_comes_back": Declared(
        "'Traffic of k such matrices': a link replaces k and a later one brings it back: replace it once, after that",
        10,
    ),
    "letter_twice": Declared(
        "'Time': the letter d stands for two things, 'head dimension' and 'width of the model': rename one",
        10,
    ),
    "limit_below_zero": Declared("Limit(T, -1): T (sequence length) does not go there", 12),
    "limit_called_finite": Linked("→", "at T → ∞ the limit is ∞, not 4*d"),
    "limit_called_infinite": Linked("→", "at T → ∞ the limit is d/2, not ∞"),
    "limit_letter_cancels": Linked("→", "T does not occur in 4*d/P"),
    "limit_of_another_formula": Linked(
        "→",
        f"T/(T + 1) {STRANGE}",
    ),
    "limit_of_unknown_sign": Linked(
        "→", "the limit of n/(n**2*(a - b) + 1) at n → ∞ was not found", outcome="undecided"
    ),
    "log_of_a_quantity": Declared("'Time', start: log(Q): its argument must be a plain number", 9),
    "max_for_min": Linked(
        "=", "max(F/P, Q/W) is 5/7 and min(F/P, Q/W) is 2/3", {"F": "2", "P": "3", "Q": "5", "W": "7"}
    ),
    "minimised_at_the_wrong_point": Linked(
        "solve",
        "substituted back it does not satisfy: sqrt(delta)/sqrt(M) is 1.22474 and sqrt(delta)/(2*sqrt(M)) is 0.612372",
        {"M": "2", "delta": "3"},
    ),
    "minimised_what_only_rises": Declared(
        "Minimise(tau, tau/(2*M)): give a sum of terms that rise and terms that fall with tau", 13
    ),
    "missing_because": Declared("Equal without a reason: give because='…'", 13),
    "missing_row": Linked(
        "=",
        "(2*T**2*d + 2*T**2*d)/(3*T*d*e + 2*T**2*e + 2*T**2*e) is 24/85 and T*d/(e*(T + d)) is 6/25",
        {"T": "2", "d": "3", "e": "5"},
    ),
    "missing_term": Linked(
        "=",
        "(2*T**2*d + 2*T**2*d)/(3*T*d*e + 2*T**2*e + 2*T**2*e + T*d*e) is 6/25 and d/e is 3/5",
        {"T": "2", "d": "3", "e": "5"},
    ),
    "multiplied_by_the_rate": Declared("'Memory time', start: Q*W is byte^2/s, where s is due", 8),
    "no_derivation": Declared("declares no Derivation at its top level", None),
    "no_solution_where_there_is_one": Linked(
        "none",
        "20/63 (2*B*d/(e*(2*B + d))) is not > 999/1400 (R)",
        {"B": "2", "R": "999/1400", "d": "5", "e": "7"},
    ),
    "power_for_energy": Declared("'Energy of a run', start: n*power is joule/s, where kWh is due", 8),
    "put_absent_letter": Linked("put", "B does not occur in Q/W, which stands before this link"),
    "put_against_its_convention": Linked(
        "put", "e = 4 is put, and the convention precision = bf16, which fills e, says 2 byte"
    ),
    "put_negative": Linked("put", "c (operations an element) must be positive: -1 is not > 0"),
    "put_on_both_sides": Declared(
        "Put(B, B + 1): B stands on both sides; give the new value another letter", 13
    ),
    "put_twice": Declared(
        "'Traffic and one element': a link replaces e and a later one brings it back: replace it once, after that",
        10,
    ),
    "put_wrong_unit": Declared("Put(e, 2): 2 is a plain number, where byte is due", 27),
    "put_zero": Linked("put", "B (sequences decoded together) must be at least 1: 0 is not ≥ 1"),
    "regime_of_no_branch": Linked(
        "=", "max(F/P, Q/W) is 5/7 and F/P + Q/W is 10/7", {"F": "15/7", "P": "3", "Q": "5", "W": "7"}
    ),
    "regime_reversed": Linked("=", "2/3 (F/P) is not ≥ 5/7 (Q/W)", {"F": "2", "P": "3", "Q": "5", "W": "7"}),
    "regime_too_wide": Linked("=", "2/3 (F/P) is not ≥ 5/7 (Q/W)", {"F": "2", "P": "3", "Q": "5", "W": "7"}),
    "region_empty": Linked(
        "≈", "no values of the letters were found where d ≥ T and 2*d ≤ T: is it empty?", outcome="undecided"
    ),
    "region_is_no_relation": Declared("region T: give relations between letters, such as T >= d", 30),
    "region_reversed": Linked("≈", "1/10 (the bound 1/10) is not ≥ 3/2 (the error)", {"T": "2", "d": "3"}),
    "region_too_wide": Linked("≈", "1/10 (the bound 1/10) is not ≥ 1/9 (the error)", {"T": "27", "d": "3"}),
    "row_of_another_unit": Declared(
        "ledger row 'write O' is FLOP, but 'read Q, K and V' is byte: one ledger counts one unit", 9
    ),
    "row_without_unit": Declared(
        "ledger row 'write O' is a plain number, but 'read Q, K and V' is byte: one ledger counts one unit", 9
    ),
    "run_without_its_backward_pass": Linked("=", "6*D*N is 36 and 2*D*N is 12", {"D": "2", "N": "3"}),
    "sharded_optimizer_leaves_nothing": Linked(
        "→", "at n → ∞ the limit is 4*N, not 2*N: they differ", {"N": "2"}
    ),
    "share_above_one": Linked(
        "put", "MFU (share of the peak that is reached) must be at most 1: 1 is not ≥ 2"
    ),
    "solve_of_two_units": Declared("Solve: the left side is byte and the right side FLOP", 14),
    "solved_but_not_the_only_one": Linked(
        "solve", "the equation is not linear in B: the value may not be the only one", outcome="undecided"
    ),
    "solved_for_another_letter": Linked("solve", "d stands before this link, not B"),
    "solved_region_too_wide": Linked(
        "solve",
        "the value must be positive: -2997/998 (R*d*e/(-2*R*e + 2*d)) is not > 0",
        {"R": "2997/2500", "d": "3", "e": "5"},
    ),
    "solved_value_does_not_satisfy": Linked(
        "solve",
        "substituted back it does not satisfy: "
        "2*R*d**2/((-R*e + d)*(2*R*d*e/(-R*e + d) + d)) is 5994/9995 and R is 2997/5000",
        {"R": "2997/5000", "d": "3", "e": "5"},
    ),
    "solved_value_not_positive": Linked(
        "solve",
        "the value must be positive: -15/7 (R*d*e/(-2*R*e + 2*d)) is not > 0",
        {"R": "2", "d": "3", "e": "5"},
    ),
    "special_case_without_its_letter": Linked("=", "B does not occur in 2*k*m*n/(e*(k*m + k*n + m*n))"),
    "step_changes_the_unit": Declared("'Time', link 1 (=): F is FLOP, where s is due", 8),
    "sum_over_bytes": Declared("'Operations', start: Q bears a unit; a sum must run over plain numbers", 10),
    "sum_runs_backwards": Linked(
        "=", "the sum over i from 6 to n may run backwards: 2 (n) is not ≥ 5 at n = 2", outcome="undecided"
    ),
    "text_for_a_formula": Declared(
        "'Time', start: 'F / P' is only text; write the formula itself, without quotes", 5
    ),
    "undeclared_symbol": Declared(
        "'Time': the symbol h has no meaning and no unit: declare it with count, number or quantity", 11
    ),
    "unknown_convention": Declared(
        "unknown convention 'masking': one of precision, sparsity, mask",
        19,
    ),
    "unknown_import": Declared("ImportError: cannot import name 'Rewrite' from 'derive'", 3),
    "unknown_unit": Declared("unit 'GBs' can be misread: give GB for an amount, GB/s for a rate", 7),
    "use_absent_letter": Linked("put", "Q does not occur in F/P, which stands before this link"),
    "use_of_a_negative": Linked(
        "put", "t (exposed time) must be 0 or more: -1 (t_a - t_b) is not ≥ 0", {"t_a": "2", "t_b": "3"}
    ),
    "use_on_both_sides": Declared(
        "Use(Q, 'Traffic there and back'): Q stands in the formula that computes it", 9
    ),
    "use_wrong_unit": Declared("Use(F, 'Traffic'): 4*T**2*e is byte, where FLOP is due", 21),
    "wrong_ceiling": Linked("≤", "1 is not ≥ 2 (F/P)", {"F": "6", "P": "3"}),
    "wrong_coefficient": Linked(
        "=",
        "(2*T**2*d + 2*T**2*d)/(3*T*d*e + 2*T**2*e + 2*T**2*e + T*d*e) is 6/25 and 2*T*d/(e*(T + d)) is 12/25",
        {"T": "2", "d": "3", "e": "5"},
    ),
    "wrong_example": Linked("example", "it is 62.06060606 FLOP/byte there, not 124.1 FLOP/byte"),
    "wrong_exponent": Linked("=", "(2*T**2*d + 2*T**2*d) is 48 and 4*T*d is 24", {"T": "2", "d": "3"}),
    "wrong_identity": Linked("=", "6*N is 12 and 2*(2*N) is 8", {"N": "2"}),
    "wrong_inequality": Linked(">", "3/5 (T*d/(2*T + 2*d)) is not > 3/2 (d/2)", {"T": "2", "d": "3"}),
    "wrong_last_digit": Linked("example", "it is 62.06060606 FLOP/byte there, not 62.07 FLOP/byte"),
    "wrong_last_step": Linked("=", "T*d/(2*(T + d)) is 3/5 and T*d/(T + d) is 6/5", {"T": "2", "d": "3"}),
    "wrong_limit_point": Linked("→", "at T → 0⁺ the limit is 0, not d/2: they differ", {"d": "2"}),
    "wrong_limit_value": Linked("→", "at T → ∞ the limit is d/2, not d: they differ", {"d": "2"}),
    "wrong_regime": Linked(
        "=", "3/11 (Q/W) is not ≥ 17/29 (F/P)", {"F": "17", "P": "29", "Q": "3", "W": "11"}
    ),
    "wrong_sign": Linked(
        "=",
        "(2*T**2*d + 2*T**2*d)/(3*T*d*e + 2*T**2*e + 2*T**2*e + T*d*e) is 6/25 and T*d/(e*(T - d)) is -6/5",
        {"T": "2", "d": "3", "e": "5"},
    ),
    "wrong_special_case": Linked("=", "2*n/(3*e) is 1 and n/e is 3/2", {"e": "2", "n": "3"}),
    "wrong_sum": Linked("=", "Sum(2*_i*d, (_i, 1, T)) is 18 and T**2*d is 12", {"T": "2", "d": "3"}),
    "wrong_unit_of_the_result": Declared("'Time of a layer', start: 2*N is FLOP, where s is due", 7),
    "zero_left_out_of_a_region": Linked(
        "≈", "the exact value must be positive: 0 (2*t_0) is not > 0", {"t_0": "0"}
    ),
}

WRITTEN = {
    "syntax_error": (
        'from derive import Derivation, letters\ntime = Derivation("t", "Time", unit="s", start=letters.F\n',
        Declared("SyntaxError: '(' was never closed", 2),
    ),
    "unknown_name": (
        'from derive import Derivation\n\ntime = Derivation("t", "Time", unit="s", start=Q / W)\n',
        Declared("NameError: name 'Q' is not defined", 3),
    ),
    "empty": ("", Declared("declares no Derivation at its top level", None)),
    "raises_without_words": ("raise RuntimeError\n", Declared("RuntimeError: RuntimeError", 1)),
}


def test_there_is_a_file_for_each_entry_and_an_entry_for_each_file():
    files = {file.stem for file in HERE.glob("*.py") if not file.stem.startswith("test_")}
    assert files == set(REFUSED)
    assert len(files) >= 45


@pytest.mark.parametrize("name", [name for name, how in REFUSED.items() if isinstance(how, Declared)])
def test_refused_when_declared(name: str):
    _refuses_to_load(HERE / f"{name}.py", REFUSED[name])


@pytest.mark.parametrize("name", WRITTEN)
def test_refused_before_python_runs_it_through(name: str, tmp_path: Path):
    code, expected = WRITTEN[name]
    file = tmp_path / f"{name}.py"
    file.write_text(code, encoding="utf-8")
    _refuses_to_load(file, expected)


def _refuses_to_load(file: Path, expected: Declared) -> None:
    with pytest.raises(DeriveError) as caught:
        catalogue.load_file(file)
    where = str(file) if expected.line is None else f"{file}:{expected.line}"
    message = str(caught.value)
    assert message.startswith(f"{where}: {expected.message}")
    assert "\n" not in message
    assert not any(id.startswith(f"{file.stem}.") for id in catalogue.all_ids())


@pytest.mark.parametrize("name", [name for name, how in REFUSED.items() if isinstance(how, Linked)])
def test_refused_by_one_link(name: str):
    expected = REFUSED[name]
    links = [
        link
        for derivation in catalogue.load_file(HERE / f"{name}.py").values()
        for link in derivation.verify()
        if not link.verdict.proved
    ]
    assert [link.relation for link in links[:1]] == [expected.relation]
    verdict = links[0].verdict
    assert (verdict.outcome, verdict.reason) == (expected.outcome, expected.message)
    assert verdict.counterexample == expected.point
    assert "\n" not in verdict.text


def test_a_file_mended_after_a_refusal_loads(tmp_path: Path):
    file = tmp_path / "mended.py"
    file.write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(DeclarationError, match="no Derivation"):
        catalogue.load_file(file)
    file.write_text(
        'from derive import Derivation, letters\nt = Derivation("t", "Time", unit="s", start=letters.F / letters.P)\n',
        encoding="utf-8",
    )
    assert list(catalogue.load_file(file)) == ["mended.t"]

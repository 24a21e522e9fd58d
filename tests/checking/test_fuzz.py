"""Whatever a document is made of, a check ends with a report or one clear line."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from derive.checking import RULES, check_text
from derive.errors import DeriveError

WORDS = """
    = ≈ ~ ( ) [ ] { } $ $$ \\( \\) \\frac \\text{ \\sqrt ^ _ ** * × / + - % , . ; : | ¦ < > & \\\\ ⁸ ½ → – … ?
    of is about 1 2.5 0 1e12 9e999 .5 1,024 10^(8 7B 8k 64KB 3.35 TB/s GB GiB ms µs FLOP/s TFLOPS $2.50/hour per
    H100 A100 T d x Llama-3-8B GPT-2 bf16 fp8 e4m3 dense sparse peak bandwidth NVLink KV cache token parameters layers
    max epsilon MFU Total |---|---| <table><tr><td> </td> # 1. ``` --- <!-- --> \\begin{tabular}{l} \\end{tabular} ..
    :: ===
"""
PIECES = st.sampled_from(WORDS.split())
GLUE = st.sampled_from(["", " ", "\n", "\n\n"])


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(PIECES, GLUE), max_size=40),
    st.sampled_from(["markdown", "latex", "html", "rst", "text"]),
)
def test_any_text_gives_a_report(pieces: list[tuple[str, str]], form: str) -> None:
    text = "".join(piece + glue for piece, glue in pieces)
    report = check_text(text, form, frozenset(RULES))
    assert all(1 <= claim.line <= text.count("\n") + 1 for claim in report.claims)
    assert {claim.verdict for claim in report.claims} <= {"true", "false", "unsure"}


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200), st.sampled_from(["notebook", "figures"]))
def test_what_has_a_form_of_its_own_is_read_or_refused(text: str, form: str) -> None:
    refused = []
    try:
        check_text(text, form)
    except DeriveError as error:
        refused.append(str(error))
    assert not any("\n" in message for message in refused)

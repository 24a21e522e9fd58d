"""Sentences and rows, and what is found out about each of them once."""

from derive.checking.blocks import MATH, TEXT, Document
from derive.checking.clauses import Clause, clauses, once


def _sentences(*texts: str) -> list[Clause]:
    document = Document()
    for number, text in enumerate(texts, 1):
        document.add(text, (number,))
    return list(clauses(document))


def test_sentences_with_a_number_are_counted_within_their_block() -> None:
    found = _sentences("It takes 3 ms. Nobody knows why. It sends 5 GB.", "Then it takes 4 ms.")
    assert [(one.text.strip(), one.order) for one in found] == [
        ("It takes 3 ms.", 0),
        ("It sends 5 GB.", 1),
        ("Then it takes 4 ms.", 0),
    ]


def test_plain_text_has_the_same_length() -> None:
    (clause,) = _sentences(f"It is {MATH}x = 3{TEXT} of\n5 GB.")
    assert clause.plain == "It is  x = 3  of 5 GB."
    assert len(clause.plain) == len(clause.text)


def test_a_function_is_computed_once_for_each_clause() -> None:
    asked: list[str] = []

    @once
    def length(clause: Clause) -> int:
        asked.append(clause.text)
        return len(clause.text)

    @once
    def first(clause: Clause) -> str:
        return clause.text.strip()[0]

    one, other = _sentences("It takes 3 ms.", "We send 5 GB now.")
    assert [length(one), length(other), length(one)] == [14, 17, 14]
    assert asked == [one.text, other.text]
    assert [first(one), first(other), first(one)] == ["I", "W", "I"]

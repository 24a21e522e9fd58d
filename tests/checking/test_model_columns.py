"""Columns of models under letters, families of models without a size, and mixtures by their short names."""

from __future__ import annotations

import pytest

from tests.checking.verdicts import false_numbers, false_texts, is_true

LETTERS = """\
| model | L | D | F |
|---|---:|---:|---:|
| Llama 2 7B | 32 | 4096 | 11008 |
| Llama 2 13B | 40 | {width} | 13824 |
| Llama 2 70B | 80 | 8192 | {inner} |
| Mistral 7B | 32 | 4096 | 14336 |
"""
OPAQUE = """\
| model | a | b | c |
|---|---:|---:|---:|
| Llama 3 8B | 32 | 4096 | 32 |
| Llama 3 70B | 80 | {width} | 64 |
| GPT-3 175B | 96 | 12288 | {heads} |
| Mixtral 8x7B | 32 | 4096 | 32 |
"""
RIGHT = {"width": "5120", "inner": "28672"}
OPAQUE_RIGHT = {"width": "8192", "heads": "96"}


@pytest.mark.parametrize(
    ("table", "right", "cell", "wrong"),
    [
        (LETTERS, RIGHT, "inner", "26872"),
        (LETTERS, RIGHT, "inner", "22016"),
        (LETTERS, RIGHT, "width", "5210"),
        (OPAQUE, OPAQUE_RIGHT, "width", "8129"),
        (OPAQUE, OPAQUE_RIGHT, "width", "5120"),
    ],
)
def test_the_other_models_tell_what_a_column_is(
    table: str, right: dict[str, str], cell: str, wrong: str
) -> None:
    assert false_numbers(table.format(**right)) == []
    assert is_true(table.format(**right), right[cell])
    assert false_numbers(table.format(**{**right, cell: wrong})) == [(wrong, right[cell])]


@pytest.mark.parametrize(
    "table",
    [
        pytest.param("| model | z |\n|---|---:|\n| Llama 2 7B | 4096 |\n| Llama 2 13B | 5120 |\n"
                     "| Llama 2 70B | 8129 |\n| GPT-3 175B | 12288 |\n| Mixtral 8x7B | 4069 |\n",
                     id="more than one differs"),
        pytest.param("| model | z |\n|---|---:|\n| Llama 3 70B | 80 |\n| Llama 2 13B | 40 |\n| Llama 3 8B | 30 |\n",
                     id="small numbers"),
    ],
)  # fmt: skip
def test_columns_that_their_rows_do_not_tell_are_left_alone(table: str) -> None:
    assert false_numbers(table) == []


@pytest.mark.parametrize(
    ("text", "right", "wrong", "expected"),
    [
        ("GPT-2 has a vocabulary of {} tokens.", "50,257", "52,057", "50257"),
        ("All sizes of GPT-2 have a vocabulary of {} entries.", "50,257", "32,000", "50257"),
        ("GPT-2 has a context of {} tokens.", "1,024", "2,048", "1024"),
        ("The context window of GPT-2 is {} tokens.", "1,024", "4,096", "1024"),
        ("The vocabulary of Llama 3 has {} entries.", "128,256", "32,000", "128256"),
        ("Llama 2 has a context of {} tokens.", "4,096", "8,192", "4096"),
        ("Llama 3.1 has a context of {} tokens.", "131,072", "8,192", "131072"),
        ("The vocabulary of Llama 3 8B has {} entries.", "128,256", "128,526", "128256"),  # no padding has its digits
        ("Mixtral 8x7B and Mixtral 8x22B are mixtures. 8x22B has {} layers.", "56", "32", "56"),
        ("Llama 2 70B is larger. It was trained with {} layers.", "80", "40", "80"),
        ("Llama 3 8B at 16 bits has {} of KV cache per token.", "128 KiB", "256 KiB", "128 KiB"),  # 131,072
        ("The weights of Llama 3 70B at 8-bit take {}.", "70.6 GB", "141 GB", "70.55 GB"),  # 70.554 billion
    ],
)  # fmt: skip
def test_families_mixtures_and_formats_by_their_bits(
    text: str, right: str, wrong: str, expected: str
) -> None:
    assert false_texts(text.format(right)) == []
    assert is_true(text.format(right), right)
    found = false_texts(text.format(wrong))
    assert [shown for _, shown in found] == [expected]
    assert wrong in found[0][0]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("GPT-2 has a vocabulary of 50,304 entries when padded.", id="padded"),
        pytest.param("Llama 3 has 28 layers in its small form.", id="layers"),
        pytest.param("Llama 2 has a hidden size of 6656 in one size.", id="width"),
        pytest.param("GPT-2 has 6 layers when distilled.", id="distilled"),
    ],
)
def test_what_is_of_one_form_of_a_family_is_left_alone(text: str) -> None:
    assert false_texts(text) == []


CONTEXTS = "| Model | Parameters | Context |\n|---|---|---|\n| Llama 2 7B | 6.74B | {} |\n| Llama 3 8B | 8.03B | 8K |\n"
LONG = "| Llama 3.1 8B | 8.03B | 128K |\n"


def test_the_contexts_of_models() -> None:
    assert false_texts(CONTEXTS.format("4,096") + LONG) == []
    assert false_texts(CONTEXTS.format("8,192") + LONG) == [("8,192", "4096")]
    assert false_texts(CONTEXTS.format("8,192")) == []  # too few rows say what the column is
    served = "| Llama 3.1 70B | 70.6B | 32K |\n"
    assert false_texts(CONTEXTS.format("2,048") + LONG + served) == []  # what somebody serves them with


def test_the_largest_of_a_family_told_by_its_size() -> None:
    text = "GPT-3 has 175B parameters, {} layers and a context of 2,048."
    assert false_texts(text.format(96)) == []
    assert false_texts(text.format(48)) == [("48 layers", "96")]
    assert false_texts("The GPT-3 paper trains 8 models. The smallest has 12 layers.") == []

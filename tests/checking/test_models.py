"""Shapes and sizes of models that the catalogue knows: whom a number is about, in sentences and in tables."""

from __future__ import annotations

import pytest

from derive.checking import check_text

ALONE = "We serve Llama 3 8B.\n\nLlama 3 8B has 8.03B parameters.\n\n"
KNOWN = "We compare Llama 2 13B and Llama 3.1 405B.\n\n"


def _verdicts(text: str, format: str = "markdown") -> list[tuple[str, str, str]]:
    found = check_text(text, format).claims
    return [(one.text, one.verdict, one.expected) for one in found if one.rule == "model"]


@pytest.mark.parametrize(
    ("text", "right", "wrong", "claimed", "expected"),
    [
        ("Llama 2 7B has 32 layers and Llama 2 13B has {} layers of width 5,120.", "40", "32", "{} layers", "40"),
        ("Qwen2.5 32B ({} layers, hidden size 5120) is next.", "64", "48", "{} layers", "64"),
        ("For GPT-2 XL, with its 48 layers, the width is {}.", "1,600", "1,280", "width is {}", "1600"),
        ("Mistral 7B has 32 query heads and {} KV heads of width 128.", "8", "32", "{} KV heads", "8"),
        ("The vocabulary of Llama 3 8B: Llama 3 8B has a vocabulary of {}.", "128,256", "32,000",
         "vocabulary of {}", "128256"),
        ("Take the {} layers of Mixtral 8x22B.", "56", "64", "{} layers", "56"),
        ("Qwen2.5 14B has a feed-forward width of {}.", "13,824", "5,120", "feed-forward width of {}", "13824"),
        ("Mistral 7B attends to a sliding window of {} tokens.", "4,096", "8,192", "sliding window of {}", "4096"),
        ("Llama 3 8B (the MLP width there is {}) is next.", "14,336", "11,008", "MLP width there is {}", "14336"),
        ("Llama 3.1 8B has a context window of {} tokens.", "128K", "8K", "has a context window of {}", "131072"),
        (KNOWN + "The 405B, with its {} layers, is the deepest.", "126", "128", "{} layers", "126"),
        ("Mixtral 8x7B has {}B parameters in total.", "46.7", "56.0", "{}B parameters", "46.7B parameters"),
        ("Llama 2 13B has {} billion parameters.", "13.0", "69.0", "{} billion parameters", "13.02B parameters"),
        ("Llama 2 70B was trained on {}T tokens.", "2.0", "1.4", "{}T tokens", "2T tokens"),
        ("Llama 405B, {} layers, eight KV heads of 128, is large.", "126", "128", "{} layers", "126"),
        ("### Mixtral 8x7B\n\nConfig: 32 layers, hidden size {}, top-2.", "4096", "6144", "hidden size {}", "4096"),
        ("We use Llama 3.1 70B. The model has {} layers.", "80", "64", "{} layers", "80"),
        ("The 8B variant of Llama 3.1 has {} KV heads.", "8", "32", "{} KV heads", "8"),
        ("Qwen2.5-72B is deep but its vocabulary has {} entries.", "152,064", "128,256", "vocabulary has {}", "152064"),
        ("DeepSeek-V3 activates {}B parameters per token.", "37.0", "671", "{}B parameters per token",
         "37B parameters"),
        ("DeepSeek-V3 has {} layers with a width of 7,168.", "61", "58", "{} layers", "61"),
        ("DeepSeek-V3 was trained on {}T tokens.", "14.8", "18.0", "{}T tokens", "14.8T tokens"),
        ("GPT-3 175B has 96 layers, a width of 12,288 and {} heads.", "96", "128", "{} heads", "96"),
        ("Llama 3 70B has 80 layers, a width of 8,192 and {} KV heads.", "8", "64", "{} KV heads", "8"),
        ("- **Llama 3.1 8B**: 32 layers, 32 query heads with a head dimension of {}.", "128", "64",
         "head dimension of {}", "128"),
        ("Llama 3.1 8B: 32 layers, 32 query heads, 8 KV heads and a vocabulary of {} tokens.", "128,256", "32,000",
         "vocabulary of {}", "128256"),
        (ALONE + "The tokenizer's vocabulary has {} entries.", "128,256", "32,000", "vocabulary has {}", "128256"),
        (ALONE + "All matrices count: the vocabulary is {}.", "128,256", "32,000", "vocabulary is {}", "128256"),
        (ALONE + "We slice along the hidden size of {}.", "4,096", "8,192", "hidden size of {}", "4096"),
        (ALONE + "Rows are as long as the intermediate size, and its feed-forward width is {}.", "14,336", "11,008",
         "feed-forward width is {}", "14336"),
    ],
)  # fmt: skip
def test_a_number_is_of_the_model_before_it(
    text: str, right: str, wrong: str, claimed: str, expected: str
) -> None:
    assert (claimed.format(right), "true", expected) in _verdicts(text.format(right))
    found = [one for one in _verdicts(text.format(wrong)) if one[1] == "false"]
    assert found == [(claimed.format(wrong), "false", expected)]


ROWS = "| model | layers | KV heads | total |\n|---|--:|--:|--:|\n| Llama 3.1 8B | 32 | 8 | 8.03B |\n| {} |\n"
TURNED = "| | Llama 2 70B | Qwen2.5-7B |\n|---|--:|--:|\n| layers | 80 | {} |\n| d_model | 8192 | {} |\n"
LATEX = (
    "\\begin{{tabular}}{{lrr}}\nmodel & layers & $d_\\text{{model}}$ \\\\\n\\hline\n"
    "GPT-2 large & 36 & 1{{,}}280 \\\\\nGPT-3 175B & 96 & {} \\\\\n\\end{{tabular}}\n"
)


@pytest.mark.parametrize(
    ("text", "format", "right", "wrong", "false"),
    [
        (ROWS, "markdown", ("Qwen2.5-7B | 28 | 4 | 7.6B",), ("Qwen2.5-7B | 28 | 8 | 7.6B",), ("8", "4")),
        (ROWS, "markdown", ("Mixtral 8x22B | 56 | 8 | 141B",), ("Mixtral 8x22B | 56 | 8 | 176B",),
         ("176B", "140.6B parameters")),
        (TURNED, "markdown", ("28", "3584"), ("28", "4096"), ("4096", "3584")),
        (LATEX, "latex", ("12{,}288",), ("12{,}228",), ("12,228", "12288")),
    ],
)  # fmt: skip
def test_a_cell_is_of_the_model_of_its_row_or_column(
    text: str, format: str, right: tuple[str, ...], wrong: tuple[str, ...], false: tuple[str, str]
) -> None:
    assert "false" not in {verdict for _, verdict, _ in _verdicts(text.format(*right), format)}
    found = [one for one in _verdicts(text.format(*wrong), format) if one[1] == "false"]
    assert found == [(false[0], "false", false[1])]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Llama 2 13B keeps its first 12 layers on the host.", id="a part"),
        pytest.param("Unlike Llama 2 13B, our model has 32 layers.", id="ours"),
        pytest.param("We distilled Llama 3.1 8B into a model with 16 layers and a width of 2048.", id="distilled"),
        pytest.param("If Llama 2 13B had 8 KV heads instead of 40, its cache would shrink.", id="if"),
        pytest.param("DeepSeek-R1-Distill-Llama-70B has 80 layers.", id="distilled from"),
        pytest.param("Llama 2 13B is cut to 32 layers.", id="cut"),
        pytest.param("Llama 2 13B runs 10 layers per stage.", id="per stage"),
        pytest.param("There are 32 and 40 layers in Llama 2 7B and Llama 2 13B respectively.", id="respectively"),
        pytest.param("Mistral 7B has 8 key/value heads of width 128 and an MLP of width 14336.", id="other widths"),
        pytest.param("DeepSeek-V3 has 61 layers, of which 58 route; its experts have hidden_dim = 2048.", id="moe"),
        pytest.param("We serve Llama 3.1 8B with a context window of 8,192 tokens.", id="served"),
        pytest.param("Qwen2.5 7B has a context window of 128K tokens, Llama 3 8B has one of 8K.", id="extended"),
        pytest.param("Qwen-7B has a vocabulary of 151,851.", id="an older version"),
        pytest.param("We compare Llama 2 13B and Qwen2.5 7B. The model has 32 layers.", id="which model"),
        pytest.param("The Chinchilla-optimal model has 40 layers.", id="a law"),
        pytest.param("Llama 2 13B has 12.7B parameters without its embeddings.", id="without"),
        pytest.param("Llama 2 13B has 13B parameters, Gemma 7B has 7B parameters.", id="nominal"),
        pytest.param("Llama 2 13B was further trained on 1.4T tokens of code.", id="further"),
        pytest.param(KNOWN + "Our 405B has 118 layers. The 405B with its 118 layers is slow.", id="our own"),
        pytest.param("Llama 3 8B comes with 8 and 16 heads.", id="several"),
        pytest.param(ALONE + "With a vocabulary of 32,000 the logits would be small.", id="a vocabulary"),
        pytest.param(ALONE + "Our own model is smaller: the vocabulary has 32,000 entries.", id="its own model"),
        pytest.param(ALONE + "The MLP is wide: the hidden size is 14,336.", id="of the block"),
        pytest.param(ALONE + "The hidden size of 2,560 was chosen by hand.", id="of nobody"),
        pytest.param(ALONE + "Phi-3 and Gemma 7B differ. The vocabulary has 32,000 entries.", id="not alone"),
        pytest.param("| model | layers |\n|---|--:|\n| Tiny-llama-2-13b | 22 |\n| Chinese Llama 2 13B | 22 |\n",
                     id="derived"),
    ],
)  # fmt: skip
def test_numbers_of_others_are_left_alone(text: str) -> None:
    assert [one for one in _verdicts(text) if one[1] == "false"] == []

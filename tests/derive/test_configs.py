"""Reading a Hugging Face config.json: right extents for each architecture, one line for anything wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from derive import DeriveError, evaluate
from derive.configs import is_config, read_config
from derive.constants import model

GPT2: dict[str, Any] = {
    "model_type": "gpt2",
    "architectures": ["GPT2LMHeadModel"],
    "n_layer": 12,
    "n_embd": 768,
    "n_head": 12,
    "n_inner": None,
    "n_positions": 1024,
    "vocab_size": 50257,
}
LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "architectures": ["LlamaForCausalLM"],
    "num_hidden_layers": 32,
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": False,
}
MISTRAL = {**LLAMA, "model_type": "mistral", "architectures": ["MistralForCausalLM"], "vocab_size": 32000}
QWEN2: dict[str, Any] = {
    **LLAMA,
    "model_type": "qwen2",
    "architectures": ["Qwen2ForCausalLM"],
    "num_hidden_layers": 28,
    "hidden_size": 3584,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "intermediate_size": 18944,
    "vocab_size": 152064,
}
GEMMA: dict[str, Any] = {
    **LLAMA,
    "model_type": "gemma",
    "architectures": ["GemmaForCausalLM"],
    "num_hidden_layers": 28,
    "hidden_size": 3072,
    "num_attention_heads": 16,
    "num_key_value_heads": 16,
    "head_dim": 256,
    "intermediate_size": 24576,
    "vocab_size": 256000,
}
del GEMMA["tie_word_embeddings"]
MIXTRAL = {
    **MISTRAL,
    "model_type": "mixtral",
    "architectures": ["MixtralForCausalLM"],
    "num_local_experts": 8,
    "num_experts_per_tok": 2,
}


def written(folder: Path, config: object, name: str = "config.json") -> str:
    file = folder / name
    file.write_text(config if isinstance(config, str) else json.dumps(config), "utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("config", "total", "matmul"),
    [
        (GPT2, 124439808, 123532032),
        (LLAMA, 8030261248, 7504658432),
        (MISTRAL, 7241732096, 7241732096 - 32000 * 4096 - 65 * 4096),
        (QWEN2, 7615616512, 7615616512 - 152064 * 3584 - 57 * 3584 - 28 * (28 + 8) * 128),
        (GEMMA, 8537680896, 8537680896 - 57 * 3072),
        (MIXTRAL, 46702792704, 46702792704 - 32000 * 4096 - 65 * 4096 - 32 * 6 * 3 * 4096 * 14336),
    ],
    ids=["gpt2", "llama", "mistral", "qwen2", "gemma", "mixtral"],
)
def test_the_published_models_count_to_the_parameter(
    tmp_path: Path, config: dict[str, Any], total: int, matmul: int
) -> None:
    path = written(tmp_path, config)
    assert evaluate("parameters.total", model=path).number == total
    assert evaluate("parameters.matmul", model=path).number == matmul


def test_a_small_model_counts_as_its_tensors_do(tmp_path: Path) -> None:
    shapes = {
        "embedding": (11, 6),
        "q": (4 * 5, 6),
        "k": (2 * 5, 6),
        "v": (2 * 5, 6),
        "o": (6, 4 * 5),
        "gate": (7, 6),
        "up": (7, 6),
        "down": (6, 7),
    }
    layer = sum(rows * columns for name, (rows, columns) in shapes.items() if name != "embedding") + 2 * 6
    small = {
        **LLAMA,
        "num_hidden_layers": 3,
        "hidden_size": 6,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 5,
        "intermediate_size": 7,
        "vocab_size": 11,
    }
    path = written(tmp_path, small)
    assert evaluate("parameters.llama", model=path).number == 2 * 66 + 3 * layer + 6
    path = written(tmp_path, {**small, "tie_word_embeddings": True})
    assert evaluate("parameters.llama", model=path).number == 66 + 3 * layer + 6
    attention = 4 * 5 + 2 * 5 + 2 * 5 + 6
    path = written(tmp_path, {**small, "attention_bias": True})
    assert evaluate("parameters.total", model=path).number == 2 * 66 + 3 * (layer + attention) + 6
    path = written(tmp_path, {**small, "mlp_bias": True, "tie_word_embeddings": True})
    assert evaluate("parameters.total", model=path).number == 66 + 3 * (layer + 7 + 7 + 6) + 6
    path = written(tmp_path, {**small, "attention_bias": True, "mlp_bias": True})
    assert evaluate("parameters.total", model=path).number == 2 * 66 + 3 * (layer + attention + 20) + 6
    assert evaluate("parameters.matmul", model=path).number == 66 + 3 * (layer - 12)
    qwen = {**small, "model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"]}
    path = written(tmp_path, {**qwen, "tie_word_embeddings": True})
    assert evaluate("parameters.total", model=path).number == 66 + 3 * (layer + 40) + 6


def test_what_a_file_leaves_out_has_the_library_s_value(tmp_path: Path) -> None:
    plain = {
        key: value
        for key, value in LLAMA.items()
        if key not in ("num_key_value_heads", "tie_word_embeddings")
    }
    entry = read_config(Path(written(tmp_path, plain)))
    assert entry.pick("kv_heads").value == 32
    assert entry.pick("head_dim").value == 128
    assert entry.pick("tied").value is False
    gpt2 = read_config(Path(written(tmp_path, GPT2)))
    assert gpt2.pick("ffn").value == 3072
    assert gpt2.pick("tied").value is True
    by_class = {key: value for key, value in LLAMA.items() if key != "model_type"}
    assert read_config(Path(written(tmp_path, by_class))).family == "llama"
    shared = {**QWEN2, "num_key_value_heads": None}
    assert read_config(Path(written(tmp_path, shared))).pick("kv_heads").value == 28


def test_a_model_may_be_a_path_a_folder_or_a_name(tmp_path: Path) -> None:
    folder = tmp_path / "my model"
    folder.mkdir()
    path = written(folder, LLAMA)
    assert [is_config(name) for name in (path, "x.json", "llama-3-8b")] == [True, True, False]
    assert model(str(folder)).name == model(path).name == "my-model"
    assert model(written(folder, LLAMA, "tuned.json")).name == "tuned"
    found = evaluate("memory.kv_cache", {"T": 1, "B": 1}, model=str(folder))
    assert found.exact("KiB") == 128
    assert {filled.source for filled in found.inputs if filled.letter.name == "L"} == {"my-model"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hidden_size": None}, "has no hidden_size"),
        ({"num_hidden_layers": -1}, "num_hidden_layers is -1"),
        ({"num_hidden_layers": 0}, "num_hidden_layers is 0"),
        ({"num_hidden_layers": 10**12}, "from 1 to 100000"),
        ({"num_hidden_layers": 32.0}, "is 32.0: give a whole number"),
        ({"num_hidden_layers": "32"}, "give a whole number"),
        ({"num_hidden_layers": True}, "is True: give a whole number"),
        ({"num_hidden_layers": [32]}, "give a whole number"),
        (
            {"num_attention_heads": 30, "num_key_value_heads": 30},
            "does not divide into num_attention_heads = 30",
        ),
        ({"num_key_value_heads": 7}, "does not divide by num_key_value_heads = 7"),
        ({"num_key_value_heads": 64}, "does not divide by num_key_value_heads = 64"),
        ({"tie_word_embeddings": "no"}, "give true or false"),
        ({"model_type": "falcon"}, "no formula counts the architecture 'falcon'"),
        ({"model_type": 3}, "no formula counts the architecture"),
        ({"model_type": "llama\n2"}, "'llama?2'"),
        ({"model_type": None, "architectures": ["MambaForCausalLM"]}, "'MambaForCausalLM'"),
        ({"model_type": None, "architectures": None}, "no model_type"),
        ({"architectures": ["LlamaForSequenceClassification"]}, "'LlamaForSequenceClassification'"),
        ({"architectures": "LlamaForCausalLM"}, "is no list of names"),
        ({"model_type": "gemma", "architectures": ["GemmaForCausalLM"]}, "has no head_dim"),
        ({"model_type": "mistral", "architectures": [], "attention_bias": True}, "counted by no formula"),
        ({"model_type": "mixtral", "architectures": []}, "has no num_local_experts"),
    ],
)
def test_a_bad_field_is_refused_in_one_line(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    config = {key: value for key, value in {**LLAMA, **change}.items() if value is not None}
    with pytest.raises(DeriveError) as caught:
        model(written(tmp_path, config))
    assert says in str(caught.value)
    assert "config.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_no_formula_counts_is_refused(tmp_path: Path) -> None:
    for config, says in [
        ({**MIXTRAL, "num_experts_per_tok": 9}, "more than num_local_experts = 8"),
        ({**MIXTRAL, "tie_word_embeddings": True}, "embedding untied"),
        ({**GEMMA, "tie_word_embeddings": False}, "embedding tied"),
        ({**GPT2, "add_cross_attention": True}, "cross-attention"),
        ({**GPT2, "n_head": 7}, "n_embd = 768 does not divide into n_head = 7"),
    ]:
        with pytest.raises(DeriveError, match=says):
            model(written(tmp_path, config))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no JSON"),
        ("hidden_size = 4096", "is no JSON"),
        ("[1, 2]", "is no JSON object"),
        ('{"model_type": "llama", "model_type": "gpt2"}', "'model_type' stands twice"),
        ('{"n": ' + "9" * 5000 + "}", "thousands of digits"),
        ("[" * 200_000, "nested too deeply"),
        ("{" + " " * 2**20 + "}", "larger than 1 MiB"),
    ],
    ids=["empty", "toml", "list", "twice", "digits", "deep", "large"],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(DeriveError) as caught:
        model(written(tmp_path, text))
    assert says in str(caught.value)
    assert "config.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    binary = tmp_path / "b.json"
    binary.write_bytes(b"\xff\xfe{}")
    for path, says in [
        (str(binary), "no UTF-8 text"),
        (str(tmp_path / "absent.json"), "cannot be read"),
        (str(tmp_path), "cannot be read"),
        ("a/" + "x" * 5000, "cannot be read"),
        ("meta-llama/Meta-Llama-3-8B", "give the config.json of a model"),
    ]:
        with pytest.raises(DeriveError, match=says):
            model(path)

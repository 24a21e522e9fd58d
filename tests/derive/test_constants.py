"""Names, aliases and a user's file laid over the catalogue."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from derive import constants
from derive.constants import hardware, model, names
from derive.errors import DeriveError

T, G = 10**12, 10**9
HEAD = 'source = "a document"\ndate = 2026-11-30\ntags = { basis = "measured" }\n'


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(text: str | bytes, name: str = "my.toml") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


class TestLookup:
    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ("h100-sxm", "h100-sxm"),
            ("H100-SXM", "h100-sxm"),
            ("H100", "h100-sxm"),
            (" h100 ", "h100-sxm"),
            ("H100 SXM", "h100-sxm"),
            ("h100_sxm", "h100-sxm"),
            ("a100", "a100-80gb-sxm"),
            ("B200", "b200-sxm"),
        ],
    )
    def test_machine(self, asked: str, found: str) -> None:
        assert hardware(asked).name == found

    def test_model(self) -> None:
        assert model("GPT2").name == model("gpt-2-small").name == "gpt2-small"
        assert model("Llama-3.1-405B").title == "Llama 3.1 405B"

    def test_unknown_name_suggests_the_nearest(self) -> None:
        with pytest.raises(DeriveError, match=r"^unknown machine 'h100-smx', did you mean 'h100-sxm'\?$"):
            hardware("h100-smx")
        with pytest.raises(DeriveError, match=r"^unknown model 'lama-3-8b', did you mean 'llama-3-8b'\?$"):
            model("lama-3-8b")

    def test_unknown_name_far_from_all_lists_them(self) -> None:
        with pytest.raises(DeriveError) as error:
            hardware("\n" + "§" * 100_000)
        assert "one of h100-sxm, h100-pcie" in str(error.value)
        assert len(str(error.value)) < 600
        assert "\n" not in str(error.value)

    def test_names_come_in_the_order_of_the_file(self) -> None:
        assert names("hardware")[:2] == ("h100-sxm", "h100-pcie")
        assert names("model")[0] == "gpt2-small"
        assert names("model") == tuple(constants.catalogue("model"))

    def test_names_load_neither_pint_nor_sympy(self) -> None:
        code = (
            "import sys; from derive.constants import names; known = names('hardware');"
            "print(known[0], *sorted({'pint', 'sympy', 'numpy'} & set(sys.modules)))"
        )
        root = Path(__file__).resolve().parents[2]
        environment = {**os.environ, "PYTHONPATH": "."}
        command = [sys.executable, "-c", code]
        said = subprocess.run(command, check=True, cwd=root, env=environment, capture_output=True, text=True)
        assert said.stdout == "h100-sxm\n"

    def test_the_catalogue_is_read_once_and_cannot_be_changed(self) -> None:
        assert hardware("h100-sxm") is hardware("H100")
        with pytest.raises(TypeError):
            constants.catalogue("hardware")["mine"] = hardware("h100")
        with pytest.raises(TypeError):
            hardware("h100").pick("bandwidth").tags["basis"] = "measured"


class TestOverlay:
    def test_new_machine_beside_the_catalogue(self, write: Callable[..., Path]) -> None:
        path = write(f'[mine]\naliases = ["my"]\n{HEAD}bandwidth = [{{ value = "410 GB/s" }}]\n')
        assert hardware("My", path).pick("bandwidth").base == 410 * G
        assert hardware("h100", path) == hardware("h100")
        assert names("hardware", path) == (*names("hardware"), "mine")
        with pytest.raises(DeriveError, match="unknown machine 'mine'"):
            hardware("mine")

    def test_known_machine_keeps_what_the_file_does_not_give(self, write: Callable[..., Path]) -> None:
        path = write(
            f"[rtx-5060]\n{HEAD}"
            'bandwidth = [{ value = "401 GB/s" }]\n'
            'peak = [{ value = "61 TFLOP/s", tags = { sparsity = "dense", precision = "bf16" } }]\n'
        )
        entry = hardware("rtx-5060", path)
        assert entry.pick("peak", sparsity="dense", precision="bf16").base == 61 * T
        assert (entry.pick("bandwidth").base, entry.pick("bandwidth").tags["basis"]) == (401 * G, "measured")
        assert entry.pick("capacity").base == 8 * G
        assert (entry.title, entry.origin) == ("NVIDIA GeForce RTX 5060 8 GB", str(path))
        assert hardware("rtx-5060").pick("bandwidth").base == 448 * G

    def test_only_the_same_kind_is_overridden(self, write: Callable[..., Path]) -> None:
        path = write(
            f'[h100-sxm]\ntitle = "Ours"\naliases = ["ours"]\n{HEAD}'
            'peak = [{ value = "700 TFLOP/s", tags = { sparsity = "dense", precision = "bf16" } }]\n'
        )
        entry = hardware("ours", path)
        assert entry.pick("peak", sparsity="dense", precision="bf16").base == 700 * T
        assert entry.pick("peak", sparsity="2:4", precision="bf16").base == 1979 * T
        assert (entry.title, hardware("H100", path)) == ("Ours", entry)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            (f"[h100]\n{HEAD}", "h100: is another name of h100-sxm: call it h100-sxm"),
            (f'[mine]\naliases = ["h100"]\n{HEAD}', "mine: the name 'h100' also stands for h100-sxm"),
            (f'[mine]\naliases = ["l40s"]\n{HEAD}', "mine: the name 'l40s' also stands for l40s"),
        ],
    )
    def test_a_name_stands_for_one_machine(self, text: str, says: str, write: Callable[..., Path]) -> None:
        with pytest.raises(DeriveError) as error:
            hardware("h100", write(text))
        assert says in str(error.value)

    def test_a_bad_file_is_refused_whatever_is_asked(self, write: Callable[..., Path]) -> None:
        with pytest.raises(DeriveError, match="unknown role"):
            hardware("h100", write(f'[mine]\n{HEAD}speed = [{{ value = "1 GB/s" }}]'))

    def test_models_too(self, write: Callable[..., Path]) -> None:
        path = write(f'[tiny]\nfamily = "llama"\n{HEAD}values = {{ layers = 2, tied = true }}\n')
        assert (model("tiny", path).family, model("tiny", path).pick("layers").base) == ("llama", 2)

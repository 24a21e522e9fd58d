"""Figures: every number from an evaluation, the same bytes twice, words for those who cannot see them."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from derive import catalogue, constants
from derive.errors import DeriveError
from reports import plots, plots_figures

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
PROBE = """
import hashlib
from reports import plots
for name in plots.names():
    one = plots.figure(name)
    print(name, hashlib.sha256(one.svg.encode() + one.png).hexdigest())
"""


class Recorder:
    """Stands for matplotlib's axes and keeps what is drawn."""

    def __init__(self) -> None:
        self.lines: dict[str, tuple[list[float], list[float]]] = {}
        self.bars: list[tuple[int, float]] = []

    def plot(self, x: list[float], y: list[float], *_: object, **style: object) -> list[None]:
        if isinstance(x, list) and x:
            self.lines[str(style.get("label", len(self.lines)))] = (x, y)
        return [None]

    def bar(self, place: int, height: float, **_: object) -> None:
        self.bars.append((place, height))

    def __getattr__(self, name: str) -> object:
        return Recorder() if name in ("xaxis", "yaxis", "figure") else lambda *_, **__: None


def drawn(name: str) -> Recorder:
    recorder = Recorder()
    plots_figures.DRAWINGS[name].draw(recorder)
    return recorder


def test_the_roof_is_the_lower_of_peak_and_bandwidth() -> None:
    recorder = drawn("roofline")
    ((across, up),) = recorder.lines.values()
    for x, y in zip(across, up, strict=True):
        assert y == pytest.approx(min(989, x * 3.35), rel=1e-12)  # TFLOP/s and TB/s of the H100 SXM


def test_the_share_of_the_caches() -> None:
    weights, token = 2 * 8030261248, 2 * 2 * 8 * 32 * 128  # Llama 3 8B in bf16
    for label, (batches, shares) in drawn("kv-share").lines.items():
        context = int(re.sub(r"\D", "", label))
        for B, share in zip(batches, shares, strict=True):
            cache = B * context * token
            assert share == pytest.approx(100 * cache / (cache + weights), rel=1e-12)


def test_the_share_of_attention_is_proportional_to_the_context() -> None:
    lines = drawn("attention-share").lines
    assert list(lines) == ["GPT-2 small", "Llama 3 8B", "Llama 3 70B"]
    for lengths, shares in lines.values():
        for T, share in zip(lengths, shares, strict=True):
            assert share == pytest.approx(shares[0] * T / lengths[0], rel=1e-12)


def test_the_bars_of_activations_add_up() -> None:
    s, b, h, a = 2048, 4, 12288, 96
    sbh, scores = s * b * h, a * s * s * b
    due = [34 * sbh + 5 * scores, 34 * sbh + 4 * a * b * s, 34 * sbh, 2 * sbh]
    bars = drawn("activations").bars
    for place, bytes in enumerate(due):
        rows = [height for at, height in bars if at == place]
        assert sum(rows) == pytest.approx(bytes / 1e9, rel=1e-12)
    assert len([at for at, _ in bars if at == 0]) == 13


def test_the_all_reduce_is_its_bytes_and_its_latencies() -> None:
    lines = drawn("all-reduce").lines
    sizes, times = lines["ring all-reduce"]
    for place, S in enumerate(sizes):
        carried = 2 * S * 7 / 8 / 450e9 * 1e6  # µs on NVLink at 450 GB/s each way
        assert times[place] == pytest.approx(carried + 140, rel=1e-12)
        assert lines["its bytes alone"][1][place] == pytest.approx(carried, rel=1e-12)
        assert lines["its latencies alone"][1][place] == pytest.approx(140, rel=1e-9)


def test_the_error_stays_within_its_bound() -> None:
    lines = drawn("approximation").lines
    lengths, errors = lines["error of I ≈ d/2"]
    _, bounds = lines["bound that is proved, d/T"]
    for T, error, bound in zip(lengths, errors, bounds, strict=True):
        # |d/2 − Td/(2(T + d))| over Td/(2(T + d)) is d/T
        assert error == pytest.approx(12800 / T, rel=1e-12)
        assert error <= bound * (1 + 1e-12)


def test_a_changed_constant_changes_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn("kv-share").lines
    entry = constants.model("llama-3-8b")
    fewer = tuple(
        dataclasses.replace(one, value=Fraction(4)) if one.role == "kv_heads" else one
        for one in entry.constants
    )
    shipped = constants.catalogue
    tampered = {**shipped("model"), entry.name: dataclasses.replace(entry, constants=fewer)}
    monkeypatch.setattr(
        constants, "catalogue", lambda kind, extra=None: tampered if kind == "model" else shipped(kind, extra)
    )
    for label, (batches, shares) in drawn("kv-share").lines.items():
        assert batches == before[label][0]
        assert all(new < old for new, old in zip(shares, before[label][1], strict=True))


@pytest.mark.parametrize("name", plots.names())
def test_a_figure_speaks_for_itself(name: str) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    figure = plots.figure(name)
    assert figure.png.startswith(b"\x89PNG")
    root = ElementTree.fromstring(figure.svg)
    title, described = root[0], root[1]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {described.get('id')}"
    assert (title.text, described.text) == (figure.title, figure.description)
    assert re.search(r"\d", figure.description)
    assert all(str(one.get("id", name)).startswith(name) for one in root.iter())
    words = " ".join("".join(one.itertext()) for one in root.iter(f"{SVG}text"))
    assert re.search(r"\[[^\]]+\]", words), "an axis without a unit"
    assert root.find(f".//{SVG}metadata") is None
    assert "<?xml" not in figure.svg


def test_figures_are_the_same_bytes_in_another_process() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    found = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    due = {
        name: hashlib.sha256(plots.figure(name).svg.encode() + plots.figure(name).png).hexdigest()
        for name in plots.names()
    }
    assert dict(line.split() for line in found.stdout.splitlines()) == due


def test_figures_belong_to_chapters() -> None:
    assert {one.chapter for one in plots_figures.DRAWINGS.values()} <= set(catalogue.chapters())
    assert plots.names("decode") == ("kv-share",)
    assert plots.of_chapter("cpu") == ()


def test_an_unknown_figure_is_refused() -> None:
    with pytest.raises(DeriveError, match=r"no figure 'rooflin'.*roofline"):
        plots.figure("rooflin")


def test_without_matplotlib_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "available", lambda: False)
    assert plots.of_chapter("decode") == ()


def test_a_figure_is_saved(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    figure = plots.figure("kv-share")
    assert plots.save(figure, tmp_path, "svg").read_text("utf-8") == figure.svg
    assert plots.save(figure, tmp_path, "png").read_bytes() == figure.png
    with pytest.raises(DeriveError, match="cannot be written"):
        plots.save(figure, tmp_path / "nowhere", "png")

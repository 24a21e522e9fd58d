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

import reports
from derive import catalogue, constants
from derive.errors import DeriveError
from reports import plots, plots_figures
from reports.plots_figures import INK, PAPER
from reports.plots_scene import Scene
from reports.setting import Setting

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
PROBE = """
import hashlib
from reports import plots
from reports.setting import Setting
for name in plots.DRAWINGS:
    one = plots.figure(name, Setting())
    print(name, *(hashlib.sha256(one.data(format)).hexdigest() for format in ("svg", "pdf", "png")))
"""
PLAIN = Setting()


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


def drawn(name: str, setting: Setting = PLAIN) -> Recorder:
    recorder = Recorder()
    plots_figures.DRAWINGS[name].draw(recorder, Scene(setting))
    return recorder


def figure(name: str, setting: Setting = PLAIN) -> plots.Figure:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    return plots.figure(name, setting)


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
    assert list(lines) == ["Llama 3 8B", "Llama 3 70B", "GPT-2 small"]
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


def test_the_roofline_is_that_of_the_readers_machine() -> None:
    setting = Setting("a100-80gb-sxm", given={"d": 64})
    ((across, up),) = drawn("roofline", setting).lines.values()
    for x, y in zip(across, up, strict=True):
        assert y == pytest.approx(min(312, x * 2.039), rel=1e-12)
    told = figure("roofline", setting)
    assert told.title == "Kernels on the roofline of the NVIDIA A100 SXM4 80 GB"
    assert "ridge point of 153.0 FLOP/byte" in told.caption
    assert told.caption.endswith(" As asked: d = 64.")
    assert "naive attention at 31.51 FLOP/byte" in told.description  # 4096·64/(2·4160)


def test_the_caches_are_those_of_the_readers_model_and_context() -> None:
    ((label, (batches, shares)),) = drawn(
        "kv-share", Setting(model="llama-2-7b", given={"T": 4096})
    ).lines.items()
    assert label == "context 4096 tokens"
    weights = 2 * 6_738_415_616
    for B, share in zip(batches, shares, strict=True):
        cache = B * 4096 * 2 * 2 * 32 * 32 * 128
        assert share == pytest.approx(100 * cache / (cache + weights), rel=1e-12)


def test_the_layer_is_that_of_the_readers_model() -> None:
    bars = drawn("activations", Setting(model="llama-3-8b")).bars
    sb, h, a, kv, f = 2048 * 4, 4096, 32, 8 * 128, 14336
    shared = sb * (2 * 2 * h + 2 * h + 2 * h + 2 * 2 * kv + 2 * h + 4 * a + 2 * h)
    due = [shared + 4 * 2 * sb * f, shared + 3 * 2 * sb * f, 2 * sb * h]
    for place, bytes in enumerate(due):
        assert sum(height for at, height in bars if at == place) == pytest.approx(bytes / 1e9, rel=1e-12)


def test_a_figure_that_the_machine_cannot_fill_says_so() -> None:
    told = figure("all-reduce", Setting("t4"))
    assert "NVIDIA H100 SXM5 80 GB" in told.caption
    why = "collectives.latency_bound_size needs beta (bandwidth of a device's link, in byte/s)"
    assert told.caption.endswith(f" As asked it cannot be drawn: {why}.")


def test_the_approximation_keeps_the_element_that_its_chain_puts() -> None:
    lines = drawn("approximation", Setting(given={"e": "4 byte"}, conventions={"precision": "fp8"})).lines
    assert lines == drawn("approximation").lines


@pytest.mark.parametrize("name", plots.DRAWINGS)
def test_a_figure_speaks_for_itself(name: str) -> None:
    chosen = figure(name)
    assert chosen.data("png").startswith(b"\x89PNG")
    assert chosen.data("pdf").startswith(b"%PDF")
    svg = chosen.data("svg").decode()
    root = ElementTree.fromstring(svg)
    title, described = root[0], root[1]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {described.get('id')}"
    assert (title.text, described.text) == (chosen.title, chosen.description)
    assert chosen.description.startswith(chosen.caption)
    assert re.search(r"\d", chosen.description)
    assert all(str(one.get("id", name)).startswith(name) for one in root.iter())
    words = " ".join("".join(one.itertext()) for one in root.iter(f"{SVG}text"))
    assert re.search(r"\[[^\]]+\]", words), "an axis without a unit"
    assert root.find(f".//{SVG}metadata") is None
    assert "<?xml" not in svg
    assert not {INK, PAPER, "#000000", "black"} & set(re.findall(r"#\w{6}|black", chosen.inline))
    assert "var(--ink)" in chosen.inline


def test_figures_are_the_same_bytes_in_another_process() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    found = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    due = {
        name: [hashlib.sha256(figure(name).data(format)).hexdigest() for format in ("svg", "pdf", "png")]
        for name in plots.DRAWINGS
    }
    assert {line.split()[0]: line.split()[1:] for line in found.stdout.splitlines()} == due


def test_figures_belong_to_derivations() -> None:
    assert {one.id for one in plots_figures.DRAWINGS.values()} <= set(catalogue.all_ids())
    assert plots.of("cpu.peak", PLAIN) == ()


def test_an_unknown_figure_is_refused() -> None:
    with pytest.raises(DeriveError, match=r"no figure 'rooflin'.*roofline"):
        plots.figure("rooflin", PLAIN)


def test_without_matplotlib_reports_say_what_they_lack(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(plots, "available", lambda: False)
    with pytest.raises(DeriveError, match="pip install"):
        plots.figure("roofline", PLAIN)
    notes: list[str] = []
    paths = reports.write(["roofline", "cpu"], ["md", "tex", "html"], tmp_path, note=notes.append)
    assert {path.parent for path in paths} == {tmp_path}
    told = "1 figure (roofline) is left out: matplotlib is not installed; "
    told += "`pip install 'derive-arithmetic[plot]'` brings it"
    assert notes == [told]
    assert told in (tmp_path / "roofline.md").read_text("utf-8")
    for format in ("md", "tex", "html"):
        assert "left out: matplotlib" in (tmp_path / f"roofline.{format}").read_text("utf-8")
        assert "matplotlib" not in (tmp_path / f"cpu.{format}").read_text("utf-8")


def test_a_chapter_names_its_figures_and_brings_them(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    paths = reports.write(["decode"], ["md", "tex", "html"], tmp_path, on="h100-sxm")
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        "decode.md",
        "decode.tex",
        "decode.html",
        "figures/kv-share.svg",
        "figures/kv-share.pdf",
    ]
    chosen = figure("kv-share", Setting("h100-sxm"))
    text = (tmp_path / "decode.md").read_text("utf-8")
    assert f"![{chosen.description}](figures/kv-share.svg)\n\n*{chosen.caption}*\n" in text
    latex = (tmp_path / "decode.tex").read_text("utf-8")
    assert r"keepaspectratio]{figures/kv-share.pdf}" in latex
    assert chosen.inline in (tmp_path / "decode.html").read_text("utf-8")
    assert paths[3].read_bytes() == chosen.data("svg")
    assert paths[4].read_bytes() == chosen.data("pdf")


def test_a_text_alone_names_no_file_beside_it() -> None:
    assert "figures/" not in reports.render("decode", "md")
    assert "includegraphics" not in reports.render("decode", "tex")

"""Pages in use, in headless Chromium: by keyboard, slider and print, in the dark, on a phone, by axe's rules."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.reports.browser import Browser

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("index", "attention", "decode", "memory", "roofline", "formats", "parameters")
AUDITED = (("index", False), ("index", True), ("attention", False), ("roofline", True), ("formats", True))
AT = """const at = (part) => document.getElementById(`attention.naive_intensity.live.${part}`);
const put = (part, value, kind = "input") => { at(part).value = value; at(part).dispatchEvent(new Event(kind)); };
"""


def test_the_numbers_and_the_dot_move_with_a_slider(site: Path, chromium: Browser) -> None:
    chromium.open(site / "attention.html")
    before, after, back = chromium.run(
        AT
        + """const dot = () => Number(at("roofline").querySelector("circle").getAttribute("cx"));
        const state = () => [at("T").value, at("value").textContent, at("regime").textContent,
               at("near0").textContent, dot(), at("T.slider").getAttribute("aria-valuetext")];
        const before = state();
        put("T.slider", -5);
        const after = state();
        at("reset").click();
        return [before, after, state()];"""
    )
    against = "against the ridge of ≈ 295.2 FLOP/byte."
    near = "64 FLOP/byte, off by ≈ 3.1 %, at most ≈ 3.1 % is proved"
    assert before[:4] == [
        "4096",
        "≈ 62.06 FLOP/byte",
        f"Memory-bound by a factor of 4.757: ≈ 62.06 FLOP/byte {against}",
        near,
    ]
    assert after[:4] == [
        "128",
        "= 32 FLOP/byte",
        f"Memory-bound by a factor of 9.226: 32 FLOP/byte {against}",
        "64 FLOP/byte, off by 100 %, at most 100 % is proved",
    ]
    assert after[4] < before[4]
    assert [before[5], after[5]] == ["4096", "128"]
    assert back == before


def test_a_larger_head_makes_the_kernel_compute_bound(site: Path, chromium: Browser) -> None:
    chromium.open(site / "attention.html")
    regime, described = chromium.run(
        AT + """put("d", "2048"); return [at("regime").textContent, at("roofline.desc").textContent];"""
    )
    # I = T·d / (2(T + d)) = 4096·2048 / (2·6144) = 682.67 FLOP/byte, and 682.67/295.22 = 2.312
    assert regime.startswith("Compute-bound by a factor of 2.312: ≈ 682.7 FLOP/byte")
    assert "reaches at most 989 TFLOP/s, compute-bound" in described


def test_another_machine_moves_the_ridge(site: Path, chromium: Browser) -> None:
    chromium.open(site / "attention.html")
    fields, regime, machine = chromium.run(
        AT
        + """put("machine", "a100-80gb-sxm", "change");
        const found = [[at("P").value, at("W").value], at("regime").textContent];
        put("P", "300");
        return [...found, at("machine").value];"""
    )
    assert fields == ["312", "2.039"]
    assert "the ridge of ≈ 153.0 FLOP/byte" in regime
    assert machine == ""


def test_a_letter_moves_what_is_computed_from_it(site: Path, chromium: Browser) -> None:
    chromium.open(site / "decode.html")
    first, longer = chromium.run(
        """const at = (part) => document.getElementById(`decode.step_time.live.${part}`);
        const first = at("value").textContent;
        at("T").value = "16384"; at("T").dispatchEvent(new Event("input"));
        return [first, at("value").textContent];"""
    )
    # Llama-3-8B: (16,060,522,496 B of weights + B·131,072·T B of cache) / 3.35 TB/s
    weights, token = 2 * 8030261248, 2 * 2 * 8 * 32 * 128
    assert first == f"≈ {(weights + 8192 * token) / 3.35e9:.3f} ms"
    assert longer == f"≈ {(weights + 16384 * token) / 3.35e9:.3f} ms"


def test_a_value_that_does_not_exist_is_told(site: Path, chromium: Browser) -> None:
    chromium.open(site / "matmul.html")
    told = chromium.run(
        """const at = (part) => document.getElementById(`matmul.critical_batch.live.${part}`);
        at("d").value = "128"; at("d").dispatchEvent(new Event("input"));
        return at("value").textContent;"""
    )
    assert told.startswith("— there is no value here: ")


def test_a_chain_unfolds_link_by_link(site: Path, chromium: Browser) -> None:
    chromium.open(site / "attention.html")
    states = chromium.wait(
        """const tools = document.querySelector('[data-chain="attention.naive_intensity.chain"]');
        const links = [...document.getElementById("attention.naive_intensity.chain").querySelectorAll("details")];
        const [next, all] = tools.querySelectorAll("button");
        const state = async () => { await new Promise((go) => setTimeout(go, 50));
          return [links.map((one) => one.open), next.disabled, all.textContent]; };
        const found = [await state()];
        next.click(); found.push(await state());
        all.click(); found.push(await state());
        all.click(); found.push(await state());
        return found;"""
    )
    assert states == [
        [[False, False], False, "Unfold all"],
        [[True, False], False, "Unfold all"],
        [[True, True], True, "Fold all"],
        [[False, False], False, "Unfold all"],
    ]


def test_print_is_unfolded(site: Path, chromium: Browser, tmp_path: Path) -> None:
    chromium.open(site / "roofline.html")
    chromium.open(site / "attention.html")
    (tmp_path / "page.pdf").write_bytes(chromium.pdf())
    found = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "page.pdf", "-"], capture_output=True, text=True, check=True
    )
    words = " ".join(found.stdout.split())
    assert "Proved: e is replaced by a value of its own unit" in words
    assert "Move the numbers" not in words
    assert "Skip to the content" not in words


@pytest.mark.parametrize("page", PAGES)
def test_a_phone_shows_the_whole_width(site: Path, chromium: Browser, page: str) -> None:
    chromium.open(site / f"{page}.html")
    chromium.look(width=390)
    wide = chromium.run(
        """const hidden = (box) => box.scrollWidth > box.clientWidth && box.tabIndex < 0;
        const boxes = [...document.querySelectorAll(".scroll")];
        return [document.documentElement.scrollWidth, boxes.filter(hidden).length];"""
    )
    chromium.look()
    assert wide == [390, 0]


def axe() -> str:
    """The source of axe-core, where it lies; AXE_CORE names its folder, as `npm install axe-core` makes it."""
    folder = Path(os.environ.get("AXE_CORE", ROOT / "node_modules" / "axe-core"))
    if not (folder / "axe.min.js").is_file():
        pytest.skip("axe-core is not installed: npm install --no-save axe-core")
    return (folder / "axe.min.js").read_text("utf-8")


@pytest.mark.parametrize(("page", "dark"), AUDITED)
def test_axe_finds_nothing(site: Path, chromium: Browser, page: str, dark: bool) -> None:
    source = axe()
    chromium.open(site / f"{page}.html")
    chromium.look(dark=dark, width=390 if dark else 1200)
    chromium.run("document.querySelectorAll('details').forEach((one) => { one.open = true; });" + source)
    found = chromium.wait(
        "const { violations } = await axe.run(document, { resultTypes: ['violations'] });"
        "return violations.map((one) => [one.impact, one.id, one.nodes.slice(0, 3).map((node) => node.html)]);"
    )
    chromium.look()
    assert found == []

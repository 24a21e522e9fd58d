"""The wheel holds the packages with their data and nothing else, and works where the checkout is not."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from fractions import Fraction
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("units", "derive", "reports")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def run(*command: str | Path, cwd: Path) -> str:
    """Standard output of a command that must succeed."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of an environment that sees the wheel and the dependencies, but not the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", "--no-deps", "--no-index", wheel, cwd=folder)
    # A folder named in a .pth file is searched, yet its own .pth files, such as that of an
    # editable install of the checkout, are not read.
    site_packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    pth = Path(site_packages.strip()) / "dependencies.pth"
    pth.write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return folder / "bin"


def test_the_wheel_holds_the_packages_and_nothing_else(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    ours = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    # the measurement hook travels inside derive, so that no package of ours is called tools
    ours |= {
        f"derive/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "tools").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if ".dist-info/" not in name} == ours
    assert ours > {
        "units/definitions.txt",
        "units/py.typed",
        "derive/py.typed",
        "derive/data/details.toml",
        "derive/data/hardware.toml",
        "derive/data/models.toml",
        "derive/data/reported.toml",
        "reports/py.typed",
    }
    assert any(name.startswith("reports/templates/") for name in ours)


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        folder = f"derive_arithmetic-{PROJECT['version']}.dist-info"
        metadata = archive.read(f"{folder}/METADATA").decode()
        assert archive.read(f"{folder}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        entry_points = archive.read(f"{folder}/entry_points.txt").decode()
    assert entry_points == "[console_scripts]\nderive = derive.cli:main\n"
    assert "\nName: derive-arithmetic\n" in metadata
    assert "\nLicense-Expression: Apache-2.0\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata


def test_an_installed_derive_reports_away_from_the_checkout(installed: Path, tmp_path: Path) -> None:
    origins = "; ".join(f"import {package}; print({package}.__file__)" for package in PACKAGES)
    for origin in run(installed / "python", "-c", origins, cwd=tmp_path).splitlines():
        assert Path(origin).is_relative_to(installed.parent)
    report = (installed / "derive", "report", "attention.naive_intensity", "--on", "h100-sxm")
    given = ("--set", "T=4096", "--set", "d=128")
    run(*report, *given, "--format", "md,tex", "--out", "out/", cwd=tmp_path)
    expected = f"{float(Fraction(4096 * 128, 2 * (4096 + 128))):.4g}"
    written = sorted((tmp_path / "out").rglob("*"))
    for suffix in (".md", ".tex"):
        (document,) = [path for path in written if path.suffix == suffix]
        assert expected in document.read_text("utf-8")


def requirement_names(requirements: list[str]) -> set[str]:
    """The distributions that requirement lines name, in lower case."""
    return {re.split(r"[<>=!~\[ ;]", requirement)[0].lower() for requirement in requirements}


def test_imports_are_declared_and_declarations_imported() -> None:
    imported: set[str] = set()
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    third_party = imported - set(PACKAGES) - sys.stdlib_module_names
    distributions = packages_distributions()
    used = {distributions.get(module, [module])[0].lower() for module in third_party}
    extras = PROJECT["optional-dependencies"].items()
    optional = requirement_names([line for extra, lines in extras if extra != "dev" for line in lines])
    assert used - optional == requirement_names(PROJECT["dependencies"])


def test_every_pin_names_one_version_and_no_host() -> None:
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", pin) for pin in pins)
    assert len({pin.partition("==")[0].lower().replace("_", "-") for pin in pins}) == len(pins)

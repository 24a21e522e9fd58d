"""From LaTeX to PDF, through the pdflatex on the PATH: alone in a folder, in bounded time, the same bytes each time."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from derive.errors import DeriveError

ENGINE = "pdflatex"
_NAME = "document"
_SECONDS = 300
_RUNS = 5
_LOG = 2**22
# no day, no version and no random identifier, so that two builds are the same bytes
_START = rf"\pdfinfoomitdate=1 \pdfsuppressptexinfo=15 \pdftrailerid{{}}\input{{{_NAME}.tex}}"
_KEPT = (f"{_NAME}.aux", f"{_NAME}.toc", f"{_NAME}.out")
_SAFE = {
    "openin_any": "p",
    "openout_any": "p",
    "SOURCE_DATE_EPOCH": "0",
    "FORCE_SOURCE_DATE": "1",
    "max_print_line": "1000",
}


def check_engine() -> str:
    """The engine's path. Raises DeriveError where there is none."""
    found = shutil.which(ENGINE)
    if found is None:
        raise DeriveError(
            f"no {ENGINE} on the PATH: install TeX Live (Debian: texlive-latex-recommended, "
            "texlive-fonts-recommended, lmodern), or give --format tex and compile it elsewhere"
        )
    return found


def compiled(source: str, name: str, files: Mapping[str, bytes]) -> bytes:
    """The PDF of a LaTeX document. name: what an error calls it; files: what it includes, by path.

    Runs until the cross-references stand still. Raises DeriveError where there is no
    engine, where it does not finish, and where LaTeX finds an error.
    """
    engine = check_engine()
    with tempfile.TemporaryDirectory(prefix="derive-") as made:
        folder = Path(made)
        (folder / f"{_NAME}.tex").write_text(source, "utf-8")
        for included, data in files.items():
            (folder / included).parent.mkdir(exist_ok=True)
            (folder / included).write_bytes(data)
        before: dict[str, bytes] = {}
        for _ in range(_RUNS):
            _run(engine, folder, name)
            after = {name: path.read_bytes() for name in _KEPT if (path := folder / name).is_file()}
            if after == before:
                break
            before = after
        return (folder / f"{_NAME}.pdf").read_bytes()


def _run(engine: str, folder: Path, name: str) -> None:
    command = [
        engine,
        "-no-shell-escape",
        "-interaction=nonstopmode",
        "-halt-on-error",
        f"-jobname={_NAME}",
        _START,
    ]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **_SAFE},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DeriveError(f"{name}.pdf: {ENGINE} did not finish in {_SECONDS} s") from error
    except OSError as error:
        raise DeriveError(f"{name}.pdf: {ENGINE} cannot be run: {error.strerror or error}") from error
    if done.returncode or not (folder / f"{_NAME}.pdf").is_file():
        raise DeriveError(f"{name}.pdf: {ENGINE} failed: {_reason(folder / f'{_NAME}.log')}")


def _reason(log: Path) -> str:
    """The first error of a log."""
    try:
        with log.open("rb") as file:
            lines = file.read(_LOG).decode("utf-8", "replace").splitlines()
    except OSError:
        return "it left no log"
    return next((line[1:].strip() for line in lines if line.startswith("!")), "its log names no error")

"""The catalogue: chapters found by name, and formulas in a file of the user's own.

A chapter is a module of `derive.formulas`; its public derivations are its
formulas, `chapter.name` their ids. A user's file is the same thing anywhere on
disk. Files are code and are run as code; a failure in one is told in one line.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
import traceback
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

from derive.derivation import Derivation
from derive.errors import DeclarationError, DeriveError
from derive.suggest import nearest
from derive.tables import Table

_files: dict[str, dict[str, Derivation]] = {}
_loading: list[str] = []


@cache
def chapters() -> tuple[str, ...]:
    """The names of the catalogue's chapters, in the order of the book."""
    import derive.formulas

    modules = (module.name for module in pkgutil.iter_modules(derive.formulas.__path__))
    found = {name for name in modules if not name.startswith("_")}
    ordered = [name for name in derive.formulas.ORDER if name in found]
    return tuple(ordered + sorted(found.difference(ordered)))


def chapter(name: str) -> dict[str, Derivation]:
    """A chapter's derivations by id. Raises DeriveError for an unknown chapter."""
    if name in _files:
        return _files[name]
    if name not in chapters():
        raise DeriveError(
            f"unknown chapter {name!r}{nearest(name, chapters())}: one of {', '.join(chapters())}"
        )
    if name in _loading:
        raise DeclarationError(f"circular use: {' → '.join([*_loading, name])}")
    return _chapter(name)


@cache
def _chapter(name: str) -> dict[str, Derivation]:
    _loading.append(name)
    try:
        return derivations_of(importlib.import_module(f"derive.formulas.{name}"), name)
    finally:
        _loading.remove(name)


def intro(name: str) -> str:
    """A chapter's own introduction: its module's docstring."""
    return (_module(name).__doc__ or "").strip()


def tables(name: str) -> list[Table]:
    """The worked tables of a chapter, in the order of its file."""
    public = (value for attribute, value in vars(_module(name)).items() if not attribute.startswith("_"))
    return [value for value in public if isinstance(value, Table)]


def _module(name: str) -> ModuleType:
    chapter(name)
    return sys.modules.get(module_name(name)) or sys.modules[f"derive.formulas.{name}"]


def get(id: str) -> Derivation:
    """The derivation of an id such as "attention.naive_intensity".

    Raises DeriveError for an unknown id, with the nearest one.
    """
    name, _, rest = id.partition(".")
    if rest and (name in _files or name in chapters()):
        found = chapter(name).get(id)
        if found is not None:
            return found
    ids = all_ids()
    raise DeriveError(f"unknown id {id[:80]!r}{nearest(id, ids)}: `derive list` shows them all")


def all_ids() -> list[str]:
    """Every id of the catalogue and of the files loaded, chapter by chapter."""
    return [id for name in (*chapters(), *_files) for id in chapter(name)]


_HINTS = {
    "for ^": "a power is written **",
    "truth value of Relational": "letters have no value yet: take Max and Min of derive for max, min and if",
    "Cannot convert expression to float": "letters have no value yet: take sqrt and log of derive, not of math",
}
"""What a message of Python itself means in a formula's file."""


def load_file(path: str | Path) -> dict[str, Derivation]:
    """The derivations of a Python file, by id `stem.name`. The file is run.

    Raises DeriveError where it cannot be read, fails, or declares no derivation.
    """
    file = Path(path)
    stem = file.stem
    found = derivations_of(run_file(file), stem)
    if not found:
        raise DeclarationError(f"{path}: declares no Derivation at its top level")
    before = _files.get(stem)
    _files[stem] = found
    try:
        _check_fillers(found, file)
    except DeriveError:
        del _files[stem]
        if before is not None:
            _files[stem] = before
        raise
    return found


def run_file(path: str | Path, loader: SourceFileLoader | None = None) -> ModuleType:
    """The module that a Python file makes when it is run, by a loader that may leave parts of it out.

    Raises DeriveError where it cannot be read or fails.
    """
    file = Path(path)
    stem = file.stem
    if not file.is_file():
        raise DeriveError(f"{path}: no such file")
    if not stem.isidentifier() or stem in chapters():
        raise DeriveError(
            f"{path}: the file's name becomes the chapter's: give letters, digits and _, and no chapter's name"
        )
    spec = importlib.util.spec_from_file_location(module_name(stem), file, loader=loader)
    if spec is None or spec.loader is None:
        raise DeriveError(f"{path}: no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise DeclarationError(_told(error, file)) from error
    return module


def _check_fillers(found: dict[str, Derivation], file: Path) -> None:
    """Letters that other ids fill must name ids that exist and never lead back."""

    def walk(derivation: Derivation, above: tuple[str, ...]) -> None:
        if derivation.id in above:
            raise DeclarationError(f"{file}: circular use: {' → '.join((*above, derivation.id))}")
        for letter in derivation.letters:
            if letter.filled_by:
                try:
                    filler = get(letter.filled_by)
                except DeriveError as error:
                    raise DeclarationError(
                        f"{file}: what fills {letter.name} in {derivation.id}: {error}"
                    ) from error
                walk(filler, (*above, derivation.id))

    for derivation in found.values():
        walk(derivation, ())


def _told(error: BaseException, file: Path) -> str:
    """A failure of a user's file in one line, with the line of the file where it happened."""
    own = file.resolve()
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == own]
    if isinstance(error, SyntaxError):
        lines = [error.lineno or 0]
    where = f"{file}:{lines[-1]}" if lines else str(file)
    if isinstance(error, SystemExit):
        return f"{where}: the file ends the program that reads it: leave sys.exit out"
    text = " ".join(str(error).split()) or type(error).__name__
    kind = "" if isinstance(error, DeriveError | ValueError) else f"{type(error).__name__}: "
    hint = next((f" ({hint})" for sign, hint in _HINTS.items() if sign in text), "")
    return f"{where}: {kind}{text}{hint}"


def derivations_of(module: ModuleType, name: str) -> dict[str, Derivation]:
    """The derivations at the top level of a module, each given its id `name.variable`."""
    found: dict[str, Derivation] = {}
    for attribute, value in vars(module).items():
        if (
            isinstance(value, Derivation)
            and not attribute.startswith("_")
            and value.id in ("", f"{name}.{attribute}")
        ):
            value.id = f"{name}.{attribute}"
            found[value.id] = value
    return found


def module_name(stem: str) -> str:
    """What the module of a user's file is called among Python's own."""
    return f"derive_user_file_{stem}"

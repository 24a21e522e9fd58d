"""With DERIVE_CI=1 no test is left out unseen; without it a skip is a skip."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = {
    "test_passes.py": "def test_it(): assert True",
    "test_skips.py": "import pytest\ndef test_it(): pytest.skip('no such tool')",
    "test_marked.py": "import pytest\n@pytest.mark.skip(reason='no such tool')\ndef test_it(): assert True",
    "test_xfails.py": "import pytest\n@pytest.mark.xfail(reason='no such tool')\ndef test_it(): assert False",
    "test_module.py": "import pytest\npytest.importorskip('no_such_tool')",
    "test_shared.py": "import pytest\ndef test_it(): pytest.skip('the folder ../shared is absent')",
    "test_fixture.py": "def test_it(shared): assert shared.is_dir()",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with this conftest.py and the tests above; no folder shared lies beside it."""
    tests = tmp_path / "checkout" / "tests"
    tests.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("conftest.py"), tests)
    for name, text in TESTS.items():
        (tests / name).write_text(text + "\n")
    return tests.parent


def outcomes(checkout: Path, *, ci: bool) -> tuple[int, dict[str, int]]:
    """The exit status of pytest in `checkout` and the counts of its closing line."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["DERIVE_CI"] = "1" if ci else "0"
    command = [sys.executable, "-m", "pytest", "-n", "2", "-c", os.devnull, "--rootdir", ".", "tests"]
    done = subprocess.run(
        [*command, "--import-mode=importlib", "--continue-on-collection-errors"],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    closing = done.stdout.strip().splitlines()[-1]
    return done.returncode, {kind: int(count) for count, kind in re.findall(r"(\d+) ([a-z]+)", closing)}


def test_ci_accepts_only_the_absence_of_shared(checkout: Path) -> None:
    # A mark is read while a test is set up and a module while it is collected: both count as errors.
    assert outcomes(checkout, ci=True) == (1, {"failed": 2, "passed": 1, "skipped": 2, "errors": 2})


def test_ci_refuses_that_reason_where_shared_is_present(checkout: Path) -> None:
    (checkout.parent / "shared").mkdir()
    assert outcomes(checkout, ci=True) == (1, {"failed": 3, "passed": 2, "errors": 2})


def test_elsewhere_skips_stay_skips(checkout: Path) -> None:
    assert outcomes(checkout, ci=False) == (0, {"passed": 1, "skipped": 5, "xfailed": 1})

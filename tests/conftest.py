"""What all tests share: where DERIVE_CI=1 is set, a test that does not run is a failure.

The one reason accepted there is that the folder ../shared, which holds cases
and figures from outside, does not lie beside the checkout.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turns a skipped or xfailed report into a failed one, unless ../shared is its reason."""
    if os.environ.get("DERIVE_CI") != "1" or not report.skipped:
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if "../shared" in reason and not SHARED.is_dir():
        return
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid}: no test may be left out in CI: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder ../shared; a test that asks for it is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared is absent")
    return SHARED

"""The whole site and a browser, made once for all tests of pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import reports
from tests.reports import browser


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site: every chapter and an index, on an H100."""
    folder = tmp_path_factory.mktemp("site")
    reports.write(["all"], ["html"], folder, on="h100-sxm")
    return folder


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Browser]:
    """A headless Chromium; a test that asks for it is skipped where it or its driver is absent."""
    if absent := browser.missing():
        pytest.skip(f"{absent} not installed")
    opened = browser.Browser(tmp_path_factory.mktemp("chromium"))
    yield opened
    opened.close()

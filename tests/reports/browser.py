"""Headless Chromium over the WebDriver protocol: plain HTTP and JSON, no library."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def missing() -> str:
    """Which program is absent, or ""."""
    return ", ".join(name for name in ("chromium", "chromedriver") if shutil.which(name) is None)


class Browser:
    """One Chromium with a fresh profile in the folder `scratch`."""

    def __init__(self, scratch: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._base = f"http://127.0.0.1:{port}"
        self._driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(100):
            try:
                self._ask("GET", "/status")
                break
            except URLError:
                time.sleep(0.1)
        options = {
            "binary": shutil.which("chromium"),
            "args": [*FLAGS, f"--user-data-dir={scratch / 'profile'}"],
        }
        asked = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "browserName": "chrome"}}}
        self._session = f"/session/{self._ask('POST', '/session', asked)['sessionId']}"

    def open(self, page: Path) -> None:
        self._post("/url", url=page.as_uri())
        for _ in range(100):  # a busy machine may answer before the page's own script has run
            if self.run("return document.readyState === 'complete' && location.href") == page.as_uri():
                return
            time.sleep(0.1)
        raise AssertionError(f"{page} did not load in 10 s")

    def run(self, script: str, *arguments: Any) -> Any:
        """What the body of a function returns in the page; `arguments` are its arguments."""
        return self._post("/execute/sync", script=script, args=list(arguments))

    def wait(self, script: str, *arguments: Any) -> Any:
        """What the body of an asynchronous function returns."""
        whole = (
            f"const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then(done, "
            "error => done(String(error)));"
        )
        return self._post("/execute/async", script=whole, args=list(arguments))

    def look(self, *, dark: bool = False, width: int = 1200) -> None:
        """Emulates a window of that width and the reader's colours."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._tool("Emulation.setEmulatedMedia", features=scheme)
        self._tool(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )

    def pdf(self) -> bytes:
        return base64.b64decode(self._tool("Page.printToPDF", printBackground=True)["data"])

    def close(self) -> None:
        try:
            self._ask("DELETE", self._session)
        finally:
            self._driver.terminate()
            self._driver.wait(10)

    def _tool(self, command: str, **parameters: Any) -> Any:
        return self._post("/goog/cdp/execute", cmd=command, params=parameters)

    def _post(self, path: str, **body: Any) -> Any:
        return self._ask("POST", self._session + path, body)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._base + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with _DIRECT.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from error

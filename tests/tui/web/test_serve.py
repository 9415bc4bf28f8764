"""The application in a browser: a token, then a cookie, nothing from outside."""

from __future__ import annotations

import asyncio
import http.client
import re
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.browser
FOREIGN = re.compile(r"""url\((?!["']?/[^/]|["']?data:)""")
OUTSIDE = re.compile(r"(?:https?:)?//[\w.-]+\.\w")


class Answer(NamedTuple):
    """What the server said; of a socket, the first bytes."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Served:
    """A server process, its address and a way to ask it."""

    def __init__(self, store: Path) -> None:
        command = [sys.executable, "-P", "-m", "augury", "--store", str(store), "serve"]
        self.process = subprocess.Popen(
            [*command, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.port = urlsplit(self.address).port or 0
        self.token = urlsplit(self.address).query.partition("=")[2]

    def ask(self, path: str, **headers: str) -> Answer:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request("GET", path, headers=given)
            with connection.getresponse() as found:
                begun = found.status == 101 and found.fp is not None
                body = found.fp.read(2) if begun else found.read()
                return Answer(found.status, found.headers, body)

    def close(self) -> None:
        assert self.process.stdout is not None
        self.process.terminate()
        self.process.stdout.close()
        assert self.process.wait(60) == 0

    def cookie(self) -> str:
        answer = self.ask(f"/?token={self.token}")
        assert answer.status == 302 and answer.headers["Location"] == "/"
        given = answer.headers["Set-Cookie"]
        assert "HttpOnly" in given and "SameSite=Strict" in given and self.token not in given
        return given.partition(";")[0]


@pytest.fixture
def served(store: Path) -> Iterator[Served]:
    made = Served(store)
    yield made
    made.close()


UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip


def test_without_the_token_nothing_is_seen(served: Served) -> None:
    wrong = f"augury-{served.port}=wrong"
    for path in ("/", "/?token=wrong", "/ws", "/static/js/textual.js", "/page/page.css"):
        for headers in ({}, {"Cookie": wrong}):
            assert served.ask(path, **headers).status == 403, path
    assert served.ask("/ws", **UPGRADE).status == 403
    assert served.ask("/ws", Cookie=wrong, **UPGRADE).status == 403


def test_other_names_and_other_pages_get_nothing(served: Served) -> None:
    cookie = served.cookie()
    assert served.ask("/", Cookie=cookie, Host="evil.example").status == 403
    origin = {"Cookie": cookie, "Origin": "http://evil.example"}
    assert served.ask("/ws", **origin, **UPGRADE).status == 403


def test_the_page_loads_nothing_from_outside(served: Served) -> None:
    cookie = served.cookie()
    answer = served.ask("/", Cookie=cookie)
    page = answer.body.decode()
    assert answer.status == 200 and f"ws://127.0.0.1:{served.port}/ws" in page
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    linked = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert len(linked) == 4 and not OUTSIDE.search(
        page.replace(f"ws://127.0.0.1:{served.port}", "")
    )
    for path in linked:
        found = served.ask(path, Cookie=cookie)
        text = found.body.decode() if path.endswith(".css") else ""
        assert found.status == 200, path
        if path.endswith(".css"):
            assert not FOREIGN.search(text), path
            for font in re.findall(r'url\("(/[^"]+)"\)', text):
                assert served.ask(font, Cookie=cookie).status == 200


def test_the_socket_carries_the_application(served: Served) -> None:
    answer = served.ask("/ws?width=80&height=24", Cookie=served.cookie(), **UPGRADE)
    assert answer.status == 101 and len(answer.body) == 2  # a first frame begins


def test_a_port_that_is_taken(served: Served, store: Path) -> None:
    command = [sys.executable, "-P", "-m", "augury", "--store", str(store), "serve"]
    said = subprocess.run(
        [*command, "--port", str(served.port)], capture_output=True, text=True, check=False
    )
    assert said.returncode == 1 and "Choose another --port" in said.stderr
    assert said.stderr.count("\n") == 1


async def test_chromium_shows_it_and_takes_a_key(served: Served, tmp_path: Path) -> None:
    import aiohttp  # pyright: ignore[reportMissingImports]

    program = shutil.which("chromium") or shutil.which("google-chrome")
    assert program, "install Chromium (Debian: chromium)"
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
    browser = subprocess.Popen(
        [program, *words, f"--user-data-dir={tmp_path}/profile", "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        port = await _debugging_port(tmp_path / "profile" / "DevToolsActivePort")
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                pages = [page for page in await answer.json() if page["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"]) as page:
                asked = await _drive(page, served.address)
    finally:
        browser.terminate()
        browser.wait()
    here = (f"http://127.0.0.1:{served.port}/", f"ws://127.0.0.1:{served.port}/", "data:")
    assert len(asked) >= 5 and all(url.startswith(here) for url in asked)


async def _debugging_port(path: Path) -> str:
    for _ in range(1200):
        if path.exists() and "\n" in path.read_text():
            return path.read_text().splitlines()[0]
        await asyncio.sleep(0.05)
    raise AssertionError("Chromium does not start")


async def _drive(page: Any, address: str) -> list[str]:
    """Open the application and press 2; the addresses that were asked for meanwhile."""
    for number, (method, params) in enumerate(
        (("Network.enable", {}), ("Page.enable", {}), ("Page.navigate", {"url": address}))
    ):
        await page.send_json({"id": number, "method": method, "params": params})
    asked: list[str] = []
    shown, pressed = "", False
    async with asyncio.timeout(120):
        async for message in page:
            event = message.json()
            params = event.get("params", {})
            if event.get("method") == "Network.requestWillBeSent":
                asked.append(params["request"]["url"])
            elif event.get("method") == "Network.webSocketCreated":
                asked.append(params["url"])
            elif event.get("method") == "Network.webSocketFrameReceived":
                frame = params["response"]
                if frame["opcode"] == 2:
                    shown += b64decode(frame["payloadData"]).decode("utf-8", "replace")
            if "[1 Leaderboard]" in shown and not pressed:
                pressed = True
                for number, kind in enumerate(("keyDown", "keyUp"), 10):
                    key = {"type": kind, "text": "2", "key": "2", "code": "Digit2",
                           "windowsVirtualKeyCode": 50}  # fmt: skip
                    await page.send_json(
                        {"id": number, "method": "Input.dispatchKeyEvent", "params": key}
                    )
            if "[2 Runs" in shown:
                return asked
    raise AssertionError("the page went away")

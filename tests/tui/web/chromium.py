"""A headless Chromium, driven by its DevTools protocol: pages, keys, what the network saw."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import subprocess
from base64 import b64decode
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from tests.pty.terminal import Screen

PATIENCE = 120.0  # a browser on a busy machine
_KEYS = {"Enter": ("\r", 13), "Escape": ("", 27), "ArrowDown": ("", 40)}


class Page:
    """One tab."""

    def __init__(self, session: aiohttp.ClientWebSocketResponse) -> None:
        """Listen until the session ends."""
        self._session, self._numbers = session, itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self.asked: list[str] = []  # every address that anything on the page wanted
        self.answered: list[tuple[str, int]] = []  # and the status that came
        self.complaints: list[str] = []  # refused by the policy, thrown, failed
        self.closed_sockets = 0
        self.screen = Screen(24, 80)
        self._listener = asyncio.create_task(self._listen())

    async def call(self, method: str, **params: Any) -> Any:
        """The result of a method of the protocol."""
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        await self._session.send_json({"id": number, "method": method, "params": params})
        async with asyncio.timeout(PATIENCE):
            return await answer

    async def open(self, address: str) -> None:
        """Go there; the screen is empty until something comes from there."""
        self.screen = Screen(24, 80)
        for domain in ("Network", "Log", "Runtime", "Page"):
            await self.call(f"{domain}.enable")
        await self.call("Page.navigate", url=address)

    async def value(self, expression: str) -> Any:
        """What JavaScript on the page says, once it is known."""
        said = await self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        return said["result"].get("value")

    async def reads(self, words: str) -> None:
        """Wait until the page itself has these words."""
        async with asyncio.timeout(PATIENCE):
            while words not in (await self.value("document.body?.innerText") or ""):
                await asyncio.sleep(0.02)

    async def press(self, key: str) -> None:
        """A key, down and up."""
        text, code = _KEYS.get(key, (key, ord(key[0].upper())))
        for kind in ("keyDown", "keyUp"):
            said = {"type": kind, "key": key, "windowsVirtualKeyCode": code}
            if text and kind == "keyDown":
                said["text"] = text
            await self.call("Input.dispatchKeyEvent", **said)

    async def until(self, met: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait until something is true. Raises `AssertionError` if it never is."""
        deadline = asyncio.get_running_loop().time() + seconds
        while not met():
            if asyncio.get_running_loop().time() > deadline:
                raise AssertionError(f"never came true in\n{self.screen.text()}\n{self.asked}")
            await asyncio.sleep(0.02)

    async def shows(self, words: str) -> None:
        """Wait until the application in the page has written these words."""
        await self.until(lambda: words in self.screen.text())

    async def _listen(self) -> None:
        async for message in self._session:
            event = message.json()
            if "id" in event:
                answer = self._answers.pop(event["id"])
                if "error" in event:
                    answer.set_exception(AssertionError(event["error"]["message"]))
                else:
                    answer.set_result(event["result"])
            else:
                self._heard(event["method"], event["params"])

    def _heard(self, method: str, params: Mapping[str, Any]) -> None:
        match method:
            case "Network.requestWillBeSent":
                self.asked.append(params["request"]["url"])
            case "Network.responseReceived":
                self.answered.append((params["response"]["url"], params["response"]["status"]))
            case "Network.webSocketCreated":
                self.asked.append(params["url"])
            case "Network.webSocketClosed":
                self.closed_sockets += 1
            case "Network.webSocketFrameReceived" if params["response"]["opcode"] == 2:
                self.screen.feed(b64decode(params["response"]["payloadData"]))
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.complaints.append(params["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.complaints.append(params["exceptionDetails"]["text"])
            case _:
                pass


@asynccontextmanager
async def chromium(profile: Path, *options: str) -> AsyncIterator[Page]:
    """A tab in a browser of its own, of 80x24 cells or a little more."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    assert program, "install Chromium (Debian: chromium)"
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
    browser = subprocess.Popen(
        [
            program,
            *words,
            *options,
            "--window-size=1000,700",
            f"--user-data-dir={profile}",
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        port = await _debugging_port(profile / "DevToolsActivePort", browser)
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                pages = [page for page in await answer.json() if page["type"] == "page"]
            address = pages[0]["webSocketDebuggerUrl"]
            async with session.ws_connect(address, max_msg_size=0) as found:
                page = Page(found)
                yield page
                page._listener.cancel()
    finally:
        browser.terminate()
        browser.wait()


async def _debugging_port(path: Path, browser: subprocess.Popen[bytes]) -> str:
    async with asyncio.timeout(PATIENCE):
        while not (path.exists() and "\n" in path.read_text()):
            assert browser.poll() is None, "Chromium ended"
            await asyncio.sleep(0.05)
    return path.read_text().splitlines()[0]

"""A tab's process and its socket end together, and the page learns why."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tui.web.served import NEEDS, Served

if TYPE_CHECKING:
    from aiohttp import ClientWebSocketResponse

aiohttp = pytest.importorskip("aiohttp", reason=NEEDS)
pytest.importorskip("textual_serve", reason=NEEDS)


@asynccontextmanager
async def _tab(served: Served, shown: str = "ensemble") -> AsyncIterator[ClientWebSocketResponse]:
    """The socket of a page that has shown these words, or nothing yet."""
    address = f"http://127.0.0.1:{served.port}/ws?width=80&height=24"
    async with (
        aiohttp.ClientSession(headers={"Cookie": served.cookie()}) as session,
        session.ws_connect(address) as socket,
    ):
        text = ""
        while shown not in text:
            text += (await socket.receive_bytes(timeout=60)).decode("utf-8", "replace")
        yield socket


async def _reason(socket: ClientWebSocketResponse) -> str:
    """What it is closed with."""
    while True:
        message = await socket.receive(timeout=60)
        if message.type == aiohttp.WSMsgType.CLOSE:
            return message.extra or ""
        assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT)


async def _ended(pid: int) -> None:
    async with asyncio.timeout(30):
        while Path(f"/proc/{pid}").exists():
            await asyncio.sleep(0.02)


async def test_leaving_closes_the_socket(served: Served) -> None:
    async with _tab(served) as socket:
        (process,) = served.applications()
        await socket.send_json(["stdin", "q"])
        assert await _reason(socket) == ""
    await _ended(process)


async def test_a_process_that_is_killed_closes_the_socket(served: Served) -> None:
    async with _tab(served) as socket:
        os.kill(served.applications()[0], signal.SIGKILL)
        await _reason(socket)


async def test_a_socket_that_goes_away_ends_its_process_alone(served: Served) -> None:
    async with _tab(served) as other:
        (kept,) = served.applications()
        async with _tab(served):
            (process,) = set(served.applications()) - {kept}
        await _ended(process)
        await other.send_json(["ping", "1"])
        assert served.applications() == [kept]


async def test_why_a_store_cannot_be_shown_reaches_the_page(served: Served, store: Path) -> None:
    (store / "results.duckdb").write_bytes(b"not a database" * 1000)
    async with _tab(served, "") as socket:
        assert str(store)[:20] in await _reason(socket)


async def test_ending_the_server_tells_the_pages(served: Served) -> None:
    async with _tab(served) as socket:
        (process,) = served.applications()
        served.process.terminate()
        assert "was ended" in await _reason(socket)
    await _ended(process)
    assert served.process.wait(30) == 0

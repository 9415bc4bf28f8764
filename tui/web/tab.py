"""One browser tab: its process, and the socket that the page holds."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import Process

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

_PRELUDE = b"__GANGLION__\n"
_REASON_BYTES = 120  # a closing frame holds no more
_MOST_ERRORS = 1 << 16


class Tab(AppService):
    """As textual-serve's, but a page always learns that its process has ended, and why."""

    def __init__(self, command: str, socket: web.WebSocketResponse) -> None:
        """Start nothing yet."""
        self._socket, self._why = socket, ""
        super().__init__(
            command,
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=self._close,
            download_manager=DownloadManager(),
        )

    async def run(self) -> None:
        """Carry what the process writes until it ends."""
        process = self._process
        assert process is not None and process.stdout is not None and process.stderr is not None
        said = asyncio.create_task(_last_line(process.stderr))
        try:
            await self._carry(process)
        except (asyncio.IncompleteReadError, ConnectionError, RuntimeError):
            pass  # the process ended, or the page went away
        self._why = await said
        await process.wait()
        await self._close()

    async def _close(self) -> None:
        reason = self._why.encode()[:_REASON_BYTES].decode("utf-8", "ignore")
        await self._socket.close(message=reason.encode())

    async def on_meta(self, data: bytes) -> None:
        """As its; only the end of the process ends the tab, for then it has said why."""
        if json.loads(data).get("type") != "exit":
            await super().on_meta(data)

    async def _carry(self, process: Process) -> None:
        assert process.stdout is not None
        while (line := await process.stdout.readline()) != _PRELUDE:
            if not line:
                return
        take = {b"D": self.on_data, b"M": self.on_meta, b"P": self.on_packed}
        while True:
            head = await process.stdout.readexactly(5)
            payload = await process.stdout.readexactly(int.from_bytes(head[1:], "big"))
            if head[:1] in take:
                await take[head[:1]](payload)


async def _last_line(stream: asyncio.StreamReader) -> str:
    """The last of what came, once the stream has ended."""
    kept = b""
    while block := await stream.read(4096):
        kept = (kept + block)[-_MOST_ERRORS:]
    lines = kept.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""

"""Serves the application to browsers of this machine; each tab is a process of its own."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import socket
import sys
from html import escape
from pathlib import Path

from aiohttp import web
from textual_serve.server import Server

from augury.engine.errors import AuguryError
from augury.engine.paths import ASSETS
from augury.tui.web.access import Access, harden
from augury.tui.web.tab import Tab

HOST = "127.0.0.1"
PAGES = ASSETS / "web"
_CELLS = {"width": 80, "height": 24}
_MOST_CELLS = 1000
_LAST_SECONDS = 2.0  # for the applications in open tabs to save their views
# Of the terminal that the server runs in, not of the browser.
_NOT_OURS = ("TMUX", "STY", "NO_COLOR", "SSH_CONNECTION", "SSH_TTY")


class BrowserServer(Server):
    """As textual-serve's, but with a token and without anything from outside."""

    def __init__(self, store: Path, access: Access) -> None:
        """Serve the application on a store."""
        words = [sys.executable, "-P", "-m", "augury.tui.web", str(store)]
        super().__init__(f"exec {shlex.join(words)}", host=HOST, title="Augury")
        self._access, self._store = access, store
        self._open: set[web.WebSocketResponse] = set()

    async def application(self) -> web.Application:
        """The routes, behind the token."""
        app = web.Application(middlewares=[self._access.check])
        app.router.add_get("/", self.index)
        app.router.add_get("/ws", self.handle_websocket)
        app.router.add_static("/static", self.statics_path, name="static")
        app.router.add_static("/page", PAGES)
        app.on_response_prepare.append(harden)
        app.on_shutdown.append(self._end_all)
        return app

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """A tab, until its page or its process goes away."""
        socket = web.WebSocketResponse(heartbeat=15)
        await socket.prepare(request)
        tab = Tab(self.command, socket)
        self._open.add(socket)
        try:
            await tab.start(*(_number(request, name) for name in ("width", "height")))
            await self._process_messages(socket, tab)
        finally:
            self._open.discard(socket)
            await tab.stop()
        return socket

    async def _end_all(self, app: web.Application) -> None:
        said = "`augury serve` was ended."
        await asyncio.gather(*(socket.close(message=said.encode()) for socket in self._open))

    async def index(self, request: web.Request) -> web.Response:
        """The page; its socket is on the host and port that it was asked by."""
        text = (PAGES / "index.html").read_text("utf-8")
        filled = text.replace("{store}", escape(str(self._store)))
        filled = filled.replace("{websocket}", escape(f"ws://{request.host}/ws"))
        return web.Response(text=filled, content_type="text/html")


def _number(request: web.Request, name: str) -> int:
    given = request.query.get(name, "")
    return min(max(int(given), 1), _MOST_CELLS) if given.isdecimal() else _CELLS[name]


def serve(store: Path, port: int) -> None:
    """Serve until Ctrl-C. Raises `AuguryError` if the port is taken."""
    for name in _NOT_OURS:
        os.environ.pop(name, None)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise AuguryError(
            f"cannot listen on port {port}: {error.strerror}. Choose another --port, or 0."
        ) from None
    with listener:
        asyncio.run(_serve(store, listener))


async def _serve(store: Path, listener: socket.socket) -> None:
    access = Access()
    server = BrowserServer(store, access)
    runner = web.AppRunner(
        await server.application(), access_log=None, shutdown_timeout=_LAST_SECONDS
    )
    await runner.setup()
    await web.SockSite(runner, listener).start()
    # Data, so that a script can open it; nothing else knows the token.
    print(f"http://{HOST}:{listener.getsockname()[1]}/?token={access.token}", flush=True)
    print("open this address in a browser on this machine; Ctrl-C ends", file=sys.stderr)
    over = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    await over.wait()
    await runner.cleanup()

"""A server of the application for browsers, and requests to it."""

from __future__ import annotations

import http.client
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.processes import children

NEEDS = "needs the extra serve: pip install aiohttp textual-serve"
UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}  # fmt: skip


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

    def applications(self) -> list[int]:
        """The processes of the tabs that are open."""
        return children(self.process.pid)

    def cookie(self) -> str:
        answer = self.ask(f"/?token={self.token}")
        assert answer.status == 302 and answer.headers["Location"] == "/"
        given = answer.headers["Set-Cookie"]
        assert "HttpOnly" in given and "SameSite=Strict" in given and self.token not in given
        return given.partition(";")[0]

"""A web server that can misbehave, and cards of made-up data sets."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from augury.engine.catalog.datasets import DataFile, DatasetCard

CONTENT = np.random.default_rng(0).bytes(3 << 20)  # several chunks, and nothing to compress


@dataclass
class Served:
    """One file on the server, and how it is given."""

    content: bytes
    status: int = 200
    ranges: bool = True
    cuts: list[int] = field(default_factory=list)  # connections hang up after so many bytes
    kind: str = "application/octet-stream"
    sized: bool = True  # whether the length is said
    encoding: str = ""  # said, but not true of what is stored: the client must not decode it


class Web:
    """Files by path; what was asked for is in `asked`, as (path, Range)."""

    def __init__(self) -> None:
        self.files: dict[str, Served] = {}
        self.asked: list[tuple[str, str]] = []
        self.hold = threading.Event()  # cleared: answers stop in the middle until it is set
        self.hold.set()
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.answer(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/{path}"

    def put(self, path: str, content: bytes, **how: Any) -> str:
        self.files[path] = Served(content, **how)
        return self.url(path)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path, asked = request.path.lstrip("/"), request.headers.get("Range", "")
        self.asked.append((path, asked))
        served = self.files.get(path)
        if served is None or served.status != 200:
            request.send_error(served.status if served else 404)
            return
        content, size = served.content, len(served.content)
        if asked and served.ranges:
            first, last = (int(n) for n in asked.removeprefix("bytes=").split("-"))
            content = content[first : last + 1]
            request.send_response(206 if content else 416)
            request.send_header("Content-Range", f"bytes {first}-{first + len(content) - 1}/{size}")
        else:
            request.send_response(200)
        if served.encoding:
            request.send_header("Content-Encoding", served.encoding)
        request.send_header("Content-Type", served.kind)
        if served.sized:
            request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        sent = content[: served.cuts.pop(0)] if served.cuts else content
        half = len(sent) // 2
        try:
            request.wfile.write(sent[:half])
            request.wfile.flush()
            self.hold.wait(60)
            request.wfile.write(sent[half:])
        except OSError:
            return  # the client went away
        request.close_connection = True

    def close(self) -> None:
        self.hold.set()
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def serving() -> Iterator[Web]:
    """A server for as long as it is needed."""
    server = Web()
    try:
        yield server
    finally:
        server.close()


def file_of(name: str, content: bytes, *urls: str, **more: Any) -> DataFile:
    """What a card says of these bytes."""
    return DataFile(name, len(content), sha256(content).hexdigest(), urls, **more)


def card_of(*files: DataFile, **more: Any) -> DatasetCard:
    """A card with these files."""
    return replace(
        DatasetCard(4, 3, 120, 30, "structured", "", files, "none", "made up", bundled=False),
        **more,
    )

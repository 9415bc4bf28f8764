"""What the far end of a link answers by itself: everything that only reads."""

from __future__ import annotations

import socket
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import IO, Any, TypeAlias

from augury.engine.canonical import JSON
from augury.engine.errors import AuguryError, EngineError, StoreError, UsageError, unknown
from augury.engine.service.protocol import LINE_LIMIT, decode, encode, error_to_json
from augury.engine.service.reader import Reader

_PART = 3 << 16  # bytes of a file in one line
Examine: TypeAlias = Callable[[Path], Iterable[JSON]]
_Method: TypeAlias = Callable[[Reader, Mapping[str, Any]], Iterator[JSON]]


class Answers:
    """Reads the store for all channels, request by request."""

    def __init__(self, store: Path, examine: Examine) -> None:
        """`examine`: what the doctor finds here, finding by finding."""
        self._reader = Reader(store)
        self._methods: Mapping[str, _Method] = {
            **_METHODS, "doctor": lambda *_: chain(examine(store), (None,))
        }  # fmt: skip
        self._seen = False

    def converse(self, peer: socket.socket) -> None:
        """Answer until the peer ends."""
        with suppress(OSError), peer.makefile("rb") as lines:
            while (line := lines.readline(LINE_LIMIT)).endswith(b"\n"):
                for reply in self._replies(line):
                    peer.sendall(encode(reply))

    def _check_there(self) -> None:
        """A store that is not there reads as an empty one: right for a new one only."""
        there = self._reader.exists()
        self._seen = self._seen or there
        if self._seen and not there:
            raise StoreError(
                f"{self._reader.store} was removed or moved away.", "The store is gone"
            )

    def _replies(self, line: bytes) -> Iterator[dict[str, JSON]]:
        number: JSON = None
        try:
            request = decode(line)
            number, method = request.get("id"), str(request.get("method"))
            params = request.get("params") or {}
            if method not in self._methods or not isinstance(params, dict):
                raise unknown("method", method, self._methods)
            self._check_there()
            for part in self._methods[method](self._reader, params):
                yield {"id": number, "result": part}
        except AuguryError as error:
            yield {"id": number, "error": error_to_json(error)}
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            yield {"id": number, "error": error_to_json(UsageError(f"cannot be meant: {text}"))}
        except OSError as error:
            text = error.strerror or str(error)
            yield {"id": number, "error": error_to_json(EngineError(f"the bridge: {text}."))}


def _query(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    yield reader.query(str(params["name"]), **(params.get("params") or {})).to_json()


def _status(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    yield reader.status()


def _preview(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    from augury.engine.plan import Selection

    yield reader.preview(Selection.from_json(params["selection"]))


def _exists(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    yield reader.exists()


def _log(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    yield reader.log(int(params["start"]), int(params["most"]), int(params.get("file") or 0))


def _fetch(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    """An export, part by part."""
    with tempfile.TemporaryDirectory(prefix="augury-") as folder:
        made = Path(folder) / "export"
        given = params.get("params") or {}
        made = reader.export(str(params["name"]), given, str(params["format"]), made)
        with made.open("rb") as file:
            yield from _parts(file)
    yield None


def _parts(file: IO[bytes]) -> Iterator[JSON]:
    while data := file.read(_PART):
        yield b64encode(data).decode()


_METHODS: Mapping[str, _Method] = {
    "query": _query,
    "status": _status,
    "preview": _preview,
    "exists": _exists,
    "log": _log,
    "fetch": _fetch,
}

"""The engine's end of the socket: connections, requests, subscriptions."""

from __future__ import annotations

import asyncio
import logging
import socket
from pathlib import Path

from augury.engine.errors import AuguryError, EngineError
from augury.engine.service.address import check_peer
from augury.engine.service.engine import Engine
from augury.engine.service.methods import call
from augury.engine.service.protocol import LINE_LIMIT, decode, encode, error_to_json
from augury.engine.service.subscribers import Subscriber
from augury.engine.types import JSON

LOG = logging.getLogger("augury.engine")
TAKE_SECONDS = 30.0  # a peer that takes nothing for so long is cut off


class Server:
    """Serves one engine on a listening socket."""

    def __init__(self, engine: Engine, store: Path) -> None:
        """Nobody is let in before `start`."""
        self._engine, self._store = engine, store
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    async def start(self, listener: socket.socket) -> None:
        """Let peers in."""
        self._server = await asyncio.start_unix_server(
            self._connected, sock=listener, limit=LINE_LIMIT
        )

    async def close(self) -> None:
        """Let nobody in any more; give what is being said a moment to arrive."""
        if self._server:
            self._server.close()
        self._engine.hub.publish("engine", state="stopping")
        self._engine.hub.close()
        if self._open:
            await asyncio.wait(self._open, timeout=0.5)
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            check_peer(writer.get_extra_info("socket"), self._store)
            await self._send(writer, encode({"hello": self._engine.hello}))
            await self._converse(reader, writer)
        except EngineError as error:
            LOG.warning("refused a connection: %s", error)
        except (OSError, TimeoutError, asyncio.CancelledError):
            pass  # it went away, or the engine does
        except Exception:
            LOG.exception("a connection failed")
        finally:
            self._open.discard(task)
            writer.transport.abort() if task.cancelling() else writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                line = await reader.readline()
            except ValueError:  # longer than the limit: where the next line begins is unknown
                error = EngineError(f"a request is at most {LINE_LIMIT} bytes long.")
                await self._send(writer, encode({"id": None, "error": error_to_json(error)}))
                return
            if not line.endswith(b"\n"):
                return
            if not line.strip():
                continue
            subscriber = await self._answer(line, writer)
            if subscriber is not None:
                await self._push(reader, writer, subscriber)
                return

    async def _answer(self, line: bytes, writer: asyncio.StreamWriter) -> Subscriber | None:
        """Reply to one line; when it asks for events, the reply is the first that waits."""
        number: JSON = None
        try:
            request = decode(line)
            number, method = request.get("id"), request.get("method")
            params = request.get("params") or {}
            if not isinstance(method, str) or not isinstance(params, dict):
                raise EngineError('a request has a "method" and an object of "params".')
            if method == "subscribe":
                # Joined before the reply goes out: nothing that happens after it is missed.
                subscriber = self._engine.hub.join()
                subscriber.put(encode({"id": number, "result": None}), droppable=False)
                subscriber.put(self._engine.teller.snapshot(), droppable=False)
                self._engine.devices.tick()
                return subscriber
            reply = encode({"id": number, "result": await call(self._engine, method, params)})
        except AuguryError as error:
            reply = encode({"id": number, "error": error_to_json(error)})
        except Exception as error:
            LOG.exception("a request failed: %s", line[:200])
            reply = encode({"id": number, "error": error_to_json(error)})
        await self._send(writer, reply)
        return None

    async def _push(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, subscriber: Subscriber
    ) -> None:
        gone = asyncio.ensure_future(self._drop_input(reader, subscriber))
        try:
            while block := await subscriber.take():
                await self._send(writer, block)
            if subscriber.overrun:
                LOG.warning("a subscriber was too slow and is cut off")
                writer.transport.abort()
        finally:
            gone.cancel()
            self._engine.hub.leave(subscriber)
            self._engine.mark()

    @staticmethod
    async def _drop_input(reader: asyncio.StreamReader, subscriber: Subscriber) -> None:
        """A subscriber says nothing more; when its side closes, it is gone."""
        try:
            while await reader.read(1 << 16):
                pass
        except OSError:
            pass
        subscriber.end()

    @staticmethod
    async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
        writer.write(data)
        await asyncio.wait_for(writer.drain(), TAKE_SECONDS)

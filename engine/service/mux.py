"""Many byte streams over one pipe: both ends of a link to another machine run one of these.

A frame is a kind, a channel and a length (7 bytes), then so many bytes. A channel is a socket at
either end; what one end writes into its socket, the other reads from its own.
"""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from augury.engine.canonical import JSON

_OPEN, _DATA, _CLOSE, _PING, _PONG = range(5)
_HEAD = struct.Struct(">BIH")
_BLOCK = 16_384  # bytes of one channel at a time: no answer keeps the others waiting
_MOST_UNSENT = 1 << 18  # beyond this, nothing more is taken from the channels
_MOST_UNREAD = 1 << 26  # of one channel, whose reader must have stopped
_TURN_SECONDS = 1.0
_READABLE = select.POLLIN | select.POLLHUP | select.POLLERR


@dataclass(slots=True)
class _Channel:
    """One stream: the socket it comes from and goes to, once there is one."""

    socket: socket.socket | None = None
    unread: bytearray = field(default_factory=bytearray)  # came from the pipe, not taken yet
    ending: bool = False  # the other end has closed it


class Mux:
    """Carries channels until the pipe ends. `run` blocks; all else may be called from any thread.

    Args:
        source: descriptor to read from.
        sink: descriptor to write to.
        opened: called with number and wish of each channel that the other end opens; gives the
            channel a socket by `adopt`, or ends it by `drop`. It must not block.
        rest: what was read from `source` before.
        ping: seconds of silence after which the other end is asked whether it is there.
        patience: seconds of silence after which the pipe counts as dead; 0 for never.
    """

    def __init__(
        self,
        source: int,
        sink: int,
        opened: Callable[[int, Mapping[str, JSON]], None] | None = None,
        *,
        rest: bytes = b"",
        ping: float = 0.0,
        patience: float = 0.0,
    ) -> None:
        """Take both descriptors; nothing is read before `run`."""
        self._source, self._sink, self._opened = source, sink, opened
        self._ping, self._patience = ping, patience
        self._guard = threading.RLock()
        self._channels: dict[int, _Channel] = {}
        self._number = 0
        self._out, self._in = bytearray(), bytearray(rest)
        self._wake, self._woken = socket.socketpair()
        self._heard = time.monotonic()
        self._asked = 0.0  # when the other end was asked and has not answered yet
        self.alive = True
        for end in (self._wake, self._woken):
            end.setblocking(False)
        for descriptor in (source, sink):
            os.set_blocking(descriptor, False)

    def open(self, wish: Mapping[str, JSON]) -> socket.socket:
        """A channel to the other end, which is told the wish. Raises `OSError` on a dead pipe."""
        mine, inner = socket.socketpair()
        with self._guard:
            if not self.alive:
                mine.close()
                inner.close()
                raise BrokenPipeError("the link is down")
            self._number += 1
            inner.setblocking(False)
            self._channels[self._number] = _Channel(inner)
            self._frame(_OPEN, self._number, json.dumps(wish).encode())
        self._rouse()
        return mine

    def adopt(self, number: int, end: socket.socket) -> None:
        """Give a channel that the other end opened its socket."""
        end.setblocking(False)
        with self._guard:
            channel = self._channels.get(number)
            if channel is None or not self.alive:
                end.close()
                return
            channel.socket = end
        self._rouse()

    def silence(self) -> float:
        """Seconds that the other end has owed an answer for; 0 when it owes none."""
        asked = self._asked
        return time.monotonic() - asked if asked else 0.0

    def stop(self) -> None:
        """End `run`, from another thread."""
        self.alive = False
        self._rouse()

    def run(self) -> None:
        """Carry until the pipe ends; then every channel ends."""
        try:
            self._take_frames()
            while self.alive and not self._is_dead():
                self._turn()
        except (OSError, EOFError, ValueError):
            pass  # the pipe broke, or carries something else: either way it is over
        finally:
            self._end()

    def _is_dead(self) -> bool:
        quiet = time.monotonic() - self._heard
        if self._ping and not self._asked and quiet > self._ping:
            with self._guard:
                self._asked = time.monotonic()
                self._frame(_PING, 0, b"")
        return bool(self._patience) and quiet > self._patience

    def _turn(self) -> None:
        poll = select.poll()
        poll.register(self._source, select.POLLIN)
        poll.register(self._woken, select.POLLIN)
        with self._guard:
            if self._out:
                poll.register(self._sink, select.POLLOUT)
            sockets: dict[int, int] = {}
            for number, channel in self._channels.items():
                if channel.socket is None:
                    continue
                mask = select.POLLOUT if channel.unread or channel.ending else 0
                if len(self._out) < _MOST_UNSENT and not channel.ending:
                    mask |= select.POLLIN
                if mask:
                    sockets[channel.socket.fileno()] = number
                    poll.register(channel.socket, mask)
        ready = poll.poll(_TURN_SECONDS * 1000)
        with self._guard:
            for descriptor, event in ready:
                if descriptor == self._source:
                    self._take()
                elif descriptor == self._sink:
                    self._send()
                elif descriptor == self._woken.fileno():
                    with suppress(BlockingIOError):
                        while self._woken.recv(4096):
                            continue
                elif descriptor in sockets:
                    self._serve(sockets[descriptor], event)

    def _take(self) -> None:
        with suppress(BlockingIOError):
            data = os.read(self._source, 1 << 16)
            if not data:
                raise EOFError
            self._heard, self._asked = time.monotonic(), 0.0
            self._in += data
            self._take_frames()

    def _send(self) -> None:
        with suppress(BlockingIOError):
            sent = os.write(self._sink, self._out[: 1 << 16])
            del self._out[:sent]

    def _take_frames(self) -> None:
        place = 0
        while len(self._in) - place >= _HEAD.size:
            kind, number, length = _HEAD.unpack_from(self._in, place)
            if kind > _PONG:
                raise ValueError(f"{kind} is no kind of frame")
            end = place + _HEAD.size + length
            if len(self._in) < end:
                break
            self._take_frame(kind, number, bytes(self._in[place + _HEAD.size : end]))
            place = end
        del self._in[:place]

    def _take_frame(self, kind: int, number: int, data: bytes) -> None:
        if kind == _OPEN and self._opened is not None:
            self._channels[number] = _Channel()
            self._opened(number, json.loads(data))
        elif kind == _PING:
            self._frame(_PONG, 0, b"")
        elif kind == _DATA and (channel := self._channels.get(number)):
            channel.unread += data
            if len(channel.unread) > _MOST_UNREAD:
                self.drop(number)
        elif kind == _CLOSE and (channel := self._channels.get(number)):
            channel.ending = True
            if channel.socket is None:
                del self._channels[number]

    def _serve(self, number: int, event: int) -> None:
        channel = self._channels.get(number)
        if channel is None or channel.socket is None:
            return
        try:
            if channel.unread and event & select.POLLOUT:
                sent = channel.socket.send(channel.unread[: 1 << 16])
                del channel.unread[:sent]
            if channel.ending:
                if not channel.unread:
                    self._forget(number)
            elif event & _READABLE:
                data = channel.socket.recv(_BLOCK)
                if data:
                    self._frame(_DATA, number, data)
                else:
                    self.drop(number)
        except BlockingIOError:
            return
        except OSError:
            self.drop(number)

    def drop(self, number: int) -> None:
        """End a channel at both ends."""
        with self._guard:
            if number in self._channels:
                self._frame(_CLOSE, number, b"")
                self._forget(number)
        self._rouse()

    def _forget(self, number: int) -> None:
        channel = self._channels.pop(number)
        if channel.socket is not None:
            channel.socket.close()

    def _frame(self, kind: int, number: int, data: bytes) -> None:
        self._out += _HEAD.pack(kind, number, len(data)) + data

    def _rouse(self) -> None:
        with suppress(OSError):  # full: it is awake already; closed: it has ended
            self._wake.send(b"!")

    def _end(self) -> None:
        with self._guard:
            self.alive = False
            for number in list(self._channels):
                self._forget(number)
            for end in (self._wake, self._woken):
                end.close()
            for descriptor in {self._source, self._sink}:
                with suppress(OSError):
                    os.set_blocking(descriptor, True)  # whoever shares it expects that

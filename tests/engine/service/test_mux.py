"""Many streams over one pipe, at both ends."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest

from augury.engine.service.mux import Mux


class Ends:
    """Two ends joined by pipes; the far one hands out echoes."""

    def __init__(self, **near: Any) -> None:
        there, back = os.pipe(), os.pipe()
        self.wishes: list[Mapping[str, Any]] = []
        self.far = Mux(there[0], back[1], self._opened)
        self.near = Mux(back[0], there[1], **near)
        self.threads = [threading.Thread(target=mux.run) for mux in (self.far, self.near)]
        for thread in self.threads:
            thread.start()
        self._pipes = (*there, *back)

    def _opened(self, number: int, wish: Mapping[str, Any]) -> None:
        self.wishes.append(wish)
        if wish.get("refuse"):
            self.far.drop(number)
            return
        mine, inner = socket.socketpair()
        threading.Thread(target=_echo, args=(mine, wish.get("copies", 1)), daemon=True).start()
        self.far.adopt(number, inner)

    def close(self) -> None:
        self.far.stop()
        self.near.stop()
        for thread in self.threads:
            thread.join(10)
            assert not thread.is_alive()
        for descriptor in self._pipes:
            os.close(descriptor)


def _echo(end: socket.socket, copies: int) -> None:
    with end, suppress(BrokenPipeError, ConnectionResetError):  # the other end may be closed
        while data := end.recv(1 << 16):
            for _ in range(copies):
                end.sendall(data)


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends()
    yield made
    made.close()


def _ask(end: socket.socket, data: bytes) -> bytes:
    threading.Thread(target=end.sendall, args=(data,), daemon=True).start()
    end.settimeout(30)
    found = b""
    while len(found) < len(data):
        block = end.recv(1 << 16)
        assert block
        found += block
    return found


def test_streams_keep_their_bytes_apart(ends: Ends) -> None:
    with ends.near.open({"name": "a"}) as one, ends.near.open({"name": "b"}) as two:
        large = os.urandom(1 << 20)
        assert _ask(one, b"small") == b"small"
        assert _ask(two, large) == large
        assert _ask(one, b"again") == b"again"
    assert [wish["name"] for wish in ends.wishes] == ["a", "b"]


def test_a_stream_that_nobody_reads_does_not_stop_the_others(ends: Ends) -> None:
    with ends.near.open({"copies": 8}) as idle, ends.near.open({}) as other:
        idle.sendall(b"x" * (1 << 19))  # comes back eight times, to nobody
        for _ in range(20):
            assert _ask(other, b"hello") == b"hello"


def test_closing_ends_both_ends(ends: Ends, until: Callable[..., Any]) -> None:
    end = ends.near.open({})
    assert _ask(end, b"hello") == b"hello"
    end.close()
    until(lambda: not ends.near._channels and not ends.far._channels, "end of the channel")


def test_a_refused_stream_reads_as_ended(ends: Ends) -> None:
    with ends.near.open({"refuse": True}) as end:
        end.settimeout(30)
        assert end.recv(1) == b""


def test_all_streams_end_with_the_pipe(ends: Ends) -> None:
    with ends.near.open({}) as end:
        assert _ask(end, b"hello") == b"hello"
        ends.far.stop()
        ends.threads[0].join(10)
        ends.near.stop()
        end.settimeout(30)
        assert end.recv(1) == b""
    with pytest.raises(OSError):
        ends.near.open({})


def test_what_is_no_frame_ends_it() -> None:
    source, sink = os.pipe()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    mux = Mux(source, nowhere)
    os.write(sink, b"Last login: yesterday\n")
    mux.run()
    assert not mux.alive
    for descriptor in (source, sink, nowhere):
        os.close(descriptor)


def test_silence_is_noticed_and_then_fatal(until: Callable[..., Any]) -> None:
    source, silent = os.pipe()
    unread, sink = os.pipe()
    mux = Mux(source, sink, ping=0.05, patience=2.5)
    thread = threading.Thread(target=mux.run)
    began = time.monotonic()
    thread.start()
    until(lambda: mux.silence() > 0, "question")
    thread.join(20)
    assert not mux.alive and time.monotonic() - began >= 2.5
    for descriptor in (source, silent, unread, sink):
        os.close(descriptor)


def test_an_answer_ends_the_silence(until: Callable[..., Any]) -> None:
    ends = Ends(ping=0.05)
    before = ends.near._heard
    until(lambda: ends.near._heard > before and ends.near.silence() == 0, "answer")
    assert ends.near.alive
    ends.close()

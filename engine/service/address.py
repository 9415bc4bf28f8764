"""The engine's socket: where it lies, how it is bound and reached, and who may talk on it."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from augury.engine.errors import EngineAbsentError, EngineError

NAME = "engine.sock"
T = TypeVar("T")


def bind(store: Path) -> socket.socket:
    """A listening socket in the store, mode 0600. The caller holds the engine's lock."""
    (store / NAME).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        _at(store, listener.bind)
    finally:
        os.umask(mask)
    listener.listen(256)
    listener.setblocking(False)
    return listener


def connect(store: Path, timeout: float) -> socket.socket:
    """A connected socket; raises `EngineAbsentError` when nobody listens."""
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.settimeout(timeout)
    try:
        _at(store, sock.connect)
        check_peer(sock, store)
    except OSError as error:
        sock.close()
        raise EngineAbsentError(f"no engine serves {store} ({error.strerror}).") from None
    except BaseException:
        sock.close()
        raise
    return sock


def check_peer(sock: socket.socket, store: Path) -> None:
    """Refuse a peer that is not the store's owner; root is nobody special."""
    peer, owner = _peer_uid(sock), store.stat().st_uid
    if peer != owner:
        raise EngineError(f"the other end runs as user {peer}, but {store} belongs to {owner}.")


def _peer_uid(sock: socket.socket) -> int:
    if sys.platform == "darwin":
        credentials = sock.getsockopt(0, 1, 76)  # SOL_LOCAL, LOCAL_PEERCRED: struct xucred
        return struct.unpack_from("II", credentials)[1]
    size = struct.calcsize("3i")
    return struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))[1]


def _at(store: Path, use: Callable[[str], T]) -> T:
    """Call with a short address of the socket, whatever the length of the store's path."""
    fd = os.open(store, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if os.path.isdir("/proc/self/fd"):
            return use(f"/proc/self/fd/{fd}/{NAME}")
        before = os.open(".", os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fchdir(fd)
            return use(NAME)
        finally:
            os.fchdir(before)
            os.close(before)
    finally:
        os.close(fd)

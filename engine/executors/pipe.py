"""A worker process at the other end of two pipes, for an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from augury.engine.types import JSON

LOG = logging.getLogger("augury.engine")
LOG_LIMIT = 2 << 20  # bytes of one worker's log; it starts anew at the next start


class WorkerPipe:
    """Starts a worker and carries JSON lines; never blocks the loop."""

    def __init__(
        self,
        log: Path,
        environment: Mapping[str, str],
        core: int | None,
        keep: Collection[int],
        hear: Callable[[dict[str, JSON]], None],
        ended: Callable[[str], None],
    ) -> None:
        """Start it. `hear` gets each message, `ended` the reason when it is gone, once.

        Must be called in the main thread: the kernel's parent-death signal follows the thread.
        """
        self._loop = asyncio.get_running_loop()
        self._hear, self._ended = hear, ended
        self._incoming, self._outgoing = bytearray(), bytearray()
        big = log.exists() and log.stat().st_size > LOG_LIMIT
        with log.open("wb" if big else "ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "augury.engine.worker", str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, **environment},
                pass_fds=tuple(keep),
                bufsize=0,
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        if core is not None:
            with contextlib.suppress(OSError):  # gone already, or not ours to bind
                os.sched_setaffinity(self._process.pid, {core})
        for stream in (self._in, self._out):
            os.set_blocking(stream.fileno(), False)
        self._loop.add_reader(self._out.fileno(), self._read)

    @property
    def pid(self) -> int:
        """Process number."""
        return self._process.pid

    def send(self, message: Mapping[str, JSON]) -> None:
        """Queue one line."""
        self._outgoing += json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self._write()

    def leave(self) -> None:
        """End its input: it exits by itself, at once."""
        self._loop.remove_writer(self._in.fileno())
        self._in.close()

    def kill(self) -> None:
        """End it; `ended` is still called."""
        self._process.kill()

    def _write(self) -> None:
        if self._in.closed:
            return
        try:
            while self._outgoing:
                del self._outgoing[: os.write(self._in.fileno(), self._outgoing)]
        except BlockingIOError:
            self._loop.add_writer(self._in.fileno(), self._write)
        except OSError:
            self._outgoing.clear()  # it is dead; the reader says so
            self._loop.remove_writer(self._in.fileno())
        else:
            self._loop.remove_writer(self._in.fileno())

    def _read(self) -> None:
        try:
            data = os.read(self._out.fileno(), 1 << 18)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._close()
            return
        self._incoming += data
        *lines, rest = self._incoming.split(b"\n")
        self._incoming = bytearray(rest)
        for line in lines:
            try:
                self._hear(json.loads(line))
            except (ValueError, LookupError, TypeError, AttributeError):
                LOG.exception("a worker said what makes no sense: %s", line[:200])
                self.kill()
                return

    def _close(self) -> None:
        self._loop.remove_reader(self._out.fileno())
        if not self._in.closed:
            self.leave()
        self._out.close()
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:  # it closed its output and lives on
            self._process.kill()
            code = self._process.wait()
        self._ended(_reason(code))


def _reason(code: int) -> str:
    if code >= 0:
        return f"the worker exited with code {code}"
    try:
        return f"the worker was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"the worker was killed by signal {-code}"

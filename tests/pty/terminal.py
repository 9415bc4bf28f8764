"""A terminal for tests: runs a command on a pty, keeps its screen, counts its bytes and CPU."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_SEQUENCE = re.compile(
    rb"\x1b\[([0-9;:<>=?]*)([ -/]*)([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
    rb"|\x1bP.*?\x1b\\|\x1b[ -/]*[0-Z\\^-~]",
    re.S,
)

# Not a person's: no compiled modules, say, make every start half as long again.
_LEFT_OUT = ("NO_COLOR", "TMUX", "COLORTERM", "PYTHONDONTWRITEBYTECODE")


class Screen:
    """What a person would see: the few sequences that full-screen applications write with."""

    def __init__(self, rows: int, cols: int) -> None:
        """Begin empty."""
        self.rows, self.cols = rows, cols
        self.cells = [[" "] * cols for _ in range(rows)]
        self.row = self.col = 0
        self.overflow = False  # something was written beyond the last column or line
        self._rest = b""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def feed(self, data: bytes) -> None:
        """Take output; a sequence that is cut off waits for the rest."""
        data = self._rest + data
        place = 0
        self._rest = b""
        while place < len(data):
            escape = data.find(b"\x1b", place)
            self._write(data[place : escape if escape >= 0 else len(data)])
            if escape < 0:
                return
            match = _SEQUENCE.match(data, escape)
            if match is None:
                self._rest = data[escape:]
                return
            if match[3]:
                self._control(match[1], match[3])
            place = match.end()

    def text(self) -> str:
        """All lines."""
        return "\n".join("".join(line).rstrip() for line in self.cells)

    def _write(self, data: bytes) -> None:
        for char in self._decode(data):
            if char == "\r":
                self.col = 0
            elif char == "\n":
                self.overflow |= self.row == self.rows - 1  # all lines would move up
                self.row = min(self.row + 1, self.rows - 1)
            elif char >= " ":
                if self.col >= self.cols:
                    self.overflow = True
                else:
                    self.cells[self.row][self.col] = char
                self.col += 1

    def _control(self, parameters: bytes, final: bytes) -> None:
        numbers = [int(n) for n in parameters.split(b";") if n.isdigit()]
        first = numbers[0] if numbers else 0
        if final in (b"H", b"f"):
            self.overflow |= first > self.rows
            self.row = min(max(first - 1, 0), self.rows - 1)
            self.col = min(max((numbers[1] if len(numbers) > 1 else 1) - 1, 0), self.cols - 1)
        elif final == b"J" and first == 2:
            self.cells = [[" "] * self.cols for _ in range(self.rows)]
        elif final == b"K":
            self.cells[self.row][self.col :] = [" "] * (self.cols - self.col)
        elif final in (b"A", b"B"):
            step = max(first, 1) * (-1 if final == b"A" else 1)
            self.row = min(max(self.row + step, 0), self.rows - 1)
        elif final in (b"C", b"D"):
            step = max(first, 1) * (-1 if final == b"D" else 1)
            self.col = min(max(self.col + step, 0), self.cols - 1)


class Terminal:
    """One command on a pty of its own, as the leader of its own session."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        rows: int = 24,
        cols: int = 80,
        term: str = "xterm-256color",
    ) -> None:
        """Start it."""
        kept = {k: v for k, v in os.environ.items() if k not in _LEFT_OUT}
        env = kept | {"TERM": term, **environment}
        self.fd, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        # Spawned, not forked: a fork of a process that uses JAX warns. The leader of a new
        # session that opens a terminal is controlled by it.
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.ttyname(other), os.O_RDWR, 0),
            (os.POSIX_SPAWN_DUP2, 0, 1),
            (os.POSIX_SPAWN_DUP2, 0, 2),
        ]
        self.started = time.monotonic()
        self.pid = os.posix_spawnp(
            command[0], list(command), env, file_actions=actions, setsid=True
        )
        os.close(other)
        self.screen = Screen(rows, cols)
        self.raw = bytearray()
        self.read_ms = 0.0  # CPU time of the process when its last output was read
        self.code: int | None = None

    def pump(self, seconds: float) -> bool:
        """Read what comes within `seconds`; True if anything came."""
        end = time.monotonic() + seconds
        came = False
        while True:
            ready, _, _ = select.select([self.fd], [], [], max(end - time.monotonic(), 0))
            if not ready:
                return came
            try:
                data = os.read(self.fd, 65536)
            except OSError:  # the other side of the pty is closed
                return came
            if not data:
                return came
            came = True
            if self.code is None:  # before the screen is made: the process works on
                self.read_ms = self.cpu_ms()
            self.raw += data
            self.screen.feed(data)
            if time.monotonic() >= end:
                return came

    def watch(self, seconds: float) -> None:
        """Read for so long, whatever comes."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.pump(left)

    def wait_for(self, needle: str, seconds: float = 30.0) -> float:
        """Seconds since the start until `needle` is on screen. Raises AssertionError if never."""
        return self.wait_until(lambda text: needle in text, repr(needle), seconds)

    def wait_until(self, holds: Callable[[str], bool], what: str, seconds: float = 30.0) -> float:
        """As `wait_for`, until `holds` is true of what is on screen."""
        end = time.monotonic() + seconds
        while not holds(self.screen.text()):
            if time.monotonic() > end:
                raise AssertionError(f"never saw {what} in\n{self.screen.text()}")
            self.pump(0.01)
        return time.monotonic() - self.started

    def settle(self, quiet: float = 0.3, seconds: float = 10.0) -> None:
        """Read until nothing came for `quiet` seconds."""
        end = time.monotonic() + seconds
        while self.pump(quiet) and time.monotonic() < end:
            continue

    def send(self, keys: str) -> None:
        """Type."""
        os.write(self.fd, keys.encode("utf-8", "surrogateescape"))

    def cost(self, keys: str, quiet: float = 0.15) -> tuple[float, int]:
        """CPU milliseconds and bytes of typing `keys`, until nothing comes any more."""
        cpu, sent = self.cpu_ms(), len(self.raw)
        self.send(keys)
        self.settle(quiet)
        return self.cpu_ms() - cpu, len(self.raw) - sent

    def cpu_ms(self) -> float:
        """CPU time of the process itself so far, in milliseconds."""
        # The kernel's name of another process's CPU clock, which is finer than its ticks.
        return time.clock_gettime((~self.pid << 3) | 2) * 1e3

    def memory(self) -> float:
        """MiB that nobody else can have while the process lives: its own, not those of files.

        Pages of libraries (45 MiB of DuckDB's) are shared by all processes of a machine that use
        one, the engine and each worker among them, and given up when memory is short.
        """
        return self._status("RssAnon")

    def resident(self) -> float:
        """MiB in memory with the pages of files, as `top` shows them."""
        return self._status("VmRSS")

    def _status(self, name: str) -> float:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:"))

    def resize(self, rows: int, cols: int) -> None:
        """Another size; the screen starts empty."""
        self.screen = Screen(rows, cols)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def wait(self, seconds: float = 10.0) -> int | None:
        """The exit code (minus the signal's number), None if it has not ended in time."""
        end = time.monotonic() + seconds
        while self.code is None and time.monotonic() < end:
            if self.fd >= 0:
                self.pump(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code

    def hang_up(self) -> None:
        """Close the terminal, as a lost connection does."""
        os.close(self.fd)
        self.fd = -1

    def close(self) -> None:
        """End whatever is left."""
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self.fd >= 0:
            os.close(self.fd)

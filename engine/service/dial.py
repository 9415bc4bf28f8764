"""Reaching Augury on another machine: the ssh command, its child process, its first words."""

from __future__ import annotations

import json
import math
import os
import re
import select
import shlex
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread

from augury.engine.canonical import JSON
from augury.engine.errors import EngineError, UsageError
from augury.engine.hello import PROTOCOL, code_version

GREETING = b'{"augury-bridge":'
CONNECT_SECONDS = 10
SLOW_SECONDS = 15.0  # for a person to answer a question of ssh's, and a slow disk there
_NOISE = 1 << 16  # bytes that a log-in script may print before the bridge speaks
_ADDRESS = re.compile(
    r"(?P<host>(?:[^@:/\s]+@)?(?:\[[0-9A-Fa-f:.]+(?:%\w+)?\]|[^@:\[\]\s]+))(?::(?P<dir>.*))?"
)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a far store is: a host by the name that ssh knows, and a directory there or ""."""

    host: str
    directory: str = ""
    program: str = "augury"  # as a shell there reads it

    def __str__(self) -> str:
        """As given to `--ssh`."""
        return f"{self.host}:{self.directory}" if self.directory else self.host

    def options(self) -> list[str]:
        """The words between `augury` and a command that lead here."""
        program = [] if self.program == "augury" else ["--ssh-command", self.program]
        return ["--ssh", str(self), *program]

    def command(self, *, quiet: bool) -> list[str]:
        """The command line; `quiet` where nobody can answer a question of ssh's.

        AUGURY_SSH replaces `ssh`: another program, or options such as `ssh -p 2222`.
        """
        where = f" --store {shlex.quote(self.directory)}" if self.directory else ""
        host = self.host.replace("[", "").replace("]", "")  # ssh takes an IPv6 address bare
        return [
            *ssh_words(), "-T",
            "-o", f"BatchMode={'yes' if quiet else 'no'}",
            "-o", f"ConnectTimeout={CONNECT_SECONDS}",
            "--", host, f"{self.program} bridge{where}",
        ]  # fmt: skip


def parse(text: str, program: str | None = None) -> Address:
    """`[USER@]HOST[:DIR]`. Raises `UsageError`."""
    found = _ADDRESS.fullmatch(text)
    if found is None or text.startswith("-"):
        raise UsageError(f"--ssh takes [USER@]HOST[:DIR], got {text!r}.")
    return Address(found["host"], found["dir"] or "", program or "augury")


def ssh_words() -> list[str]:
    """What is called to reach a machine: AUGURY_SSH, or ssh. Raises `UsageError`."""
    given = os.environ.get("AUGURY_SSH", "")
    try:
        return shlex.split(given) or ["ssh"]
    except ValueError as error:
        raise UsageError(f"AUGURY_SSH={given!r} is no command line: {error}.") from None


def _bare(line: str) -> str:
    return line.removeprefix("augury: ").strip(" .\r")


class Call:
    """One child process that speaks with the bridge: its pipes, what it greeted with."""

    def __init__(self, address: Address, *, quiet: bool) -> None:
        """Start it. Raises `EngineError` where that is not possible."""
        self.address = address
        self._said: deque[str] = deque(maxlen=20)  # on its standard error
        command = address.command(quiet=quiet)
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # Without a terminal it cannot draw a question over the screen.
                start_new_session=quiet,
            )
        except OSError as error:
            raise EngineError(f"cannot run {command[0]}: {error.strerror}.") from None
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.sink, self.source = self.process.stdin.fileno(), self.process.stdout.fileno()
        self._listener = Thread(target=self._listen, name="ssh's words", daemon=True)
        self._listener.start()

    def greeting(
        self, seconds: float | None, slow: Callable[[], None] = lambda: None
    ) -> tuple[Mapping[str, JSON], bytes]:
        """What the bridge says first, and what follows in the same breath.

        Without a limit of `seconds`, `slow` is called once when it takes long.

        Raises:
            EngineError: it says nothing, in ssh's own words; or speaks another protocol.
        """
        limited = seconds is not None
        deadline = time.monotonic() + (SLOW_SECONDS if seconds is None else seconds)
        data = b""
        poll = select.poll()
        poll.register(self.source, select.POLLIN)
        while True:
            line, found, rest = _greeting(data)
            if found:
                return self._checked(line), rest
            left = max(deadline - time.monotonic(), 0.0)
            if not poll.poll(left * 1000 if math.isfinite(left) else None):
                if limited:
                    raise EngineError(f"{self.address.host} did not answer in {seconds:g} s.")
                slow()
                deadline = math.inf
                continue
            block = os.read(self.source, 4096)
            if not block or len(data) > _NOISE:
                raise self._refusal()
            data += block

    def _checked(self, line: bytes) -> Mapping[str, JSON]:
        try:
            greeting = json.loads(line)["augury-bridge"]
            protocol = greeting["protocol"]
        except (ValueError, LookupError, TypeError):
            raise EngineError(f"{self.address.host} answers, but not as Augury does.") from None
        if protocol != PROTOCOL:
            raise EngineError(
                f"{self.address.host} has Augury {greeting.get('version')} (protocol {protocol}), "
                f"this is {code_version()} (protocol {PROTOCOL}): install the same at both ends."
            )
        return greeting

    def _refusal(self) -> EngineError:
        host = self.address.host
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        code = self.process.poll()
        self._listener.join(1)
        words = "; ".join(_bare(line) for line in list(self._said)[-2:])
        if code == 127 or code == 126:
            return EngineError(
                f"{host} cannot run {self.address.program} ({words}): install Augury there, "
                "or give its path there with --ssh-command."
            )
        if code == 255:
            alone = shlex.join([*ssh_words(), host])
            why = words or "ssh gave no reason"
            return EngineError(f"cannot reach {host}: {why}. Try by itself: {alone}")
        if "bridge" in words and "unknown" in words:
            return EngineError(f"the Augury on {host} is older than `augury bridge`: update it.")
        return EngineError(f"{host}: {words or f'the bridge ended with status {code}'}.")

    def end(self) -> None:
        """End the child; one that is stopped too."""
        with suppress(OSError):
            self.process.terminate()
        try:
            self.process.wait(0.05)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def release(self) -> None:
        """Close its pipes: nobody reads them any more."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()

    def words(self) -> str:
        """What ssh said last."""
        return _bare(self._said[-1]) if self._said else ""

    def _listen(self) -> None:
        assert self.process.stderr
        with suppress(OSError, ValueError), self.process.stderr as stream:
            for line in stream:
                text = line.decode("utf-8", "replace").strip()
                if text and not text.startswith("@"):
                    self._said.append(text)


def _greeting(data: bytes) -> tuple[bytes, bool, bytes]:
    """Line, whether it is whole, what follows it."""
    start = 0 if data.startswith(GREETING) else data.find(b"\n" + GREETING) + 1
    if start == 0 and not data.startswith(GREETING):
        return b"", False, b""
    end = data.find(b"\n", start)
    return (data[start:end], True, data[end + 1 :]) if end >= 0 else (b"", False, b"")

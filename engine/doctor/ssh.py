"""Reaching another machine: is there an ssh, and does the link to a far store hold."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from augury.engine.doctor.finding import Finding
from augury.engine.errors import AuguryError, EngineError, UsageError

if TYPE_CHECKING:
    from augury.engine.service.link import Link

SLOW_SECONDS = 0.5  # of one question and its answer


def check(store: Path) -> Iterator[Finding]:
    """The program that `--ssh` calls."""
    from augury.engine.service.dial import ssh_words

    try:
        words = ssh_words()
    except UsageError as error:
        yield Finding("ssh", "warn", error.message, "mend or unset AUGURY_SSH")
        return
    found = shutil.which(words[0])
    if found is None:
        yield Finding(
            "ssh", "warn", f"{words[0]} is not on the PATH",
            "for `augury --ssh HOST` install OpenSSH's client (Debian: openssh-client)",
        )  # fmt: skip
        return
    told = shlex.join(words) if len(words) > 1 else found
    yield Finding("ssh", "ok", f"{told}{_version(found)}")


def _version(program: str) -> str:
    if Path(program).name != "ssh":
        return ""
    try:
        said = subprocess.run(
            [program, "-V"], capture_output=True, text=True, timeout=5, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return f", {said.stderr.partition(',')[0].strip()}" if said.stderr.strip() else ""


def check_link(link: Link, *, quiet: bool) -> Iterator[Finding]:
    """Whether the other machine answers, how fast, and with which Augury; `quiet` as in `dial`."""
    from augury.engine.service.client import Client

    try:
        link.dial(quiet=quiet)
        with Client(link, wanted="store") as peer:
            since = time.monotonic()
            peer.call("exists")
            took = time.monotonic() - since
    except EngineError as error:
        yield Finding("link", "fail", error.message)
        return
    text = f"{link}: Augury {link.far.get('version')}, answers in {took * 1000:.0f} ms"
    if not link.same_sources:
        yield Finding("link", "warn", text, link.advice())
    elif took > SLOW_SECONDS:
        yield Finding("link", "warn", text, "keys stay instant; what is read comes late")
    else:
        yield Finding("link", "ok", text)


def ask(link: Link) -> Iterator[Finding]:
    """What the doctor over there finds."""
    from augury.engine.service.client import Client

    try:
        with Client(link, wanted="store") as peer:
            for part in peer.stream("doctor"):
                yield Finding(**part)
    except AuguryError as error:
        yield Finding("far end", "fail", error.message)

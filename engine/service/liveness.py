"""`engine.json`: who serves a store, for display and for signals. The lock decides, not this."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from augury.engine.canonical import JSON
from augury.engine.service import lock

NAME = "engine.json"


def write(store: Path, **more: JSON) -> None:
    """Say that this process serves the store."""
    pid = os.getpid()
    card = {"pid": pid, "start": start_time(pid), "boot": _boot(), **more}
    part = store / f".{NAME}.{pid}"
    part.write_text(json.dumps(card))
    part.replace(store / NAME)


def read(store: Path) -> dict[str, JSON] | None:
    """The card of the engine that lives, or None."""
    if not lock.held(store):
        return None
    try:
        card = json.loads((store / NAME).read_text())
    except (OSError, ValueError):
        return None
    return card if isinstance(card, dict) and _alive(card) else None


def kill(store: Path, number: signal.Signals) -> bool:
    """Send a signal to the engine of a store; False when none lives.

    Where the kernel has pidfds the signal cannot reach a process that took over the number.
    """
    card = read(store)
    if card is None:
        return False
    if not hasattr(os, "pidfd_open"):
        os.kill(card["pid"], number)
        return True
    try:
        fd = os.pidfd_open(card["pid"])
    except ProcessLookupError:
        return False
    try:
        if not _alive(card):
            return False
        signal.pidfd_send_signal(fd, number)
    except ProcessLookupError:
        return False
    finally:
        os.close(fd)
    return True


def start_time(pid: int) -> int | None:
    """Clock ticks since boot at which a process began; None when it is gone or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def _alive(card: dict[str, JSON]) -> bool:
    if card.get("start") is None:  # no /proc: the lock alone speaks
        return True
    return card.get("boot") == _boot() and start_time(card["pid"]) == card["start"]


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""

"""Runs and their cells as the Runs tab shows them: pure functions of what is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from augury.engine.text_width import cut
from augury.engine.wording import count
from augury.tui.formatting import MISSING, bar, duration, gigabytes, percent, state
from augury.tui.live import Live

RUN_COLUMNS = (  # name, title, width; fixed, for a width that follows its text makes lines jump
    ("state", "State", 11),
    ("run", "Run", 11),
    ("progress", "Progress", 13),
    ("cells", "Cells", 11),
    ("failed", "Failed", 6),
    ("left", "Left", 6),
    ("command", "What", None),
)
FIXED_WIDTH = sum((width or 0) + 2 for _, _, width in RUN_COLUMNS)


def newest_first(live: Live) -> list[Mapping[str, Any]]:
    """Runs, the newest on top."""
    return sorted(live.runs.values(), key=lambda run: str(run.get("created")), reverse=True)


def run_line(run: Mapping[str, Any], width: int) -> tuple[str, ...]:
    """The texts of one run, in the order of `RUN_COLUMNS`."""
    total, done, failed = run["total"], run["done"], run["failed"]
    ended = done + failed
    priority = f" {run['priority']:+d}" if run.get("priority") else ""
    what = str(run.get("command", "")).removeprefix("augury run ")
    return (
        str(state(run["state"])),
        f"{run['run_id']}{priority}",
        f"{bar(ended, total, 8)} {percent(ended, total):>4}",
        f"{done}/{total}",
        f"✖ {failed}" if failed else MISSING,
        time_left(run),
        cut(what, max(width, 1)),
    )


def time_left(run: Mapping[str, Any]) -> str:
    """Until the run ends: `~` where some of it is a guess, `-` where nothing is known."""
    if run["state"] != "running":
        return ""
    seconds = run.get("seconds_left")
    guessed = "~" if run.get("guessed_cells") and seconds is not None else ""
    return guessed + duration(seconds)


def summary(run: Mapping[str, Any], live: Live) -> str:
    """One line about the selected run."""
    at_work = sum(run["run_id"] in batch.runs for batch in live.batches.values())
    waiting = f"{run['pending']} {'dropped' if run['state'] == 'cancelled' else 'waiting'}"
    parts = [
        f"{run['done']} done",
        f"{run.get('running', 0)} running{_in_batches(at_work)}",
        f"{waiting}{_in_batches(run.get('waiting_batches', 0))}",
        f"{run['failed']} failed",
    ]
    if run["state"] == "paused":
        parts.insert(0, f"paused, R resumes: {run.get('reason') or 'no reason given'}")
    if run["state"] == "stopped" or (run["state"] == "cancelled" and run["pending"]):
        parts.insert(0, f"{run['state']}, R resumes")
    return ", ".join(parts)


def guess(run: Mapping[str, Any]) -> str:
    """What of the time left is uncertain, and why; "" where nothing is."""
    number = run.get("guessed_cells")
    if not number or run["state"] != "running":
        return ""
    which = f"{number} of {count(run['pending'] + run.get('running', 0), 'cell')} left"
    if run.get("seconds_left") is None:
        return f"time left unknown: {which} are of kinds never timed here"
    return f"time left is a guess for {which}: never timed here, they count as the nearest kind"


def devices_line(live: Live, width: int) -> str:
    """What each worker's device is used for, and that one may leave."""
    if live.engine is None:
        return ""
    pid = f"engine pid {live.engine.get('pid', '?')}"
    right = f"safe to quit, {pid}" if live.active else f"{pid}, idle"
    room = width - len(right) - 4
    uses = {name: use for name, use in live.uses.items() if use}
    each = "   ".join(f"{name} {_use(use)}" for name, use in uses.items())
    left = each if len(each) <= room else _together(uses)
    left = left if len(left) <= room else ""
    return f" {left}{' ' * max(width - len(left) - len(right) - 2, 1)}{right}"


def _in_batches(number: int) -> str:
    return f" in {number} {'batch' if number == 1 else 'batches'}" if number else ""


def _use(use: Mapping[str, Any]) -> str:
    parts = [] if use.get("percent") is None else [f"{use['percent']}%"]
    if use.get("memory") is not None:
        of = f"/{gigabytes(use['total'])}" if use.get("total") else ""
        parts.append(f"{gigabytes(use['memory'])}{of}")
    if use.get("celsius") is not None:
        parts.append(f"{use['celsius']}°C")
    return " ".join(parts) or MISSING


def _together(uses: Mapping[str, Mapping[str, Any]]) -> str:
    """All of them in one: the mean of their work, the sum of their memory."""

    def values(name: str) -> list[int]:
        return [use[name] for use in uses.values() if use.get(name) is not None]

    shares = values("percent")
    whole = {
        "percent": round(sum(shares) / len(shares)) if shares else None,
        "memory": sum(values("memory")),
        "total": sum(values("total")),
        "celsius": max(values("celsius"), default=None),
    }
    return f"{count(len(uses), 'worker')} {_use(whole)}"

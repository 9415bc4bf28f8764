"""Why a cell failed and what to do about it, as text; and the file that keeps it. No widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augury.engine.paths import state_directory

# Kinds of errors that have a remedy of their own; for all others the message has to do.
_ADVICE = {
    "WorkerLost": "Its worker died: the system may have ended it for want of memory. Try again; if "
    "it happens again, run fewer workers (AUGURY_WORKERS=1) or a smaller scale.",
    "OutOfMemory": "Even alone the cell does not fit the device's memory: choose a smaller config, "
    "or another device (AUGURY_CPU=1).",
    "MissingResult": "The subject returned without numbers for this cell: a fault of its code.",
    "ModuleNotFoundError": "Install the module into the environment that runs Augury, then "
    "`augury engine restart`, then try again.",
    "ImportError": "The environment lacks something: install it, then `augury engine restart`.",
    "ChangedError": "Trying again fails in the same way: launch the run again, which plans cells "
    "of the file as it is now.",
    "AuguryError": "The message says what is missing; then try again.",
}
_OTHER = (
    "Try again; if it fails in the same way, the fault is in the subject or its config: the "
    "traceback names the line."
)
_TAIL = 6  # lines of the log


def advice(kind: str) -> str:
    """What a person can do."""
    return _ADVICE.get(kind, _OTHER)


def is_failed(cell: Mapping[str, Any]) -> bool:
    """Whether its last attempt failed."""
    return bool(cell.get("error_kind"))


def what_happened(cell: Mapping[str, Any]) -> str:
    """The error in one line, and how often it was tried."""
    attempts = cell.get("attempts") or 1
    tried = f" (attempt {attempts})" if attempts > 1 else ""
    return f"{cell['error_kind']}: {cell.get('error_message') or 'no message'}{tried}"


def tail(log: Sequence[str]) -> str:
    """The last lines of the log about it, without what is in the traceback anyway."""
    lines = [line for line in log if line[:4].isdigit()][-_TAIL:]
    return "\n".join(lines) or "The engine's log says nothing of it: it is older."


def report(cell: Mapping[str, Any], log: Sequence[str]) -> str:
    """Everything somebody who shall help has to know."""
    names = ("cell_id", "scenario", "scenario_version", "problem", "subject", "label", "config",
             "settings", "seed", "precision", "device", "worker", "code_version", "jax_version",
             "attempts", "finished_at")  # fmt: skip
    known = [f"{name}: {cell[name]}" for name in names if cell.get(name) not in (None, "")]
    trace = str(cell.get("error_traceback") or "no traceback").rstrip()
    return "\n".join([what_happened(cell), "", *known, "", trace, "", "log:", *log, ""])


def save(cell: Mapping[str, Any], text: str) -> Path | None:
    """Write the report; the file's path, or None where nothing can be written."""
    path = state_directory() / "failures" / f"{str(cell['cell_id'])[:12]}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError:
        return None
    return path

"""Starting an engine that outlives whoever needed it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from augury.engine.errors import StoreError
from augury.engine.service import log, owner
from augury.engine.service.writable import obstacle

_started: list[subprocess.Popen[bytes]] = []  # kept, so that ended ones can be reaped


def spawn(store: Path) -> subprocess.Popen[bytes]:
    """Start an engine in a session of its own. Raises `StoreError` where it cannot be."""
    owner.check_ours(store)
    _started[:] = [child for child in _started if child.poll() is None]
    try:
        store.mkdir(mode=0o700, parents=True, exist_ok=True)
        if why := obstacle(store):
            raise StoreError(f"cannot use {store} as a store: it {why}.")
        output = log.open_log(store / log.NAME)
    except OSError as error:
        inside = error.filename and Path(error.filename) != store
        what = f"{error.filename}: {error.strerror}" if inside else error.strerror
        raise StoreError(f"cannot use {store} as a store: {what}.") from None
    command = [sys.executable, "-P", "-m", "augury.engine.service", str(store)]
    try:
        child = subprocess.Popen(
            [*_scope(), *command],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/",
            env=_environment(),
        )
    finally:
        os.close(output)
    _started.append(child)
    return child


def _environment() -> dict[str, str]:
    """Ours, with what is relative to this directory made absolute: the engine lives in `/`."""
    environment = dict(os.environ)
    path = environment.get("PYTHONPATH", "")
    if path:
        parts = (os.path.abspath(part) for part in path.split(os.pathsep) if part)
        environment["PYTHONPATH"] = os.pathsep.join(parts)
    for name in ("AUGURY_DATA", "AUGURY_STORE"):
        if environment.get(name):
            environment[name] = os.path.abspath(os.path.expanduser(environment[name]))
    return environment


def _scope() -> list[str]:
    """Where systemd ends a user's processes at log-out, a scope of its own is spared."""
    bus = os.path.join(os.environ.get("XDG_RUNTIME_DIR") or "/nonexistent", "bus")
    if not os.path.exists(bus) or not shutil.which("systemd-run"):
        return []
    scope = ["systemd-run", "--user", "--scope", "--collect", "--quiet"]
    try:
        works = subprocess.run([*scope, "true"], capture_output=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [*scope, "--"] if works.returncode == 0 else []

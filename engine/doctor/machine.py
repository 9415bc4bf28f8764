"""Python, packages, JAX's devices, data sets, and places that are written to."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from augury.engine.doctor.finding import Finding
from augury.engine.errors import AuguryError
from augury.engine.paths import (
    ROOT,
    cache_directory,
    data_directory,
    state_directory,
)

DEVICE_SECONDS = 60.0  # a first import of JAX on a slow disk, and a GPU that wakes up
_PYTHONS = ((3, 11), (3, 14))
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_ASK_JAX = """
import json, jax
devices = jax.devices()
print(json.dumps([jax.__version__, [[d.platform, d.device_kind] for d in devices]]))
"""


def check_python(store: Path) -> Iterator[Finding]:
    """Version, and packages against the lock."""
    found = ".".join(map(str, sys.version_info[:3]))
    if not _PYTHONS[0] <= sys.version_info[:2] < _PYTHONS[1]:
        yield Finding("python", "fail", found, "use Python 3.11, 3.12 or 3.13")
    else:
        yield Finding("python", "ok", f"{found}, {sys.executable}")
    yield _packages()


def _packages() -> Finding:
    needed = _needed()
    missing = sorted(name for name in needed if _version(name) is None)
    if missing:
        return Finding("packages", "fail", f"missing: {', '.join(missing)}", "install Augury again")
    try:
        pinned = _PINNED.findall((ROOT / "requirements.lock").read_text("utf-8"))
    except OSError:
        return Finding("packages", "ok", f"all {len(needed)} there; no lock file to compare with")
    allowed: dict[str, set[str]] = {}
    for name, number in pinned:
        allowed.setdefault(name.lower(), set()).add(number)
    others = [
        f"{name} {found} (lock: {' or '.join(sorted(numbers))})"
        for name, numbers in allowed.items()
        if (found := _version(name)) is not None and found not in numbers
    ]
    if others:
        more = f" and {len(others) - 5} more" if len(others) > 5 else ""
        return Finding(
            "packages", "warn", f"not as locked: {', '.join(others[:5])}{more}",
            "results of other versions may differ in their last digits; ./augury sets its own up",
        )  # fmt: skip
    return Finding("packages", "ok", "as in requirements.lock")


def _needed() -> list[str]:
    try:
        lines = requires("augury") or []
    except PackageNotFoundError:
        return ["click", "duckdb", "dm-haiku", "jax", "numpy", "optax", "scipy", "textual"]
    names = (re.match(r"[A-Za-z0-9._-]+", line) for line in lines if "extra ==" not in line)
    return [name.group() for name in names if name]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def check_devices(store: Path) -> Iterator[Finding]:
    """What JAX computes on; asked in another process, which may hang or die."""
    from augury.engine.executors.places import idle_gpu

    command = [sys.executable, "-P", "-c", _ASK_JAX]
    try:
        said = subprocess.run(
            command, capture_output=True, text=True, timeout=DEVICE_SECONDS, check=False, cwd="/"
        )
    except subprocess.TimeoutExpired:
        yield Finding(
            "devices", "fail", f"JAX did not answer within {DEVICE_SECONDS:.0f} s",
            "a driver or another process may hold the GPU; AUGURY_CPU=1 does without it",
        )  # fmt: skip
        return
    except OSError as error:
        yield Finding("devices", "fail", f"JAX could not be asked: {error.strerror}")
        return
    try:
        number, devices = json.loads(said.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        words = said.stderr.strip().splitlines()
        why = words[-1][:200] if words else f"it ended with status {said.returncode}"
        yield Finding("devices", "fail", f"JAX does not start: {why}", "install Augury again")
        return
    names = [kind if platform != "cpu" else "cpu" for platform, kind in devices]
    told = ", ".join(f"{names.count(name)} x {name}" for name in dict.fromkeys(names))
    yield Finding("devices", "ok", f"JAX {number}: {told}")
    try:
        idle = idle_gpu()
    except AuguryError as error:
        yield Finding("devices", "warn", error.message)
        return
    if idle:
        yield Finding("devices", "warn", idle.partition(":")[0], idle.partition(": ")[2])


def check_data(store: Path) -> Iterator[Finding]:
    """Whether the files of the data sets are there; their checksums are looked at when read."""
    from augury.engine.catalog.datasets import DATASETS
    from augury.engine.datasets.presence import look

    placed = data_directory()
    if placed is not None and not placed.is_dir():
        yield Finding(
            "data", "fail", f"AUGURY_DATA={placed} is no directory",
            "set it to the directory that holds the data sets, or unset it",
        )  # fmt: skip
        return
    found = {name: look(name, card) for name, card in DATASETS.items()}
    absent = [name for name, presence in found.items() if presence.missing]
    damaged = [name for name, presence in found.items() if presence.state == "damaged"]
    gone = [name for name in absent if DATASETS[name].bundled]
    if gone:
        yield Finding("data", "fail", f"shipped, but gone: {', '.join(gone)}", "install again")
    if damaged:
        yield Finding(
            "data", "fail", f"not as published: {', '.join(damaged)}",
            "`augury data verify` says what is wrong",
        )  # fmt: skip
    if gone or damaged:
        return
    here = len(found) - len(absent)
    yield Finding("data", "ok", f"{here} of {len(found)} data sets; `augury data list` shows them")


def check_places(store: Path) -> Iterator[Finding]:
    """Where the application remembers things, and where compiled programs are kept."""
    for area, place, loss in (
        ("state", state_directory(), "views and crash reports are not kept"),
        ("cache", cache_directory(), "every worker compiles anew"),
    ):
        near = place
        while not near.exists() and near != near.parent:
            near = near.parent
        if near.is_dir() and os.access(near, os.W_OK | os.X_OK):
            yield Finding(area, "ok", str(place))
        else:
            yield Finding(area, "warn", f"{place} cannot be written: {loss}", f"check {near}")

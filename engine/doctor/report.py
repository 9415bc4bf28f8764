"""All checks, one after another; none of them ends the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from augury.engine.doctor import machine, store, terminal
from augury.engine.doctor.finding import Check, Finding

CHECKS: Mapping[str, Check] = {
    "terminal": terminal.check,
    "store": store.check,
    "engine": store.check_engine,
    "python": machine.check_python,
    "devices": machine.check_devices,
    "data": machine.check_data,
    "places": machine.check_places,
}


def report(path: Path) -> Iterator[Finding]:
    """Each finding as it is made: the slowest is what JAX says."""
    for area, check in CHECKS.items():
        try:
            yield from check(path)
        except Exception as error:  # noqa: BLE001
            text = " ".join(f"{type(error).__name__}: {error}".split())
            yield Finding(area, "fail", f"could not be looked at ({text})")

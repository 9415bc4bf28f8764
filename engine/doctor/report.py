"""All checks, one after another; none of them ends the report."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from augury.engine.doctor import machine, preferred, ssh, store, terminal
from augury.engine.doctor.finding import Check, Finding

CHECKS: Mapping[str, Check] = {
    "terminal": terminal.check,
    "preferences": preferred.check,
    "store": store.check,
    "engine": store.check_engine,
    "python": machine.check_python,
    "devices": machine.check_devices,
    "data": machine.check_data,
    "places": machine.check_places,
    "ssh": ssh.check,
}
NEAR = (
    "terminal",
    "preferences",
    "python",
    "places",
    "ssh",
)  # of the machine that shows a far store
FAR = ("store", "engine", "python", "devices", "data", "places")  # of the one that has it


def report(path: Path, areas: Collection[str] = ()) -> Iterator[Finding]:
    """Each finding as it is made, of some areas or of all: the slowest is what JAX says."""
    for area, check in CHECKS.items():
        if areas and area not in areas:
            continue
        try:
            yield from check(path)
        except Exception as error:  # noqa: BLE001
            text = " ".join(f"{type(error).__name__}: {error}".split())
            yield Finding(area, "fail", f"could not be looked at ({text})")

"""What a cell costs, from what earlier cells of the same program cost on the same device."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from augury.engine.batching import batch_key
from augury.engine.errors import AuguryError
from augury.engine.types import Cell

LEAST_TELLING = 0.1  # seconds of a cell: those that take less say nothing of another subject
MEMORY = 64.0  # cells; older ones count less and less
Kind: TypeAlias = tuple[str, str]  # batch key, device kind


@dataclass(frozen=True, slots=True)
class Past:
    """Mean seconds of the cells of one kind."""

    work: float = 0.0  # training and evaluation
    compiling: float = 0.0  # a cell's share of it
    weight: float = 0.0  # cells, the older ones counting less


@dataclass(slots=True)
class Timing:
    """Mean seconds a cell takes, by batch key and device; compilation apart."""

    _past: dict[Kind, Past] = field(default_factory=dict)
    _learnt: set[Kind] = field(default_factory=set)
    _devices: dict[str, list[str]] = field(default_factory=dict)  # batch key -> devices seen
    _alike: dict[tuple[str, ...], float | None] = field(default_factory=dict)

    def learn(
        self, key: str, seconds: Iterable[float], device: str = "", compiling: float = 0.0
    ) -> None:
        """Add what the cells of one batch took; `compiling` is each one's share of that."""
        past = self._past.get((key, device), Past())
        work, shared, weight = past.work, past.compiling, min(past.weight, MEMORY)
        for value in seconds:
            weight = min(weight + 1.0, MEMORY)
            work += (value - work) / weight
            shared += (compiling - shared) / weight
        if weight:
            self._learnt.add((key, device))
            self._keep((key, device), Past(work, shared, weight))

    def expect(self, kinds: Mapping[Kind, Past]) -> None:
        """Start from what the store has, given in parts; what was learnt here stays."""
        for kind, past in kinds.items():
            if kind in self._learnt:
                continue
            old = self._past.get(kind, Past())
            weight = max(old.weight + past.weight, 1.0)
            work = old.work * old.weight + past.work * past.weight
            compiling = old.compiling * old.weight + past.compiling * past.weight
            self._keep(kind, Past(work / weight, compiling / weight, weight))

    def take_up(self, observed: Iterable[tuple[Cell, str, tuple[float, float, int]]]) -> None:
        """Expect what the store has: a cell of each kind, its device, (work, compiling, number)."""
        for cell, device, seconds in observed:
            try:
                self.expect({(batch_key(cell), device): Past(*seconds)})
            except (AuguryError, KeyError):
                pass  # of an older catalog: nobody will plan such a cell again

    def copy(self) -> Timing:
        """As it is now, for a thread."""
        devices = {key: list(found) for key, found in self._devices.items()}
        return Timing(dict(self._past), set(self._learnt), devices)

    def of(self, key: str, device: str = "") -> float | None:
        """Mean seconds that one cell trains and evaluates, or None where none was seen."""
        past = self._find(key, device)
        return past.work if past else None

    def whole(self, key: str, device: str = "") -> float | None:
        """Mean seconds of one cell with its share of compilation; None where none was seen."""
        past = self._find(key, device)
        return past.work + past.compiling if past else None

    def alike(self, key: str) -> float | None:
        """A guess for a kind that was never seen: the same subject, else scenario, else any."""
        parts = json.loads(key) if key.startswith("[") else []
        subject = tuple(map(str, parts[:2]))
        for narrowed in (subject, subject[:1], ()):
            found = self._mean(narrowed)
            if found is not None and (found >= LEAST_TELLING or narrowed == subject):
                return found
        return None

    def _find(self, key: str, device: str) -> Past | None:
        """On this device; else on the one where most cells of the kind ran."""
        exact = self._past.get((key, device))
        if exact is not None:
            return exact
        seen = [self._past[key, other] for other in self._devices.get(key, ())]
        return max(seen, key=lambda past: past.weight, default=None)

    def _keep(self, kind: Kind, past: Past) -> None:
        if kind not in self._past:
            self._devices.setdefault(kind[0], []).append(kind[1])
        self._past[kind] = past
        self._alike.clear()

    def _mean(self, narrowed: tuple[str, ...]) -> float | None:
        """Over the kinds whose key begins like this."""
        if narrowed not in self._alike:
            # A key is canonical JSON: scenario and subject stand first, and written one way.
            start = json.dumps(list(narrowed), separators=(",", ":"))[:-1]
            found = [
                past.work + past.compiling
                for (key, _), past in self._past.items()
                if not narrowed or key.startswith(start + ",")
            ]
            self._alike[narrowed] = sum(found) / len(found) if found else None
        return self._alike[narrowed]

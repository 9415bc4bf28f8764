"""What a batch gave: committed to the store, then told; the store first, so that no event lies."""

from __future__ import annotations

import asyncio
from pathlib import Path

from augury.engine.executors import protocol as says
from augury.engine.service import checkpoints
from augury.engine.service.flights import Outcome
from augury.engine.service.recorder import Recorder
from augury.engine.service.scheduler import Scheduler
from augury.engine.service.subscribers import Hub
from augury.engine.service.teller import Teller, tell_failure
from augury.engine.store import write
from augury.engine.store.records import Provenance


class Outcomes:
    """Takes the outcomes of batches, in any order."""

    def __init__(
        self,
        store: Path,
        scheduler: Scheduler,
        recorder: Recorder,
        hub: Hub,
        teller: Teller,
        version: str,
    ) -> None:
        """`version` is that of the code that the cells came from."""
        self._store, self._scheduler, self._recorder = store, scheduler, recorder
        self._hub, self._teller, self._version = hub, teller, version
        self.counting = asyncio.Lock()  # held while store and ledger differ

    async def keep(self, outcome: Outcome, said: says.Said) -> set[str]:
        """Commit and tell; the runs that it changes something for."""
        ledger, cells = self._scheduler.ledger, outcome.flight.cells
        touched = {run for cell_id in cells for run in ledger.runs_of(cell_id)}
        if outcome.finished or outcome.failed:
            who = Provenance(
                str(said.get("device", "")),
                outcome.flight.slot,
                self._version,
                str(said.get("jax_version", "")),
            )
            async with self.counting:
                done, failed = await self._recorder.commit(outcome, who)
                changed = ledger.settle(done, [cell_id for cell_id, _ in failed])
            touched |= changed
            await self._remember_width(outcome, who.device)
            self._hub.publish(
                "cells",
                run_ids=sorted(changed),
                done=done,
                failed=[tell_failure(cells[cell_id], why) for cell_id, why in failed],
            )
        self._teller.ended(outcome.flight.batch.batch_id)
        if not outcome.resumes or not any(cell_id in ledger.cells for cell_id in cells):
            checkpoints.discard(self._store, cells)
        return touched

    async def keep_width(self, key: str, device: str) -> None:
        """Remember how many cells of a kind fit side by side, for engines to come."""
        width = self._scheduler.widths.get(key, {}).get(device)
        if width:
            await self._recorder.change(lambda con: write.remember_width(con, key, device, width))

    async def _remember_width(self, outcome: Outcome, device: str) -> None:
        key = outcome.flight.batch.key
        chosen = self._scheduler.widths.setdefault(key, {})
        if outcome.finished and device not in chosen:
            chosen[device] = max(finished.width for _, finished in outcome.finished)
            await self.keep_width(key, device)

"""What each worker's device is used for: looked at while somebody watches, and never in the way."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

from augury.engine.executors.protocol import Executor, WorkerState
from augury.engine.service.subscribers import Hub
from augury.engine.service.usage import Processes, Use, ask_gpus
from augury.engine.types import JSON

LOG = logging.getLogger("augury.engine")
SECONDS = 5.0  # between two looks
PATIENCE = 2.0  # for the tool, which asks a driver that may hang
AFTER_FAILURE = 60.0


class Devices:
    """The newest figures of each worker's GPU, or of its process where it computes on a CPU."""

    def __init__(
        self,
        hub: Hub,
        executor: Executor,
        ask: Callable[[float], Awaitable[dict[str, Use]]] = ask_gpus,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is asked before somebody watches."""
        self._hub, self._executor, self._ask, self._clock = hub, executor, ask, clock
        self._processes = Processes()
        self._newest: dict[str, Use] = {}
        self._looked = self._not_before = -AFTER_FAILURE
        self._look: asyncio.Task[None] | None = None

    def tick(self) -> None:
        """Called often: looks now and then while somebody listens, and tells what differs."""
        if len(self._hub):
            self._begin()

    async def newest(self) -> JSON:
        """Worker -> its figures, not much older than a look."""
        look = self._begin()
        if look is not None:
            await asyncio.wait([look])
        return self.to_json()

    def to_json(self) -> JSON:
        """Worker -> its newest figures; workers without a process have none."""
        return {name: use.to_json() for name, use in self._newest.items()}

    def _begin(self) -> asyncio.Task[None] | None:
        if self._look is not None and not self._look.done():
            return self._look
        if self._clock() - self._looked < SECONDS:
            return None
        self._looked = self._clock()
        self._look = asyncio.get_running_loop().create_task(self._now())
        return self._look

    async def _now(self) -> None:
        workers = [w for w in self._executor.workers() if w.pid is not None]
        gpus = await self._gpus(workers)
        on_cpu = {w.pid: w.name for w in workers if not w.gpu and w.pid is not None}
        found = {on_cpu[pid]: use for pid, use in self._processes.look(list(on_cpu)).items()}
        found |= {w.name: gpus[w.gpu] for w in workers if w.gpu in gpus}
        if found != self._newest:
            self._newest = found
            self._hub.publish("devices", devices=self.to_json())

    async def _gpus(self, workers: Sequence[WorkerState]) -> dict[str, Use]:
        if self._clock() < self._not_before or not any(worker.gpu for worker in workers):
            return {}
        try:
            return await self._ask(PATIENCE)
        except (OSError, TimeoutError) as error:
            why = "does not answer" if isinstance(error, TimeoutError) else str(error)
            LOG.warning("use of GPUs is not shown: nvidia-smi: %s", why)
            self._not_before = self._clock() + AFTER_FAILURE
            return {}

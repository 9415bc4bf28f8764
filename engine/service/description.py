"""The engine and its workers as `status` shows them."""

from __future__ import annotations

import time

from augury.engine.service.engine import Engine
from augury.engine.types import JSON


async def describe(engine: Engine) -> JSON:
    """Who it is, since when, and what each worker does and uses."""
    uses = await engine.devices.newest()
    return {
        **{name: engine.hello[name] for name in ("pid", "version", "source_hash", "data")},
        "uptime_seconds": round(time.monotonic() - engine.born, 3),
        "store": str(engine.store),
        "state": "draining" if engine.draining else "running",
        "workers": [
            {**worker.to_json(), "use": uses.get(worker.name)}
            for worker in engine.executor.workers()
        ],
    }

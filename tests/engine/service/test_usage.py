"""Use of devices: what `nvidia-smi` prints in good and bad days, and what /proc says."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

import pytest

from augury.engine.executors.protocol import WorkerState
from augury.engine.service.devices import AFTER_FAILURE, SECONDS, Devices
from augury.engine.service.subscribers import Hub
from augury.engine.service.usage import Processes, Use, ask_gpus, parse_gpus

ONE, TWO = "GPU-0d6a2b1c-1111-2222-3333-444455556666", "GPU-9f8e7d6c-aaaa-bbbb-cccc-ddddeeeeffff"
RECORDED = f"""{ONE}, 71, 38912, 143771, 54
{TWO}, [N/A], 4, 143771, [Not Supported]
"""


def test_what_the_tool_prints() -> None:
    assert parse_gpus(RECORDED) == {ONE: Use(71, 38912, 143771, 54), TWO: Use(None, 4, 143771)}
    partly = f"{ONE}, [Unknown Error], [GPU requires reset], N/A, nan\r\n"
    assert parse_gpus(partly) == {ONE: Use()}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No devices were found\n",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver, 1, 2, 3\n",
        f"{ONE}, 71\n",
        f"{ONE}, 71, 1, 2, 3, 4\n",
        ", , , ,\n",
    ],
)
def test_what_says_nothing_is_passed_over(text: str) -> None:
    assert parse_gpus(text) == {}


def _tool(program: str) -> list[str]:
    return [sys.executable, "-P", "-c", program]


async def test_the_tool_is_asked() -> None:
    assert await ask_gpus(20.0, _tool(f"print({RECORDED!r})")) == parse_gpus(RECORDED)
    assert await ask_gpus(20.0, _tool("raise SystemExit(9)")) == {}


async def test_a_tool_that_hangs_or_is_missing_is_given_up() -> None:
    since = time.monotonic()
    with pytest.raises(TimeoutError):
        await ask_gpus(0.2, _tool("import time; time.sleep(60)"))
    assert time.monotonic() - since < 10
    with pytest.raises(FileNotFoundError):
        await ask_gpus(1.0, ["no-such-tool-anywhere"])


def test_our_own_process_is_seen() -> None:
    seen, me = Processes(), os.getpid()
    first = seen.look([me, 1 << 30])
    assert list(first) == [me] and first[me].percent is None
    assert (first[me].memory or 0) > 5
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    assert (seen.look([me])[me].percent or 0) > 0


class _Workers:
    """As much of an executor as is asked."""

    def __init__(self, *gpus: str) -> None:
        self.all = [WorkerState(f"gpu{n}", 7 + n, "H200", "busy", gpu=g) for n, g in
                    enumerate(gpus)]  # fmt: skip

    def workers(self) -> Sequence[WorkerState]:
        return self.all


def _devices(hub: Hub, workers: Any, ask: Any, now: list[float]) -> Devices:
    return Devices(hub, workers, ask, lambda: now[0])


async def test_only_while_somebody_watches_and_a_worker_is_on_a_gpu() -> None:
    asked: list[float] = []

    async def ask(seconds: float) -> dict[str, Use]:
        asked.append(seconds)
        return parse_gpus(RECORDED)

    now, hub = [0.0], Hub()
    devices = _devices(hub, _Workers(ONE), ask, now)
    devices.tick()
    await asyncio.sleep(0)
    assert not asked
    listener = hub.join()
    for moment in (1.0, 2.0, 1.0 + SECONDS):
        now[0] = moment
        devices.tick()
        await asyncio.sleep(0.01)
    assert len(asked) == 2
    told = await listener.take()
    assert told.count(b"\n") == 1  # the same figures are not told twice
    assert b'"percent":71' in told and devices.to_json()["gpu0"]["celsius"] == 54
    idle = _devices(hub, _Workers(), ask, now)
    assert await idle.newest() == {} and len(asked) == 2


async def test_a_tool_that_fails_is_left_alone_for_a_while() -> None:
    asked: list[float] = []

    async def ask(seconds: float) -> dict[str, Use]:
        asked.append(seconds)
        raise TimeoutError

    now = [0.0]
    devices = _devices(Hub(), _Workers(ONE), ask, now)
    for moment in (0.0, SECONDS, 2 * SECONDS, AFTER_FAILURE + 1):
        now[0] = moment
        assert await devices.newest() == {}
    assert len(asked) == 2

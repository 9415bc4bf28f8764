from __future__ import annotations

import json

from augury.engine.service.subscribers import MOST_BYTES, MOST_PROGRESS, Hub, Subscriber


async def test_progress_gives_way_results_do_not() -> None:
    hub = Hub()
    listener = hub.join()
    for number in range(10 * MOST_PROGRESS):
        hub.publish("progress", droppable=True, step=number)
        hub.publish("cells", number=number)
    events = [json.loads(line) for line in (await listener.take()).splitlines()]
    cells = [e["number"] for e in events if e["event"] == "cells"]
    steps = [e["step"] for e in events if e["event"] == "progress"]
    assert cells == list(range(10 * MOST_PROGRESS))
    assert steps == list(range(9 * MOST_PROGRESS, 10 * MOST_PROGRESS))


async def test_who_lags_too_far_behind_is_cut_off_alone() -> None:
    hub = Hub()
    slow, quick = hub.join(), hub.join()
    text = "x" * (1 << 20)
    for _ in range(MOST_BYTES // len(text) + 1):
        hub.publish("cells", text=text)
        assert await quick.take()
    assert await slow.take() == b""
    assert slow.overrun and not quick.overrun


async def test_an_end_is_seen_after_what_waits() -> None:
    listener = Subscriber()
    listener.put(b"one\n", droppable=False)
    listener.end()
    assert await listener.take() == b"one\n"
    assert await listener.take() == b""


def test_who_left_hears_nothing() -> None:
    hub = Hub()
    listener = hub.join()
    hub.leave(listener)
    assert len(hub) == 0
    hub.publish("cells")

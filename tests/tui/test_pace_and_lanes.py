"""How often something repaints, and which requests threads may forget."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from augury.tui import pace
from augury.tui.lanes import Lane


class _Owner:
    def __init__(self) -> None:
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Any:
        self.timers.append((delay, callback))
        return None


def test_first_at_once_rest_together(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(pace, "monotonic", lambda: now[0])
    owner, calls = _Owner(), []
    paced = pace.Pace(owner, 1.0, lambda: calls.append(now[0]))
    paced()
    assert calls == [100.0] and not owner.timers
    for moment in (100.1, 100.2, 100.9):
        now[0] = moment
        paced()
    assert calls == [100.0] and len(owner.timers) == 1
    assert owner.timers[0][0] == pytest.approx(0.9)
    now[0] = 101.0
    owner.timers[0][1]()
    assert calls == [100.0, 101.0]
    now[0] = 105.0
    paced()
    assert calls[-1] == 105.0 and len(owner.timers) == 1


def test_a_burst_after_a_rest_comes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(pace, "monotonic", lambda: now[0])
    owner, calls = _Owner(), []
    paced = pace.Pace(owner, 0.5, lambda: calls.append(now[0]), burst=3)
    for _ in range(5):
        paced()
    assert calls == [100.0] * 3 and [delay for delay, _ in owner.timers] == [0.5]
    now[0] = 100.5
    owner.timers[0][1]()
    paced()
    assert len(calls) == 4 and len(owner.timers) == 2  # one in 0.5 s, for as long as it goes on
    now[0] = 101.0
    owner.timers[1][1]()
    now[0] = 104.0
    for _ in range(5):
        paced()
    assert calls[5:] == [104.0] * 3 and len(owner.timers) == 3


def test_a_waiting_request_gives_way_to_a_newer_one() -> None:
    lane, gate, started, done = Lane("t"), threading.Event(), threading.Event(), []
    finished = threading.Event()

    def slow(is_wanted: Callable[[], bool]) -> None:
        started.set()
        gate.wait(10)
        done.append(("slow", is_wanted()))

    def last(is_wanted: Callable[[], bool]) -> None:
        done.append(("newest", is_wanted()))
        finished.set()

    lane.put(slow)
    assert started.wait(10)
    lane.put(lambda is_wanted: done.append(("forgotten", is_wanted())))
    lane.put(last)
    gate.set()
    assert finished.wait(10)
    assert done == [("slow", False), ("newest", True)]
    lane.close(1)


def test_commands_are_never_forgotten() -> None:
    lane, done, finished = Lane("t", newest_only=False), [], threading.Event()
    for number in range(20):
        lane.put(lambda is_wanted, number=number: done.append((number, is_wanted())))
    lane.put(lambda is_wanted: finished.set())
    assert finished.wait(10)
    assert done == [(number, True) for number in range(20)]
    lane.close(1)


def test_a_closed_lane_takes_nothing() -> None:
    lane, done = Lane("t"), []
    lane.close(1)
    lane.put(lambda is_wanted: done.append(1))
    assert not done

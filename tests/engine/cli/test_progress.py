"""What a person sees of a run that goes on."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

from augury.engine.cli import progress as module
from augury.engine.cli.progress import PlainProgress, Progress, TerminalProgress, open_progress

RUN = "r1a2b3c"
BATCH = {
    "event": "progress", "run": RUN, "batch": "b", "cells": ["c"], "label": "ensemble+",
    "problem": "testbed/d10-l10-t0.1/e1", "phase": "train", "step": 400, "num_steps": 1000,
    "loss": 0.43219,
}  # fmt: skip


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


class Stderr:
    """What was written to stderr so far."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys, self.text = capsys, ""

    def getvalue(self) -> str:
        self.text += self.capsys.readouterr().err
        return self.text


@pytest.fixture
def stderr(capsys: pytest.CaptureFixture[str]) -> Stderr:
    return Stderr(capsys)


def state(done: int, failed: int = 0, left: float | None = 80.0) -> dict[str, Any]:
    return {"run_id": RUN, "state": "running", "total": 40, "done": done, "failed": failed,
            "pending": 0, "running": 0, "seconds_left": left}  # fmt: skip


def test_terminal_line_says_the_most_important_first(clock: Clock, stderr: Stderr) -> None:
    shown = TerminalProgress()
    shown.event(RUN, BATCH)
    shown.run(state(11, 1))
    text = stderr.getvalue()
    assert text.startswith("\r")
    assert text.endswith("\x1b[K")
    assert "12/40 cells | 1 failed | 1:20 left | loss 0.4322 | ensemble+ d10-l10-t0.1/e1" in text


@pytest.mark.parametrize("width", [20, 40, 79, 119, 300])
def test_terminal_line_is_ascii_and_never_wraps(
    clock: Clock, stderr: Stderr, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(module, "_width", lambda: width)
    shown = TerminalProgress()
    shown.event(RUN, BATCH)
    shown.run(state(11, 1))
    line = re.sub(r"\r|\x1b\[K", "", stderr.getvalue())
    assert line.isascii()
    assert len(line) <= width
    assert "12/40 cells" in line


def test_terminal_is_painted_at_most_four_times_a_second(clock: Clock, stderr: Stderr) -> None:
    shown = TerminalProgress()
    for done in range(1, 41):
        clock.now += 0.05
        shown.run(state(done))
    assert stderr.getvalue().count("\r") <= 2.0 / 0.25 + 1


def test_terminal_time_left_runs_down_between_events(clock: Clock, stderr: Stderr) -> None:
    shown = TerminalProgress()
    same = state(1)
    shown.run(same)
    clock.now += 30
    shown.run(same)
    assert "50 s left" in stderr.getvalue()


def test_terminal_note_scrolls_above_and_close_cleans(clock: Clock, stderr: Stderr) -> None:
    shown = TerminalProgress()
    shown.run(state(1))
    shown.note("something happened")
    assert "\r\x1b[Ksomething happened\n" in stderr.getvalue()
    shown.close()
    assert stderr.getvalue().endswith("\r\x1b[K")


def test_plain_lines_are_few_but_every_commit_is_told(clock: Clock, stderr: Stderr) -> None:
    shown = PlainProgress()
    for _ in range(100):
        clock.now += 0.1
        shown.event(RUN, BATCH)
        shown.run(state(12))
    shown.event(RUN, {"event": "cells", "run_ids": [RUN], "done": ["a", "b"], "failed": []})
    lines = stderr.getvalue().splitlines()
    assert len(lines) in (2, 3)
    assert lines[0].startswith("12/40 cells, 1:20 left, loss 0.4322, ensemble+ d10")
    assert lines[-1] == "stored 2 cells"
    assert "\x1b" not in stderr.getvalue()


def failure(number: int, message: str) -> dict[str, Any]:
    return {
        "cell_id": f"{number:032}",
        "label": "mlp[num_steps=5]",
        "problem": "testbed/d2-l1-t0.1/e0",
        "seed": number,
        "kind": "ValueError",
        "message": message,
    }


def committed(*failed: dict[str, Any]) -> dict[str, Any]:
    return {"event": "cells", "run_ids": [RUN], "done": [], "failed": list(failed)}


@pytest.mark.parametrize("kind", [PlainProgress, TerminalProgress])
def test_a_failure_is_told_at_once_and_the_same_again_is_counted(
    clock: Clock, stderr: Stderr, kind: type[Progress]
) -> None:
    shown = kind()
    shown.event(RUN, committed(failure(0, f"bad\nvalue {'x' * 200}")))
    first = "failed mlp[num_steps=5] testbed/d2-l1-t0.1/e0 seed 0 ValueError: bad value xxx"
    assert first in stderr.getvalue()
    assert "xxx\n" in stderr.getvalue()  # the whole of it
    again = [failure(i, f"bad\nvalue {'x' * 200}") for i in range(1, 1200)]
    shown.event(RUN, committed(*again))
    shown.event(RUN, committed(failure(1200, "worse")))
    shown.failures([failure(0, "worse")])  # heard of already
    assert shown.failed_cells == 1201
    shown.close()
    shown.close()
    text = stderr.getvalue()
    assert text.count(" ValueError: bad") == 2
    assert "failed 1,199 more cells ValueError: bad value xxx" in text
    assert text.count("worse") == 1


def test_failures_are_not_told_by_the_thousand(clock: Clock, stderr: Stderr) -> None:
    shown = PlainProgress()
    shown.event(RUN, committed(*(failure(i, f"loss is {i}") for i in range(1000))))
    shown.close()
    lines = stderr.getvalue().splitlines()
    assert lines[0] == "1,000 failed"
    assert len(lines) == 1 + module.MOST_REASONS + 1
    assert lines[-1].startswith("more failed; all of them: ")


def test_other_runs_are_not_shown(clock: Clock, stderr: Stderr) -> None:
    shown = PlainProgress()
    shown.event("rother", BATCH)
    shown.event("rother", {"event": "cells", "run_ids": [RUN], "done": ["a"], "failed": []})
    assert shown.batch == {}
    assert stderr.getvalue() == ""


@pytest.mark.parametrize(
    ("tty", "term", "kind"),
    [
        (True, "xterm", TerminalProgress),
        (True, "dumb", PlainProgress),
        (False, "xterm", PlainProgress),
    ],
)
def test_the_kind_of_display(
    monkeypatch: pytest.MonkeyPatch, stderr: Stderr, tty: bool, term: str, kind: type
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: tty)
    assert type(open_progress()) is kind

"""The Runs tab on scripted news."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, ClassVar

import pytest
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.widgets import Input

from augury.engine.store.table import Table
from augury.tui.log_tail import LogText, Whose
from augury.tui.messages import Commanded, EngineGone, EngineSpoke, LogRead, StatesRead, StatusRead
from augury.tui.run_cells import Cells
from augury.tui.screens.confirm import ConfirmDialog
from augury.tui.screens.export import ExportDialog
from augury.tui.screens.runs import RunsScreen
from augury.tui.session import Session
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.score_table import ScoreTable

_NAMES = ("cell_id", "label", "problem", "seed", "status", "seconds", "error_kind", "error_message")
_CELLS = [
    ("a", "mlp", "testbed/d2-l10-t0.1/e0", 0, "pending", None, None, None),
    ("b", "mlp", "testbed/d2-l10-t0.1/e1", 0, "pending", None, None, None),
    ("c", "ensemble", "testbed/d2-l10-t0.1/e0", 0, "done", 1.25, None, None),
    ("d", "ensemble", "testbed/d2-l10-t0.1/e1", 0, "failed", None, "ValueError", "too small"),
]


def _run(state: str = "running", **counts: int) -> dict[str, Any]:
    told = {"total": 4, "done": 1, "failed": 1, "pending": 2, "running": 0} | counts
    return {"run_id": "rabc123", "command": "augury run quick", "state": state, "reason": "",
            "created": "2026-11-29T20:00:00Z", "seconds_left": 61.0, **told}  # fmt: skip


class _Scripted(Session):
    """Answers from a script; remembers what it was told to do."""

    def __init__(self, store: Path, runs: list[dict[str, Any]]) -> None:
        super().__init__(store)
        self.runs, self.told = runs, list[tuple[str, str]]()

    def start(self, app: MessagePump) -> None:
        app.post_message(StatusRead({"engine": {"pid": 7}, "runs": self.runs}))

    def ask_scenarios(self, target: MessagePump) -> None:
        return

    def ask_states(self, target: MessagePump, run_id: str) -> None:
        target.post_message(StatesRead(run_id, Cells(Table(_NAMES, list(_CELLS)))))

    def ask_curve(self, target: MessagePump, cell_id: str) -> None:
        self.told.append(("curve", cell_id))

    def ask_log(self, target: MessagePump, whose: Whose | None = None) -> None:
        lines = ("2026 INFO engine starts", "2026 ERROR something")
        about = whose.title if whose else ""
        target.post_message(LogRead("", LogText(lines[: 1 if about else 2], 0, about)))

    def cancel(self, target: MessagePump, run_id: str) -> None:
        self.told.append(("cancel", run_id))
        target.post_message(Commanded(run_id, "cancelled"))

    def resume(self, target: MessagePump, run_id: str) -> None:
        self.told.append(("resume", run_id))

    def retry(self, target: MessagePump, run_id: str) -> None:
        self.told.append(("retry", run_id))

    def prioritise(self, target: MessagePump, run_id: str, priority: int) -> None:
        self.told.append(("prioritise", f"{run_id} {priority}"))


def _progress(step: int) -> EngineSpoke:
    return EngineSpoke({
        "event": "progress", "run": "rabc123", "batch": "b1", "cells": ["a", "b"], "label": "mlp",
        "problem": "p", "phase": "train", "step": step, "num_steps": 100, "loss": 1 / (1 + step),
    })  # fmt: skip


_BATCH = EngineSpoke({
    "event": "batch", "state": "begun", "batch": "b1", "runs": ["rabc123"], "worker": "cpu0",
    "cells": ["a", "b"],
})  # fmt: skip


def _states(watch: Any) -> dict[str, str]:
    rows = watch.app.screen.query_one(ScoreTable).sheet.rows
    return {row[-1]: row[1] for row in rows}


async def test_every_state_has_glyph_and_word(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path, _Scripted(tmp_path, [_run()])) as watch:
        await watch.press("2")
        await watch.until(watch.shows("rabc123"))
        await watch.until(lambda: len(_states(watch)) == 4)
        watch.app.post_message(_BATCH)
        await watch.until(lambda: _states(watch).get("b") == "running")
        watch.app.post_message(_progress(10))
        await watch.until(watch.shows("train 10/100"))
        await watch.until(lambda: _states(watch).get("a") == "running")
        text = watch.text()
        for words in ("▶ run", "✖ fail", "✔ done", "1/4", "50%", "1m", "train 10/100"):
            assert words in text
        assert "safe to quit" in text and "2 Runs 1▶" in text


async def test_events_are_enough_to_follow(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path, _Scripted(tmp_path, [_run()])) as watch:
        await watch.press("2")
        await watch.until(lambda: len(_states(watch)) == 4)
        watch.app.post_message(_BATCH)
        for step in (1, 5, 20, 60, 99):
            watch.app.post_message(_progress(step))
        chart = watch.app.screen.query_one(ChartView)
        await watch.until(lambda: "train 99/100" in chart.lines[0])
        chart.focus()
        await watch.press("e")
        await watch.opens(ExportDialog, Input)
        watch.app.screen.query_one(Input).value = str(tmp_path / "loss.svg")
        await watch.press("enter")
        await watch.until(watch.shows("Written"))
        assert (tmp_path / "loss.svg").read_text().startswith("<svg")
        done = {"event": "cells", "run_ids": ["rabc123"], "done": ["a"],
                "failed": [{"cell_id": "b", "kind": "OSError", "message": "no disk"}]}  # fmt: skip
        watch.app.live.take(done)
        watch.app.post_message(EngineSpoke({"event": "run", "run": _run(done=2, failed=2)}))
        await watch.until(watch.shows("100%"))
        await watch.until(watch.shows("2/4"))


async def test_numbers_repaint_at_most_once_a_second(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path, _Scripted(tmp_path, [_run()])) as watch:
        await watch.press("2")
        await watch.until(lambda: len(_states(watch)) == 4)
        told: list[int] = []
        screen = watch.app.screen
        watch.app._live_pace._callback = lambda: told.append(1)
        since = time.monotonic()
        for step in range(40):
            watch.app.post_message(_progress(step))
            await watch.pilot.pause(0.01)
        passed = time.monotonic() - since
        assert isinstance(screen, RunsScreen) and len(told) <= 2 + passed


async def test_news_before_the_columns_of_another_width(
    tmp_path: Path, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A size is known before the tab hears of it: what comes in between is for the old columns."""
    session = _Scripted(tmp_path / "store", [_run()])
    async with watching(tmp_path / "store", session=session, size=(100, 24)) as watch:
        await watch.press("2")
        await watch.until(watch.shows("rabc123"))
        runs = watch.app.screen
        assert isinstance(runs, RunsScreen)
        with monkeypatch.context() as other:
            other.setattr(RunsScreen, "size", Size(59, 24))
            runs._write_runs()
        runs._write_runs()


async def test_a_dialog_is_answered_once(tmp_path: Path, watching: Any) -> None:
    session = _Scripted(tmp_path / "store", [_run()])
    async with watching(tmp_path / "store", session=session) as watch:
        await watch.press("2")
        await watch.until(watch.shows("rabc123"))
        await watch.press("x")
        await watch.opens(ConfirmDialog)
        dialog = watch.app.screen
        dialog.dismiss(None)
        dialog.dismiss(None)
        await watch.until(lambda: isinstance(watch.app.screen, RunsScreen))


async def test_a_failed_cell_says_why(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path, _Scripted(tmp_path, [_run()])) as watch:
        await watch.press("2")
        await watch.until(lambda: len(_states(watch)) == 4)
        await watch.until(watch.shows("✖ ValueError: too small"))
        await watch.press("enter", "G")
        await watch.until(lambda: ("curve", "c") in watch.app.session.told)


async def test_a_failed_cell_is_explained_and_tried_again(store: Path, watching: Any) -> None:
    from augury.engine.paths import state_directory
    from augury.tui.screens.failure import FailureDialog

    class Real(Session):
        told: ClassVar[list[str]] = []

        def retry(self, target: MessagePump, run_id: str) -> None:
            self.told.append(run_id)

    async with watching(store, Real(store)) as watch:
        await watch.press("2")
        await watch.until(lambda: len(_states(watch)) > 4)
        await watch.press("exclamation_mark")
        await watch.opens(FailureDialog)
        for words in ("This cell failed", "ValueError: made up", "What to do", "y copy report",
                      "augury retry --failed rseeded"):  # fmt: skip
            await watch.until(watch.shows(words))
        (report,) = (state_directory() / "failures").iterdir()
        assert "no traceback" in report.read_text() and "subject: " in report.read_text()
        await watch.press("R")
        await watch.until(lambda: Real.told == ["rseeded"])


async def test_cancel_asks_first(tmp_path: Path, watching: Any) -> None:
    session = _Scripted(tmp_path, [_run()])
    async with watching(tmp_path, session) as watch:
        await watch.press("2")
        await watch.until(watch.shows("rabc123"))
        await watch.press("x")
        await watch.until(lambda: isinstance(watch.app.screen, ConfirmDialog))
        await watch.until(watch.shows("augury cancel rabc123"))
        await watch.press("n")
        await watch.opens(RunsScreen)
        assert not [t for t in session.told if t[0] == "cancel"]
        await watch.press("x")
        await watch.opens(ConfirmDialog)
        await watch.press("y")
        await watch.until(lambda: ("cancel", "rabc123") in session.told)


async def test_what_cannot_be_done_is_said(tmp_path: Path, watching: Any) -> None:
    session = _Scripted(tmp_path, [_run("finished", done=4, failed=0, pending=0)])
    async with watching(tmp_path, session) as watch:
        await watch.press("2")
        await watch.until(watch.shows("rabc123"))
        await watch.press("x", "R")
        for words in ("nothing to cancel", "No cell of this run has failed"):
            said = lambda w=words: any(w in n.message for n in watch.app._notifications)  # noqa: E731
            await watch.until(said)
        assert isinstance(watch.app.screen, RunsScreen)
        assert not [t for t in session.told if t[0] in ("cancel", "retry")]


async def test_retry_and_log(tmp_path: Path, watching: Any) -> None:
    session = _Scripted(tmp_path, [_run()])
    async with watching(tmp_path, session) as watch:
        await watch.press("2")
        await watch.until(watch.shows("rabc123"))
        await watch.press("R")
        await watch.until(lambda: ("retry", "rabc123") in session.told)
        await watch.press("l")
        await watch.until(watch.shows("2026 ERROR something"))
        await watch.until(watch.shows("log, 2 lines, following"))
        await watch.press("f")
        await watch.until(watch.shows("standing still, f follows"))
        await watch.press("w")
        await watch.until(watch.shows("log about run rabc123, 1 line,"))
        await watch.until(lambda: "ERROR" not in watch.text())


async def test_a_killed_engine_is_named_and_the_view_stays(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path, _Scripted(tmp_path, [_run()])) as watch:
        await watch.press("2")
        await watch.until(watch.shows("safe to quit"))
        watch.app.post_message(EngineGone())
        await watch.until(watch.shows("engine stopped"))
        await watch.until(watch.shows("rabc123"))
        await watch.until(watch.shows("stopped, R resumes"))
        await watch.until(watch.shows("■ stopped"))
        assert "■ engine stopped, 1 unfinished" in watch.text() and "▶" not in watch.text()
        await watch.press("R")
        await watch.until(lambda: ("resume", "rabc123") in watch.app.session.told)
        watch.app.post_message(StatusRead({"engine": {"pid": 8}, "runs": [_run()]}))
        await watch.until(watch.shows("safe to quit"))


async def test_a_run_left_by_an_engine_of_before_is_no_run_at_work(
    tmp_path: Path, watching: Any
) -> None:
    async with watching(tmp_path, _Scripted(tmp_path, [_run()])) as watch:
        await watch.press("2")
        watch.app.post_message(StatusRead({"engine": None, "runs": [_run()]}))
        await watch.until(watch.shows("■ stopped"))
        assert "▶" not in watch.text()


async def test_a_cancelled_run_can_be_resumed(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path, _Scripted(tmp_path, [_run("cancelled")])) as watch:
        await watch.press("2")
        await watch.until(watch.shows("cancelled, R resumes"))
        await watch.until(lambda: len(_states(watch)) == 4)
        assert _states(watch) == {"a": "cancelled", "b": "cancelled", "c": "done", "d": "failed"}
        assert "wait" not in watch.text()
        await watch.press("R")
        await watch.until(lambda: ("resume", "rabc123") in watch.app.session.told)


async def test_the_whole_command_of_a_run_can_be_read_and_copied(
    tmp_path: Path, watching: Any, monkeypatch: Any
) -> None:
    from augury.engine.paths import state_directory

    monkeypatch.delenv("TMUX", raising=False)
    command = "augury run testbed " + " ".join(f"--set ensemble.field{n}=3" for n in range(60))
    run = _run() | {"command": f"{command} --detach-last"}
    async with watching(tmp_path, _Scripted(tmp_path, [run])) as watch:
        await watch.press("2")
        await watch.until(watch.shows("rabc123"))
        assert "field7=3" not in watch.text()
        await watch.press("d")
        await watch.until(watch.shows("started 2026-11-29 20:00:00 UTC"))
        await watch.until(watch.shows("1 done, 0 running, 2 waiting, 1 failed"))
        for _ in range(60):
            await watch.pilot.press("j")
        await watch.until(watch.shows("--detach-last"))
        await watch.press("y")
        file = state_directory() / "last-copy.txt"
        await watch.until(lambda: file.exists() and file.read_text() == run["command"])
        await watch.press("escape")
        await watch.until(lambda: isinstance(watch.app.screen, RunsScreen))


async def test_priority_goes_up_and_down_by_keys(tmp_path: Path, watching: Any) -> None:
    session = _Scripted(tmp_path, [_run(priority=2)])
    async with watching(tmp_path, session) as watch:
        await watch.press("2")
        await watch.until(watch.shows("rabc123 +2"))
        await watch.press("plus", "plus", "plus", "minus")
        await watch.until(lambda: ("prioritise", "rabc123 4") in session.told)
        assert len([t for t in session.told if t[0] == "prioritise"]) == 1
        done = _run("finished", done=4, failed=0, pending=0)
        watch.app.post_message(EngineSpoke({"event": "run", "run": done}))
        await watch.until(watch.shows("100%"))
        await watch.press("plus")
        await watch.until(lambda: any("no place" in n.message for n in watch.app._notifications))


async def test_time_left_says_what_is_a_guess(tmp_path: Path, watching: Any) -> None:
    run = _run(waiting_batches=1, guessed_cells=2)
    async with watching(tmp_path, _Scripted(tmp_path, [run]), (120, 40)) as watch:
        await watch.press("2")
        await watch.until(watch.shows("~1m"))
        await watch.until(watch.shows("1 done, 0 running, 2 waiting in 1 batch, 1 failed"))
        await watch.press("d")
        await watch.until(watch.shows("time left is a guess for 2 of 2 cells left"))


async def test_devices_and_that_one_may_leave(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path, _Scripted(tmp_path, [_run()])) as watch:
        await watch.press("2")
        await watch.until(watch.shows("safe to quit, engine pid 7"))
        gpu = {"percent": 71, "memory": 38912, "total": 143771, "celsius": 54}
        cpu = {"percent": None, "memory": 812, "total": None, "celsius": None}
        uses = {"gpu0": gpu, "cpu0": cpu}
        watch.app.post_message(EngineSpoke({"event": "devices", "devices": uses}))
        await watch.until(watch.shows("gpu0 71% 38G/140G 54°C   cpu0 .8G"))
        many = {f"gpu{n}": gpu for n in range(8)}
        watch.app.post_message(EngineSpoke({"event": "devices", "devices": many}))
        await watch.until(watch.shows("8 workers 71% 304G/1123G 54°C"))


async def test_pause_holds_everything_still(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path, _Scripted(tmp_path, [_run()])) as watch:
        await watch.press("2")
        await watch.until(watch.shows("1/4"))
        await watch.press("p")
        await watch.until(watch.shows("‖ paused, p goes on"))
        watch.app.post_message(EngineSpoke({"event": "run", "run": _run(done=3, pending=0)}))
        await watch.until(lambda: watch.app.live.runs["rabc123"]["done"] == 3)
        await watch.pilot.pause(1.2)
        assert "1/4" in watch.text() and "3/4" not in watch.text()
        await watch.press("p")
        await watch.until(watch.shows("3/4"))

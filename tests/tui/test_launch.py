"""The Launch tab: counts, commands, wrong input, submission."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.message_pump import MessagePump
from textual.widgets import Select, Static

from augury.engine.errors import EngineError
from augury.engine.plan import Selection
from augury.engine.preview_words import said
from augury.engine.service.reader import Reader
from augury.tui.messages import Submitted
from augury.tui.screens.launch import LaunchScreen
from augury.tui.screens.launch_form import Entry, SubjectPane
from augury.tui.screens.runs import RunsScreen
from augury.tui.session import Session
from augury.tui.widgets.chooser import Chooser


class _Recording(Session):
    def __init__(self, store: Path, new: int) -> None:
        super().__init__(store)
        self.new, self.submitted = new, list[Selection]()

    def submit(self, target: MessagePump, selection: Selection) -> None:
        self.submitted.append(selection)
        target.post_message(Submitted("", {"run_id": "r1", "new": self.new, "total": 2}))


def _said(watch: Any, which: str) -> str:
    return str(watch.app.screen.query_one(which, Static).render())


async def test_preview_counts_what_is_stored(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        screen = watch.app.screen
        screen.query_one("#what", Select).value = "testbed"
        await watch.until(lambda: "--agent" not in _said(watch, "#command"))
        await watch.until(lambda: "testbed --detach" in _said(watch, "#command"))
        told = Reader(store).preview(Selection(("testbed",)))
        expected = (
            f"{told['total']:,} cells, {told['stored']:,} already stored → {told['new']:,} new"
        )
        await watch.until(lambda: expected in _said(watch, "#preview"))
        assert told["stored"] > 0


async def test_choices_become_a_command_and_a_run(tmp_path: Path, watching: Any) -> None:
    session = _Recording(tmp_path, new=2)
    async with watching(tmp_path, session) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        screen = watch.app.screen
        screen.query_one("#what", Select).value = "testbed-quick"
        await watch.until(lambda: "testbed-quick" in _said(watch, "#command"))
        chooser = screen.query_one(Chooser)
        chooser.focus()
        await watch.press("A", "down", "down", "space")
        await watch.until(lambda: chooser.chosen == ("mlp",) and "[x] mlp" in watch.text())
        await watch.until(watch.shows("[ ] ensemble"))
        screen.query_one("#scale", Select).value = "smoke"
        screen.query_one("#seeds", Entry).value = "0-1"
        words = "augury run testbed-quick --agent mlp --seeds 0-1 --scale smoke --detach"
        await watch.until(lambda: words in _said(watch, "#command"))
        await watch.until(lambda: "4 cells, 0 already stored → 4 new" in _said(watch, "#preview"))
        await watch.press("ctrl+s")
        await watch.until(lambda: isinstance(watch.app.screen, RunsScreen))
        assert session.submitted == [Selection(("testbed-quick",), ("mlp",), (0, 1), "smoke")]


async def test_wrong_fields_are_explained_beside_them_and_start_nothing(
    tmp_path: Path, watching: Any
) -> None:
    session = _Recording(tmp_path, new=2)
    async with watching(tmp_path, session) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        fields = {
            "seeds": ("zero", "✖ seeds are whole numbers"),
            "problems": ("input_dmi=10", "Did you mean 'input_dim'?"),
            "set": ("ensemble.num_ensembel=3", "Did you mean 'num_ensemble'?"),
        }
        for name, (text, words) in fields.items():
            entry = watch.app.screen.query_one(f"#{name}", Entry)
            entry.value = text
            await watch.until(lambda n=name, w=words: w in _said(watch, f"#{n} .said"))
            await watch.until(lambda: _said(watch, "#command") == "")
            await watch.press("ctrl+s")
            assert session.submitted == [] and isinstance(watch.app.screen, LaunchScreen)
            entry.value = ""
            await watch.until(lambda n=name: _said(watch, f"#{n} .said") == "")
        watch.app.screen.query_one(Chooser).focus()
        await watch.press("A")
        await watch.until(watch.shows("✖ choose at least"))
        await watch.press("ctrl+s")
        assert session.submitted == []


async def test_problems_and_fields_become_part_of_the_command(
    tmp_path: Path, watching: Any
) -> None:
    session = _Recording(tmp_path, new=2)
    async with watching(tmp_path, session) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        screen = watch.app.screen
        screen.query_one("#what", Select).value = "testbed-quick"
        screen.query_one(Chooser).focus()
        await watch.press("slash", *"input_dim=10")
        await watch.until(lambda: _said(watch, "#problems .said") == "2 of 4 problems")
        screen.query_one("#set Input").focus()
        await watch.press(*"ens", "right")
        await watch.until(lambda: screen.query_one("#set", Entry).value == "ensemble.")
        await watch.until(lambda: "num_ensemble=" in _said(watch, "#set .said"))
        assert "✖" not in _said(watch, "#set .said")  # not finished is not wrong
        await watch.press(*"num_e", "right", *"3")
        words = (
            "augury run testbed-quick --set ensemble.num_ensemble=3 --filter input_dim=10 --detach"
        )
        await watch.until(lambda: words in _said(watch, "#command"))
        await watch.until(lambda: "20 cells" in _said(watch, "#preview"))
        await watch.press("escape", "ctrl+s")
        await watch.until(lambda: len(session.submitted) == 1)
        (chosen,) = session.submitted
        assert chosen.filter == "input_dim=10"
        assert chosen.overrides == ("ensemble.num_ensemble=3",)


async def test_the_grid_shows_what_is_done_and_the_dry_run_what_it_costs(
    store: Path, watching: Any
) -> None:
    async with watching(store, None, (120, 40)) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        watch.app.screen.query_one("#what", Select).value = "testbed"
        header = ["d2", "d10", "d100"]
        await watch.until(lambda: _said(watch, "#grid").partition("\n")[0].split() == header)
        grid = _said(watch, "#grid").splitlines()
        assert grid[-1] == "o done  : some  . new  x failed"
        told = Reader(store).preview(Selection(("testbed",)))
        shown = "".join(line.partition(" ")[2] for line in grid[1:-1])
        assert "o" in shown and "." in shown and shown.count("x") >= 1
        await watch.press("ctrl+r")
        await watch.until(watch.shows("Dry run: nothing has started"))
        for line in said(told)[:3]:
            assert line in watch.text()
        assert "augury run testbed --dry-run" in watch.text()


async def test_subjects_out_of_view_stay_chosen(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        screen = watch.app.screen
        screen.query_one("#what", Select).value = "testbed-quick"
        pane, chooser = screen.query_one(SubjectPane), screen.query_one(Chooser)
        await watch.until(lambda: "ensemble+" in pane.chosen and len(pane.chosen) == 5)
        screen.query_one("#subjects-filter").focus()
        await watch.press(*"bbb")
        await watch.until(lambda: [option.id for option in chooser.options] == ["bbb"])
        chooser.focus()
        await watch.press("space")
        await watch.until(lambda: len(pane.chosen) == 6)
        await watch.until(watch.shows("Subjects  6 of"))
        await watch.until(lambda: "bbb" in _said(watch, "#command"))


async def test_nothing_new_stays_here(tmp_path: Path, watching: Any) -> None:
    session = _Recording(tmp_path, new=0)
    async with watching(tmp_path, session) as watch:
        await watch.press("3")
        await watch.until(lambda: "cells" in _said(watch, "#preview"))
        await watch.press("ctrl+s")
        await watch.until(lambda: bool(session.submitted))
        await watch.until(lambda: isinstance(watch.app.screen, LaunchScreen))
        await watch.until(lambda: any("Nothing new" in n.message for n in watch.app._notifications))


async def test_what_cannot_be_counted_is_said_on_the_line(
    tmp_path: Path, watching: Any, monkeypatch: Any
) -> None:
    def refuse(self: Reader, selection: Selection) -> Any:
        raise EngineError("the engine runs other sources")

    monkeypatch.setattr(Reader, "preview", refuse)
    async with watching(tmp_path) as watch:
        await watch.press("3")
        await watch.until(lambda: "✖ the engine runs other" in _said(watch, "#preview"))
        await watch.until(lambda: isinstance(watch.app.screen, LaunchScreen))

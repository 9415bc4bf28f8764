"""Commands that screens show run as shown: a shell and the command line read what was meant."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from textual.widgets import Input, Static

from augury.engine.cli.main import COMMANDS
from augury.engine.targets import load
from augury.engine.views import View, save
from augury.tui.board_query import board_command, context_words, file_words
from augury.tui.level_page import Step
from augury.tui.screens.board_export import BoardExport
from augury.tui.screens.error import ErrorDialog
from augury.tui.screens.export import ExportDialog
from augury.tui.screens.views import ViewsDialog, view_command

_CONTEXT = {"sweep": "testbed", "scale": "full", "settings": {"note": "it's"}}
_ODD = ["my view", "it's", '"q"', "$HOME", "-o", "--x", "a;b", "*", "ü", "a\\b", "`ls`", "#1"]


def _read(command: str) -> dict[str, Any]:
    """What the command line makes of it. Raises `click.UsageError`."""
    program, name, *words = shlex.split(command)
    assert program == "augury"
    found = load(COMMANDS[name].target)
    assert isinstance(found, click.Command)
    return found.make_context(name, words).params


@pytest.mark.parametrize("odd", _ODD)
def test_whatever_the_names_are(odd: str) -> None:
    view = _read(view_command("testbed", odd, _CONTEXT))
    assert (view["view"], view["sweep"], view["scale"]) == (odd, "testbed", "full")
    params = {"scenario": "testbed", "filter": odd, "baseline": odd, "sort": ["-kl_t1", odd],
              "rows": [odd], **_CONTEXT, "scenario_version": 2}  # fmt: skip
    board = _read(board_command(params))
    assert (board["filters"], board["baseline"], board["rows"]) == ((odd,), odd, (odd,))
    assert board["sort"] == (f"-kl_t1,{odd}",) and board["scenario_version"] == 2
    assert board["settings"] == '{"note":"it\'s"}'
    file = _read(f"augury leaderboard testbed {shlex.join(file_words('csv', odd))}")
    assert file["fmt"] == "csv" and Path(file["output"]) == Path(odd)
    step = Step("seed", "testbed", _CONTEXT, label=odd, problem=odd, also={"by": odd})
    level = _read(step.command())
    assert (level["label"], level["problem"]) == (odd, odd) and level["sweep"] == "testbed"


def test_a_board_is_named_whole_or_not_at_all() -> None:
    assert context_words({}) == [] and board_command({"scenario": "mi"}) == "augury leaderboard mi"


async def test_the_board_that_is_shown_is_named(store: Path, watching: Any) -> None:
    save("testbed", "my view", View(filter="agent~ens"))
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("e")
        await watch.opens(BoardExport, Input)
        watch.app.screen.query_one(Input).value = "-o"
        export = _read(watch.app.screen._command())
        assert (export["sweep"], export["scale"], export["output"]) == ("testbed", "full", "./-o")
        assert export["settings"] and export["scenario_version"]
        await watch.press("escape", "v", "j")
        await watch.opens(ViewsDialog)
        await watch.until(lambda: watch.app.screen._under_cursor() == "my view")
        view = _read(watch.app.screen._command())
        assert (view["view"], view["sweep"], view["scale"]) == ("my view", "testbed", "full")


async def test_a_file_that_cannot_be_written_leaves_the_dialog_as_it_is(
    store: Path, tmp_path: Path, watching: Any
) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        for opens, kind in (("e", BoardExport), ("enter", ExportDialog)):
            await watch.press(*((opens,) if opens == "e" else (opens, "e")))
            await watch.opens(kind, Input)
            field = watch.app.screen.query_one(Input)
            field.value = "/nonexistent/x.csv"
            await watch.press("enter")
            await watch.opens(ErrorDialog, Static)
            assert "/nonexistent" in watch.app.screen.words
            await watch.press("escape")
            await watch.opens(kind, Input)
            assert watch.app.screen.query_one(Input) is field
            assert field.value == "/nonexistent/x.csv"
            field.value = str(tmp_path / f"{opens}.csv")
            await watch.press("enter")
            await watch.until((tmp_path / f"{opens}.csv").exists)
            await watch.until(watch.shows("Written"))
            assert not isinstance(watch.app.screen, kind)

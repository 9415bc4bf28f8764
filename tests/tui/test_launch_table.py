"""The Launch tab on a person's own table: what was read is said beside the field, and it runs."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from textual.message_pump import MessagePump
from textual.widgets import Select, Static

from augury.engine.cli.table import read_table
from augury.engine.datasets.own.ask import Asked, parse
from augury.engine.plan import Selection
from augury.tui import file_names
from augury.tui.messages import Submitted
from augury.tui.screens.launch import LaunchScreen
from augury.tui.screens.launch_form import Entry
from augury.tui.session import Session
from augury.tui.widgets.chooser import Chooser


class _Recording(Session):
    def __init__(self, store: Path) -> None:
        super().__init__(store)
        self.submitted = list[Selection]()

    def submit(self, target: MessagePump, selection: Selection) -> None:
        self.submitted.append(selection)
        target.post_message(Submitted("", {"run_id": "r1", "new": 2, "total": 2}))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "mine.csv"
    file.write_text("id,x,y\n" + "".join(f"k{i},{i % 7},{'ab'[i % 2]}\n" for i in range(40)))
    return file


def _said(watch: Any, which: str) -> str:
    return str(watch.app.screen.query_one(which, Static).render())


async def test_a_table_is_read_beside_its_field_and_becomes_a_run(
    tmp_path: Path, watching: Any, path: Path
) -> None:
    session = _Recording(tmp_path / "store")
    async with watching(tmp_path / "store", session) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        screen = watch.app.screen
        table = screen.query_one("#table", Entry)
        await watch.until(lambda: not table.display)  # the first choice is more than real data
        screen.query_one("#what", Select).value = "real"
        await watch.until(lambda: table.display)
        screen.query_one("#scale", Select).value = "smoke"

        words = {
            str(path): "✖ --data needs --target, the column that is predicted: id, x, y.",
            f"{path} --target why": "--target 'why' is no column",
            f"{path} --target y": "To leave out: --ignore id",
            f"{path} --target y --ignroe id": "Did you mean '--ignore'?",
            f"{path}.zip --target y": "it takes .csv",
        }
        for text, answer in words.items():
            table.value = text
            await watch.until(lambda a=answer: a in " ".join(_said(watch, "#table .said").split()))
            await watch.until(lambda: _said(watch, "#command") == "")
            await watch.press("ctrl+s")
            assert session.submitted == []

        table.value = f"{path} --target y --ignore id"
        same = "augury run real --scale smoke --data "
        same += shlex.join([str(path), "--target", "y", "--ignore", "id", "--detach"])
        await watch.until(lambda: same in _said(watch, "#command"))
        assert "mine.csv: 40 rows, 32 to learn from" in _said(watch, "#table .said")
        await watch.until(lambda: "0 already stored" in _said(watch, "#preview"))
        screen.query_one("#problems", Entry).value = "dataset=iris"
        await watch.until(lambda: "no filter" in _said(watch, "#problems .said"))
        screen.query_one("#problems", Entry).value = ""
        await watch.until(lambda: same in _said(watch, "#command"))
        await watch.press("ctrl+s")
        await watch.until(lambda: len(session.submitted) == 1)
        # The very selection of the command.
        given = read_table(Asked(path, "y", ("id",)))
        assert session.submitted == [Selection(("real",), scale="smoke", tables=(given,))]


async def test_read_again_sees_a_file_that_changed(
    tmp_path: Path, watching: Any, path: Path
) -> None:
    async with watching(tmp_path / "store") as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        screen = watch.app.screen
        screen.query_one("#what", Select).value = "real"
        screen.query_one("#table", Entry).value = f"{path} --target y --ignore id"
        await watch.until(lambda: "40 rows" in _said(watch, "#table .said"))
        path.write_text(path.read_text() + "k,1,a\n")
        screen.query_one(Chooser).focus()
        await watch.press("r")
        await watch.until(lambda: "41 rows" in _said(watch, "#table .said"))
        screen.query_one("#what", Select).value = "testbed"
        await watch.until(lambda: "run testbed" in _said(watch, "#command"))
        assert "--data" not in _said(watch, "#command")


def test_words_are_those_of_the_command(tmp_path: Path) -> None:
    text = "'my own.csv' --target=y --ignore a --ignore b --test-share .3 --split-seed 4"
    share, seed = 0.3, 4
    found = parse(text)
    assert found.path == Path.cwd() / "my own.csv"
    assert (found.target, found.ignore, found.test_share, found.split_seed) == (
        "y", ("a", "b"), share, seed,
    )  # fmt: skip
    assert parse("--data x.csv --target y") == parse("x.csv --target y")


def test_paths_are_completed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / ".hidden.csv").write_text("")
    for name in ("credit-one.csv", "credit-two.parquet", "credit.doc", "only.npz"):
        (tmp_path / name).write_text("")
    typed = {"cr": "credit-", "credit-o": "credit-one.csv", "o": "only.npz", "fol": "folder/"}
    for text, whole in typed.items():
        assert file_names.complete(f"{tmp_path}/{text}") == f"{tmp_path}/{whole}"
    for nothing in ("", f"{tmp_path}/", f"{tmp_path}/zz", "--target", "/no/such/folder/a"):
        assert file_names.complete(nothing) is None

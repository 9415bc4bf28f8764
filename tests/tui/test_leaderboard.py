"""The leaderboard tab on a store with results: messages, rows of the store, files."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, Static

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.sweeps import SWEEPS
from augury.engine.plan import PlannedCell
from augury.engine.service.reader import Reader
from augury.engine.store import connection, render, write
from augury.engine.store.records import FinishedCell, Provenance, RunRecord
from augury.engine.types import Cell, CellFinished, MetricRow, Seconds
from augury.tui import state
from augury.tui.row_page import Place
from augury.tui.screens.board_export import BoardExport
from augury.tui.screens.error import ErrorDialog
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.row import RowScreen
from augury.tui.screens.sort import SortDialog
from augury.tui.session import Session
from augury.tui.widgets.score_table import ScoreTable


def _labels(watch: Any) -> list[str]:
    screen = watch.app.screen
    if not isinstance(screen, LeaderboardScreen):  # a dialog is in front, or closes yet
        return []
    return [row[1] for row in screen.query_one(ScoreTable).sheet.rows]  # type: ignore[index]


def _stored(store: Path, **params: Any) -> list[str]:
    return Reader(store).query("board", scenario="testbed", **params).column("agent")


async def test_the_board_is_the_stores(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("[testbed]"))
        wanted = _stored(store)
        await watch.until(lambda: _labels(watch) == wanted)
        await watch.until(watch.shows("±SE"))
        await watch.until(watch.shows("lower is better"))


async def test_sorting_happens_in_sql(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("s")
        await watch.opens(SortDialog)
        await watch.press("j", "enter")
        wanted = _stored(store, sort="agent")
        await watch.until(lambda: _labels(watch) == wanted)
        await watch.press("S")
        wanted = _stored(store, sort="-agent")
        await watch.until(lambda: _labels(watch) == wanted)
        await watch.until(watch.shows("agent▼"))


async def test_filter(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("slash", *"agent~ens", "enter")
        await watch.until(lambda: sorted(_labels(watch)) == ["ensemble", "ensemble+"])
        await watch.until(watch.shows("filter: agent~ens (2 of 5 rows"))
        await watch.press("escape")
        await watch.until(lambda: len(_labels(watch)) == 5)


async def test_a_filter_that_cannot_be_meant_is_explained(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("slash", *"ens klx<1", "enter")
        await watch.until(watch.shows("    ^^^^^ unknown column in the filter 'klx'"))
        assert watch.app.screen.query_one("#filter", Input).has_focus
        await watch.press("escape")
        await watch.until(lambda: not watch.app.screen.query_one("#filter", Input).has_focus)
        assert watch.app.view.board("testbed").filter == ""
        await watch.until(lambda: len(_labels(watch)) == 5)


def test_a_row_of_one_setting_has_that_settings_cells(store: Path) -> None:
    read = Reader(store)
    every = list(read.query("row", scenario="testbed", label="mlp").dicts())
    place = Place("testbed", "mlp", also={"setting": "d2-l1-t0.01", "mode": "any"})
    some = list(read.query("row", **place.params(0)).dicts())
    assert 0 < len(some) < len(every)
    assert {cell["problem"].split("/")[1] for cell in some} == {"d2-l1-t0.01"}


async def test_the_exported_file_is_the_commands(
    store: Path, tmp_path: Path, watching: Any
) -> None:
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("slash", *"agent~ens", "enter")
        await watch.until(lambda: len(_labels(watch)) == 2)
        await watch.press("e")
        await watch.opens(BoardExport, Input)
        watch.app.screen.query_one(Input).value = str(ours)
        await watch.press("enter")
        await watch.until(ours.exists)
    command = [
        sys.executable, "-P", "-m", "augury", "leaderboard", "testbed", "--filter", "agent~ens",
        "--format", "csv", "-o", str(theirs), "--store", str(store),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    assert ours.read_bytes() == theirs.read_bytes()
    assert ours.read_text().count("\n") == 3


class _SlowScenarios(Session):
    """A store whose first board is there long before the list of its scenarios."""

    def ask_scenarios(self, target: Any) -> None:
        return


async def test_the_first_board_can_be_used_at_once(
    store: Path, tmp_path: Path, watching: Any
) -> None:
    view = state.ViewState(scenario="testbed")
    state.save(store, view)
    async with watching(store, _SlowScenarios(store)) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("slash", *"agent~ens", "enter")
        await watch.until(lambda: sorted(_labels(watch)) == ["ensemble", "ensemble+"])
        await watch.press("o")
        await watch.until(watch.shows("the newest with results, also"))
        await watch.press("escape")
        await watch.opens(LeaderboardScreen)
        await watch.press("e")
        await watch.opens(BoardExport, Input)
        await watch.press("escape")
        await watch.opens(LeaderboardScreen)
        await watch.press("enter")
        await watch.opens(RowScreen, ScoreTable)


@pytest.mark.parametrize(
    ("place", "why"),
    [("none/x.csv", "create it first"), ("", "is a folder"), ("/dev/full", "No space left"),
     ("store/engine.log", "keeps its own files"), ("x" * 300, "too long")],
)  # fmt: skip
async def test_a_file_that_cannot_be_written_is_not_the_stores_fault(
    store: Path, tmp_path: Path, watching: Any, place: str, why: str
) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("e")
        await watch.opens(BoardExport, Input)
        watch.app.screen.query_one(Input).value = str(tmp_path / place)
        await watch.press("enter")
        await watch.opens(ErrorDialog, Static)
        assert watch.app.screen.words.startswith("cannot write /") and why in watch.app.screen.words
        await watch.until(watch.shows("✖ The file cannot be written"))


async def test_a_file_that_is_there_is_named_before_it_is_replaced(
    store: Path, tmp_path: Path, watching: Any
) -> None:
    (tmp_path / "old file.csv").write_text("old")
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("e")
        await watch.opens(BoardExport, Input)
        watch.app.screen.query_one(Input).value = str(tmp_path / "new.csv")
        await watch.until(lambda: "replaces" not in watch.text())
        watch.app.screen.query_one(Input).value = str(tmp_path / "old file.csv")
        await watch.until(watch.shows("file, replaces the one there"))
        quoted = shlex.quote(str(tmp_path / "old file.csv"))
        assert watch.app.screen._command().endswith(f"-o {quoted}")


async def test_numbers_of_few_effective_samples_are_marked_as_the_command_marks_them(
    store: Path, watching: Any
) -> None:
    con = connection.open_store(store)
    con.execute("INSERT INTO results SELECT cell_id, 'ess', 10, 2, '', 4.0, NULL, 100, '' "
                "FROM cells WHERE subject = 'mlp' AND status = 'done'")  # fmt: skip
    con.close()
    mean = next(row["kl_t10_k2"] for row in Reader(store).query("board", scenario="testbed").dicts()
                if row["agent"] == "mlp")  # fmt: skip
    async with watching(store, size=(120, 30)) as watch:
        await watch.until(watch.shows(render.LEGEND))
        lines = {line.split()[1]: line for line in watch.text().split("\n") if " mlp " in line
                 or " uniform " in line}  # fmt: skip
        marked = [float(word[1:]) for word in lines["mlp"].split() if word.startswith("!")]
        assert marked == [pytest.approx(mean, rel=1e-3), 1.0]  # and its ratio to itself
        assert "!" not in lines["uniform"]
        place = _labels(watch).index("mlp")
        await watch.press(*"j" * place, "enter")
        await watch.opens(RowScreen, ScoreTable)
        await watch.until(watch.shows("40 problems, numbers with ! are"))
        assert sum("!" in line for line in watch.text().split("\n")) > 2
        await watch.press("escape")
        await watch.opens(LeaderboardScreen, ScoreTable)
        await watch.press("slash", *"agent~uniform", "enter")
        await watch.until(lambda: render.LEGEND not in watch.text())


async def test_ranks_within_settings_say_so(store: Path, watching: Any) -> None:
    cells = [Cell("ppc", f"ppc/quadratic-{s}/e0", "ensemble") for s in ("gap", "iid")]
    con = connection.open_store(store)
    planned = [PlannedCell(cell, "ppc-quadratic", "smoke") for cell in cells]
    write.add_run(con, RunRecord("rppc", "augury run ppc", {}), planned)
    rows = [MetricRow("passes", 1.0, split=mode) for mode in ("bayesian", "independent")]
    done = [FinishedCell(c, CellFinished(c.cell_id, tuple(rows), Seconds())) for c in cells]
    write.commit_batch(con, done, [], Provenance("cpu"))
    con.close()
    async with watching(store) as watch:
        await watch.until(watch.shows("[testbed]"))
        assert "within each" not in watch.text()
        await watch.press("right_square_bracket")
        await watch.until(watch.shows("ranked by passes, within each setting, higher is better"))
        sheet = watch.app.screen.query_one(ScoreTable).sheet
        names = [column.name for column in sheet.columns]
        settings = [row[names.index("setting")] for row in sheet.rows]
        assert settings == sorted(settings) and len(settings) == 4
        assert "passes" in names and "passes_stderr" not in names  # nobody has an error


def _second_board(store: Path) -> None:
    """A newer run on another sweep: one cell, which has its number."""
    problem = SWEEPS["testbed-2d"].smoke[0]
    version = SCENARIOS["testbed"].version
    settings = {"num_test_batches": 7}
    cell = Cell("testbed", problem.id, "mlp", settings=settings, scenario_version=version)
    con = connection.open_store(store)
    planned = [PlannedCell(cell, "testbed-2d", "smoke")]
    write.add_run(con, RunRecord("rnewer", "augury run testbed-2d", {}, state="finished"), planned)
    row = MetricRow("kl", 0.5, 0.01, 10, 2, "", 7)
    done = FinishedCell(cell, CellFinished(cell.cell_id, (row,), Seconds()))
    write.commit_batch(con, [done], [], Provenance("cpu", "w0", "0", "0"))
    con.close()


async def test_an_older_board_can_be_chosen(store: Path, tmp_path: Path, watching: Any) -> None:
    _second_board(store)
    version = f"version {SCENARIOS['testbed'].version}"
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    async with watching(store) as watch:
        await watch.until(watch.shows("newest of 2 boards (o others)"))
        await watch.until(lambda: _labels(watch) == ["mlp"])
        await watch.press("o")
        await watch.until(watch.shows(f"testbed, scale full, {version}   198/200 cells, 2 failed"))
        await watch.until(
            watch.shows(f"testbed-2d, scale smoke, {version}, num_test_batches 7   1/1 cell,")
        )
        await watch.press("j", "j", "enter")
        await watch.until(watch.shows("older: number 2 of 2 boards"))
        wanted = _stored(store, sweep="testbed")
        await watch.until(lambda: _labels(watch) == wanted)
        await watch.until(watch.shows("testbed, scale full"))
        await watch.press("e")
        await watch.opens(BoardExport, Input)
        watch.app.screen.query_one(Input).value = str(theirs)
        command = watch.app.screen._command()
        watch.app.screen.query_one(Input).value = str(ours)
        await watch.press("enter")
        await watch.until(ours.exists)
        await watch.opens(LeaderboardScreen)
        await watch.press("o")
        await watch.until(watch.shows("the newest with results, also"))
        await watch.press("k", "k", "enter")
        await watch.until(watch.shows("newest of 2 boards"))
    words = shlex.split(command)[1:]
    subprocess.run([sys.executable, "-P", "-m", "augury", *words], check=True, capture_output=True)
    assert ours.read_bytes() == theirs.read_bytes()


async def test_a_cancelled_run_hides_no_board(store: Path, watching: Any) -> None:
    _second_board(store)
    con = connection.open_store(store)
    write.set_run_state(con, "rnewer", "cancelled")
    con.close()
    async with watching(store) as watch:
        await watch.until(watch.shows("the newest is cancelled; this is number 2 of 2 boards"))
        wanted = _stored(store, sweep="testbed")
        await watch.until(lambda: _labels(watch) == wanted)
        await watch.press("o")
        await watch.until(watch.shows("cancelled, 20"))


async def test_copying_a_row_leaves_a_file(store: Path, watching: Any, monkeypatch: Any) -> None:
    from augury.engine.paths import state_directory

    monkeypatch.delenv("TMUX", raising=False)
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("Y")
        file = state_directory() / "last-copy.txt"
        await watch.until(lambda: file.exists() and file.read_text())
        copied = file.read_text()
        assert copied.split("\n")[0].startswith("rank\tagent\t")
        assert copied.split("\n")[1].split("\t")[1] == _labels(watch)[0]


async def test_what_is_looked_at_is_remembered(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("slash", *"agent~ens", "enter")
        await watch.until(lambda: len(_labels(watch)) == 2)
    async with watching(store) as watch:
        await watch.until(watch.shows("filter: agent~ens"))
        await watch.until(lambda: len(_labels(watch)) == 2)


async def test_looks_that_no_longer_fit_are_dropped(store: Path, watching: Any) -> None:
    view = state.ViewState(scenario="testbed")
    view.board("testbed").filter = "gone<1"
    state.save(store, view)
    async with watching(store) as watch:
        await watch.until(lambda: isinstance(watch.app.screen, ErrorDialog))
        await watch.press("enter")
        await watch.until(watch.shows("ensemble+"))
        await watch.until(lambda: len(_labels(watch)) == 5)
        assert watch.app.view.board("testbed").filter == ""


async def test_a_store_that_cannot_be_read_ends_the_start(tmp_path: Path, watching: Any) -> None:
    (tmp_path / "results.duckdb").write_bytes(b"garbage" * 1000)
    async with watching(tmp_path) as watch:
        await watch.until(lambda: watch.app.refusal)
        assert "is no DuckDB file" in watch.app.refusal.message


async def test_a_store_that_goes_away_is_said_and_the_board_stays(
    store: Path, tmp_path: Path, watching: Any
) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.until(watch.shows("no engine: starts when needed"))
        store.rename(tmp_path / "elsewhere")
        await watch.until(lambda: isinstance(watch.app.screen, ErrorDialog))
        assert "was removed or moved away" in watch.app.screen.words
        await watch.press("enter")
        await watch.until(watch.shows("✖ the store is gone"))
        await watch.until(lambda: len(_labels(watch)) == 5)
        await watch.press("r")
        await watch.until(lambda: isinstance(watch.app.screen, ErrorDialog))
        await watch.press("enter")
        await watch.until(lambda: len(_labels(watch)) == 5)
        (tmp_path / "elsewhere").rename(store)
        await watch.until(watch.shows("no engine: starts when needed"))


async def test_a_pasted_book_as_a_filter_leaves_a_readable_line(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble"))
        watch.app.view.board("testbed").filter = "x" * 10_000
        await watch.press("r")
        await watch.until(watch.shows("(0 of 5 rows; esc takes it off)"))


async def test_page_keys_of_a_palette_without_lines(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble"))
        for _ in range(3):
            await watch.pilot.press("colon", "a", "pagedown", "minus", "pagedown", "pageup")
            await watch.press("escape")
        assert watch.app.crash_report is None

"""Boards, comparisons, tuning and ids as commands: what goes to stdout, what is said beside it."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.boards import Shown, csv_command, newest_boards, print_boards
from augury.engine.cli.main import main
from augury.engine.cli.options import labels
from augury.engine.plan import PlannedCell, Selection, expand, label
from augury.engine.store import connection, queries, write
from augury.engine.store.records import FinishedCell, Provenance, RunRecord
from augury.engine.types import Cell, CellFinished, MetricRow, RowSums, Seconds
from tests.engine.cli.conftest import AGENTS


def call(words: str) -> Result:
    return CliRunner().invoke(main, words.split(), prog_name="augury")


def dicts(result: Result) -> list[dict[str, str]]:
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(result.stdout.splitlines()))


@pytest.fixture
def tuned(tmp_path: Path) -> Path:
    """Every smoke cell of mlp and uniform: tuning, then the best."""
    path = tmp_path / "tuned"
    con = connection.open_store(path)
    try:
        words = {"scale": "smoke", "subjects": ("mlp", "uniform")}
        _fill(con, "rall", Selection(("testbed",), config="all", **words))
        rows = queries.run(con, "tuning", {"sweep": "testbed"}).dicts()
        best = tuple((row["agent"], row["input_dim"], row["config"]) for row in rows)
        _fill(con, "rbest", Selection(("testbed",), config="best", tuned=best, **words))
    finally:
        con.close()
    return path


def test_home_shows_the_board_that_the_leaderboard_shows(tuned: Path) -> None:
    con = connection.open_store(tuned)
    try:
        selection = Selection(("testbed-quick",), ("uniform",), scale="smoke")
        write.add_run(con, RunRecord("rnew", "augury run", {}), expand(selection))
        write.set_run_state(con, "rnew", "cancelled")
    finally:
        con.close()
    board = call(f"leaderboard testbed --store {tuned}")
    assert "The newest is cancelled." in board.stderr
    (shown,) = newest_boards(tuned)
    assert shown.sweep == "testbed" and f"--sweep {shown.sweep} " in board.stderr


def _fill(con: object, run: str, selection: Selection, first: int | None = None) -> None:
    planned: tuple[PlannedCell, ...] = expand(selection)
    write.add_run(con, RunRecord(run, "augury run", selection.to_json()), planned)  # type: ignore[arg-type]
    done = [
        FinishedCell(p.cell, CellFinished(p.cell.cell_id, tuple(_rows(p.cell)), Seconds()))
        for p in planned[:first]
    ]
    write.commit_batch(con, done, [], Provenance("cpu"))  # type: ignore[arg-type]


def _rows(cell: Cell) -> list[MetricRow]:
    """More decay is better, up to 10."""
    decay = float(cell.config.get("weight_decay", 1.0))
    level = 5.0 if cell.subject == "uniform" else 1.0 + abs(decay - 10.0) / 100
    return [MetricRow("kl", level * tau + k, 0.05, tau, k, num_samples=100,
                      sums=RowSums(0.05, (0.0, 0.0)))
            for tau, k in ((1, 0), (10, 0), (10, 2))]  # fmt: skip


def test_tuning_is_printed_and_reported(tuned: Path) -> None:
    rows = dicts(call(f"tuning testbed --store {tuned} --format csv"))
    chosen = {(r["agent"], r["input_dim"]): r["config"] for r in rows}
    assert 'weight_decay":10.0' in chosen["mlp", "2"] and chosen["uniform", "10"] == "{}"
    every = dicts(call(f"tuning testbed --all --agent mlp --store {tuned} --format csv"))
    assert len(every) == 2 * int(every[0]["configs"])
    preview = call(
        f"run testbed --config best --scale smoke --agent mlp,uniform --dry-run --store {tuned}"
    )
    assert preview.stdout.splitlines()[0] == "4 cells"


def test_a_board_of_tuned_configs(tuned: Path) -> None:
    rows = dicts(call(f"leaderboard testbed --config best --store {tuned} --format csv"))
    assert len(rows) == 2 and {row["coverage"] for row in rows} == {"2/2"}
    plain = dicts(call(f"leaderboard testbed --store {tuned} --format csv"))
    assert {row["agent"] for row in plain} == {row["agent"] for row in rows}
    assert "weight_decay=10.0" in rows[0]["agent"]  # the same config for both dimensions
    assert [shown.sweep for shown in newest_boards(tuned)] == ["testbed"]


@pytest.fixture
def unfinished(tuned: Path) -> Path:
    """As `tuned`, and of ensemble's grid at D=2 what was done before it was cancelled."""
    con = connection.open_store(tuned)
    try:
        words = {"scale": "smoke", "subjects": ("ensemble",), "filter": "input_dim=2"}
        _fill(con, "rpart", Selection(("testbed",), config="all", **words), first=8)
        write.set_run_state(con, "rpart", "cancelled")
    finally:
        con.close()
    return tuned


def test_an_unfinished_grid_is_said_wherever_it_chooses(unfinished: Path) -> None:
    said = "warning: ensemble, D=2: 13 of 21 configs lack cells; chosen among the others\n"
    store = f"--store {unfinished}"
    finish = f"to finish: augury run testbed --config all --scale smoke --agent ensemble {store}\n"
    dry = "run testbed --config best --scale smoke --filter input_dim=2 --dry-run"
    for words in ("tuning testbed", f"{dry} --agent ensemble",
                  "leaderboard testbed --config best --format csv", "claims --config best",
                  "compare testbed --config best"):  # fmt: skip
        found = call(f"{words} {store}")
        assert found.exit_code == 0, found.stderr
        assert said in found.stderr and finish in found.stderr, words
    for words in (f"{dry} --agent mlp", "leaderboard testbed", "tuning testbed --agent mlp"):
        assert "lack" not in call(f"{words} {store}").stderr, words


def test_a_tuned_config_without_cells_is_missed_by_name(unfinished: Path) -> None:
    found = call(f"leaderboard testbed --config best --store {unfinished}")
    assert (
        "ensemble: the tuned config is not evaluated here: augury run testbed --config best "
        f"--scale smoke --agent ensemble --store {unfinished}\n" in found.stderr
    )


def test_what_is_not_tuned_is_named_with_the_command_that_tunes_it(
    unfinished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_PROGRAM", "./augury")
    dry = f"run testbed --config best --dry-run --store {unfinished} --agent ensemble,bbb,mlp"
    found = call(f"{dry} --scale smoke --set testbed.num_epistemic=9")
    again = "./augury run testbed --config all --scale smoke"
    assert found.exit_code == 2 and found.stderr == (
        f"augury: no config of testbed is tuned in this store: first {again} --agent "
        f"bbb,ensemble,mlp --set testbed.num_epistemic=9 --store {unfinished}\n"
    )
    found = call(f"{dry} --scale smoke")
    assert found.exit_code == 2 and found.stderr == (
        "augury: no config of testbed is tuned for bbb (D=2,10), ensemble (D=10) in this store: "
        f"first {again} --agent bbb,ensemble --store {unfinished}\n"
    )


def test_a_board_of_nothing_tuned_says_how_it_was_called(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_PROGRAM", "./augury")
    con = connection.open_store(store)
    try:
        _fill(con, "rsmoke", Selection(("testbed",), ("mlp",), scale="smoke"))
    finally:
        con.close()
    found = call("leaderboard testbed --config best")
    assert found.exit_code == 2 and found.stderr == (
        "augury: no config of testbed is tuned in this store: "
        "first ./augury run testbed --config all --scale smoke\n"
    )


def test_without_any_tuning(store: Path) -> None:
    found = call("run testbed --config best --agent mlp --dry-run")
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith("augury: no config of testbed is tuned in this store: first")
    assert "--config all --scale full --agent mlp" in found.stderr
    empty = call("tuning testbed")
    assert empty.exit_code == 0 and "no config is tuned here: first" in empty.stderr


def test_a_board_says_what_is_missing(broken_store: Path) -> None:
    printed = call("leaderboard testbed").stdout
    assert "cells have no number: rows with gaps have no rank; --common ranks all" in printed
    common = call("leaderboard testbed --common").stdout
    assert "cells have no number: means and ranks are of what all have" in common


def test_other_points_that_nobody_scored(store: Path) -> None:
    found = call("leaderboard testbed --tau 10,30 --kappa iid,3")
    assert found.exit_code == 0
    wide = call("leaderboard testbed --kappa 7")
    assert "no cell is scored there: augury run testbed --kappa 7" in wide.stderr


def test_along_kappa(store: Path) -> None:
    rows = dicts(call("leaderboard testbed --by kappa --format csv"))
    assert [int(row["kappa"]) for row in rows] == sorted(int(row["kappa"]) for row in rows)
    drawn = call("leaderboard testbed --by kappa --plot").stdout
    assert "KL τ=10, nats" in drawn and set(drawn.splitlines()[-1].split()) == {"2", "kappa", "iid"}
    assert all(agent in drawn for agent in AGENTS)
    assert "\x1b" not in drawn


def test_comparisons_and_claims(store: Path) -> None:
    rows = dicts(call("compare testbed --agent ensemble,mlp,uniform --format csv"))
    assert [(r["above"], r["below"]) for r in rows] == [
        ("ensemble", "mlp"), ("ensemble", "uniform"), ("mlp", "uniform"),
    ]  # fmt: skip
    assert "Paired ratios of KL τ=10 dyadic" in call("compare testbed").stdout
    found = json.loads(call("claims --format json").stdout)
    assert {row["claim"].partition(",")[0] for row in found} >= {"worst / best of 3 agents"}


def test_configs_are_compared_by_the_names_of_their_rows(tuned: Path) -> None:
    name = dicts(call(f"tuning testbed --agent mlp --store {tuned} --format csv"))[0]["config"]
    row = label("mlp", json.loads(name))
    assert "," in row
    words = ["compare", "testbed", "--agent", f"{row},uniform", "--store", str(tuned)]
    found = CliRunner().invoke(main, [*words, "--format", "csv"], prog_name="augury")
    assert [(r["above"], r["below"]) for r in dicts(found)] == [(row, "uniform")]
    nested = ("a[hidden=[50,50], rate=0.1],b", "c")
    assert labels("--agent", nested) == ("a[hidden=[50,50], rate=0.1]", "b", "c")


def test_claims_say_whom_they_are_about(tuned: Path) -> None:
    """There are two agents on problems of one sweep, but one that the paper's claims are about."""
    found = call(f"claims --store {tuned}")
    assert "claims are about mlp, ensemble, dropout, ensemble+, hypermodel, bbb;" in found.stderr


def test_nothing_to_compare(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    for words in ("compare testbed", "claims", "claims real", "claims mi", "transfer"):
        found = call(f"{words} --store {tmp_path / 'none'}")
        assert found.exit_code == 0 and "here yet" in found.stderr


def test_scores_of_the_testbed_beside_those_of_real_data(tmp_path: Path) -> None:
    path, agents = tmp_path / "both", ("mlp", "ensemble", "dropout", "bbb")
    con = connection.open_store(path)
    try:
        for what in ("testbed-quick", "real-regimes"):
            planned = expand(Selection((what,), agents, (0,), "quick"))
            write.add_run(con, RunRecord(what, "augury run", {}), planned)
            done = [
                FinishedCell(p.cell, CellFinished(p.cell.cell_id, (_at(p.cell, agents),),
                                                  Seconds(0.1, 0.1, 0.1)))
                for p in planned
            ]  # fmt: skip
            write.commit_batch(con, done, [], Provenance("cpu", "w", "a", "0.10"))
    finally:
        con.close()
    found = call(f"transfer --store {path} --format csv")
    assert [row["agent"] for row in dicts(found)] == list(agents)
    said = "testbed-quick (quick) and real-regimes (quick): rank correlation of 4 agents 1.00"
    assert said in found.stderr and "permutation p = 0.083" in found.stderr
    spread = dicts(call(f"claims real --store {path} --format csv"))[0]
    assert spread["claim"] == "worst / best of 4 agents, tau=10 kappa=2"
    assert (spread["place"], float(spread["value"])) == ("all 6 data sets", 4.0)


def _at(cell: Cell, agents: Sequence[str]) -> MetricRow:
    """KL that grows along the agents, more or less by problem."""
    level = 1 + 0.1 * (len(cell.problem) % 3)
    return MetricRow("kl", level * (1 + agents.index(cell.subject)), 0.01, 10, 2, num_samples=9)


def test_boards_of_one_sweep_are_saved_apart(store: Path, capsys: pytest.CaptureFixture) -> None:
    one, two = (Shown("testbed", "testbed-quick", "smoke", text) for text in ("{}", '{"tau":[1]}'))
    print_boards(store, [one, two, Shown("testbed", "coins", "full", "{}")])
    print_boards(store, [Shown("testbed", "testbed", "full", "{}")])
    names = [line.split(" > ")[1] for line in capsys.readouterr().err.splitlines()]
    assert names == ["testbed-quick.csv", "testbed-quick-2.csv", "coins.csv", "testbed.csv"]
    best = csv_command(Shown("testbed", "testbed", "full", "{}"), "testbed-best", "best")
    assert best == (
        "augury leaderboard testbed --sweep testbed --scale full --config best --format csv "
        "> testbed-best.csv"
    )


def test_ids_of_the_reference() -> None:
    lines = call("problem classification/80 testbed/2d-n10-t0.1/e5").stdout.splitlines()
    assert lines[0].split() == ["reference", "seed", "tau", "kappa", "problem", "sweep"]
    assert [line.split()[0] for line in lines[1:]] == [
        "classification/80", "classification_2d/75", "classification_2d/285",
    ]  # fmt: skip
    assert len(dicts(call("problem --format csv"))) == 791
    assert json.loads(call("problem classification/0 --format json").stdout)[0]["seed"] == 1
    ours = call("problem testbed/d10-l10-t0.1/e7")
    assert ours.exit_code == 0 and ours.stderr == (
        "testbed/d10-l10-t0.1/e7: a valid id, in testbed-tuning; "
        "the reference has no such problem.\n"
    )
    assert "a valid id, in no sweep" in call("problem testbed/d3-l1-t0.1/e0").stderr

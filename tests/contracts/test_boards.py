"""Every board file: it compiles, sorts the right way, and says what its columns mean."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from augury.engine.catalog.metrics import METRICS
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.subjects import fitting
from augury.engine.catalog.sweeps import DEFAULT_SWEEPS, SWEEPS
from augury.engine.errors import StoreError, UsageError
from augury.engine.paths import LEADERBOARDS
from augury.engine.plan import Selection, expand
from augury.engine.store import boards, connection, export, queries, write
from augury.engine.store.board import BY, PARTS, PROBLEM_SQL
from augury.engine.store.board_columns import ranked_within
from augury.engine.store.board_points import AXES
from augury.engine.store.records import FinishedCell, Provenance, RunRecord
from augury.engine.types import CellFinished, MetricRow, Seconds

SPLITS = {
    "ppc": ("bayesian/ece/none", "independent/ece/none", "bayesian/accuracy/none"),
    "mi": ("2bits", "4bits"),
}


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    """A store where every subject of every scenario has every number its board asks for."""
    path = tmp_path_factory.mktemp("boards")
    con = connection.open_store(path)
    planned = expand(Selection(tuple(DEFAULT_SWEEPS), scale="smoke", seeds=(0, 1)))
    write.add_run(con, RunRecord("rseeded", "augury run ...", {}), planned)
    done = []
    for place, cell in enumerate(p.cell for p in planned):
        numbers = {
            (c.metric, c.tau, c.kappa, split): MetricRow(
                c.metric, 0.1 + place % 7, 0.05, c.tau or 0, c.kappa or 0, split, 1000
            )
            for c in boards.load(cell.scenario).columns
            for split in (SPLITS[cell.scenario] if c.split is None else (c.split,))
        }
        done.append(
            FinishedCell(cell, CellFinished(cell.cell_id, tuple(numbers.values()), Seconds()))
        )
    write.commit_batch(con, done, [], Provenance("cpu"))
    yield con, path
    con.close()


def test_every_scenario_has_a_board_and_every_board_a_scenario() -> None:
    assert {p.stem for p in LEADERBOARDS.glob("*.toml")} == set(SCENARIOS) == set(boards.names())


@pytest.mark.parametrize("name", SCENARIOS)
def test_columns_are_metrics_and_the_baseline_a_subject(name: str) -> None:
    board = boards.load(name)
    assert all(column.metric in METRICS and column.title for column in board.columns)
    assert len({column.name for column in board.columns}) == len(board.columns)
    assert board.subject == SCENARIOS[name].kind
    assert board.baseline == SCENARIOS[name].baseline
    assert not board.baseline or board.baseline in SCENARIOS[name].subjects
    # What ranks may not run against the metric's own direction.
    card = METRICS[board.ranked.metric]
    assert board.better in ({card.better} if card.better != "none" else {"one", "none"})


def test_every_sweep_ranks_its_baseline() -> None:
    found = {
        sweep: (boards.load(card.scenario).baseline_of(sweep), fitting(sweep))
        for sweep, card in SWEEPS.items()
    }
    assert {s: base for s, (base, names) in found.items() if base and base not in names} == {}
    for name in SCENARIOS:
        assert {sweep for sweep, _ in boards.load(name).baselines} <= SWEEPS.keys()


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_board_of_checks_states_what_verdicts_rest_on(name: str) -> None:
    board = boards.load(name)
    of = {(column.metric, column.stat) for column in board.columns}
    if ("p_value", "mean") not in of:
        assert "mode" not in dict(board.by)
        return
    assert {("passes", "sum"), ("sharpness", "mean"), ("observed", "mean")} <= of
    assert {("p_value", "samples"), ("num_members", "largest")} <= of  # S and M
    assert any(metric.startswith("ece") for metric, _ in of)  # the calibration error beside it
    assert set(PARTS) <= set(dict(board.by))  # never a mean over modes or statistics


@pytest.mark.parametrize("name", SCENARIOS)
def test_compiles_ranks_and_exports(name: str, seeded: tuple[Any, Path]) -> None:
    con, path = seeded
    board = boards.load(name)
    table = queries.run(con, "board", {"scenario": name})
    subjects = {planned.cell.subject for planned in expand(Selection((name,), scale="smoke"))}
    assert subjects == {label.partition("[")[0] for label in table.column(board.subject)}
    for column in board.columns:
        assert column.name in table.columns
        assert None not in table.column(column.name), column.name
        if column.has_stderr:
            place = table.columns.index(column.name)
            assert table.columns[place + 1] == f"{column.name}_stderr"
    distance = {"lower": 1, "higher": -1}.get(board.better)
    groups: dict[tuple[Any, ...], list[float]] = {}  # what is broken out is ranked by itself
    for row in table.dicts():
        value = row[board.rank]
        key = abs(value - 1) if distance is None else distance * value
        group = tuple(row[name] for name in ranked_within(dict(board.by)))
        assert group in groups or row["rank"] == 1
        groups.setdefault(group, []).append(key)
    assert all(keys == sorted(keys) for keys in groups.values())
    for way in (board.rank, f"-{board.rank}"):
        ordered = queries.run(con, "board", {"scenario": name, "sort": way}).column(board.rank)
        assert ordered == sorted(ordered, reverse=way.startswith("-"))
    for fmt in export.FORMATS:
        assert export.query(con, "board", {"scenario": name}, fmt, path).stat().st_size > 100
    header = export.query(con, "board", {"scenario": name}, "csv", path).read_text().split("\n")[0]
    assert tuple(header.split(",")) == table.columns
    json.dumps(table.to_json(), allow_nan=False)
    for column in queries.run(con, "board", {"scenario": name}).columns:
        queries.run(con, "board", {"scenario": name, "filter": f"{column}!=none", "sort": column})


@pytest.mark.parametrize("way", sorted(set(BY) - set(AXES)))
@pytest.mark.parametrize("name", SCENARIOS)
def test_breaks_out_by(name: str, way: str, seeded: tuple[Any, Path]) -> None:
    con, _ = seeded
    whole = queries.run(con, "board", {"scenario": name})
    if any(column.name == way for column in boards.load(name).columns):
        with pytest.raises(UsageError, match="is a number of the board"):
            queries.run(con, "board", {"scenario": name, "by": [way]})
        return
    for common in (False, True):
        asked = {"scenario": name, "by": [way], "common": common}
        table = queries.run(con, "board", asked)
        assert way in table.columns
        # Problems have not all of their own columns: rows without one are rows all the same.
        assert way in PROBLEM_SQL or None not in table.column(way)
        assert len(table.rows) >= len(whole.rows)
        assert set(table.column("coverage")) <= {f"{n}/{n}" for n in range(1, 100)}


@pytest.mark.parametrize("name", SCENARIOS)
def test_published_boards_read_as_tables(name: str) -> None:
    table = boards.published(name)
    if table is not None:
        assert table.meta["published"] and table.rows
        assert boards.load(name).subject in table.columns
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_a_published_board_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "published").mkdir()
    toml = (LEADERBOARDS / "testbed.toml").read_text()
    (tmp_path / "testbed.toml").write_text(toml)
    text = "# 0.1.0, augury run testbed\nrank,agent,kl_t1,reason\n1,ensemble+,0.25,\n2,mlp,,odd\n"
    (tmp_path / "published" / "testbed.csv").write_text(text)
    monkeypatch.setattr(boards, "LEADERBOARDS", tmp_path)
    table = boards.published("testbed")
    assert table is not None and table.rows == [
        (1.0, "ensemble+", 0.25, None),
        (2.0, "mlp", None, "odd"),
    ]
    assert boards.published("real") is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rank": "nothing"}, "rank must name a column"),
        ({"strata": ["week"]}, "strata are of"),
        ({"column": [{"name": "a", "title": "A", "metric": "karma"}]}, "no metric 'karma'"),
        ({"column": [{"name": "a", "title": "A", "stat": "ratio", "of": "b"}]}, "`of` must name"),
        ({"column": [{"name": "a", "title": "A", "metric": "kl", "stat": "mode"}]}, "stat is one"),
    ],
)
def test_a_wrong_board_is_told_apart(change: dict[str, Any], message: str) -> None:
    text = tomllib.loads((LEADERBOARDS / "testbed.toml").read_text())
    with pytest.raises(StoreError, match=message):
        boards.read("testbed", text | change, "x.toml")

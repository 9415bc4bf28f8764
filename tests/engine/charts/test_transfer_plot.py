"""Scores on both sides as a chart, and what is said where one side lacks."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from augury.engine.charts.chart import Axis, Chart, Series, View
from augury.engine.charts.formats import written
from augury.engine.charts.frame import frame
from augury.engine.charts.text import draw
from augury.engine.charts.transfer_plot import drawn, lacking, sides, told
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand
from augury.engine.store import queries, write
from augury.engine.store.records import FinishedCell, Provenance, RunRecord
from augury.engine.types import CellFinished, MetricRow, Seconds
from tests.engine.store.conftest import con

__all__ = ["con"]  # a fixture

AGENTS = ("mlp", "ensemble", "dropout", "bbb")


def _store(con: Any, sweep: str, agents: Sequence[str], tau: int = 10) -> None:
    """KL that grows along the agents, more or less by problem."""
    planned = expand(Selection((sweep,), tuple(agents), (0,), "quick"))
    write.add_run(con, RunRecord(f"{sweep}{agents}", "augury run", {}), planned)
    done = []
    for p in planned:
        value = (1 + 0.1 * (len(p.cell.problem) % 3)) * (1 + AGENTS.index(p.cell.subject))
        row = MetricRow("kl", value, 0.01, tau, 2, num_samples=9)
        found = CellFinished(p.cell.cell_id, (row,), Seconds(0.1, 0.1, 0.1))
        done.append(FinishedCell(p.cell, found))
    write.commit_batch(con, done, [], Provenance("cpu", "w", "a", "0.10"))


def _table(con: Any, **params: Any) -> Any:
    return queries.run(con, "transfer", params)


def test_each_agent_is_a_point(con: Any) -> None:
    for sweep in ("testbed-quick", "real-regimes"):
        _store(con, sweep, AGENTS)
    table = _table(con)
    whole = drawn(table)
    (all_of_them,) = whole.series
    # Every problem has the same factors, and the ratio of means to mlp is the agent's own.
    np.testing.assert_allclose(all_of_them.points, [(n, n) for n in (1, 2, 3, 4)])
    assert all_of_them.kind == "points" and lacking(table.meta) == []
    assert (
        whole.note
        == told(table.meta)
        == ("rank correlation of 4 agents 1.00 [1.00, 1.00], permutation p = 0.083")
    )
    assert sides(table.meta) == "testbed-quick (quick) and real-regimes (quick)"
    apart = drawn(table, ["bbb", "mlp"], {"config": "best"})
    assert [(s.name, s.points) for s in apart.series][0] == ("bbb", ((4.0, 4.0),))
    assert [s.name for s in apart.series] == ["bbb", "mlp", "the others"]
    assert shlex.split(apart.command) == [
        "augury", "plot", "transfer", "--agent", "bbb,mlp", "--config", "best",
    ]  # fmt: skip
    with pytest.raises(UsageError, match="unknown agent on both sides 'uniform'"):
        drawn(table, ["uniform"])


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ({}, ["nothing of testbed is evaluated here yet: run testbed",
              "nothing of real is evaluated here yet: run real"]),
        ({"testbed-quick": AGENTS},
         ["nothing of real is evaluated here yet: run real --scale quick"]),
        ({"real": AGENTS},
         ["nothing of testbed is evaluated here yet: run testbed --scale quick"]),
        ({"testbed-quick": AGENTS, "real": ("mlp",)},
         ["3 trained agents on both sides are needed; there are 1: mlp; testbed alone has "
          "ensemble, dropout, bbb: run real --scale quick --agent ensemble,dropout,bbb"]),
        ({"testbed-quick": ("mlp", "ensemble"), "real": ("mlp", "ensemble")},
         ["3 trained agents on both sides are needed; there are 2: mlp, ensemble: "
          "run real --scale quick"]),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_with_the_command_that_brings_it(
    con: Any, stored: Mapping[str, Sequence[str]], said: list[str]
) -> None:
    for sweep, agents in stored.items():
        _store(con, sweep, agents)
    table = _table(con)
    found = lacking(table.meta)
    assert [f"{why}: {' '.join(words)}" for why, words in found] == said
    assert drawn(table).note == ""
    if not {"testbed-quick", "real"} <= stored.keys():
        assert drawn(table).is_empty
        assert drawn(table).nothing == "; ".join(s.replace(": run", ": augury run") for s in said)


def test_scores_at_other_points_are_none(con: Any) -> None:
    _store(con, "testbed-quick", AGENTS)
    _store(con, "real", AGENTS, tau=1)
    (one,) = lacking(_table(con).meta)
    assert one == (
        "real (real, quick) has no trained agent with a KL at tau 10, kappa 2",
        ("run", "real", "--scale", "quick"),
    )


def test_points_have_no_line_between_them() -> None:
    points = ((0.0, 0.0), (1.0, 1.0), (2.0, 0.0))
    made = {kind: Chart("", (Series("", points, kind=kind),), Axis("x"), Axis("y"))  # type: ignore[arg-type]
            for kind in ("line", "points")}  # fmt: skip
    inked = {kind: sum(letter in "*" for line in draw(chart, 60, 20, ascii=True).texts
                       for letter in line) for kind, chart in made.items()}  # fmt: skip
    assert inked["points"] == 3
    assert written(made["line"], "svg").count(b"<polyline") > written(made["points"], "svg").count(
        b"<polyline"
    )
    assert written(made["points"], "csv") == written(made["line"], "csv")
    # Zoomed in, what is outside is left out, and nothing leads to it.
    near = frame(made["points"], View(start=0.25, end=1.0))
    assert near.series[0].points == ((1.0, 1.0), (2.0, 0.0))


def test_files_of_a_person_are_no_sweep_to_run(con: Any) -> None:
    _store(con, "testbed-quick", AGENTS)
    meta = dict(_table(con).meta)
    context = {"scenario": "real", "sweep": "tables", "scale": "quick"}
    meta["contexts_of"] = {**meta["contexts_of"], "real": context}
    ((_, words),) = lacking(meta)
    assert words == ("run", "real", "--scale", "quick")
    expand(Selection((words[1],), scale="quick"))  # and it is one that can be run

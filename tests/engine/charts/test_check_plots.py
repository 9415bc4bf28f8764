"""Replicates about what was observed, as charts: one check, all of a cell, all severities."""

from __future__ import annotations

from typing import Any

import pytest

from augury.engine.charts.chart import Chart
from augury.engine.charts.check_plots import NOTHING, checked, replicates, severities
from augury.engine.errors import UsageError
from augury.engine.store.table import Table

_ROW: dict[str, Any] = {
    "cell_id": "3fa9c1000000aa", "label": "mlp-ensemble", "seed": 0, "severity": 2,
    "problem": "ppc/fashion_mnist-n1000-m100-s2/fog", "split": "bayesian/ece/none",
    "observed": 0.3, "p_value": 0.75, "p_value_stderr": 0.0433, "sharpness": 0.25, "passes": 1.0,
    "num_members": 5.0, "num_replicates": 100, "reason": "", "counts": [25.0, 75.0],
    "edges": [0.0, 0.2, 0.4],
}  # fmt: skip


class _Store:
    """Answers the queries `checks` and `row` from rows that are given."""

    def __init__(self, *rows: dict[str, Any], cells: list[dict[str, Any]] | None = None) -> None:
        self.rows, self.cells = rows, cells or []

    def __call__(self, query: str, **asked: Any) -> Table:
        if query == "row":
            at = asked.get("offset", 0)
            found = [{"total": len(self.cells), **c} for c in self.cells[at : at + asked["limit"]]]
        else:
            beside = asked.get("severities")
            found = [row for row in self.rows if asked.get("split") in (None, "", row["split"])
                     and (beside or row["cell_id"].startswith(asked["cell"]))]  # fmt: skip
        names = tuple(found[0]) if found else ("split", "total")
        return Table(names, [tuple(row[name] for name in names) for row in found])


def _row(**other: Any) -> dict[str, Any]:
    return {**_ROW, **other}


def test_bars_the_observed_value_and_the_verdict() -> None:
    chart = replicates(_Store(_row()), "3fa9", "bayesian/ece/none")
    (series,) = chart.series
    assert series.kind == "bars" and series.points == ((0.1, 25.0), (pytest.approx(0.3), 75.0))
    assert [(mark.x, mark.name) for mark in chart.marks] == [(0.3, "observed")]
    assert chart.note == "pass: p 0.75 ± 0.043   sharpness 0.25   S 100, M 5"
    assert (chart.x.words, chart.y.words) == ("ece, fraction", "replicates")
    assert chart.title == "fashion_mnist-n1000-m100-s2/fog  mlp-ensemble  seed 0"
    assert chart.command == "augury plot replicates 3fa9c1000000 --mode bayesian/ece/none"


@pytest.mark.parametrize(("p", "words"), [
    (0.0, "FAIL: p 0, no replicate is below observed"),
    (1.0, "FAIL: p 1, observed is above every replicate"),
])  # fmt: skip
def test_a_failure_says_on_which_side(p: float, words: str) -> None:
    chart = replicates(_Store(_row(p_value=p, passes=0.0)), "3fa9", "bayesian/ece/none")
    assert chart.note.startswith(words)


def test_a_p_that_passes_is_never_written_as_one_that_fails() -> None:
    rows = [_row(cell_id=str(n), severity=n, passes=float(p < 1), p_value=p)
            for n, p in enumerate((0.999, 0.99996, 1.0, 0.9994), 1)]  # fmt: skip
    chart = severities(_Store(*rows), "4", "bayesian/ece/none")
    assert [panel.title[4:] for panel in chart.panels] == [
        "pass p 0.999", "pass p 0.99996", "FAIL p 1", "pass p 0.999",
    ]  # fmt: skip
    one = replicates(_Store(*rows), "4", "bayesian/ece/none")
    assert one.note.startswith("pass: p 0.999 ")
    assert replicates(_Store(*rows), "2", "bayesian/ece/none").note.startswith("pass: p 0.99996 ")


def test_both_modes_of_one_statistic_share_their_axes() -> None:
    store = _Store(_row(split="bayesian"), _row(split="independent", observed=0.3, p_value=1.0,
                                                passes=0.0))  # fmt: skip
    chart = replicates(store, "3fa9")
    assert [s.name for s in chart.series] == ["bayesian", "independent"] and len(chart.marks) == 1
    assert chart.note == "bayesian pass p 0.75 | independent FAIL p 1"
    assert chart.x.title == "calibration"  # of splits that name no statistic


def test_all_splits_of_a_cell_are_small_multiples() -> None:
    splits = ["bayesian/accuracy/none", "bayesian/ece/none", "independent/ece/none"]
    chart = replicates(_Store(*(_row(split=split) for split in splits)), "3fa9")
    assert [panel.title for panel in chart.panels] == [s.replace("/", " ") for s in splits]
    assert [panel.x.title for panel in chart.panels] == ["accuracy", "ece", "ece"]
    assert not chart.is_empty and not chart.series


def test_severities_side_by_side_and_which_one_it_is() -> None:
    rows = [_row(cell_id=f"{n}", severity=n, passes=float(n < 4), p_value=0.2 * n, observed=n / 10)
            for n in range(1, 6)]  # fmt: skip
    chart = severities(_Store(*rows), "2", "bayesian/ece/none")
    assert [panel.title for panel in chart.panels] == [
        " s1 pass p 0.2", ">s2 pass p 0.4", " s3 pass p 0.6", " s4 FAIL p 0.8", " s5 FAIL p 1",
    ]  # fmt: skip
    assert [panel.marks[0].x for panel in chart.panels] == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert chart.note == "bayesian ece none: 3 of 5 severities pass   S 100, M 5"
    assert chart.command == "augury plot severities 2 --mode bayesian/ece/none"


def test_a_check_without_a_value_keeps_its_place() -> None:
    lost = _row(cell_id="b", severity=3, observed=None, p_value=None, passes=None, counts=[],
                edges=[], reason="the loss was not finite")  # fmt: skip
    chart = severities(_Store(_row(cell_id="a"), lost), "a", "bayesian/ece/none")
    assert [panel.title for panel in chart.panels] == [">s2 pass p 0.75", " s3 no check"]
    assert chart.panels[1].is_empty and chart.panels[1].nothing == "the loss was not finite"
    one = replicates(_Store(lost), "b", "bayesian/ece/none")
    assert one.is_empty and one.nothing == one.note == "the loss was not finite"


def test_a_problem_without_severities_has_its_replicates_alone() -> None:
    chart = severities(_Store(_row(severity=None, split="bayesian")), "3fa9", "bayesian")
    assert not chart.panels and len(chart.series) == 1
    assert chart.command == "augury plot severities 3fa9c1000000 --mode bayesian"


def test_what_is_no_check_says_so() -> None:
    for build in (replicates, severities):
        chart = build(_Store(), "3fa9")
        assert chart.is_empty and chart.nothing == NOTHING
    with pytest.raises(UsageError, match="unknown mode"):
        replicates(_Store(_row()), "3fa9", "neither")


def test_problems_behind_a_row_come_round() -> None:
    cells = [{"cell_id": name, "problem": f"ppc/x-s1/{name}", "seed": 0, "status": "done"}
             for name in "abc"]  # fmt: skip
    cells[1]["status"] = "pending"
    failed = {"status": "failed", "error_kind": "ValueError", "error_message": "made up"}
    store = _Store(*(_row(cell_id=name, severity=None) for name in "ac"), cells=cells)

    def at(place: int) -> Chart:
        return checked(store, "ppc", "mlp-ensemble", "bayesian/ece/none", place, setting="x-s1")

    assert at(0).title.startswith("1 of 3: ") and at(3) == at(0)
    assert at(2).title.startswith("3 of 3: ") and at(2).command.split()[3] == "c"
    assert at(1).is_empty and at(1).nothing == "ppc/x-s1/b: no check yet"
    assert checked(_Store(), "ppc", "mlp").nothing == NOTHING
    lost = checked(_Store(cells=[{**cells[0], **failed}]), "ppc", "mlp")
    assert lost.is_empty and lost.nothing == "ppc/x-s1/a: ✖ ValueError: made up"

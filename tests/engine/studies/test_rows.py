"""Cells of the two sweeps, through the scenario that runs them."""

from __future__ import annotations

from math import log
from typing import Any

import pytest

from augury.engine.batching import batches
from augury.engine.catalog.problems import CoinsProblem, parse
from augury.engine.catalog.subjects import usual
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand
from augury.engine.scenarios import testbed
from augury.engine.studies import coin_rows, coins, dyads, logistic_rows
from augury.engine.studies.anchors import label_entropy
from augury.engine.types import BatchContext, Cell, CellFinished, Progress

COINS, LOGISTIC = "testbed/coins-m10-n30/e1", "testbed/logistic-d5-t0.01/e0"
FEW = {"num_test_batches": 40, "num_epistemic": 200, "tau": [1, 3, 10], "kappa": [0, 1, 2]}


def run(*cells: Cell) -> Any:
    """Rows of each cell by (metric, tau, kappa), and how often progress was told."""
    events = []
    testbed.run_batch(cells, events.append, BatchContext())
    finished = {e.cell_id: e for e in events if isinstance(e, CellFinished)}
    told = [e for e in events if isinstance(e, Progress)]
    assert all(0 <= e.step <= e.num_steps and e.phase == "evaluate" for e in told)
    return [
        {(r.metric, r.tau, r.kappa): r for r in finished[cell.cell_id].rows} for cell in cells
    ], told


def cells(problem, subjects, settings, seed=0, **config):
    return [Cell("testbed", problem, s, config, settings, seed) for s in subjects]


def test_coins():
    settings = {"tau": [1, 10, 50], "kappa": [0, 1, 2]}
    rows, told = run(*cells(COINS, ("uniform", "posterior", "shared-bias", "floor"), settings))
    uniform, posterior, shared, floor = rows
    assert told and len(uniform) == 8  # seven points and nll
    card = parse(COINS)
    assert isinstance(card, CoinsProblem)
    beliefs = coin_rows.beliefs(card)
    assert sum(a + b - 2 for a, b in beliefs) == 30  # every training toss
    for point in ((1, 0), (10, 0), (10, 1), (10, 2), (50, 0)):
        kl = [one["kl", *point] for one in (floor, posterior, shared, uniform)]
        assert [row.stderr for row in kl] == [0.0] * 4
        assert kl[0].value == kl[1].value < min(kl[2].value, kl[3].value)
        truth = coins.expected_truth(beliefs, point[0])
        assert kl[3].value == pytest.approx(truth + point[0] * log(2.0), abs=1e-12)
    assert uniform["nll", 0, 0].value == pytest.approx(log(2.0))
    assert posterior["nll", 0, 0].value < uniform["nll", 0, 0].value


def test_a_wrong_belief_is_above_the_floor():
    settings = {"tau": [10], "kappa": [2]}
    (right,), _ = run(*cells(COINS, ("posterior",), settings))
    (wrong,), _ = run(*cells(COINS, ("posterior",), settings, heads=5.0))
    assert wrong["kl", 10, 2].value > right["kl", 10, 2].value + 0.01


def test_environments_of_coins_are_other_tosses():
    first, second = (parse(f"testbed/coins-m10-n30/e{e}") for e in (0, 1))
    assert coin_rows.beliefs(first) != coin_rows.beliefs(second)  # type: ignore[arg-type]


def test_logistic():
    subjects = ("uniform", "marginal", "prior", "floor")
    (uniform, marginal, prior, floor), told = run(*cells(LOGISTIC, subjects, FEW))
    assert told
    each = log(2.0) - label_entropy(5, 0.01)
    for one in (uniform, marginal, prior, floor):
        assert one["kl", 1, 0].value == pytest.approx(each, abs=1e-12)
        assert one["nll", 0, 0].value == pytest.approx(log(2.0))
    assert uniform["kl", 10, 2].value == pytest.approx(10 * each)
    for point in ((3, 1), (10, 1)):
        assert marginal["kl", *point].value == prior["kl", *point].value < 1.0
    # Figure 2: what no agent can beat, what iid inputs hide, what two anchors show.
    assert prior["kl", 10, 2].value < 1.45 < 5 < marginal["kl", 10, 2].value
    assert prior["kl", 10, 0].value < uniform["kl", 10, 0].value < marginal["kl", 10, 0].value
    for point in ((3, 0), (10, 0)):
        assert prior["kl", *point].num_samples == 40 and prior["kl", *point].stderr > 0
        assert 1 <= prior["ess", *point].value <= 200 == prior["ess", *point].num_samples
        assert 0 <= prior["kl_bias", *point].value < 0.1
    naive = prior["kl_naive", 3, 1]
    assert abs(naive.value - prior["kl", 3, 1].value) < 5 * naive.stderr
    assert floor == {k: v for k, v in prior.items() if not k[0].endswith("naive")}


def test_two_anchors_by_particles_are_those_by_quadrature(monkeypatch):
    problem, settings = "testbed/logistic-d3-t0.3/e0", {**FEW, "tau": [8], "kappa": [2]}
    settings["num_test_batches"] = 200
    subjects = ("prior", "marginal")
    exact, _ = run(*cells(problem, subjects, settings))
    monkeypatch.setattr(dyads, "MOST_LABELS", 0)
    sampled, _ = run(*cells(problem, subjects, settings, seed=1))
    for one, other in zip(exact, sampled, strict=True):
        assert (one["kl", 8, 2].num_samples, other["kl", 8, 2].num_samples) == (256, 200)
        error = 4 * other["kl", 8, 2].stderr
        assert abs(one["kl", 8, 2].value - other["kl", 8, 2].value) < error < 1.0


def test_what_is_beyond_the_particles_says_so():
    settings = {"tau": [10, 30], "kappa": [0], "num_test_batches": 5, "num_epistemic": 50}
    (prior,), _ = run(*cells("testbed/logistic-d100-t0.01/e0", ("prior",), settings))
    assert prior["kl", 10, 0].value > 5
    assert prior["kl", 30, 0].value is None and "at most" in prior["kl", 30, 0].reason
    assert prior["kl_naive", 30, 0].value > 0


def test_fewer_batches_where_there_are_many_labels():
    settings = testbed.JointSettings()
    assert [logistic_rows.num_batches(tau, settings) for tau in (1, 10, 30, 100, 10_000)] == [
        1000, 1000, 333, 100, 10,
    ]  # fmt: skip


@pytest.mark.parametrize("sweep", ["coins", "logistic"])
def test_the_sweeps_plan_their_own_subjects(sweep):
    planned = expand(Selection((sweep,), scale="smoke"))
    assert {p.cell.subject for p in planned} == set(usual(sweep))
    assert "floor" in usual(sweep) and "floor" not in usual("testbed")
    assert all([0, 1, 2] == p.cell.settings["kappa"] for p in planned)


def test_what_shares_particles_is_one_batch():
    found = batches(p.cell for p in expand(Selection(("logistic",), scale="smoke")))
    together = [{c.subject for c in b.cells} for b in found]
    assert {"marginal", "prior", "floor"} in together


def test_one_dimension_is_right():
    """All anchors lie on one line: two of them tell one thing more, and particles agree."""
    settings = {**FEW, "tau": [6], "num_test_batches": 100}
    (prior,), _ = run(*cells("testbed/logistic-d1-t0.1/e0", ("prior",), settings))
    assert prior["kl", 6, 1].value < prior["kl", 6, 2].value < prior["kl", 6, 1].value + log(2.0)
    for kappa in (0, 1, 2):
        naive = prior["kl_naive", 6, kappa]
        error = (naive.stderr**2 + prior["kl", 6, kappa].stderr ** 2) ** 0.5
        assert abs(naive.value - prior["kl", 6, kappa].value) < 4 * error


def test_one_weight_has_an_error_of_batches_alone():
    settings = {"tau": [2], "kappa": [0], "num_test_batches": 5, "num_epistemic": 1}
    (prior,), _ = run(*cells("testbed/logistic-d2-t1/e0", ("prior",), settings))
    assert prior["kl_naive", 2, 0].stderr > 0 and prior["ess_naive", 2, 0].value == 1


def test_given_points_replace_the_sweeps():
    options = ("testbed.tau=[1,20]", "testbed.kappa=[0]")
    planned = expand(Selection(("coins",), ("floor",), scale="smoke", overrides=options))
    assert {tuple(p.cell.settings["tau"]) for p in planned} == {(1, 20)}


def test_wrong_uses_are_refused():
    with pytest.raises(UsageError, match="no subject of"):
        expand(Selection(("testbed",), ("marginal",)))
    with pytest.raises(UsageError, match="no subject of"):
        expand(Selection(("coins",), ("mlp",)))
    with pytest.raises(UsageError, match="unknown subject of testbed/coins"):
        run(*cells(COINS, ("prior",), FEW))
    for name in (
        "testbed/coins-m0-n0/e0",
        "testbed/logistic-d0-t0.01/e0",
        "testbed/logistic-d2-t0/e0",
    ):
        with pytest.raises(UsageError, match="must be"):
            parse(name)
    with pytest.raises(UsageError, match="takes no sampler"):
        testbed.prepare(cells(COINS, ("uniform",), FEW)[0], testbed.JointSettings())
    with pytest.raises(UsageError, match="leave out testbed.labels"):
        run(*cells(COINS, ("uniform",), {**FEW, "labels": "sampled"}))
    with pytest.raises(UsageError, match="must be positive"):
        run(*cells(COINS, ("posterior",), FEW, heads=0.0))

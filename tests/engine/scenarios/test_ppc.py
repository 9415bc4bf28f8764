"""The analytic problems end to end, and what a cell of a posterior predictive check reports."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from augury.engine.agents.posterior import make_agent
from augury.engine.catalog.members import PosteriorConfig
from augury.engine.catalog.metrics import METRICS
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand
from augury.engine.scenarios.ppc import run_batch
from augury.engine.types import BatchContext, Cell, CellFinished, Data, MetricRow, Prior, Progress


def run(*cells: Cell) -> dict[str, CellFinished]:
    """The results of one batch, by cell id."""
    events: list[Progress | CellFinished] = []
    run_batch(cells, events.append, BatchContext())
    found = [e for e in events if isinstance(e, CellFinished)]
    assert sorted(e.cell_id for e in found) == sorted(c.cell_id for c in cells)
    assert any(isinstance(e, Progress) for e in events)
    return {e.cell_id: e for e in found}


def by_key(finished: CellFinished) -> dict[tuple[str, str], MetricRow]:
    """Rows by metric and split."""
    rows = {(r.metric, r.split): r for r in finished.rows}
    assert len(rows) == len(finished.rows)
    return rows


def test_the_replicates_are_kept_as_counts() -> None:
    planned = expand(Selection(("ppc-analytic",), scale="quick", seeds=(0,)))
    cell = next(p.cell for p in planned if p.cell.problem.split("/")[1].endswith("n1000"))
    found = run(cell)[cell.cell_id]
    rows = by_key(found)
    for mode in ("independent", "bayesian"):
        counts = np.array([y for _, y in found.curves[f"histogram/{mode}"]])
        edges = np.array([y for _, y in found.curves[f"histogram/{mode}/edges"]])
        assert len(edges) == len(counts) + 1 and (np.diff(edges) > 0).all()
        assert counts.sum() == rows["p_value", mode].num_samples
        # As many lie below what was observed as the p-value says, up to the bin it falls in.
        observed, p = rows["observed", mode].value, rows["p_value", mode].value
        assert observed is not None and p is not None
        below = counts[edges[1:] <= observed].sum() / counts.sum()
        within = counts[edges[:-1] < observed].sum() / counts.sum()
        assert below <= p <= within


def test_analytic_cells() -> None:
    planned = expand(Selection(("ppc-analytic",), scale="quick", seeds=(0,)))
    cells = [p.cell for p in planned if p.cell.problem.split("/")[1].endswith("n1000")]
    assert len(cells) == 10
    found = run(*cells)
    for cell in cells:
        rows = by_key(found[cell.cell_id])
        assert {metric for metric, _ in rows} <= METRICS.keys()
        assert all(r.value is not None and np.isfinite(r.value) for r in rows.values())
        independent, bayesian = (rows["p_value", m] for m in ("independent", "bayesian"))
        assert bayesian.num_samples == independent.num_samples == 1000
        assert rows["num_members", "bayesian"].value == 0.0
        sharp = rows["sharpness", "independent"]
        assert sharp.value is not None and sharp.stderr is not None
        assert abs(sharp.value - 0.4248 / 1000) <= 5 * sharp.stderr
        if "latent" in cell.problem:
            limit = rows["p_limit", "bayesian"].value
            assert limit is not None and bayesian.value is not None
            # One data set of 1,000 rows moves p by phi(0) * 2 / sqrt(1000) = .025 at most.
            assert abs(bayesian.value - limit) <= 4 * np.hypot(0.025, 0.016)
        else:
            assert bayesian.value == 0.0
            assert rows["passes", "independent"].value in (0.0, 1.0)


def test_same_cell_same_numbers_and_the_seed_moves_members_only() -> None:
    cell = Cell("ppc", "ppc/normal-latent-n20/e3", "posterior")
    other = replace(cell, seed=1)
    first = by_key(run(cell, other)[cell.cell_id])
    again = by_key(run(cell)[cell.cell_id])
    assert first == again
    moved = by_key(run(other)[other.cell_id])
    assert moved["observed", "bayesian"] == first["observed", "bayesian"]
    assert moved["sharpness", "bayesian"] != first["sharpness", "bayesian"]


def test_settings_and_config_reach_the_check() -> None:
    cell = Cell(
        "ppc",
        "ppc/normal-latent-n20/e0",
        "posterior",
        {"prior_variance": 100.0},
        {"num_replicates": 50},
    )
    rows = by_key(run(cell)[cell.cell_id])
    assert rows["p_value", "bayesian"].num_samples == 50
    assert ("p_limit", "bayesian") not in rows  # known for the true prior only
    plain = replace(cell, config={})
    assert rows["observed", "bayesian"] != by_key(run(plain)[plain.cell_id])["observed", "bayesian"]


def test_a_subject_that_does_not_fit_says_what_does() -> None:
    with pytest.raises(UsageError, match="use ensemble"):
        run_batch(
            [Cell("ppc", "ppc/quadratic-gap/e0", "posterior")], lambda _: None, BatchContext()
        )


def test_posterior_agent_learns_as_conjugacy_says() -> None:
    import jax

    data = Data(np.zeros((5, 1)), np.array([[1.2], [0.8], [1.5], [0.9], [1.1]]))  # type: ignore[arg-type]
    agent = make_agent(PosteriorConfig(prior_variance=4.0))
    sampler = agent(data, Prior(1, 5, noise_std=1.0), jax.random.key(0))
    assert sampler.mean == pytest.approx(1.0476190476190474)
    x = np.zeros((3, 1))
    draws = np.stack([sampler(x, k) for k in jax.random.split(jax.random.key(1), 200)])  # type: ignore[arg-type]
    assert draws.shape == (200, 3, 2)
    assert (draws[:, :1] == draws).all()  # one theta for all rows
    assert (draws[..., 1] == 1.0).all()
    stderr = np.sqrt(sampler.variance / 200)
    assert abs(draws[:, 0, 0].mean() - sampler.mean) < 4 * stderr

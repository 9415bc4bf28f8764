"""Histograms of replicates: every replicate in a bar, and no comb where values lie on a grid."""

from __future__ import annotations

import numpy as np
import pytest

from augury.engine.statistics.rows import BINS, bars, check_rows, histogram
from augury.engine.statistics.verdict import Check

rng = np.random.default_rng
CASES = {
    "continuous": rng(0).normal(size=1000),
    "few values": np.repeat([0.2, 0.5, 0.9], [1, 5, 3]),
    "a grid": rng(1).binomial(2000, 0.4, size=1000) / 2000,
    "a small grid": rng(1).binomial(12, 0.4, size=1000) / 12,
    "counts": rng(2).poisson(300, size=1000).astype(float),
    "two values": np.array([1.0, 2.0]),
    "one value": np.full(7, 0.25),
    "zeros": np.zeros(7),
    "last digits": 0.1 + np.array([0.0, 1.4e-17, 2.8e-17]),
    "large": np.array([1e300, 2e300, 5e300]),
    "far apart": np.array([0.0, 1e-9, 1.0]),
}


@pytest.mark.parametrize("name", CASES)
def test_every_replicate_is_in_a_bar(name: str) -> None:
    counts, edges = bars(CASES[name])
    assert counts.sum() == len(CASES[name])
    assert len(edges) == len(counts) + 1 <= BINS + 1
    assert (np.diff(edges) > 0).all()
    assert edges[0] <= CASES[name].min() and CASES[name].max() <= edges[-1]


@pytest.mark.parametrize(("places", "n"), [(40, 100), (95, 100), (61, 64), (300, 1000)])
def test_bins_hold_as_many_places_of_the_grid(places: int, n: int) -> None:
    values = np.arange(places) / n
    counts, _ = bars(values)
    assert len(set(counts[:-1])) == 1 and 0 < counts[-1] <= counts[0]


def test_a_check_that_means_nothing_has_no_histogram() -> None:
    constant = Check("bayesian", 0.3, np.full(9, 0.3), 2)
    assert histogram(constant) == {}
    rows = {row.metric: row for row in check_rows(constant)}
    assert rows["p_value"].value is None and "degenerate" in rows["p_value"].reason
    assert rows["observed"].value == 0.3
    sure = Check("bayesian", 0.7, np.ones(9), 2)  # a model that is certain, and wrong
    assert {row.metric: row.value for row in check_rows(sure)}["passes"] == 0.0
    assert histogram(sure)["histogram/bayesian"] == [(0, 9.0)]

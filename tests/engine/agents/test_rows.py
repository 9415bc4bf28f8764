"""k-NN against brute force; the forest's shares; the reference's extra rows; honest limits."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from augury.engine.agents import knn, random_forest
from augury.engine.catalog.agent_configs.rows import KnnConfig, RandomForestConfig
from augury.engine.errors import UsageError
from augury.engine.types import Data, Prior

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)).astype(np.float32)
Y = RNG.integers(0, 3, (60, 1))  # class 3 has no row
AT = np.concatenate([RNG.normal(size=(25, 3)), X[:2]]).astype(np.float32)
KEY = jax.random.key(0)


def _data(rows: int = 60) -> tuple[Data, Prior]:
    return Data(X[:rows], Y[:rows]), Prior(3, rows, num_classes=4)  # type: ignore[arg-type]


def _brute(config: KnnConfig) -> np.ndarray:
    x, y = X.astype(float), Y[:, 0]
    if config.zero_rows:
        x, y = np.concatenate([x, np.zeros((4, 3))]), np.concatenate([y, np.arange(4)])
    found = np.zeros((len(AT), 4))
    for row, at in enumerate(AT.astype(float)):
        distance = np.linalg.norm(x - at, axis=1)
        near = np.argsort(distance)[: config.num_neighbours]
        if config.weighting == "uniform":
            weights = np.ones(len(near))
        elif (distance[near] == 0).any():
            weights = (distance[near] == 0).astype(float)
        else:
            weights = 1 / distance[near]
        for share, label in zip(weights / weights.sum(), y[near], strict=True):
            found[row, label] += share
    return np.log(np.clip(found, 0.01, 0.99))


@pytest.mark.parametrize("weighting", ["uniform", "distance"])
@pytest.mark.parametrize("neighbours", [1, 5])
def test_neighbours_by_brute_force(
    weighting: Any, neighbours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knn, "BLOCK_DISTANCES", 400)  # several blocks
    config = KnnConfig(neighbours, weighting)
    sampler = knn.make_agent(config)(*_data(), KEY)
    np.testing.assert_allclose(sampler(AT, KEY), _brute(config), rtol=1e-6)  # type: ignore[arg-type]


def test_the_references_rows_at_zero_are_an_option() -> None:
    config = KnnConfig(12, "distance", zero_rows=True)
    sampler = knn.make_agent(config)(*_data(), KEY)
    expected = _brute(config)
    np.testing.assert_allclose(sampler(AT, KEY), expected, rtol=1e-6)  # type: ignore[arg-type]
    assert (expected[:, 3] > np.log(0.01)).any()  # a vote for a class without data


def test_one_row() -> None:
    sampler = knn.make_agent(KnnConfig(5))(*_data(1), KEY)
    logits = np.asarray(sampler(AT, KEY))  # type: ignore[arg-type]
    assert (logits.argmax(1) == Y[0, 0]).all() and np.unique(logits).size == 2


def test_the_forest_votes_for_classes_it_saw() -> None:
    data, prior = _data()
    sampler = random_forest.make_agent(RandomForestConfig(10))(data, prior, KEY)
    logits = np.asarray(sampler(AT, KEY))  # type: ignore[arg-type]
    shares = np.exp(logits)
    assert logits.shape == (27, 4) and np.allclose(logits[:, 3], np.log(0.01))
    assert ((shares * 10 - np.round(shares * 10) < 1e-6) | (shares <= 0.011)).all()
    assert (np.asarray(sampler(X, KEY)).argmax(1) == Y[:, 0]).mean() > 0.9  # type: ignore[arg-type]
    again = random_forest.make_agent(RandomForestConfig(10))(data, prior, KEY)
    np.testing.assert_array_equal(again(AT, KEY), logits)  # type: ignore[arg-type]
    other = random_forest.make_agent(RandomForestConfig(10))(data, prior, jax.random.key(1))
    assert (np.asarray(other(AT, KEY)) != logits).any()  # type: ignore[arg-type]
    zero = random_forest.make_agent(RandomForestConfig(10, zero_rows=True))(data, prior, KEY)
    assert (np.asarray(zero(np.zeros((1, 3)), KEY))[:, 3] > np.log(0.01)).all()  # type: ignore[arg-type]


def test_without_its_package_the_forest_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augury.engine.catalog.entry.find_spec", lambda module: None)
    with pytest.raises(UsageError, match="random-forest needs scikit-learn.*pip install"):
        random_forest.make_agent()


def test_one_sample_is_all_there_is() -> None:
    for agent in (knn.make_agent(), random_forest.make_agent(RandomForestConfig(5))):
        sampler: Any = agent(*_data(), KEY)
        np.testing.assert_array_equal(sampler.members(AT), np.asarray(sampler(AT, KEY))[None])

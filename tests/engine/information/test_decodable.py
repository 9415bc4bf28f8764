"""Decodable information against cases that are known: perfect, blind, and in between."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from augury.engine.information import decodable
from augury.engine.information.posterior import Rows, fit
from augury.engine.problems import channel

NUMBER = 20_000


def _posterior(distance: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Classes, and exact log odds of one number that is N(+-distance / 2, 1)."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, 2, NUMBER)
    seen = rng.normal(distance * (classes - 0.5), 1.0)
    return classes, distance * seen


def test_classes_without_doubt_give_the_nominal_value() -> None:
    sure = _posterior(60.0)
    for rate in (0.0, 0.1, 0.3):
        found = decodable.information(sure, sure, rate, 10)
        nominal = 10 * channel.information(rate)
        assert found.value == pytest.approx(nominal, abs=max(4 * found.stderr, 1e-6))


def test_items_that_tell_nothing_give_nothing() -> None:
    blind = (_posterior(1.0)[0], np.zeros(NUMBER))
    found = decodable.information(blind, blind, 0.0, 10)
    assert (found.value, found.stderr) == (pytest.approx(0.0, abs=1e-12), pytest.approx(0.0))


def test_a_noisy_look_gives_what_integration_gives() -> None:
    distance, rate = 2.0, 0.05
    classes, logits = _posterior(distance)
    found = decodable.information((classes, logits), (classes, logits), rate, 1)
    grid = np.linspace(-8, 8, 801)
    density = [np.exp(-0.5 * (grid - s * distance / 2) ** 2) / np.sqrt(2 * np.pi) for s in (-1, 1)]
    p = expit(distance * grid)
    ratio = 2 * ((1 - rate) * (np.outer(p, p) + np.outer(1 - p, 1 - p))
                 + rate * (np.outer(p, 1 - p) + np.outer(1 - p, p)))  # fmt: skip
    law = sum(
        0.5 * ((1 - rate) if a == b else rate) * np.outer(density[a], density[b])
        for a in (0, 1) for b in (0, 1)
    )  # fmt: skip
    expected = np.sum(law * np.log2(ratio)) * (grid[1] - grid[0]) ** 2
    assert found.value == pytest.approx(expected, abs=4 * found.stderr)
    assert 0 < found.stderr < 0.02


def test_the_classifier_finds_the_exact_log_odds() -> None:
    rng = np.random.default_rng(1)
    classes = rng.integers(0, 2, 8_000)
    seen = rng.normal(size=(8_000, 5))
    seen[:, 2] = 7 + 0.1 * (seen[:, 2] + 1.5 * (2 * classes - 1))  # at +-1.5: odds of 3 z
    read = fit(Rows(seen[:6_000], classes[:6_000]))
    logits = read.logits(seen[6_000:])
    exact = 3 * (seen[6_000:, 2] - 7) / 0.1
    plain = np.abs(exact) < 5  # beyond ln 1,500 no logit goes, so many rows calibrate
    assert np.corrcoef(logits[plain], exact[plain])[0, 1] > 0.99
    assert np.polyfit(exact[plain], logits[plain], 1)[0] == pytest.approx(1.0, abs=0.15)
    assert np.abs(logits).max() == pytest.approx(np.log(1_500))
    loss = np.mean(np.logaddexp(0, -(2 * classes[6_000:] - 1) * logits))
    best = np.mean(np.logaddexp(0, -(2 * classes[6_000:] - 1) * exact))
    assert loss == pytest.approx(best, abs=0.01)


@pytest.mark.parametrize("grid", [(1, 2, 5), (1, 1, 1), (2, 2, 2)])
def test_windows_cover_the_image(grid: tuple[int, int, int]) -> None:
    from augury.engine.catalog.problems import ImageProblem

    windows = decodable._windows(ImageProblem("mnist", grid, 64, (1.0,)))
    assert len(windows) == int(np.prod(grid))
    assert set(np.concatenate(windows).tolist()) == set(range(grid[0] * 64 * 64))


def test_separable_classes_keep_some_doubt() -> None:
    classes = np.random.default_rng(2).integers(0, 2, 400)
    seen = (2.0 * classes - 1)[:, None] + np.random.default_rng(3).normal(0, 0.01, (400, 3))
    logits = fit(Rows(seen, classes)).logits(np.array([[9e9] * 3, [-9e9] * 3]))
    assert np.abs(logits).max() <= np.log(100) + 1e-9  # a quarter of the rows calibrates
    found = decodable.information(
        (classes, logits[1 - classes]), (classes, logits[1 - classes]), 0.0, 1
    )
    assert 0.9 < found.value < 1.0

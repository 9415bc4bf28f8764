"""The shared temperature: found where it was put, by the mixture's own likelihood."""

from __future__ import annotations

import numpy as np
import pytest

from augury.engine.evaluation.temperature import fit_temperature, probabilities


def drawn(scale: float, members: int = 4, rows: int = 4_000) -> tuple[np.ndarray, np.ndarray]:
    """Logits `scale` times too large for labels that come from the mixture of members."""
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 2, (members, rows, 5))
    mixture = probabilities(logits).mean(0)
    labels = (mixture.cumsum(-1) < rng.random((rows, 1))).sum(-1)
    return scale * logits, labels


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
def test_what_was_scaled_is_scaled_back(scale: float) -> None:
    logits, labels = drawn(scale)
    assert fit_temperature(logits, labels) == pytest.approx(scale, rel=0.1)


def test_it_minimises_the_likelihood_of_the_mixture() -> None:
    logits, labels = drawn(2.0)

    def loss(temperature: float) -> float:
        mixture = probabilities(logits, temperature).mean(0)
        return -np.log(mixture[np.arange(len(labels)), labels]).mean()

    found = fit_temperature(logits, labels)
    assert loss(found) <= min(loss(found * 1.02), loss(found / 1.02))
    # Not that of the members, each on its own.
    single = [fit_temperature(logits[m : m + 1], labels) for m in range(4)]
    assert min(single) > found * 1.05


def test_bounds_hold_and_probabilities_sum_to_one() -> None:
    logits = np.array([[[1e4, 0.0], [0.0, 1e4]]])
    right, wrong = np.array([0, 1]), np.array([1, 0])
    assert fit_temperature(logits / 1e4, right) == pytest.approx(np.exp(-2.0), rel=1e-3)
    assert fit_temperature(logits, wrong) == pytest.approx(np.exp(3.0), rel=1e-3)
    found = probabilities(logits, 0.1)
    assert np.isfinite(found).all() and found.sum(-1) == pytest.approx(1.0)

"""Symmetric channels: rates by bisection, exact log ratios, labels that are what they claim."""

from __future__ import annotations

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.catalog.problems import ChannelProblem
from augury.engine.errors import UsageError
from augury.engine.problems import channel

_DATA = Path(__file__).parents[2] / "golden" / "data" / "mi.json"
GOLDEN = json.loads(_DATA.read_text())["bsc"]


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_crossover_rates_are_the_known_ones(name: str) -> None:
    size, bits = (float(part.split("=")[1]) for part in name.split("|"))
    assert channel.crossover(bits, int(size)) == pytest.approx(GOLDEN[name], abs=1e-7)


@pytest.mark.parametrize("num_classes", [2, 3, 10])
@pytest.mark.parametrize("bits", [0.0, 0.01, 1.0, 4.7])
def test_rates_and_bits_are_inverse(bits: float, num_classes: int) -> None:
    rate = channel.crossover(bits, 5, num_classes)
    assert 5 * channel.information(rate, num_classes) == pytest.approx(bits, abs=1e-9)


@pytest.mark.parametrize("num_classes", [2, 3, 10])
def test_information_is_that_of_the_table_of_probabilities(num_classes: int) -> None:
    rate = 0.2
    joint = np.full((num_classes, num_classes), rate / (num_classes - 1))
    np.fill_diagonal(joint, 1 - rate)
    joint /= num_classes
    expected = np.sum(joint * np.log2(joint * num_classes**2))
    assert channel.information(rate, num_classes) == pytest.approx(expected, abs=1e-12)


def test_ends() -> None:
    assert channel.crossover(10.0, 10) == 0.0
    assert channel.crossover(0.0, 10) == pytest.approx(0.5, abs=1e-7)  # flat there: 1e-15 bits
    with pytest.raises(UsageError, match="share at most 10 bits, not 10.5"):
        channel.crossover(10.5, 10)


@pytest.mark.parametrize("num_classes", [2, 4])
def test_labels_are_uniform_and_moved_at_the_rate(num_classes: int) -> None:
    sent, received = channel.labels(jax.random.key(0), jnp.float32(0.2), (20_000, 3), num_classes)
    number = sent.size
    for found in (sent, received):
        shares = np.bincount(np.asarray(found).ravel(), minlength=num_classes) / number
        np.testing.assert_allclose(shares, 1 / num_classes, atol=4 * np.sqrt(0.25 / number))
    moved = np.asarray(sent != received)
    assert moved.mean() == pytest.approx(0.2, abs=4 * np.sqrt(0.16 / number))
    steps = np.asarray((received - sent) % num_classes)[moved]
    shares = np.bincount(steps, minlength=num_classes)[1:] / len(steps)
    np.testing.assert_allclose(shares, 1 / (num_classes - 1), atol=4 * np.sqrt(0.25 / len(steps)))


@pytest.mark.parametrize("num_classes", [2, 4])
def test_log_ratio_is_the_ratio_of_probabilities(num_classes: int) -> None:
    rate = 0.15
    sent, received = channel.labels(jax.random.key(1), jnp.float32(rate), (6, 3), num_classes)
    found = np.asarray(channel.log_ratio(sent, received, jnp.float32(rate), num_classes))
    for i in range(6):
        for j in range(6):
            same = np.asarray(sent[i] == received[j])
            chances = np.where(same, 1 - rate, rate / (num_classes - 1))
            assert found[i, j] == pytest.approx(np.log(chances * num_classes).sum(), abs=1e-5)


def test_without_errors_unlike_labels_have_no_ratio() -> None:
    sent = jnp.asarray([[0, 1], [1, 1]])
    found = np.asarray(channel.log_ratio(sent, sent, jnp.float32(0.0)))
    np.testing.assert_allclose(np.diag(found), 2 * np.log(2), rtol=1e-6)
    assert found[0, 1] == found[1, 0] == -np.inf


@pytest.mark.parametrize(("num_classes", "dim"), [(2, 5), (3, 15)])
def test_codes(num_classes: int, dim: int) -> None:
    source = channel.source(ChannelProblem(5, (2.0,), num_classes))
    pairs = source.sample(jax.random.key(2), jnp.float32(0.1), 7, ())
    assert pairs.x.shape == pairs.y.shape == (7, dim) and (source.x_dim, source.y_dim) == (dim, dim)
    assert set(np.unique(pairs.x)) == ({-1.0, 1.0} if num_classes == 2 else {0.0, 1.0})

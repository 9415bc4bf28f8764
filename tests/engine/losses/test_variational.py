"""Divergences from the prior: closed form, samples, and SciPy's densities."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from augury.engine.losses.variational import mixture_kl_samples, normal_kl, softplus_inverse

RNG = np.random.default_rng(1)
MEAN = [RNG.normal(size=(1, 4, 3)), RNG.normal(size=(1, 4))]
DEVIATION = [RNG.uniform(0.1, 1.5, (1, 4, 3)), RNG.uniform(0.1, 1.5, (1, 4))]


def _arrays(leaves: list[np.ndarray]) -> list[jax.Array]:
    return [jnp.asarray(leaf, jnp.float32) for leaf in leaves]


def _samples(count: int, two: float, share: float) -> float:
    z = [RNG.normal(size=(count, *m.shape[1:])) for m in MEAN]
    drawn = [m + s * e for m, s, e in zip(MEAN, DEVIATION, z, strict=True)]
    told = map(jnp.float32, (0.8, two, share))
    return float(mixture_kl_samples(_arrays(drawn), _arrays(z), _arrays(DEVIATION), *told))


def test_closed_form() -> None:
    found = float(normal_kl(_arrays(MEAN), _arrays(DEVIATION), jnp.float32(0.8)))
    expected = 0.0
    for m, s in zip(MEAN, DEVIATION, strict=True):
        # The formula term by term, as published.
        squares = (s**2).sum() / 0.64 + (m**2).sum() / 0.64
        expected += 0.5 * (squares - m.size - 2 * np.log(s).sum() + 2 * m.size * np.log(0.8))
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    equal = [jnp.zeros((1, 2))], [jnp.full((1, 2), 0.8)]
    np.testing.assert_allclose(float(normal_kl(*equal, jnp.float32(0.8))), 0.0, atol=1e-6)


@pytest.mark.parametrize(("two", "share"), [(0.3, 1.0), (0.8, 0.25)])
def test_samples_average_to_the_closed_form_where_the_mixture_is_one_normal(
    two: float, share: float
) -> None:
    exact = float(normal_kl(_arrays(MEAN), _arrays(DEVIATION), jnp.float32(0.8)))
    drawn = [_samples(4_000, two, share) for _ in range(5)]
    error = float(np.std(drawn, ddof=1)) / 5**0.5
    assert abs(np.mean(drawn) - exact) < max(5 * error, 0.03 * exact)


def test_one_sample_against_densities() -> None:
    z = [RNG.normal(size=m.shape) for m in MEAN]
    expected = 0.0
    for m, s, e in zip(MEAN, DEVIATION, z, strict=True):
        weight = m + s * e
        density = stats.norm.pdf(weight, scale=np.array([0.8, 0.2]).reshape(2, *[1] * m.ndim))
        prior = 0.3 * density[0] + 0.7 * density[1]
        expected += (stats.norm.logpdf(weight, m, s) - np.log(prior)).sum()
    drawn = [m + s * e for m, s, e in zip(MEAN, DEVIATION, z, strict=True)]
    told = map(jnp.float32, (0.8, 0.2, 0.3))
    found = mixture_kl_samples(_arrays(drawn), _arrays(z), _arrays(DEVIATION), *told)
    np.testing.assert_allclose(float(found), expected, rtol=1e-5)


def test_a_share_of_one_has_a_slope() -> None:
    def value(mean: jax.Array) -> jax.Array:
        z = [jnp.ones((2, 3))]
        told = map(jnp.float32, (0.8, 0.2, 1.0))
        return mixture_kl_samples([mean + 0.5 * z[0]], z, [jnp.full((1, 3), 0.5)], *told)

    slope = jax.grad(value)(jnp.arange(3.0))
    np.testing.assert_allclose(slope, (np.arange(3.0) + 0.5) / 0.64, rtol=1e-5)


def test_softplus_inverse() -> None:
    assert abs(float(jax.nn.softplus(softplus_inverse(0.01))) - 0.01) < 1e-8

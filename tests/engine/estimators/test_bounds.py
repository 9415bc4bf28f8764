"""Bounds against an independent NumPy oracle, and what each must do at its edges."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.estimators import bounds
from augury.engine.estimators.objectives import OBJECTIVES


def _scores(num_pairs: int, scale: float = 1.5) -> np.ndarray:
    return np.random.default_rng(7).normal(0.0, scale, (num_pairs, num_pairs))


def _oracle(name: str, f: np.ndarray) -> float:
    num_pairs = len(f)
    diagonal = np.array([f[i, i] for i in range(num_pairs)])
    off = np.array([f[i, j] for i in range(num_pairs) for j in range(num_pairs) if i != j])
    if name.startswith("smile"):
        clip = {"smile_1": 1.0, "smile_5": 5.0, "smile_inf": np.inf}[name]
        return diagonal.mean() - np.log(np.exp(np.clip(off, -clip, clip)).mean())
    if name == "infonce":
        return float(np.mean([f[i, i] - np.log(np.exp(f[i]).mean()) for i in range(num_pairs)]))
    return {
        "dv": diagonal.mean() - np.log(np.exp(off).mean()),
        "nwj": 1 + (diagonal - 1).mean() - np.exp(off - 1).mean(),
        "js_compat": 1 + (diagonal - 1).mean() - np.exp(off - 1).mean(),
        "js": 1 + diagonal.mean() - np.exp(off).mean(),
    }[name]


NAMES = ("dv", "nwj", "infonce", "js", "js_compat", "smile_1", "smile_5", "smile_inf")


@pytest.mark.parametrize("num_pairs", [2, 5, 64])
@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_numpy(name: str, num_pairs: int) -> None:
    f = _scores(num_pairs, 4.0 if name == "smile_5" else 1.5)
    value = float(getattr(bounds, name)(jnp.asarray(f)))
    assert value == pytest.approx(_oracle(name, f), rel=2e-5, abs=2e-5)


@pytest.mark.parametrize("name", NAMES)
def test_zero_critic_reads_zero_except_compat(name: str) -> None:
    value = float(getattr(bounds, name)(jnp.zeros((16, 16))))
    assert value == pytest.approx(-np.exp(-1) if name == "js_compat" else _at_zero(name), abs=1e-6)


def _at_zero(name: str) -> float:
    return -np.exp(-1) if name == "nwj" else 0.0  # NWJ is at its best at 1 + log r, not log r


def test_infonce_never_exceeds_log_of_batch_size() -> None:
    f = jnp.eye(64) * 1e4
    assert float(bounds.infonce(f)) == pytest.approx(np.log(64), rel=1e-6)


def test_infonce_normalises_rows() -> None:
    f = jnp.asarray(_scores(6))
    shifted = f + jnp.arange(6.0)[:, None]  # a constant of each row cancels, of a column does not
    assert float(bounds.infonce(shifted)) == pytest.approx(float(bounds.infonce(f)), abs=1e-5)
    assert abs(float(bounds.infonce(f + jnp.arange(6.0)[None])) - float(bounds.infonce(f))) > 0.1


def test_large_scores_stay_finite_where_the_bound_is() -> None:
    f = jnp.full((8, 8), 500.0)  # exp(500) overflows in float32
    assert float(bounds.dv(f)) == pytest.approx(0.0, abs=1e-4)
    assert not np.isfinite(float(bounds.nwj(f)))  # NWJ itself is minus infinity here
    assert np.isfinite(np.asarray(jax.grad(bounds.dv)(f))).all()


@pytest.mark.parametrize("name", sorted(OBJECTIVES))
def test_gradients_agree_with_finite_differences(name: str) -> None:
    with jax.enable_x64(True):
        f = jnp.asarray(_scores(5))
        gradient = jax.grad(OBJECTIVES[name])(f)
        for i, j in ((0, 0), (1, 3), (4, 2)):
            step = jnp.zeros_like(f).at[i, j].set(1e-6)
            slope = (OBJECTIVES[name](f + step) - OBJECTIVES[name](f - step)) / 2e-6
            assert float(gradient[i, j]) == pytest.approx(float(slope), abs=1e-7)


def test_jensen_shannon_is_never_positive() -> None:
    assert float(OBJECTIVES["js"](jnp.asarray(_scores(16, 20.0)))) <= 0
    assert float(OBJECTIVES["js"](jnp.zeros((4, 4)))) == pytest.approx(-2 * np.log(2), rel=1e-6)

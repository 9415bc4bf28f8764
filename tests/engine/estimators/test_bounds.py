"""Bounds against an independent NumPy oracle, and what each must do at its edges."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.estimators import bounds
from augury.engine.estimators.objectives import OBJECTIVES


def _scores(num_pairs: int, scale: float = 1.5) -> np.ndarray:
    return np.random.default_rng(7).normal(0.0, scale, (num_pairs, num_pairs))


@jax.jit
def _every(scores: jax.Array) -> dict[str, jax.Array]:
    """As one program for each shape, which is compiled faster than one for each bound."""
    return {name: getattr(bounds, name)(scores) for name in NAMES}


def _read(name: str, scores: np.ndarray) -> float:
    return float(_every(jnp.asarray(scores))[name])


def _oracle(name: str, f: np.ndarray) -> float:
    num_pairs = len(f)
    diagonal = np.array([f[i, i] for i in range(num_pairs)])
    off = np.array([f[i, j] for i in range(num_pairs) for j in range(num_pairs) if i != j])
    if name.startswith("smile"):
        clip = {"smile_1": 1.0, "smile_5": 5.0, "smile_inf": np.inf}[name]
        return diagonal.mean() - np.log(np.exp(np.clip(off, -clip, clip)).mean())
    if name == "infonce_symmetric":
        total = 0.0
        for i in range(num_pairs):
            rivals = np.concatenate([f[i], np.delete(f[:, i], i)])
            total += f[i, i] - np.log(np.exp(rivals).mean())
        return total / num_pairs
    if name == "interpolated":
        return _interpolated(f, np.zeros(num_pairs), 0.5)
    if name == "infonce":
        return float(np.mean([f[i, i] - np.log(np.exp(f[i]).mean()) for i in range(num_pairs)]))
    return {
        "dv": diagonal.mean() - np.log(np.exp(off).mean()),
        "nwj": 1 + (diagonal - 1).mean() - np.exp(off - 1).mean(),
        "js_compat": 1 + (diagonal - 1).mean() - np.exp(off - 1).mean(),
        "js": 1 + diagonal.mean() - np.exp(off).mean(),
        "tuba": 1 + diagonal.mean() - np.exp(off).mean(),
        "plug_in": diagonal.mean(),
        "plug_in_nwj": diagonal.mean() - 1,
    }[name]


def _interpolated(f: np.ndarray, log_baseline: np.ndarray, share: float) -> float:
    """Poole et al. 2019, equation 14, as it is written: one loop for each expectation."""
    num_pairs = len(f)

    def mixed(i: int, j: int) -> float:
        mean = np.exp(np.delete(f[i], j)).mean()
        return share * mean + (1 - share) * np.exp(log_baseline[i])

    pairs = [(i, j) for i in range(num_pairs) for j in range(num_pairs) if i != j]
    joint = np.mean([f[i, i] - np.log(mixed(i, j)) for i, j in pairs])
    product = np.mean([np.exp(f[i, j]) / mixed(i, i) for i, j in pairs])
    return float(1 + joint - product)


NAMES = (
    "dv", "nwj", "infonce", "infonce_symmetric", "js", "js_compat", "smile_1", "smile_5",
    "smile_inf", "tuba", "interpolated", "plug_in", "plug_in_nwj",
)  # fmt: skip


@pytest.mark.parametrize("num_pairs", [2, 5, 64])
@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_numpy(name: str, num_pairs: int) -> None:
    f = _scores(num_pairs, 4.0 if name == "smile_5" else 1.5)
    value = _read(name, f)
    assert value == pytest.approx(_oracle(name, f), rel=2e-5, abs=2e-5)


@pytest.mark.parametrize("name", NAMES)
def test_zero_critic_reads_zero_except_compat(name: str) -> None:
    value = _read(name, np.zeros((16, 16)))
    assert value == pytest.approx(_at_zero(name), abs=1e-6)


def _at_zero(name: str) -> float:
    # NWJ is at its best at 1 + log r, not log r.
    return {"nwj": -np.exp(-1), "js_compat": -np.exp(-1), "plug_in_nwj": -1.0}.get(name, 0.0)


def test_infonce_never_exceeds_log_of_batch_size() -> None:
    f = jnp.eye(64) * 1e4
    assert float(bounds.infonce(f)) == pytest.approx(np.log(64), rel=1e-6)


def test_symmetric_infonce_never_exceeds_its_own_log() -> None:
    f = jnp.eye(64) * 1e4
    assert float(bounds.infonce_symmetric(f)) == pytest.approx(np.log(127), rel=1e-6)
    assert float(bounds.infonce_symmetric(f.T)) == pytest.approx(np.log(127), rel=1e-6)


def test_symmetric_infonce_minds_no_orientation() -> None:
    f = jnp.asarray(_scores(9))
    here, there = float(bounds.infonce_symmetric(f)), float(bounds.infonce_symmetric(f.T))
    assert here == pytest.approx(there, abs=1e-5)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
def test_interpolated_mixes_two_baselines(share: float) -> None:
    f, log_baseline = _scores(6), np.linspace(-1, 1, 6)
    value = float(bounds.interpolated(jnp.asarray(f), jnp.asarray(log_baseline), share))
    assert value == pytest.approx(_interpolated(f, log_baseline, share), abs=1e-5)
    if share == 0.0:
        tuba = float(bounds.tuba(jnp.asarray(f), jnp.asarray(log_baseline)))
        assert value == pytest.approx(tuba, abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_batches_share_one_partition_function(name: str) -> None:
    f = np.stack([_scores(5), _scores(5).T, 2 * _scores(5)])
    value = _read(name, f)
    apart = np.mean([_oracle(name, one) for one in f])
    if name in ("dv", "smile_1", "smile_5", "smile_inf"):  # a log of a mean over all batches
        clip = {"smile_1": 1.0, "smile_5": 5.0}.get(name, np.inf)
        off = f[:, ~np.eye(5, dtype=bool)]
        joint = np.mean([np.diagonal(one) for one in f])
        assert value == pytest.approx(joint - np.log(np.exp(np.clip(off, -clip, clip)).mean()),
                                      abs=1e-5)  # fmt: skip
    else:
        assert value == pytest.approx(apart, rel=2e-5, abs=2e-5)


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


_SMOOTH = sorted(set(OBJECTIVES) - {"mine"})  # whose gradient is no derivative


@jax.jit
def _both(scores: jax.Array) -> dict[str, tuple[jax.Array, jax.Array]]:
    return {name: jax.value_and_grad(OBJECTIVES[name].value)(scores) for name in _SMOOTH}


@pytest.mark.parametrize("name", _SMOOTH)
def test_gradients_agree_with_finite_differences(name: str) -> None:
    with jax.enable_x64(True):
        f = _scores(5)
        gradient = _both(jnp.asarray(f))[name][1]
        for i, j in ((0, 0), (1, 3), (4, 2)):
            step = np.zeros_like(f)
            step[i, j] = 1e-6
            above, below = (float(_both(jnp.asarray(f + s))[name][0]) for s in (step, -step))
            assert float(gradient[i, j]) == pytest.approx((above - below) / 2e-6, abs=1e-7)


def test_mine_divides_by_two_steps_and_a_floor() -> None:
    f = _scores(5)
    z = np.exp(f[~np.eye(5, dtype=bool)]).mean()
    slope = jax.jit(jax.grad(OBJECTIVES["mine"].value))
    for before in (1.0, 7.0, 1e-9):
        divisor = max(0.9 * before + 0.1 * z, 1e-4)
        gradient = np.asarray(slope(jnp.asarray(f), np.log(before)))
        expected = np.where(np.eye(5, dtype=bool), 1 / 5, -np.exp(f) / 20 / divisor)
        np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-6)
    low = jnp.full((5, 5), -30.0)  # far below the floor
    gradient = np.asarray(slope(low, -30.0))
    assert gradient[0, 1] == pytest.approx(-np.exp(-30.0) / 20 / 1e-4, rel=1e-4)


LAW = np.array([[0.3, 0.1, 0.05], [0.05, 0.2, 0.3]])  # p(x, y): two x, three y


@pytest.mark.parametrize("name", sorted(set(OBJECTIVES) - {"mine", "interpolated"}))
def test_the_exact_density_ratio_is_the_best_critic(name: str) -> None:
    """The slope of the expected objective in a table of scores vanishes there: no sampling."""
    ratio = np.log(LAW / LAW.sum(1, keepdims=True) / LAW.sum(0)) + OBJECTIVES[name].optimum
    slope = _expected_slope(name, ratio)
    if name in ("dv", "infonce", "infonce-symmetric"):  # known of finite batches: biased, or not r
        assert np.abs(slope).max() < 0.1
    else:
        np.testing.assert_allclose(slope, 0.0, atol=1e-6)
    assert np.abs(_expected_slope(name, ratio * 0.5)).max() > 2e-3


@partial(jax.jit, static_argnums=0)
def _expected_slope(name: str, table: jax.Array) -> jax.Array:
    """Of batches of three pairs, every one of which is counted with its probability."""
    cells = [(x, y) for x in range(2) for y in range(3)]
    places = np.array(np.meshgrid(*[range(6)] * 3, indexing="ij")).reshape(3, -1).T
    chances = LAW.ravel()[places].prod(1)
    x, y = np.array(cells)[:, 0][places], np.array(cells)[:, 1][places]

    def value(table: jax.Array) -> jax.Array:
        of = OBJECTIVES[name].value
        each = jax.vmap(lambda x, y: of(table[x[:, None], y[None]]))(x, y)
        return jnp.sum(each * chances)

    return jax.grad(value)(table)


def test_jensen_shannon_is_never_positive() -> None:
    js = OBJECTIVES["js"].value
    assert float(js(jnp.asarray(_scores(16, 20.0)))) <= 0
    assert float(js(jnp.zeros((4, 4)))) == pytest.approx(-2 * np.log(2), rel=1e-6)

"""The training loop: against Adam in NumPy, across chunks, across a death."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from augury.engine import training
from augury.engine.learning.checkpoints import Checkpoint
from augury.engine.training import Step, curve, make_trainer, train

WIDTH = 3
TARGETS = jnp.array([[1.0, -2.0], [0.5, 3.0], [4.0, 0.0]])
RATES = jnp.array([0.1, 0.05, 0.02])


def _step(noise: float = 0.0) -> Step:
    return Step(
        batch=lambda key, step, told: told[0],
        loss=lambda params, target, key, told: (
            jnp.sum((params - target) ** 2) + noise * jnp.sum(params) * jax.random.normal(key),
            {"norm": jnp.sum(params**2)},
        ),
        optimiser=lambda told: optax.adam(told[1]),
    )


def _run(
    steps: int, noise: float = 0.0, on_chunk=None, checkpoint=None, keep=()
) -> training.Trained:
    keys = jax.random.split(jax.random.key(0), WIDTH)
    trainer = make_trainer(_step(noise), WIDTH)
    told = (TARGETS, RATES)
    return train(trainer, jnp.zeros((WIDTH, 2)), keys, told, steps, on_chunk, checkpoint, keep)


def test_adam_as_in_numpy() -> None:
    trained = _run(70)
    for cell in range(WIDTH):
        theta, m, v, losses = np.zeros(2), np.zeros(2), np.zeros(2), []
        target, rate = np.asarray(TARGETS[cell]), float(RATES[cell])
        for t in range(1, 71):
            losses.append(((theta - target) ** 2).sum())
            g = 2 * (theta - target)
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            theta = theta - rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        np.testing.assert_allclose(trained.params[cell], theta, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(trained.losses[cell], losses, rtol=1e-4, atol=1e-4)
    assert trained.record["norm"].shape == (WIDTH, 70)
    assert trained.record["norm"][0, 0] == 0.0


def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _run(130, noise=0.3)
    monkeypatch.setattr(training, "CHUNK", 7)
    seen: list[int] = []
    pieces = _run(130, noise=0.3, on_chunk=lambda done, losses: seen.append(losses.shape[1]))
    assert sum(seen) == 130 and max(seen) <= 7
    np.testing.assert_array_equal(whole.params, pieces.params)
    np.testing.assert_array_equal(whole.losses, pieces.losses)


def test_resume_is_bitwise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(training, "CHUNK", 10)
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    keep = (13, 20, 60, 95)
    whole = _run(95, noise=0.3, keep=keep)
    kept = Checkpoint.of(tmp_path, ["a", "b", "c"], WIDTH)

    def die(done: int, losses: np.ndarray) -> None:
        if done >= 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(95, noise=0.3, on_chunk=die, checkpoint=kept, keep=keep)
    first: list[int] = []
    note = lambda done, _: first.append(done)  # noqa: E731
    resumed = _run(95, noise=0.3, on_chunk=note, checkpoint=kept, keep=keep)
    assert first[0] > 40  # it did not start anew
    np.testing.assert_array_equal(whole.params, resumed.params)
    np.testing.assert_array_equal(whole.losses, resumed.losses)
    np.testing.assert_array_equal(whole.kept, resumed.kept)
    kept.remove()
    assert not list(tmp_path.iterdir())


def test_parameters_on_the_way_are_kept() -> None:
    kept = _run(95, noise=0.3, keep=(1, 40, 40, 95)).kept
    assert kept.shape == (WIDTH, 4, 2)
    for place, steps in enumerate((1, 40, 40, 95)):
        np.testing.assert_array_equal(kept[:, place], _run(steps, noise=0.3).params)
    assert _run(5).kept.shape == (WIDTH, 0, 2)


def test_a_foreign_or_torn_checkpoint_is_ignored(tmp_path: Path) -> None:
    kept = Checkpoint.of(tmp_path, ["a"])
    assert kept.load((jnp.zeros(3),)) is None
    kept.save(5, (jnp.arange(3.0),))
    loaded = kept.load((jnp.zeros(3),))
    assert loaded is not None and loaded[0] == 5
    assert kept.load((jnp.zeros(4),)) is None
    kept.path.write_bytes(kept.path.read_bytes()[:40])
    assert kept.load((jnp.zeros(3),)) is None


def test_no_steps() -> None:
    trained = _run(0)
    assert trained.losses.shape == (WIDTH, 0)
    np.testing.assert_array_equal(trained.params, np.zeros((WIDTH, 2)))


def test_curve() -> None:
    assert curve(np.array([1.0, 3.0]), points=1) == [(2, 2.0)]
    assert curve(np.zeros(0)) == []
    points = curve(np.arange(1000.0))
    assert len(points) == 200 and points[0] == (5, 2.0) and points[-1] == (1000, 997.0)
    assert len(curve(np.array([1.0, np.nan, 2.0]))) == 2

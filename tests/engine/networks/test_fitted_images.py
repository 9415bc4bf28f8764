"""Networks of images fitted together: as alone, as on a GPU, and one mask for all rows."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.agents import image_dropout, image_ensemble
from augury.engine.catalog.agent_configs.images import ImageDropoutConfig, ImageEnsembleConfig
from augury.engine.learning.epistemic import agent_key
from augury.engine.networks import fitted_images as images
from augury.engine.networks import images as networks
from augury.engine.randomness import stream
from augury.engine.types import Data, Prior

pytestmark = pytest.mark.slow  # together they compile for minutes

SMALL = {"network": "mlp", "width": 8, "num_steps": 60, "batch_size": 16, "learning_rate": 5e-3}
KEY = agent_key(0, "test")


def stripes(count: int = 120, side: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Two classes: stripes along and across, with noise."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, count)
    line = 120 + 100 * np.sin(np.arange(side) * 1.7 + rng.uniform(0, 6, (count, 1)))
    x = np.where(y[:, None, None] == 0, line[:, :, None], line[:, None, :])
    return (x + rng.normal(0, 20, x.shape)).clip(0, 255).astype(np.uint8)[..., None], y


X, Y = stripes()


def trained(agent: images.ImageAgent, device: str = "cpu", key=KEY):
    built = agent.programs(X.shape[1:], 2, device)
    return built, *images.fit(built, agent.config, X, Y, key)


def test_an_ensemble_learns_and_one_after_another_is_as_all_at_once() -> None:
    config = ImageEnsembleConfig(**{**SMALL, "network": "cnn", "width": 4}, num_ensemble=3)
    agent = image_ensemble.make_agent(config)
    built, fitted, losses = trained(agent)
    logits = images.predict(built, fitted, X, KEY)
    assert logits.shape == (3, len(X), 2) and losses.shape == (60,)
    assert losses[-10:].mean() < 0.5 * losses[:5].mean()
    assert (logits.argmax(-1) == Y).mean() > 0.9
    assert len({logits[m].tobytes() for m in range(3)}) == 3
    together, fitted, other = trained(agent, "gpu")
    assert (built.at_once, together.at_once) == (1, 3)
    np.testing.assert_allclose(other, losses, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(
        images.predict(together, fitted, X, KEY), logits, rtol=0.02, atol=0.02
    )


def test_a_member_does_not_depend_on_how_many_there_are() -> None:
    few = image_ensemble.make_agent(ImageEnsembleConfig(**SMALL, num_ensemble=2))
    more = image_ensemble.make_agent(ImageEnsembleConfig(**SMALL, num_ensemble=3))
    a, b = (
        images.predict(built, fitted, X[:5], KEY) for built, fitted, _ in map(trained, (few, more))
    )
    np.testing.assert_allclose(a, b[:2], rtol=1e-5, atol=1e-6)


def test_a_mask_is_one_for_all_rows_and_a_member_one_function() -> None:
    agent = image_dropout.make_agent(ImageDropoutConfig(**SMALL, rate=0.3, num_samples=6))
    built, fitted, _ = trained(agent)
    key = stream(KEY, "masks")
    same = np.repeat(X[:1], 7, 0)
    logits = images.predict(built, fitted, same, key)
    assert logits.shape == (6, 7, 2)
    np.testing.assert_allclose(logits, logits[:, :1].repeat(7, 1), rtol=1e-5, atol=1e-5)
    # The same member at other rows, and in another order.
    whole = images.predict(built, fitted, X, key)
    assert len({member.tobytes() for member in whole}) == 6
    np.testing.assert_allclose(
        images.predict(built, fitted, X[::-1], key)[:, ::-1], whole, rtol=1e-5, atol=1e-5
    )
    assert not np.allclose(images.predict(built, fitted, X, stream(KEY, "others")), whole)


def test_rows_are_dropped_apart_in_training() -> None:
    x = jnp.ones((2000, 5))
    rates = {"rate": jnp.float32(0.3)}
    found = np.asarray(images.rows_dropped(KEY, rates)(x, 0))
    assert set(np.unique(found)) == {0.0, np.float32(1 / 0.7)}
    assert abs((found == 0).mean() - 0.3) < 5 * np.sqrt(0.21 / 10_000)
    assert len({row.tobytes() for row in found}) == 32
    shared = np.asarray(images.units_dropped(KEY, rates)(x, 0))
    assert (shared == shared[0]).all()
    assert not np.array_equal(found, images.rows_dropped(KEY, rates)(x, 1))


def test_rates_compile_nothing() -> None:
    agent = image_ensemble.make_agent(ImageEnsembleConfig(**SMALL, num_ensemble=2))
    built, _, losses = trained(agent)
    before = built.trainer.advance.compilations
    other = image_ensemble.make_agent(
        ImageEnsembleConfig(**{**SMALL, "learning_rate": 1e-4}, num_ensemble=2, weight_decay=0.1)
    )
    again, _, changed = trained(other)
    assert again is built and built.trainer.advance.compilations == before
    assert not np.allclose(changed, losses)


@pytest.mark.slow  # half a minute to compile
def test_moments_of_a_normalised_network_are_those_of_its_batches() -> None:
    config = ImageEnsembleConfig(
        network="resnet20", width=2, num_steps=3, batch_size=120, num_ensemble=2
    )
    built, fitted, _ = trained(image_ensemble.make_agent(config))
    assert len(fitted.moments) == 19
    # A batch of all rows has the same moments each time: predicting them is as training saw them.
    network = networks.build("resnet20", X.shape[1:], 2, 2)
    apply = jax.jit(lambda params, x: network.apply(params, x, networks.keep_all, None)[0])
    logits = images.predict(built, fitted, X, KEY)
    for member in range(2):
        params = jax.tree.map(lambda leaf, m=member: leaf[m], fitted.params)
        wanted = apply(params, jnp.asarray(X / 255.0, jnp.float32))
        np.testing.assert_allclose(logits[member], wanted, rtol=1e-3, atol=1e-3)


def test_augmented_images_are_shifts_and_mirrors() -> None:
    x = np.random.default_rng(0).integers(1, 256, (64, 12, 12, 1), np.uint8)
    found = np.asarray(images.moved(jnp.asarray(x), KEY))
    padded = np.pad(x, ((0, 0), (4, 4), (4, 4), (0, 0)))
    mirrored = 0
    for n in range(64):
        ways = {
            (i, j, flip)
            for i in range(9)
            for j in range(9)
            for flip in (0, 1)
            if np.array_equal(found[n], padded[n, i : i + 12, j : j + 12][:, :: -1 if flip else 1])
        }
        assert len(ways) == 1
        mirrored += ways.pop()[2]
    assert 16 <= mirrored <= 48


def test_the_two_line_contract() -> None:
    agent = image_dropout.make_agent(ImageDropoutConfig(**SMALL, num_samples=4))
    sampler = agent(Data(X, Y[:, None]), Prior(144, len(X)), KEY)  # type: ignore[arg-type]
    members = np.asarray(sampler.members(X))
    one = np.asarray(sampler(X, jax.random.key(5)))
    assert members.shape == (4, len(X), 2)
    assert any(np.array_equal(one, member) for member in members)


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        (ImageEnsembleConfig, {"num_ensemble": 1}, "num_ensemble must be at least 2"),
        (ImageDropoutConfig, {"rate": 1.0}, "rate must be between 0 and 1"),
        (ImageDropoutConfig, {"num_steps": 0}, "must be at least 1"),
        (ImageEnsembleConfig, {"learning_rate": 0.0}, "learning_rate must be positive"),
        (ImageEnsembleConfig, {"num_steps": 2**30}, "below 2\\^31"),
    ],
)
def test_what_cannot_be_trained(kind: type, fields: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kind(**fields)

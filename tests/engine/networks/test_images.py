"""Networks of images, against JAX's own convolution and loops."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.networks import images

pytestmark = pytest.mark.slow  # together they compile for minutes

SHAPES = [(28, 28, 1), (32, 32, 3)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("size", "stride"), [(3, 1), (3, 2), (1, 2)])
def test_patches_make_a_convolution(shape: tuple[int, ...], size: int, stride: int) -> None:
    key = jax.random.key(0)
    x = jax.random.normal(key, (2, *shape))
    weight = jax.random.normal(jax.random.key(1), (size, size, shape[2], 5))
    wanted = jax.lax.conv_general_dilated(
        x, weight, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    found = images.patches(x, size, stride) @ weight.reshape(-1, 5)
    np.testing.assert_allclose(found, wanted, atol=2e-5)


def applied(network: images.Network, params, x, moments=None):
    """Compiled as a whole: operations one by one take seconds."""
    run = jax.jit(lambda params, x, moments: network.apply(params, x, images.keep_all, moments))
    return run(params, x, moments)


@pytest.mark.parametrize("name", ["mlp", "cnn", "resnet20"])
def test_a_missing_number_reaches_the_logits(name: str) -> None:
    """No broken network classifies: NaN of a pixel or a weight survives rectifiers and moments."""
    network = images.build(name, (8, 8, 1), 3, 8)
    params = network.init(jax.random.key(0))
    x = jax.random.uniform(jax.random.key(1), (4, 8, 8, 1))
    moments = applied(network, params, x)[1]
    run = jax.jit(lambda params, x: network.apply(params, x, images.keep_all, moments)[0])
    lost = np.isnan(np.asarray(run(params, x.at[1, 4, 4, 0].set(jnp.nan))))
    assert lost.tolist() == [[row == 1] * 3 for row in range(4)]
    leaves, tree = jax.tree.flatten(params)
    for place, leaf in enumerate(leaves):
        broken = [*leaves[:place], leaf.at[(0,) * leaf.ndim].set(jnp.nan), *leaves[place + 1 :]]
        found = np.isnan(np.asarray(run(jax.tree.unflatten(tree, broken), x)))
        assert found.any(axis=1).all(), place  # of the last layer one logit


@pytest.mark.parametrize("name", ["mlp", "cnn", "resnet20"])
def test_logits_and_counts(name: str) -> None:
    network = images.build(name, (28, 28, 1), 10, 16)
    params = jax.eval_shape(network.init, jax.random.key(0))
    image = jax.ShapeDtypeStruct((4, 28, 28, 1), jnp.float32)
    run = lambda params, x: network.apply(params, x, images.keep_all, None)  # noqa: E731
    logits, moments = jax.eval_shape(run, params, image)
    assert logits.shape == (4, 10)
    count = sum(leaf.size for leaf in jax.tree.leaves(params))
    wanted = {
        "mlp": 784 * 16 + 16 + 16 * 16 + 16 + 16 * 10 + 10,
        "cnn": 9 * 16 + 16 + 9 * 16 * 32 + 32 + 49 * 32 * 64 + 64 + 64 * 10 + 10,
        # 3 x 3: the stem, 2 in each block; 1 x 1 twice; two numbers for each normalised channel.
        "resnet20": 9 * (16 + 6 * 16**2 + 16 * 32 + 5 * 32**2 + 32 * 64 + 5 * 64**2)
        + 16 * 32 + 32 * 64 + 2 * (16 * 7 + 32 * 6 + 64 * 6) + 64 * 10 + 10,
    }  # fmt: skip
    assert count == wanted[name]
    assert len(moments) == (19 if name == "resnet20" else 0)


@pytest.mark.parametrize(("name", "places"), [("mlp", 2), ("cnn", 3), ("resnet20", 22)])
def test_dropout_comes_before_every_layer(name: str, places: int) -> None:
    seen: list[tuple[int, tuple[int, ...]]] = []

    def drop(x, place):
        seen.append((place, x.shape))
        return x

    network = images.build(name, (32, 32, 3), 10, 8)
    params = jax.eval_shape(network.init, jax.random.key(0))
    image = jax.ShapeDtypeStruct((2, 32, 32, 3), jnp.float32)
    jax.eval_shape(lambda params, x: network.apply(params, x, drop, None), params, image)
    assert len(seen) == len({place for place, _ in seen}) == places
    if name == "resnet20":
        assert seen[0][1] == (2, 32, 32, 3) and seen[-1][1] == (2, 32)


def test_resnet_by_hand() -> None:
    """One block's arithmetic in NumPy: convolutions as loops, moments of the batch."""
    network = images.build("resnet20", (8, 8, 1), 3, 4)
    params = jax.jit(network.init)(jax.random.key(3))
    x = np.asarray(jax.random.uniform(jax.random.key(4), (3, 8, 8, 1)), np.float64)

    def convolve(x, weight, size, stride):
        n, h, w, c = x.shape
        out = -(-h // stride)
        total = max((out - 1) * stride + size - h, 0)
        padded = np.pad(x, ((0, 0), *[(total // 2, total - total // 2)] * 2, (0, 0)))
        found = np.zeros((n, out, out, weight.shape[1]))
        for i in range(out):
            for j in range(out):
                seen = padded[:, i * stride : i * stride + size, j * stride : j * stride + size]
                found[:, i, j] = seen.reshape(n, -1) @ weight
        return found

    def normed(x, layer, stride):
        weight, scale, offset = (np.asarray(part, np.float64) for part in layer)
        y = convolve(x, weight, 3, stride)
        mean, variance = y.mean((0, 1, 2)), y.var((0, 1, 2))
        return (y - mean) / np.sqrt(variance + 1e-3) * scale + offset

    stem, blocks, (weight, bias) = params
    h = np.maximum(normed(x, stem, 1), 0)
    for first, second, shortcut in blocks:
        stride = 1 if shortcut is None else 2
        y = normed(np.maximum(normed(h, first, stride), 0), second, 1)
        if shortcut is not None:
            h = convolve(h, np.asarray(shortcut, np.float64), 1, 2)
        h = np.maximum(h + y, 0)
    wanted = h.mean((1, 2)) @ np.asarray(weight, np.float64) + np.asarray(bias)
    image = jnp.asarray(x, jnp.float32)
    found, moments = applied(network, params, image)
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-4)
    # What a batch is normalised by, given back, changes nothing.
    again, _ = applied(network, params, image, moments)
    np.testing.assert_allclose(again, found, rtol=1e-4, atol=1e-5)

"""Pairs made of items: classes through the channel, other items on both sides, what is seen."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.catalog.problems import ImageProblem, MixtureProblem, TextProblem
from augury.engine.problems import class_pairs
from augury.engine.problems.items import Pool, parts, pick, pick_other, pool

pytestmark = pytest.mark.slow  # together they compile for minutes

KEY = jax.random.key(0)


def _numbered(counts: tuple[int, int], shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Items that hold their own number; classes mixed."""
    number = sum(counts)
    labels = np.random.default_rng(0).permutation(np.repeat([0, 1], counts))
    rows = np.broadcast_to(np.arange(number).reshape(-1, *[1] * len(shape)), (number, *shape))
    return rows.astype(np.float32), labels


def test_a_pool_is_sorted_by_class() -> None:
    rows, labels = _numbered((4, 7), (1,))
    found = pool(rows, labels)
    assert (found.first.tolist(), found.counts.tolist()) == ([0, 4], [4, 7])
    assert labels[np.asarray(found.rows[:, 0], int)].tolist() == [0] * 4 + [1] * 7


def test_parts_are_disjoint_complete_and_of_their_shares() -> None:
    rows, labels = _numbered((50, 100), (1,))
    train, rest = parts(rows, labels, (0.8, 0.2))
    assert (train.counts.tolist(), rest.counts.tolist()) == ([40, 80], [10, 20])
    seen = [set(np.asarray(p.rows[:, 0]).tolist()) for p in (train, rest)]
    assert not seen[0] & seen[1] and len(seen[0] | seen[1]) == 150
    assert np.array_equal(parts(rows, labels, (0.8, 0.2))[1].rows, rest.rows)
    assert [p.counts.tolist() for p in parts(rows, labels, (1, 1, 1, 1, 1))] == [[10, 20]] * 5


def test_items_of_a_class_are_equally_likely() -> None:
    rows, labels = _numbered((5, 8), (1,))
    of = pool(rows, labels)
    classes = jnp.ones((40_000, 1), jnp.int32)
    shares = np.bincount(np.asarray(pick(KEY, classes, of))[:, 0], minlength=13) / 40_000
    assert not shares[:5].any()
    np.testing.assert_allclose(shares[5:], 1 / 8, atol=4 * np.sqrt(1 / 8 / 40_000))


def test_another_item_is_never_the_same_and_else_equally_likely() -> None:
    rows, labels = _numbered((3, 4), (1,))
    of = pool(rows, labels)
    classes = jnp.zeros((30_000, 1), jnp.int32)
    taken = jnp.full_like(classes, 1)
    shares = np.bincount(np.asarray(pick_other(KEY, classes, of, taken))[:, 0], minlength=7)
    np.testing.assert_allclose(shares / 30_000, [0.5, 0, 0.5, 0, 0, 0, 0], atol=0.012)
    elsewhere = pick_other(KEY, classes, of, jnp.full_like(classes, 5))  # of the other class
    np.testing.assert_allclose(
        np.bincount(np.asarray(elsewhere)[:, 0], minlength=3) / 30_000, 1 / 3, atol=0.012
    )


def test_texts_show_an_item_of_each_class_in_its_place() -> None:
    rows, labels = _numbered((30, 40), (768,))
    of = pool(rows, labels)
    source = class_pairs.texts(TextProblem("bert", 3, (1.0,)))
    pairs = source.sample(KEY, jnp.float32(0.25), 50, (of,))
    assert pairs.x.shape == pairs.y.shape == (50, source.x_dim)
    x, y = (np.asarray(p).reshape(50, 3, 768)[:, :, 0].astype(int) for p in (pairs.x, pairs.y))
    sent, received = (np.asarray(h) for h in pairs.hidden)
    assert np.array_equal(labels[x], sent) and np.array_equal(labels[y], received)
    assert not (x == y).any()
    assert 0.1 < (sent != received).mean() < 0.4


@pytest.mark.parametrize(
    ("problem", "dim"),
    [
        (ImageProblem("mnist", (1, 2, 2), 56, (1.0,)), 56 * 56),
        (ImageProblem("mnist", (2, 1, 2), 28, (1.0,)), 2 * 28 * 28),
        (ImageProblem("mnist", (1, 1, 1), 28, (1.0,), colour=True), 3 * 28 * 28),
    ],
)
def test_images_show_their_digits(problem: ImageProblem, dim: int) -> None:
    rows, labels = _numbered((30, 40), (28, 28))
    source = class_pairs.images(problem)
    pairs = source.sample(KEY, jnp.float32(0.0), 6, (pool(rows, labels),))
    assert pairs.x.shape == (6, dim) == (6, source.x_dim)
    seen = np.asarray(pairs.x * 255).reshape(6, -1, problem.size, problem.size)
    sent = np.asarray(pairs.hidden[0]).reshape(6, *problem.grid)
    channels, height, width = problem.grid
    for channel in range(channels):
        for row in range(height):
            for column in range(width):
                # The middle of each picture, whatever its neighbours are.
                y, x = (
                    (row * 2 + 1) * problem.size // (2 * height),
                    (column * 2 + 1) * problem.size // (2 * width),
                )
                found = np.rint(seen[:, channel, y, x]).astype(int)
                assert np.array_equal(labels[found], sent[:, channel, row, column])


def test_nuisance_adds_photographs_of_their_own() -> None:
    rows, labels = _numbered((30, 40), (28, 28))
    photographs = jnp.full((5, 3, 32, 32), 200, jnp.uint8)
    clean = class_pairs.images(ImageProblem("mnist", (1, 1, 1), 28, (1.0,), colour=True))
    noisy = class_pairs.images(ImageProblem("mnist", (1, 1, 1), 28, (1.0,), nuisance=0.5))
    items = (pool(rows, labels), photographs)
    before = clean.sample(KEY, jnp.float32(0.0), 6, items[:1]).x
    after = noisy.sample(KEY, jnp.float32(0.0), 6, items).x
    np.testing.assert_allclose(after, np.clip(before + 0.5 * 200 / 255, 0, 1), atol=1e-5)


def test_mixtures_show_digits_beside_texts() -> None:
    digits, texts = (pool(*_numbered((30, 40), shape)) for shape in ((28, 28), (768,)))
    source = class_pairs.mixtures(MixtureProblem("bert", (2, 5), (4.0,)))
    pairs = source.sample(KEY, jnp.float32(0.0), 4, (digits, texts))
    assert pairs.x.shape == pairs.y.shape == (4, 7680)
    _, labels = _numbered((30, 40), (1,))
    seen = np.asarray(pairs.y).reshape(4, 10, 768)[:, :, 0].astype(int)
    assert np.array_equal(labels[seen], pairs.hidden[1])
    assert isinstance(digits, Pool)

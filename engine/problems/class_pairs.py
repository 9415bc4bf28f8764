"""Images and texts that share their items' classes, over a symmetric channel (Lee and Rhee 2024).

Each source is a class c of 0 and 1 and c', which is c but for errors of the channel. x shows a
random item of class c at the source's place, y another one of class c'. If an item tells its class
without doubt, x and y share what c and c' share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

from augury.engine.catalog.problems.mi_items import (
    MIXED_SIZE,
    ImageProblem,
    MixtureProblem,
    TextProblem,
)
from augury.engine.errors import UsageError
from augury.engine.problems.channel import labels, log_ratio
from augury.engine.problems.items import Pool, keys, pick, pick_other
from augury.engine.problems.pairs import Pairs, Source
from augury.engine.problems.resize import resize
from augury.engine.randomness import fractions

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray

EMBEDDING = 768


def images(problem: ImageProblem) -> Source:
    """Grids of pictures; with nuisance a photograph of its own is added to x and to y."""
    colours = 3 if problem.colour or problem.nuisance else problem.grid[0]
    if problem.grid[0] not in (1, colours):
        raise UsageError(f"{problem.id}: a grid in colour has 1 or 3 channels.")
    dim = colours * problem.size**2

    def show(key: PRNGKeyArray, places: Int[Array, "pairs sources"], of: Any) -> Array:
        seen = _grid(of[0].rows[places], problem.grid, (problem.size, problem.size)) / 255.0
        if colours != problem.grid[0]:
            seen = jnp.broadcast_to(seen, (len(seen), colours, *seen.shape[2:]))
        if problem.nuisance:
            behind = _photographs(key, of[1], len(seen), problem.size)
            seen = jnp.clip(seen + problem.nuisance * behind, 0.0, 1.0)
        return seen.reshape(len(seen), dim)

    def sample(key: PRNGKeyArray, rate: Float[Array, ""], num_pairs: int, items: Any) -> Pairs:
        classes, x_key, y_key, *noise = keys(key, "classes", "x", "y", "x/noise", "y/noise")
        sent, received = labels(classes, rate, (num_pairs, problem.num_sources))
        one = pick(x_key, sent, items[0])
        other = pick_other(y_key, received, items[0], one)
        return Pairs(show(noise[0], one, items), show(noise[1], other, items), (sent, received))

    return Source(dim, dim, sample, log_ratio)


def texts(problem: TextProblem) -> Source:
    """Embeddings one after another."""
    size = problem.num_sources

    def sample(key: PRNGKeyArray, rate: Float[Array, ""], num_pairs: int, items: Any) -> Pairs:
        classes, x_key, y_key = keys(key, "classes", "x", "y")
        sent, received = labels(classes, rate, (num_pairs, size))
        one = pick(x_key, sent, items[0])
        other = pick_other(y_key, received, items[0], one)
        return Pairs(_text(items[0], one), _text(items[0], other), (sent, received))

    return Source(size * EMBEDDING, size * EMBEDDING, sample, log_ratio)


def mixtures(problem: MixtureProblem) -> Source:
    """A grid of digits beside as many reviews."""
    size = problem.num_sources

    def sample(key: PRNGKeyArray, rate: Float[Array, ""], num_pairs: int, items: Any) -> Pairs:
        classes, x_key, y_key = keys(key, "classes", "x", "y")
        sent, received = labels(classes, rate, (num_pairs, size))
        digits = items[0].rows[pick(x_key, sent, items[0])]
        seen = _grid(digits, (1, *problem.grid), MIXED_SIZE) / 255.0
        text = _text(items[1], pick(y_key, received, items[1]))
        return Pairs(seen.reshape(num_pairs, -1), text, (sent, received))

    return Source(MIXED_SIZE[0] * MIXED_SIZE[1], size * EMBEDDING, sample, log_ratio)


def _text(of: Pool, places: Int[Array, "pairs sources"]) -> Float[Array, "pairs dim"]:
    return of.rows[places].astype(jnp.float32).reshape(len(places), -1)


def _grid(
    pictures: Float[Array, "pairs sources height width"],
    grid: tuple[int, int, int],
    size: tuple[int, int],
) -> Float[Array, "pairs channels new_height new_width"]:
    """Pictures side by side in rows, then resized as one image; levels of 0 to 255."""
    channels, rows, columns = grid
    number, _, height, width = pictures.shape
    tiles = pictures.reshape(number * channels, rows, columns, height, width)
    whole = jnp.swapaxes(tiles, 2, 3).reshape(number * channels, rows * height, columns * width)
    return resize(whole.astype(jnp.float32), *size).reshape(number, channels, *size)


def _photographs(
    key: PRNGKeyArray, rows: Float[Array, "photographs 3 height width"], number: int, size: int
) -> Float[Array, "number 3 size size"]:
    places = jnp.minimum((fractions(key, number) * len(rows)).astype(jnp.int32), len(rows) - 1)
    chosen = rows[places].astype(jnp.float32)
    resized = resize(chosen.reshape(-1, *chosen.shape[2:]), size, size)
    return resized.reshape(number, 3, size, size) / 255.0

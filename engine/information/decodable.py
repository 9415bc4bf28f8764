"""How much of the nominal information a reader of the items can find at all.

Nominal is what the classes share; what x and y share is less, if an item does not tell its class
without doubt. With p(c|x) of a cross-fitted classifier the ratio of the pair is
2 [(1 - b) P(same) + b P(differ)] for each source, b the channel's rate of errors, and its mean log
is a lower limit (in expectation) of what x and y share. Not known to the bit: a better classifier
could raise it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy.special import expit

from augury.engine.catalog.problems.mi_encoded import EncodedProblem, EncodedTextProblem
from augury.engine.catalog.problems.mi_items import (
    ImageProblem,
    ItemProblem,
    MixtureProblem,
    TextProblem,
)
from augury.engine.compiled import Compiled
from augury.engine.encoders import resnet
from augury.engine.estimators.stages import Value
from augury.engine.information.posterior import Rows, fit
from augury.engine.problems.encoded import shape_of
from augury.engine.problems.sources import folds_of, source_of, truth_of
from augury.engine.randomness import generator

if TYPE_CHECKING:
    from jaxtyping import Float, Int

FOLDS = 5  # of the items: the rest fits
IMAGE_FOLDS = 2  # where each of many places has a classifier of its own
DRAWS = 8_000  # images in all folds
BLOCK = 500
PAIRS = 400_000  # pairs of items behind the mean
GROUPS = 20  # disjoint groups of items behind its error

_Pictures = ImageProblem | EncodedProblem | MixtureProblem
# Posteriors of items: their true class, and the calibrated log odds of class 1.
Posterior = tuple["Int[np.ndarray, ' items']", "Float[np.ndarray, ' items']"]


def decodable(problem: ItemProblem) -> tuple[Value, ...]:
    """The decodable information of each stage in bits, with an error over items."""
    x, y = posteriors(problem.blank())
    return tuple(
        information(x, y, float(rate), problem.num_sources) for rate in truth_of(problem).levels
    )


def information(x: Posterior, y: Posterior, rate: float, num_sources: int) -> Value:
    """Mean log ratio of `num_sources` sources whose classes err at `rate`, in bits."""
    draws = generator("decodable/pairs")
    values = np.array([_mean(x, y, rate, group, draws) for group in range(GROUPS)])
    error = float(values.std(ddof=1)) / math.sqrt(GROUPS)
    return Value(num_sources * float(values.mean()), num_sources * error, PAIRS)


def _mean(x: Posterior, y: Posterior, rate: float, group: int, draws: np.random.Generator) -> float:
    """Of pairs of one group's items: both sides take every GROUPS-th item."""
    number = PAIRS // GROUPS
    sent = draws.integers(0, 2, number)
    received = np.where(draws.random(number) < rate, 1 - sent, sent)
    chances = []
    for (classes, logits), wanted in ((x, sent), (y, received)):
        mine = np.arange(group, len(classes), GROUPS)
        places = [mine[classes[mine] == c] for c in (0, 1)]
        chosen = np.where(
            wanted == 0,
            places[0][draws.integers(0, len(places[0]), number)],
            places[1][draws.integers(0, len(places[1]), number)],
        )
        chances.append(expit(logits[chosen]))
    same = chances[0] * chances[1] + (1 - chances[0]) * (1 - chances[1])
    return float(np.mean(np.log2(2 * ((1 - rate) * same + rate * (1 - same)))))


@lru_cache(maxsize=32)
def posteriors(problem: ItemProblem) -> tuple[Posterior, Posterior]:
    """Of the items as x and as y show them; `problem` is blank."""
    if isinstance(problem, TextProblem):
        found = _of_rows(problem, 0)
        return found, found
    if isinstance(problem, MixtureProblem):
        return _of_images(problem), _of_rows(problem, 1)
    if isinstance(problem, (EncodedProblem, EncodedTextProblem)) and not problem.stage:
        return posteriors(problem.plain)  # an invertible encoder keeps it
    assert isinstance(problem, (ImageProblem, EncodedProblem))
    found = _of_images(problem)
    return found, found


def _of_rows(problem: ItemProblem, place: int) -> Posterior:
    """Every item is seen as it is."""
    parts = [_rows(items[place]) for items in folds_of(problem, FOLDS)]
    found = []
    for fold, (seen, classes) in enumerate(parts):
        others = [part for at, part in enumerate(parts) if at != fold]
        order = generator("decodable/order").permutation(sum(len(c) for _, c in others))
        rows = Rows(*(np.concatenate(side)[order] for side in zip(*others, strict=True)))
        found.append((classes, fit(rows).logits(np.asarray(seen, np.float64))))
    return _shuffled(found)


def _rows(pool: Any) -> tuple[np.ndarray, np.ndarray]:
    rows = np.asarray(pool.rows, np.float32)
    count = np.asarray(pool.counts)
    return rows.reshape(len(rows), -1), np.repeat([0, 1], count)


def _of_images(problem: _Pictures) -> Posterior:
    """Pictures as parts of random images: each place has a classifier of its own."""
    images = [_drawn(problem, items) for items in folds_of(problem, IMAGE_FOLDS)]
    found = []
    for fold, (seen, classes) in enumerate(images):
        others = [part for at, part in enumerate(images) if at != fold]
        x, c = (np.concatenate(side) for side in zip(*others, strict=True))
        for place, window in enumerate(_windows(problem)):
            read = fit(Rows(x[:, window], c[:, place]))
            found.append((classes[:, place], read.logits(seen[:, window])))
    return _shuffled(found)


def _drawn(problem: ItemProblem, items: Any) -> tuple[np.ndarray, np.ndarray]:
    source = source_of(problem)
    key = jax.random.key(0)

    def block(at: jax.Array, items: Any) -> Any:
        pairs = source.sample(jax.random.fold_in(key, at), jnp.float32(0.5), BLOCK, items)
        return pairs.x, pairs.hidden[0]

    program = Compiled(block, name="images")
    drawn = [program(jnp.int32(at), items) for at in range(DRAWS // IMAGE_FOLDS // BLOCK)]
    return tuple(np.concatenate([np.asarray(d[i]) for d in drawn]) for i in (0, 1))  # type: ignore[return-value]


def _windows(problem: _Pictures) -> list[Int[np.ndarray, " pixels"]]:
    """The pixels of each picture in an image, or cells of a map, one more on each side."""
    colours = 0  # of pixels that each picture has a part in
    if isinstance(problem, MixtureProblem):
        grid, size = (1, *problem.grid), (80, 96)
    else:
        grid, size = problem.grid, (problem.size, problem.size)
    channels, rows, columns = grid
    if isinstance(problem, EncodedProblem):
        colours, *size = resnet.sides(shape_of(problem), problem.stage)
    elif isinstance(problem, ImageProblem) and (problem.colour or problem.nuisance):
        colours = 3
    places = np.arange((colours or channels) * size[0] * size[1]).reshape(-1, *size)
    found = []
    for channel in range(channels):
        for row in range(rows):
            for column in range(columns):
                ends = []
                for at, number, length in ((row, rows, size[0]), (column, columns, size[1])):
                    ends.append(slice(max(math.floor(at * length / number) - 1, 0),
                                      math.ceil((at + 1) * length / number) + 1))  # fmt: skip
                layers = slice(None) if colours else slice(channel, channel + 1)
                found.append(places[layers, ends[0], ends[1]].ravel())
    return found


def _shuffled(parts: list[Posterior]) -> Posterior:
    classes, logits = (np.concatenate(side) for side in zip(*parts, strict=True))
    order = generator("decodable/groups").permutation(len(classes))
    return classes[order], logits[order]

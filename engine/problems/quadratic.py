"""A noisy quadratic whose training inputs leave a gap (section 4.1 of arXiv:2112.01477).

y = x^2 + .25 N(0, 1) with x uniform on [-3, 3], without [-1.5, 0] in training. The paper states the
quadratic and the gap; range, noise and numbers of rows are ours. Networks see x / 2, and y less its
training mean over its training deviation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from augury.engine.randomness import generator

if TYPE_CHECKING:
    from jaxtyping import Float

NOISE_STD = 0.25
LOW, HIGH = -3.0, 3.0
GAP = (-1.5, 0.0)
INPUT_UNIT = 2.0
NUM_TRAIN = 1_000
NUM_TEST = {"gap": 500, "iid": 200}  # more iid rows would resolve the networks' common bias


class Rows(NamedTuple):
    """Inputs and targets in the units that networks see."""

    x: Float[np.ndarray, "rows 1"]
    y: Float[np.ndarray, " rows"]


class QuadraticData(NamedTuple):
    """One environment: training rows, and test rows of both regions in the same units."""

    train: Rows
    test: dict[str, Rows]
    shift: float  # y = shift + unit * (what networks see)
    unit: float


def generate(environment: int) -> QuadraticData:
    """All rows of an environment; each part is a stream of its own."""
    raw = {
        region: _draw(generator(f"ppc/quadratic/{region}", environment), region, rows)
        for region, rows in {"train": NUM_TRAIN, **NUM_TEST}.items()
    }
    shift, unit = float(raw["train"].y.mean()), float(raw["train"].y.std())
    seen = {
        region: Rows(rows.x / INPUT_UNIT, (rows.y - shift) / unit) for region, rows in raw.items()
    }
    return QuadraticData(seen["train"], {r: seen[r] for r in NUM_TEST}, shift, unit)


def _draw(rng: np.random.Generator, region: str, rows: int) -> Rows:
    """`gap`: uniform inside the gap. Otherwise uniform on what the gap leaves."""
    width = GAP[1] - GAP[0]
    if region == "gap":
        x = rng.uniform(*GAP, rows)
    else:
        x = rng.uniform(LOW, HIGH - width, rows)
        x = np.where(x < GAP[0], x, x + width)
    return Rows(x[:, None], x**2 + NOISE_STD * rng.standard_normal(rows))

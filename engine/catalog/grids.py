"""Configs that tuning tries: for each sweep and agent, every distinct point of the papers' grids.

Each agent has several small grids around its default, put one after another; a point is the fields
it sets. Points that are the same by definition (a drop rate of 0 with and without dropped inputs,
bbb's second prior component under the analytical KL) are listed once. Source: arXiv:2202.13509 and
arXiv:2110.04629, as their released configurations have them; on real data these have none of
epinet, deep-kernel, logistic-regression, knn and random-forest, whose grids there are ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

from augury.engine.catalog.entry import differences, override
from augury.engine.types import JSON, canonical

Point: TypeAlias = dict[str, JSON]


def configs(sweep: str, agent: str, default: Any) -> tuple[Point, ...]:
    """Distinct configs of an agent on a sweep as differences from `default`, which comes first."""
    changes: list[Point] = [{}, *GRIDS.get(sweep, {}).get(agent, ())]
    found = (differences(override(default, point, agent), default) for point in changes)
    return tuple({canonical(point): point for point in found}.values())


def is_tuned(sweep: str, agent: str) -> bool:
    """Whether there is anything to choose."""
    return agent in GRIDS.get(sweep, {})


def _grid(fixed: Mapping[str, JSON] | None = None, /, **axes: Iterable[JSON]) -> list[Point]:
    """Every combination of the axes' values, the fixed fields in each."""
    points = product(*axes.values())
    return [{**(fixed or {}), **dict(zip(axes, point, strict=True))} for point in points]


_DECAYS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0)
_NEAR = (0.1, 0.3, 1.0, 3.0, 10.0)
_SIZES = (1, 3, 10, 30, 100)
_BOOTSTRAPS = ("none", "bernoulli", "exponential")
_BOTH = (True, False)
_RATES = tuple(place / 10 for place in range(1, 10))
_LONG: Point = {"batch_strategy": True}
_HALF: Point = {"hidden": [50, 50]}
_STEPS: Mapping[str, Sequence[JSON]] = {"batch_strategy": _BOTH, "num_steps": (500, 1_000)}


def _rates(fixed: Point) -> list[Point]:
    return [{**fixed, "rate": 0.0}, *_grid(fixed, rate=_RATES, dropout_input=_BOTH)]


_TESTBED: Mapping[str, Sequence[Point]] = {
    "mlp": [*_grid(_LONG, adaptive=_BOTH, weight_decay=_DECAYS), *_grid(**_STEPS)],
    "ensemble": [
        *_grid(_LONG, num_ensemble=_SIZES),
        *_grid(_LONG, adaptive=_BOTH, weight_decay=_DECAYS),
        *_grid(**_STEPS),
    ],
    "ensemble+": [
        *_grid(_LONG, num_ensemble=_SIZES),
        *_grid(_LONG, distribution=_BOOTSTRAPS),
        *_grid(_LONG, weight_decay=_NEAR),
        # What the released code calls "lin" leaves the scale of the prior network as it is.
        *_grid(_LONG, temp_scale=("none", "sqrt"), prior_scale=(1.0, 3.0)),
        *_grid(**_STEPS),
    ],
    "dropout": [
        *_rates({**_LONG, **_HALF}),
        *_grid(_HALF, adaptive=_BOTH, length_scale=(0.01, 0.1, 0.3, 1.0, 3.0, 10.0)),
        *_grid(_LONG, hidden=([50, 50], [100, 100])),
        *_grid(_HALF, **_STEPS),
    ],
    "bbb": [
        *_grid(learning_rate=(1e-3, 3e-3), adaptive=_BOTH),
        *_grid(sigma_1=(1.0, 2.0, 4.0)),
        *_grid(hidden=([50, 50], [100, 100])),
        *_grid(**_STEPS),
    ],
    "hypermodel": [
        *_grid({**_LONG, "num_steps": 1_000}, prior_hidden=([10], [10, 10]),
               prior_scale=(1.0, 3.0), temp_scale=("linear", "sqrt")),
        *_grid({**_LONG, "num_steps": 1_000}, index_dim=(1, 3, 5, 7)),
        *_grid({**_LONG, "num_steps": 1_000}, weight_decay=_NEAR),
        *_grid({**_LONG, "num_steps": 1_000}, distribution=_BOOTSTRAPS),
        *_grid(**_STEPS),
    ],
    "sgmcmc": _grid({"adaptive_prior_variance": True}, learning_rate=(5e-4, 1e-3, 5e-3),
                    prior_variance=(0.05, 0.1, 0.5, 1.0, 2.0, 10.0)),
}  # fmt: skip

_KERNELS = _grid(
    scale_factor=(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), sigma_squared_factor=(0.5, 1.0, 2.0, 3.0, 4.0)
)
_NEIGHBOURS = _grid(num_neighbours=(1, 5, 10, 30, 50, 100), weighting=("uniform", "distance"))
_FORESTS = _grid(num_trees=(10, 100, 1_000), criterion=("gini", "entropy"))

_PLANE: Mapping[str, Sequence[Point]] = {
    "mlp": _grid(adaptive=_BOTH, weight_decay=_DECAYS),
    "ensemble": [
        *_grid(num_ensemble=_SIZES),
        *_grid({"num_ensemble": 30}, adaptive=_BOTH, weight_decay=_DECAYS),
    ],
    "ensemble+": [
        *_grid(num_ensemble=_SIZES), *_grid(distribution=_BOOTSTRAPS), *_grid(weight_decay=_NEAR),
    ],
    "dropout": [
        *_rates({}),
        *_grid(adaptive=_BOTH, length_scale=(1.0, 3.0, 10.0)),
        *_grid(hidden=([50, 50], [100, 100], [50, 50, 50])),
    ],
    "bbb": [
        *_grid(learning_rate=(1e-3, 3e-3), sigma_1=(0.3, 0.5, 0.7, 1.0, 2.0),
               num_steps=(1_000, 2_000)),
        *_grid(sigma_1=(1.0, 2.0, 4.0)),
        *_grid(hidden=([50, 50], [100, 100], [50, 50, 50])),
    ],
    "hypermodel": [
        *_grid({"prior_scale": 0.0}, weight_decay=(1.0, 2.0)),
        *_grid(prior_hidden=([10], [10, 10]), weight_decay=(1.0, 2.0),
               temp_scale=("linear", "sqrt")),
        *_grid(index_dim=(1, 3, 5, 7)),
        *_grid(weight_decay=_NEAR),
        *_grid(distribution=_BOOTSTRAPS),
    ],
    "sgmcmc": _grid(learning_rate=(1e-4, 5e-4, 1e-3, 5e-3), prior_variance=(0.05, 0.1, 0.2)),
    "deep-kernel": _KERNELS,
    "knn": _NEIGHBOURS,
    "random-forest": _FORESTS,
    "logistic-regression": _grid(adaptive=_BOTH, weight_decay=_DECAYS),
}  # fmt: skip

_LENGTHS = (1_000, 5_000, 10_000)
_REAL_DECAYS = (1e-2, 1e-1, 1.0, 10.0, 100.0)
_REAL_PRIORS = (1.0, 3.0, 10.0, 30.0, 100.0)

_REAL: Mapping[str, Sequence[Point]] = {
    "mlp": _grid(num_steps=_LENGTHS, weight_decay=_REAL_DECAYS),
    "ensemble": _grid(num_steps=_LENGTHS, weight_decay=(*_REAL_DECAYS, 1_000.0)),
    "ensemble+": _grid(num_steps=_LENGTHS, weight_decay=_REAL_DECAYS, prior_scale=_REAL_PRIORS),
    "dropout": _grid(num_steps=_LENGTHS, length_scale=_DECAYS, rate=(0.0, *_RATES[:6])),
    "bbb": _grid(num_steps=_LENGTHS, sigma_1=(1.0, 2.0, 4.0)),
    "hypermodel": _grid(num_steps=_LENGTHS, weight_decay=_REAL_DECAYS, prior_scale=_REAL_PRIORS),
    "sgmcmc": _grid(learning_rate=(1e-4, 5e-4, 1e-3, 5e-3, 1e-2),
                    prior_variance=(1.0, 3.0, 10.0, 30.0, 100.0, 300.0),
                    momentum_decay=(0.0, 0.9)),
    "epinet": [
        *_grid(num_steps=_LENGTHS, prior_scale=(1e-3, 3e-3, 1e-2, 3e-2, 1e-1)),
        *_grid(weight_decay=(0.02, 0.2, 2.0, 20.0)),
    ],
    "deep-kernel": [*_grid(num_steps=_LENGTHS, weight_decay=_REAL_DECAYS), *_KERNELS],
    "logistic-regression": _grid(num_steps=_LENGTHS, weight_decay=_REAL_DECAYS),
    "knn": _NEIGHBOURS,
    "random-forest": _FORESTS,
}  # fmt: skip

# Sweep -> agent -> points.
GRIDS: Mapping[str, Mapping[str, Sequence[Point]]] = {
    "testbed": _TESTBED,
    "testbed-2d": _PLANE,
    "real": _REAL,
    "real-regimes": _REAL,
    "real-regimes-more": _REAL,
}

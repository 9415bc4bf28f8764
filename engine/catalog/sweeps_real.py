"""Sweeps of real data: at full size, at the paper's regimes, and the rows that choose configs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.problems import RealProblem
from augury.engine.catalog.settings import Scale
from augury.engine.catalog.sweep import CHAINS, FEW, ONE, Sweep
from augury.engine.types import JSON

# A first look at real data: 3,072 inputs make members dear. Epistemic samples are fewer as well
# (settings.py), for a thousand test rows make half a million pairs.
_FEWER_MEMBERS = {"ensemble.num_ensemble": 10, "ensemble+.num_ensemble": 10}
_ON_REAL_DATA: Mapping[Scale, Mapping[str, JSON]] = {
    **CHAINS,
    "quick": {**CHAINS["quick"], **_FEWER_MEMBERS},
}
REGIMES = (10, 100, 1_000)  # training rows, before all there are
MORE_REGIMES = (1, *REGIMES, 10_000)
BUNDLED = tuple(name for name, card in DATASETS.items() if card.bundled)


def _real(
    names: Iterable[str], regimes: Iterable[int] = (), validation: bool = False
) -> tuple[RealProblem, ...]:
    """Full data, after smaller regimes; one that a set has no more rows than is its full one."""
    found = []
    for name in names:
        full = DATASETS[name].num_train
        rows = [*(regime for regime in regimes if regime < full), full]
        found += [RealProblem(name, number, validation) for number in rows]
    return tuple(found)


def _real_quick(validation: bool = False) -> tuple[RealProblem, ...]:
    """All regimes of what is shipped, and 1,000 rows of two sets of images."""
    images = (RealProblem(name, 1_000, validation) for name in ("mnist", "fashion_mnist"))
    return (*_real(BUNDLED, REGIMES, validation), *images)


# Regimes of a person's own table, before all its rows; other sweeps take it whole.
TABLE_REGIMES: Mapping[str, tuple[int, ...]] = {
    "real-regimes": REGIMES,
    "real-regimes-more": MORE_REGIMES,
}

REAL_SWEEPS: dict[str, Sweep] = {
    "real": Sweep(
        "real",
        "ten real data sets at full size; quick: the four that are shipped",
        full=_real(DATASETS),
        quick=_real(BUNDLED),
        smoke=_real(("iris",)),
        config=_ON_REAL_DATA,
        seeds=FEW,
    ),
    "real-regimes": Sweep(
        "real",
        "ten real data sets at 10, 100, 1,000 rows and all; quick: shipped ones, and two at 1,000",
        full=_real(DATASETS, REGIMES),
        quick=_real_quick(),
        smoke=_real(("iris",), (10,)),
        config=_ON_REAL_DATA,
        seeds=FEW,
    ),
    "real-regimes-more": Sweep(
        "real",
        "as real-regimes, at 1 row and 10,000 too",
        full=_real(DATASETS, MORE_REGIMES),
        quick=_real(BUNDLED, MORE_REGIMES),
        smoke=_real(("iris",), (1, 10)),
        config=_ON_REAL_DATA,
        seeds=FEW,
    ),
    "real-tuning": Sweep(
        "real",
        "training rows that choose configs for real: the last tenth; never reported",
        full=_real(DATASETS, (), True),
        quick=_real(BUNDLED, (), True),
        smoke=_real(("iris",), (), True),
        config=_ON_REAL_DATA,
        seeds=ONE,
    ),
    "real-regimes-tuning": Sweep(
        "real",
        "training rows that choose configs for real-regimes, outside those learned from",
        full=_real(DATASETS, REGIMES, True),
        quick=_real_quick(True),
        smoke=_real(("iris",), (10,), True),
        config=_ON_REAL_DATA,
        seeds=ONE,
    ),
    "real-regimes-more-tuning": Sweep(
        "real",
        "training rows that choose configs for real-regimes-more, outside those learned from",
        full=_real(DATASETS, MORE_REGIMES, True),
        quick=_real(BUNDLED, MORE_REGIMES, True),
        smoke=_real(("iris",), (1, 10), True),
        config=_ON_REAL_DATA,
        seeds=ONE,
    ),
    "real-quick": Sweep(
        "real",
        "a first look: iris",
        full=_real(("iris",)),
        quick=_real(("iris",)),
        smoke=_real(("iris",)),
        usual=("uniform", "mlp", "ensemble", "ensemble+"),
        config=CHAINS,
        scale="quick",
    ),
}

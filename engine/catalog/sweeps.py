"""Sweeps: named sets of problems, each with a quick and a smoke twin that are stated subsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from augury.engine.catalog.corruptions import CORRUPTIONS, SEVERITIES
from augury.engine.catalog.members import IMAGE_MEMBERS
from augury.engine.catalog.mi_sweeps import MI_SWEEPS
from augury.engine.catalog.mi_sweeps import STAGES as STAGES
from augury.engine.catalog.problems import (
    CoinsProblem,
    CorruptionProblem,
    LogisticProblem,
    NormalProblem,
    PlaneProblem,
    QuadraticProblem,
    TestbedProblem,
)
from augury.engine.catalog.settings import Scale
from augury.engine.catalog.sweep import CHAINS, ONE
from augury.engine.catalog.sweep import DEFAULT_SEEDS as DEFAULT_SEEDS
from augury.engine.catalog.sweep import Sweep as Sweep
from augury.engine.catalog.sweeps_real import REAL_SWEEPS
from augury.engine.types import JSON


def _testbed(
    dims: Iterable[int],
    ratios: Iterable[int],
    temperatures: Iterable[float],
    environments: int,
    first: int = 0,
) -> tuple[TestbedProblem, ...]:
    grid = product(dims, ratios, temperatures, range(first, first + environments))
    return tuple(TestbedProblem(*point) for point in grid)


def _plane(
    rows: Iterable[int], temperatures: Iterable[float], environments: int, first: int = 0
) -> tuple[PlaneProblem, ...]:
    grid = product(rows, temperatures, range(first, first + environments))
    return tuple(PlaneProblem(*point) for point in grid)


def _quadratic(environments: int, first: int = 0) -> tuple[QuadraticProblem, ...]:
    grid = product(("gap", "iid"), range(first, first + environments))
    return tuple(QuadraticProblem(*point) for point in grid)


def _normal(rows: Iterable[int], environments: int) -> tuple[NormalProblem, ...]:
    grid = product(("latent", "iid"), rows, range(environments))
    return tuple(NormalProblem(*point) for point in grid)


def _corruptions(dataset: str, num_train: int, num_test: int) -> tuple[CorruptionProblem, ...]:
    grid = product(CORRUPTIONS, SEVERITIES)
    return tuple(CorruptionProblem(dataset, *point, num_train, num_test) for point in grid)


def _coins(
    coins: Iterable[int], tosses_per_coin: Iterable[int], environments: int
) -> tuple[CoinsProblem, ...]:
    grid = product(coins, tosses_per_coin)
    return tuple(
        CoinsProblem(m, m * n, e) for m, n in grid for e in range(environments if n else 1)
    )


def _logistic(dims: Iterable[int], environments: int) -> tuple[LogisticProblem, ...]:
    return tuple(LogisticProblem(d, 0.01, e) for d, e in product(dims, range(environments)))


RATIOS, TEMPERATURES = (1, 10, 100, 1000), (0.01, 0.1, 0.5)
PLANE_ROWS = (1, 3, 10, 30, 100, 300, 1000)
# Minutes on two cores, with nine tenths of the accuracy.
_QUICK_IMAGES: Mapping[str, JSON] = {
    "cnn-ensemble.width": 8, "cnn-dropout.width": 8, "num_steps": 800, "num_samples": 20,
}  # fmt: skip
_SMALL_IMAGES: Mapping[str, JSON] = {
    "width": 8, "num_steps": 100, "num_ensemble": 3, "num_samples": 5,
}  # fmt: skip
# To see the path work on CPU, in minutes; accuracies are far below those of trained networks.
_FEW_RESIDUAL: Mapping[str, JSON] = {
    "width": 4, "num_steps": 200, "batch_size": 32, "num_ensemble": 3, "num_samples": 5,
}  # fmt: skip
_COIN_POINTS: Mapping[str, JSON] = {"tau": [1, 10, 100, 1000], "kappa": [0, 1, 2]}
_LOGISTIC_POINTS: Mapping[Scale, Mapping[str, JSON]] = {
    "smoke": {"tau": [1, 10], "kappa": [0, 1, 2], "num_test_batches": 20},
    "quick": {"tau": [1, 10], "kappa": [0, 1, 2], "num_test_batches": 100},
    "full": {"tau": [1, 10, 30, 100, 300, 1000, 10_000], "kappa": [0, 1, 2]},
}

SWEEPS: dict[str, Sweep] = {
    "testbed": Sweep(
        "testbed",
        "the dyadic testbed: D 2, 10, 100; lambda 1 to 1000; three temperatures; 5 environments",
        full=_testbed((2, 10, 100), RATIOS, TEMPERATURES, 5),
        quick=_testbed((2, 10), (10,), TEMPERATURES, 3),
        smoke=_testbed((2, 10), (10,), (0.1,), 1),
        config=CHAINS,
    ),
    "testbed-2d": Sweep(
        "testbed",
        "the 2-D testbed: 1 to 1000 rows, three temperatures, 10 environments",
        full=_plane(PLANE_ROWS, TEMPERATURES, 10),
        quick=_plane((10, 100), TEMPERATURES, 3),
        smoke=_plane((1, 10), (0.1,), 1),
        config=CHAINS,
    ),
    "testbed-tuning": Sweep(
        "testbed",
        "environments that choose configs for testbed, 5 to 9; never reported",
        full=_testbed((2, 10, 100), RATIOS, TEMPERATURES, 5, first=5),
        quick=_testbed((2, 10), (10,), TEMPERATURES, 3, first=5),
        smoke=_testbed((2, 10), (10,), (0.1,), 1, first=5),
        config=CHAINS,
    ),
    "testbed-2d-tuning": Sweep(
        "testbed",
        "environments that choose configs for testbed-2d, 10 to 14; never reported",
        full=_plane(PLANE_ROWS, TEMPERATURES, 5, first=10),
        quick=_plane((10, 100), TEMPERATURES, 3, first=10),
        smoke=_plane((1, 10), (0.1,), 1, first=10),
        config=CHAINS,
    ),
    "testbed-quick": Sweep(
        "testbed",
        "a first look: D 2 and 10, lambda 10, temperature 0.1, 2 environments",
        full=_testbed((2, 10), (10,), (0.1,), 2),
        quick=_testbed((2, 10), (10,), (0.1,), 2),
        smoke=_testbed((2, 10), (10,), (0.1,), 1),
        usual=("uniform", "prior", "mlp", "ensemble", "ensemble+"),
        config=CHAINS,
        scale="quick",
    ),
    "coins": Sweep(
        "testbed",
        "coins in closed form: what tau iid inputs, one anchor and two anchors tell apart",
        full=_coins((2, 10, 100, 1000), (0, 1, 10), 5),
        quick=_coins((10, 100, 1000), (0, 1), 2),
        smoke=_coins((10,), (0,), 1),
        subjects=("uniform", "posterior", "shared-bias", "floor"),
        seeds=ONE,
        settings={"smoke": _COIN_POINTS, "quick": _COIN_POINTS, "full": _COIN_POINTS},
    ),
    "logistic": Sweep(
        "testbed",
        "logistic regression without data, D 2 to 1000, tau to 10,000; exact or by particles",
        full=_logistic((2, 3, 5, 10, 100, 1000), 2),
        quick=_logistic((2, 10, 100), 1),
        smoke=_logistic((2, 10), 1),
        subjects=("uniform", "marginal", "prior", "floor"),
        seeds=ONE,
        settings=_LOGISTIC_POINTS,
    ),
    **REAL_SWEEPS,
    "ppc-quadratic": Sweep(
        "ppc",
        "the quadratic with a gap: 5 environments, tested in the gap and off it",
        full=_quadratic(5),
        quick=_quadratic(2),
        smoke=_quadratic(1),
        subjects=("ensemble", "dropout"),
    ),
    "ppc-quadratic-fresh": Sweep(
        "ppc",
        "the quadratic with a gap on 10 environments that had no part in how networks start",
        full=_quadratic(10, first=5),
        quick=_quadratic(2, first=5),
        smoke=_quadratic(1, first=5),
        subjects=("ensemble", "dropout"),
    ),
    "ppc-quick": Sweep(
        "ppc",
        "a first look: the quadratic with a gap, one environment",
        full=_quadratic(1),
        quick=_quadratic(1),
        smoke=_quadratic(1),
        subjects=("ensemble", "dropout"),
        scale="quick",
    ),
    "ppc-analytic": Sweep(
        "ppc",
        "observations around one latent mean, truth in closed form",
        full=_normal((100, 1000), 20),
        quick=_normal((100, 1000), 5),
        smoke=_normal((100,), 1),
        subjects=("posterior",),
    ),
    "ppc-corruptions": Sweep(
        "ppc",
        "images under 19 corruptions in 5 severities; quick: fashion_mnist, 1,000 of them",
        full=(
            *_corruptions("fashion_mnist", 50_000, 10_000),
            *_corruptions("mnist", 50_000, 10_000),
            *_corruptions("cifar10", 40_000, 10_000),
        ),
        quick=_corruptions("fashion_mnist", 20_000, 1_000),
        smoke=_corruptions("cmaterdb", 1_000, 100),
        subjects=tuple(IMAGE_MEMBERS),
        usual=("mlp-ensemble", "mlp-dropout", "cnn-ensemble", "cnn-dropout"),
        seeds=ONE,
        config={"smoke": _SMALL_IMAGES, "quick": _QUICK_IMAGES},
    ),
    "ppc-cifar10": Sweep(
        "ppc",
        "as ppc-cifar10-c by our own corruptions; quick: narrow networks, few steps, 200 images",
        full=_corruptions("cifar10", 40_000, 10_000),
        quick=_corruptions("cifar10", 10_000, 200),
        smoke=_corruptions("cifar10", 1_000, 100),
        subjects=tuple(IMAGE_MEMBERS),
        usual=("resnet20-ensemble", "resnet20-dropout"),
        seeds=ONE,
        config={"smoke": _SMALL_IMAGES, "quick": _FEW_RESIDUAL},
    ),
    "ppc-cifar10-c": Sweep(
        "ppc",
        "CIFAR-10-C as published; quick: the first 1,000 images",
        full=_corruptions("cifar10_c", 40_000, 10_000),
        quick=_corruptions("cifar10_c", 40_000, 1_000),
        smoke=_corruptions("cifar10_c", 1_000, 100),
        subjects=tuple(IMAGE_MEMBERS),
        usual=("resnet20-ensemble", "resnet20-dropout"),
        seeds=ONE,
        config={"smoke": _SMALL_IMAGES, "quick": _QUICK_IMAGES},
    ),
    **MI_SWEEPS,
}
# Sweeps whose configs can be tuned, and the sweep of other environments that chooses them.
TUNING: Mapping[str, str] = {
    "testbed": "testbed-tuning",
    "testbed-2d": "testbed-2d-tuning",
    "real": "real-tuning",
    "real-regimes": "real-regimes-tuning",
    "real-regimes-more": "real-regimes-more-tuning",
}
# A scenario's name runs its default sweep.
DEFAULT_SWEEPS: Mapping[str, str] = {
    "testbed": "testbed",
    "real": "real",
    "ppc": "ppc-quadratic",
    "mi": "mi",
}
# One word for several sweeps: what `run` accepts beside a sweep's name.
COLLECTIONS: Mapping[str, tuple[str, ...]] = {
    "quick": ("testbed-quick", "real-quick", "ppc-quick", "mi-quick"),
}

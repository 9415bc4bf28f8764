"""Sweeps: named sets of problems, each with a quick and a smoke twin that are stated subsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.mi_sweeps import MI_SWEEPS
from augury.engine.catalog.mi_sweeps import STAGES as STAGES
from augury.engine.catalog.problems import (
    CoinsProblem,
    LogisticProblem,
    NormalProblem,
    PlaneProblem,
    QuadraticProblem,
    RealProblem,
    TestbedProblem,
)
from augury.engine.catalog.settings import Scale
from augury.engine.catalog.sweep import DEFAULT_SEEDS as DEFAULT_SEEDS
from augury.engine.catalog.sweep import Sweep as Sweep
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


def _quadratic(environments: int) -> tuple[QuadraticProblem, ...]:
    return tuple(QuadraticProblem(r, e) for r, e in product(("gap", "iid"), range(environments)))


def _normal(rows: Iterable[int], environments: int) -> tuple[NormalProblem, ...]:
    grid = product(("latent", "iid"), rows, range(environments))
    return tuple(NormalProblem(*point) for point in grid)


def _coins(
    coins: Iterable[int], tosses_per_coin: Iterable[int], environments: int
) -> tuple[CoinsProblem, ...]:
    grid = product(coins, tosses_per_coin)
    return tuple(
        CoinsProblem(m, m * n, e) for m, n in grid for e in range(environments if n else 1)
    )


def _logistic(dims: Iterable[int], environments: int) -> tuple[LogisticProblem, ...]:
    return tuple(LogisticProblem(d, 0.01, e) for d, e in product(dims, range(environments)))


def _real(names: Iterable[str]) -> tuple[RealProblem, ...]:
    return tuple(RealProblem(name, DATASETS[name].num_train) for name in names)


# The published chain takes half a minute for each cell.
_CHAIN = {"num_steps": 20_000, "burn_in": 4_000, "save_every": 400}
_SHORT_CHAIN = {"num_steps": 50, "burn_in": 10, "save_every": 4}
_CHAINS: Mapping[Scale, Mapping[str, JSON]] = {
    "smoke": {f"sgmcmc.{name}": value for name, value in _SHORT_CHAIN.items()},
    "quick": {f"sgmcmc.{name}": value for name, value in _CHAIN.items()},
}
RATIOS, TEMPERATURES = (1, 10, 100, 1000), (0.01, 0.1, 0.5)
PLANE_ROWS = (1, 3, 10, 30, 100, 300, 1000)
_FEW: Mapping[Scale, tuple[int, ...]] = {"smoke": (0,), "quick": (0, 1), "full": (0, 1, 2, 3, 4)}

_ONE: Mapping[Scale, tuple[int, ...]] = {"smoke": (0,), "quick": (0,), "full": (0,)}
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
        config=_CHAINS,
    ),
    "testbed-2d": Sweep(
        "testbed",
        "the 2-D testbed: 1 to 1000 rows, three temperatures, 10 environments",
        full=_plane(PLANE_ROWS, TEMPERATURES, 10),
        quick=_plane((10, 100), TEMPERATURES, 3),
        smoke=_plane((1, 10), (0.1,), 1),
        config=_CHAINS,
    ),
    "testbed-tuning": Sweep(
        "testbed",
        "environments that choose configs for testbed, 5 to 9; never reported",
        full=_testbed((2, 10, 100), RATIOS, TEMPERATURES, 5, first=5),
        quick=_testbed((2, 10), (10,), TEMPERATURES, 3, first=5),
        smoke=_testbed((2, 10), (10,), (0.1,), 1, first=5),
        config=_CHAINS,
    ),
    "testbed-2d-tuning": Sweep(
        "testbed",
        "environments that choose configs for testbed-2d, 10 to 14; never reported",
        full=_plane(PLANE_ROWS, TEMPERATURES, 5, first=10),
        quick=_plane((10, 100), TEMPERATURES, 3, first=10),
        smoke=_plane((1, 10), (0.1,), 1, first=10),
        config=_CHAINS,
    ),
    "testbed-quick": Sweep(
        "testbed",
        "a first look: D 2 and 10, lambda 10, temperature 0.1, 2 environments",
        full=_testbed((2, 10), (10,), (0.1,), 2),
        quick=_testbed((2, 10), (10,), (0.1,), 2),
        smoke=_testbed((2, 10), (10,), (0.1,), 1),
        usual=("uniform", "prior", "mlp", "ensemble", "ensemble+"),
        config=_CHAINS,
        scale="quick",
    ),
    "coins": Sweep(
        "testbed",
        "coins in closed form: what tau iid inputs, one anchor and two anchors tell apart",
        full=_coins((2, 10, 100, 1000), (0, 1, 10), 5),
        quick=_coins((10, 100, 1000), (0, 1), 2),
        smoke=_coins((10,), (0,), 1),
        subjects=("uniform", "posterior", "shared-bias", "floor"),
        seeds=_ONE,
        settings={"smoke": _COIN_POINTS, "quick": _COIN_POINTS, "full": _COIN_POINTS},
    ),
    "logistic": Sweep(
        "testbed",
        "logistic regression without data, D 2 to 1000, tau to 10,000; exact or by particles",
        full=_logistic((2, 3, 5, 10, 100, 1000), 2),
        quick=_logistic((2, 10, 100), 1),
        smoke=_logistic((2, 10), 1),
        subjects=("uniform", "marginal", "prior", "floor"),
        seeds=_ONE,
        settings=_LOGISTIC_POINTS,
    ),
    "real": Sweep(
        "real",
        "ten real data sets at full size; quick: the four that are shipped",
        full=_real(DATASETS),
        quick=_real(name for name, card in DATASETS.items() if card.bundled),
        smoke=_real(("iris",)),
        config=_CHAINS,
        seeds=_FEW,
    ),
    "real-quick": Sweep(
        "real",
        "a first look: iris",
        full=_real(("iris",)),
        quick=_real(("iris",)),
        smoke=_real(("iris",)),
        usual=("uniform", "mlp", "ensemble", "ensemble+"),
        config=_CHAINS,
        scale="quick",
    ),
    "ppc-quadratic": Sweep(
        "ppc",
        "the quadratic with a gap: 5 environments, tested in the gap and off it",
        full=_quadratic(5),
        quick=_quadratic(2),
        smoke=_quadratic(1),
        subjects=("ensemble",),
    ),
    "ppc-quick": Sweep(
        "ppc",
        "a first look: the quadratic with a gap, one environment",
        full=_quadratic(1),
        quick=_quadratic(1),
        smoke=_quadratic(1),
        subjects=("ensemble",),
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
    **MI_SWEEPS,
}
# Sweeps whose configs can be tuned, and the sweep of other environments that chooses them.
TUNING: Mapping[str, str] = {"testbed": "testbed-tuning", "testbed-2d": "testbed-2d-tuning"}
# Where cells of problems in files are recorded: no board mixes them with a sweep's own.
FILES = "files"
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

"""How seconds grow with cells, members, rows and steps: exponents of fitted power laws.

`XLA_FLAGS=--xla_cpu_multi_thread_eigen=false taskset -c 0 ./test -m slow -s
tests/bench/test_growth_bench.py` prints an exponent and its 95 % interval for each; compile time,
which does not grow, is left out. What it asserts is the number of compilations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from augury.engine.types import Cell
from tests.bench.measured import cost

pytestmark = pytest.mark.slow


def _maker(config: Mapping[str, Any], ratio: int = 10) -> Callable[[int], Cell]:
    def make(number: int) -> Cell:
        problem = f"testbed/d10-l{ratio}-t0.1/e{number}"
        return Cell("testbed", problem, "ensemble+", dict(config), {}, 0)

    return make


class Point(NamedTuple):
    """One measurement: what grows, the cells, how many of them and their steps."""

    size: int
    make: Callable[[int], Cell]
    cells: int
    steps: int


SMALL = {"num_ensemble": 10, "num_steps": 200}
GRIDS: dict[str, list[Point]] = {
    "cells": [Point(n, _maker(SMALL), n, 200) for n in (4, 8, 16, 32)],
    "members": [Point(n, _maker(SMALL | {"num_ensemble": n}), 3, 200) for n in (10, 20, 50, 100)],
    "rows": [Point(10 * ratio, _maker(SMALL, ratio), 3, 200) for ratio in (1, 10, 100, 1000)],
    "steps": [Point(n, _maker(SMALL | {"num_steps": n}), 3, n) for n in (200, 400, 800, 1600)],
}


@pytest.mark.parametrize("axis", GRIDS)
@pytest.mark.timeout(1_200)
def test_growth(axis: str) -> None:
    """Least squares of log seconds on log size, three measurements a size."""
    sizes, seconds = [], []
    for point in GRIDS[axis]:
        for _ in range(3):
            spent = cost(point.make, point.steps, point.cells)
            sizes.append(np.log(point.size))
            seconds.append(np.log(spent.cpu * (spent.cells if axis == "cells" else 1)))
    fit: Any = stats.linregress(sizes, seconds)
    half = stats.t.ppf(0.975, len(sizes) - 2) * fit.stderr
    print(
        f"\n{axis}: seconds ~ size^{fit.slope:.2f}, 95 % interval "
        f"[{fit.slope - half:.2f}, {fit.slope + half:.2f}]"
    )

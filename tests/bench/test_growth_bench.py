"""How seconds grow with cells, members, rows and steps: exponents of fitted power laws.

`XLA_FLAGS=--xla_cpu_multi_thread_eigen=false taskset -c 0 ./test -m slow -s
tests/bench/test_growth_bench.py` prints an exponent and its 95 % interval for each; compile time,
which does not grow, is left out. What it asserts is the number of compilations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from scipy import stats

from augury.engine.types import Cell
from tests.bench.measured import cost

pytestmark = pytest.mark.slow


def _cells(config: Mapping[str, Any], number: int = 1, ratio: int = 10) -> list[Cell]:
    return [
        Cell("testbed", f"testbed/d10-l{ratio}-t0.1/e{i}", "ensemble+", dict(config), {}, 0)
        for i in range(number)
    ]


SMALL = {"num_ensemble": 10, "num_steps": 200}
GRIDS: dict[str, list[tuple[int, list[Cell], int]]] = {
    "cells": [(n, _cells(SMALL, n), 200) for n in (4, 8, 16, 32)],
    "members": [
        (n, _cells({"num_ensemble": n, "num_steps": 200}, 3), 200) for n in (10, 20, 50, 100)
    ],
    "rows": [(10 * ratio, _cells(SMALL, 3, ratio), 200) for ratio in (1, 10, 100, 1000)],
    "steps": [
        (n, _cells({"num_ensemble": 10, "num_steps": n}, 3), n) for n in (200, 400, 800, 1600)
    ],
}


@pytest.mark.parametrize("axis", GRIDS)
@pytest.mark.timeout(1_200)
def test_growth(axis: str) -> None:
    """Least squares of log seconds on log size, three measurements a size."""
    sizes, seconds = [], []
    for size, cells, steps in GRIDS[axis]:
        for _ in range(3):
            spent = cost(cells, steps)
            sizes.append(np.log(size))
            seconds.append(np.log(spent.cpu * (spent.cells if axis == "cells" else 1)))
    fit: Any = stats.linregress(sizes, seconds)
    half = stats.t.ppf(0.975, len(sizes) - 2) * fit.stderr
    print(
        f"\n{axis}: seconds ~ size^{fit.slope:.2f}, 95 % interval "
        f"[{fit.slope - half:.2f}, {fit.slope + half:.2f}]"
    )

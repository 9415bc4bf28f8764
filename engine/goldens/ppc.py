"""Posterior predictive checks against closed forms: `python -m augury.engine.goldens.ppc`.

All numbers of the file of known ones that the code computes, in closed form (`ppc_exact`) or by
drawing (`ppc_drawn`); then limits of the latent-mean model of arXiv:2112.01477 (Eq. 3.1) and of
Cramer-von Mises statistics; then the quadratic with a gap of its section 4.1, where the paper
states verdicts only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.stats import kstest

from augury.engine.catalog.problems import NormalProblem
from augury.engine.goldens.ppc_drawn import drawn
from augury.engine.goldens.ppc_exact import exact, left_out
from augury.engine.goldens.ppc_gap import gap
from augury.engine.goldens.table import Row, leave, show_whole
from augury.engine.problems import normal
from augury.engine.randomness import generator
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import replicate
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.predictive import Mode
from augury.engine.statistics.verdict import Check

ROWS = 1_000
REPLICATES = 20_000  # standard error of a p-value: .0035 at most
DATASETS = 200  # p varies over data sets by 2 phi(theta) / sqrt(ROWS) <= .023
CVM_SHARPNESS = 0.4247994  # 95 % minus 5 % quantile of the Cramer-von Mises law


def rows(environments: Sequence[int] = range(5)) -> Iterator[Row]:
    """All comparisons; the last ones train an ensemble and a network with dropout for each."""
    yield from exact()
    yield from drawn()
    yield from limits()
    yield from gap(environments)


def limits() -> Iterator[Row]:
    """Both modes under a latent mean and under fresh means, at `ROWS` rows."""
    model = LatentNormal(0.0, 1.0, 1.0, ROWS)
    statistics = bind(["calibration"], model)

    def drawn(mode: Mode, size: int) -> np.ndarray:
        members, noise = (generator(f"goldens/ppc/{mode}/{part}") for part in ("theta", "noise"))
        return replicate(model, statistics, mode, size, members, noise)["calibration"]

    bayesian, independent = drawn("bayesian", REPLICATES), drawn("independent", REPLICATES // 4)
    data = generator("goldens/ppc/data")
    for theta in (0.5, 1.0, 2.0):
        observed = statistics(theta + data.standard_normal((DATASETS, ROWS)))["calibration"]
        limit = normal.limit_p_value(NormalProblem("latent", ROWS), theta, "bayesian")
        assert limit is not None
        ours = [Check("bayesian", value, bayesian, 0).p_value for value in observed]
        yield Row(f"bayesian p, theta {theta:g}", limit, float(np.mean(ours)), 0.02)
        least = min(Check("independent", value, independent, 0).p_value for value in observed)
        yield Row(f"independent p, theta {theta:g}, least", 1.0, least, 0.001)
    fresh = statistics(np.sqrt(2.0) * data.standard_normal((DATASETS, ROWS)))["calibration"]
    most = max(Check("bayesian", value, bayesian, 0).p_value for value in fresh)
    yield Row("bayesian p, fresh means, largest", 0.0, most, 0.0)
    found = [Check("independent", value, independent, 0).p_value for value in fresh]
    # 1.95 / sqrt(n): one true model in a thousand lies beyond.
    distance = float(kstest(found, "uniform").statistic)
    yield Row("independent p, fresh means, KS from uniform", 0.0, distance, 1.95 / DATASETS**0.5)
    wide = Check("bayesian", 0.0, bayesian, 0)
    # A thousand rows add about p (1 - p) / n = .0002 to the calibration error.
    yield Row("bayesian sharpness", 0.1691464, wide.sharpness, 4 * wide.sharpness_stderr + 2e-4)
    narrow = Check("independent", 0.0, independent, 0)
    yield Row("independent sharpness times rows", CVM_SHARPNESS, narrow.sharpness * ROWS,
              4 * narrow.sharpness_stderr * ROWS)  # fmt: skip


def main() -> int:
    """Print the table, and what of the file is in it; 1 if a number is out of tolerance."""
    missing = ((", ".join(names), reason) for reason, names in left_out().items())
    return show_whole(rows(), missing, width=70)


if __name__ == "__main__":
    leave(main)

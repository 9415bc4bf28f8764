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

from augury.engine.catalog.problems import NormalProblem, QuadraticProblem
from augury.engine.goldens.ppc_drawn import drawn
from augury.engine.goldens.ppc_exact import exact
from augury.engine.goldens.table import Row, leave, show
from augury.engine.problems import normal
from augury.engine.randomness import generator
from augury.engine.scenarios.ppc import run_batch
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import replicate
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.predictive import Mode
from augury.engine.statistics.verdict import Check
from augury.engine.types import BatchContext, Cell, CellFinished, Progress

ROWS = 1_000
REPLICATES = 20_000  # standard error of a p-value: .0035 at most
DATASETS = 200  # p varies over data sets by 2 phi(theta) / sqrt(ROWS) <= .023
CVM_SHARPNESS = 0.4247994  # 95 % minus 5 % quantile of the Cramer-von Mises law
NUM_TEST = {"gap": 500, "iid": 200}


def rows(environments: Sequence[int] = range(5)) -> Iterator[Row]:
    """All comparisons; the last ones train an ensemble for each environment."""
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


def gap(environments: Sequence[int]) -> Iterator[Row]:
    """The quadratic: in the gap the independent ensemble fails and the bayesian passes.

    One p-value strictly between 0 and 1 would show little; several must vary as of a right model.
    """
    cells = [
        Cell("ppc", QuadraticProblem(region, environment).id, "ensemble")
        for environment in environments
        for region in NUM_TEST
    ]
    named = {cell.cell_id: cell.problem.removeprefix("ppc/quadratic-") for cell in cells}
    done: list[CellFinished] = []

    def emit(event: Progress | CellFinished) -> None:
        if isinstance(event, CellFinished):
            done.append(event)

    run_batch(cells, emit, BatchContext())
    found: dict[tuple[str, str], list[float]] = {}
    for cell in done:
        where = named[cell.cell_id]
        region = where.split("/")[0]
        value = {(row.metric, row.split): row.value for row in cell.rows}
        number = lambda metric, mode, v=value: _number(v[metric, mode])  # noqa: E731
        p, bayesian = number("p_value", "independent"), number("p_value", "bayesian")
        found.setdefault((region, "bayesian"), []).append(bayesian)
        if region == "gap":
            yield Row(f"{where} independent p", 1.0, p, 0.0)
            # It passes where 0 < p < 1: a distance below 1/2 from the middle.
            yield Row(f"{where} bayesian p (passes within .4999)", 0.5, bayesian, 0.4999)
            ratio = number("sharpness", "independent") / number("sharpness", "bayesian")
            yield Row(f"{where} sharpness, independent to bayesian", 0.0, ratio, 0.2)
        else:
            found.setdefault((region, "independent"), []).append(p)
        scaled = number("sharpness", "independent") * NUM_TEST[region]
        yield Row(f"{where} independent sharpness times rows", CVM_SHARPNESS, scaled,
                  0.2 * CVM_SHARPNESS)  # fmt: skip
    for (region, mode), p_values in found.items():
        yield spread(f"quadratic-{region} {mode} p, spread", p_values)


def spread(name: str, p_values: Sequence[float]) -> Row:
    """Mean of 12 (p - 1/2)^2, which no model that is right exceeds 1 by much.

    A p-value of data that the model itself expects is uniform, with mean 1 of this, or nearer to
    1/2 (Meng 1994, doi:10.1214/aos/1176325622). It is at most 3, where every p is 0 or 1. For
    uniform p its variance is 4/5; about one right model in a thousand lies beyond.
    """
    n = len(p_values)
    value = 12 * float(np.mean((np.asarray(p_values) - 0.5) ** 2))
    return Row(name, 0.0, value, 1.0 + min(3.4 * (0.8 / n) ** 0.5, 1.994))


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


if __name__ == "__main__":
    leave(lambda: show(rows(), width=70))

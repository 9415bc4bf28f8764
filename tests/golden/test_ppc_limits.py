"""Limits of the analytic problems in both modes, beside those of the table of known numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kstest

from augury.engine.problems import normal
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import check, replicate
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.predictive import MODES, Mode
from augury.engine.statistics.verdict import Check

GOLDEN = json.loads((Path(__file__).parent / "data" / "ppc.json").read_text())
rng = np.random.default_rng


def errors(rows: int, mode: Mode, size: int, seed: int) -> np.ndarray:
    """Calibration errors of replicates of the latent-mean model."""
    model = LatentNormal(0.0, 1.0, 1.0, rows)
    drawn = replicate(model, bind(["calibration"], model), mode, size, rng(seed), rng(seed + 1))
    return drawn["calibration"]


@pytest.fixture(scope="module")
def replicates() -> dict[Mode, np.ndarray]:
    """20,000 bayesian replicates of 1,000 rows (standard error of p <= .0035)."""
    return {"bayesian": errors(1000, "bayesian", 20_000, 0),
            "independent": errors(1000, "independent", 2_000, 10)}  # fmt: skip


@pytest.mark.parametrize("theta", [0.5, 1.0, 2.0])
def test_one_latent_mean(replicates: dict[Mode, np.ndarray], theta: float) -> None:
    """200 data sets: their p varies by 2 phi(theta) / sqrt(1000) <= .023, its mean by .0016."""
    model = LatentNormal(0.0, 1.0, 1.0, 1000)
    y = theta + rng(3).standard_normal((200, 1000))
    observed = bind(["calibration"], model)(y)["calibration"]
    p = {
        mode: [Check(mode, value, drawn, 0).p_value for value in observed]
        for mode, drawn in replicates.items()
    }
    limit = normal.limit_p_value(normal.NormalProblem("latent", 1000), theta, "bayesian")
    assert limit is not None
    assert abs(np.mean(p["bayesian"]) - limit) <= 0.02
    assert min(p["independent"]) >= 0.999


def test_a_fresh_mean_for_each_row(replicates: dict[Mode, np.ndarray]) -> None:
    model = LatentNormal(0.0, 1.0, 1.0, 1000)
    y = np.sqrt(2.0) * rng(4).standard_normal((500, 1000))
    observed = bind(["calibration"], model)(y)["calibration"]
    assert max(Check("bayesian", v, replicates["bayesian"], 0).p_value for v in observed) == 0.0
    independent = [Check("independent", v, replicates["independent"], 0).p_value for v in observed]
    assert kstest(independent, "uniform").pvalue > 0.001


def test_bayesian_quantiles_reach_the_limit(replicates: dict[Mode, np.ndarray]) -> None:
    golden = GOLDEN["theta_example"]["bayes_CE_inf_quantiles_99"]
    found = Check("bayesian", 0.0, replicates["bayesian"], 0)
    # A thousand rows add about p(1-p)/n = .00017 to the calibration error.
    assert abs(found.sharpness - golden["sharpness"]) <= 4 * found.sharpness_stderr + 2e-4
    expected = GOLDEN["theta_example"]["n_finite_expected_T"]["1000"]["bayes_99"]
    stderr = found.replicates.std() / np.sqrt(len(found.replicates))
    assert abs(found.replicates.mean() - expected) <= 4 * stderr


@pytest.mark.parametrize("mode", MODES)
def test_one_observation_is_uniform_in_both_modes(mode: Mode) -> None:
    model = LatentNormal(0.0, 1.0, 1.0, 3)
    y = np.array([0.7, -1.0, 2.0])
    found = check(model, y, bind(["first"], model), mode, 20_000, rng(1), rng(2))["first"]
    assert abs(found.p_value - model.cdf(y)[0]) <= 4 * found.stderr
    assert abs(found.sharpness - 0.9) <= 4 * found.sharpness_stderr

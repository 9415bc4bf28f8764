"""Limits of the analytic problems in both modes; tolerances come from standard errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kstest

from augury.engine.problems import normal
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import check, replicate
from augury.engine.statistics.classes import categorical_mixture
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.mixture import normal_mixture
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


@pytest.mark.parametrize("rows", [100, 200, 500])
def test_independent_mode_is_distribution_free(rows: int) -> None:
    """Whatever the members, F_i are independent and uniform: n T has the Cramer-von Mises law."""
    golden = GOLDEN["null_calibration_indep"][f"n{rows}_99levels_mc20000"]
    seed = rng(rows)
    mean, scale = seed.normal(size=(5, rows)) * 2.0, np.exp(seed.normal(size=(5, rows)))
    model = normal_mixture(mean, scale)
    statistics = bind(["calibration"], model)
    drawn = replicate(model, statistics, "independent", 5_000, rng(1), rng(2))["calibration"]
    found = Check("independent", 0.0, drawn, 5)
    stderr = np.hypot(found.sharpness_stderr, found.sharpness_stderr / 2)  # golden: 20,000 draws
    assert abs(found.sharpness - golden["sharp"]) <= 4 * stderr
    limit = GOLDEN["null_calibration_indep"]["cvm_limit_quantiles_of_n*integral"]
    assert abs(found.sharpness * rows / limit["sharpness_times_n"] - 1.0) <= 0.1
    assert abs(drawn.mean() - golden["exact_mean"]) <= 4 * drawn.std() / np.sqrt(len(drawn))


@pytest.mark.parametrize("rows", [1, 10, 100, 1000])
@pytest.mark.parametrize("mode", MODES)
def test_mean_of_observations(rows: int, mode: Mode) -> None:
    """At .5: Phi(.5/sqrt(1 + 1/n)) bayesian, Phi(.5/sqrt(2/n)) independent."""
    golden = GOLDEN["theta_example"]["mean_stat_p_ybar0.5"][str(rows)][
        "bayes" if mode == "bayesian" else "indep"
    ]
    model = LatentNormal(0.0, 1.0, 1.0, rows)
    found = check(model, np.full(rows, 0.5), bind(["mean"], model), mode, 10_000, rng(1), rng(2))[
        "mean"
    ]
    assert abs(found.p_value - golden) <= 4 * found.stderr


@pytest.mark.parametrize("mode", MODES)
def test_conjugate_normal_mean(mode: Mode) -> None:
    golden = GOLDEN["conjugate_normal"]
    short = "bayes" if mode == "bayesian" else "indep"
    y = np.array(golden["y_test"])
    model = LatentNormal(golden["post_mean"], golden["post_var"], golden["sigma2"], len(y))
    found = check(model, y, bind(["mean"], model), mode, 40_000, rng(5), rng(6))["mean"]
    assert abs(found.p_value - golden[f"p_mean_{short}"]) <= 4 * found.stderr
    assert abs(found.sharpness - golden[f"sharp_mean_{short}"]) <= 4 * found.sharpness_stderr


@pytest.mark.parametrize("mode", MODES)
def test_one_observation_is_uniform_in_both_modes(mode: Mode) -> None:
    model = LatentNormal(0.0, 1.0, 1.0, 3)
    y = np.array([0.7, -1.0, 2.0])
    found = check(model, y, bind(["first"], model), mode, 20_000, rng(1), rng(2))["first"]
    assert abs(found.p_value - model.cdf(y)[0]) <= 4 * found.stderr
    assert abs(found.sharpness - 0.9) <= 4 * found.sharpness_stderr


def test_half_of_the_rows_below_the_median() -> None:
    golden = GOLDEN["theta_example"]
    model = LatentNormal(0.0, 1.0, 1.0, 1000)
    drawn = replicate(model, bind(["below_half"], model), "bayesian", 5_000, rng(7), rng(8))[
        "below_half"
    ]
    observed = golden["frac_theta0.5"]["0.5"]
    found = Check("bayesian", observed, drawn, 0)
    # The grid of 1/1000 and the binomial spread of a replicate shift p by less than .001.
    assert abs(found.p_value - golden["statistic_frac_below_half_n_inf"]["p_at_theta0.5"]) <= (
        4 * found.stderr + 0.001
    )
    assert abs(found.sharpness - 0.9) <= 4 * found.sharpness_stderr + 0.002


def test_accuracy_of_three_members_on_four_rows() -> None:
    """Exact laws of the number of hits, where independent spreads *more* than bayesian."""
    golden = GOLDEN["accuracy_bayes_vs_indep"]
    hit = np.array(golden["a_member_by_point"])
    # Class 0 must be the mixture's choice, which it is when the rest is spread over many classes.
    others = np.repeat((1.0 - hit)[..., None] / 9.0, 9, -1)
    model = categorical_mixture(np.concatenate([hit[..., None], others], -1))
    size = 100_000
    for mode, short in zip(MODES, ("bayes", "indep"), strict=True):
        labels = np.array([0, 0, 1, 1])  # accuracy one half
        found = check(model, labels, bind(["accuracy"], model), mode, size, rng(1), rng(2))[
            "accuracy"
        ]
        assert abs(found.p_value - golden["p_strict_obs0.5"][short]) <= 4 * found.stderr
        drawn = found.replicates
        assert abs(drawn.mean() - golden["mean_both"]) <= 4 * drawn.std() / np.sqrt(size)
        variance = golden[f"var_{short}"]
        spread = np.sqrt(((drawn - drawn.mean()) ** 2).var() / size)
        assert abs(drawn.var() - variance) <= 4 * spread


@pytest.mark.parametrize("rows", [100, 1000])
def test_two_members_with_one_hit_rate_each(rows: int) -> None:
    golden = GOLDEN["accuracy_bayes_vs_indep"][f"two_members_.9_.6_N{rows}"]
    hit = np.repeat([[0.9], [0.6]], rows, 1)
    model = categorical_mixture(np.stack([hit, 1.0 - hit], -1))
    size = 8_000
    for mode, short in zip(MODES, ("bayes", "indep"), strict=True):
        drawn = replicate(model, bind(["accuracy"], model), mode, size, rng(1), rng(2))["accuracy"]
        spread = np.sqrt(((drawn - drawn.mean()) ** 2).var() / size) / (2 * drawn.std())
        assert abs(drawn.std() - golden[f"sd_{short}"]) <= 4 * spread


@pytest.mark.parametrize("rows", [100, 1000])
def test_ece_of_a_perfect_model_is_not_zero(rows: int) -> None:
    hit = np.full((2, rows), 0.8)
    model = categorical_mixture(np.stack([hit, 1.0 - hit], -1))
    drawn = replicate(model, bind(["ece"], model), "bayesian", 10_000, rng(1), rng(2))["ece"]
    golden = GOLDEN[f"ece_null_one_bin_n{rows}_p.8"]
    assert abs(drawn.mean() - golden) <= 4 * drawn.std() / np.sqrt(len(drawn))

"""Every number of goldens/ppc.json that the code computes without random draws."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from augury.engine.agents.posterior import update
from augury.engine.problems import normal
from augury.engine.statistics import calibration, classification, confidence, values
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.statistics.verdict import Check, false_fail_rate

GOLDEN = json.loads((Path(__file__).parent / "data" / "ppc.json").read_text())
THETA = GOLDEN["theta_example"]


@pytest.mark.parametrize(("name", "theta"), [("0", 0.0), ("0.5", 0.5), ("1", 1.0)])
def test_limit_fractions(name: str, theta: float) -> None:
    for level, golden in THETA[f"frac_theta{name}"].items():
        assert normal.limit_fraction(theta, float(level)) == pytest.approx(golden, rel=1e-12)


@pytest.mark.parametrize("theta", THETA["asymptotic_ce"])
def test_limit_errors(theta: str) -> None:
    golden, value = THETA["asymptotic_ce"][theta], float(theta)
    assert normal.limit_error(value) == pytest.approx(golden["integral_closed"], abs=1e-12)
    for levels in (9, 19, 99):
        ours = normal.limit_error_levels(value, levels)
        assert ours == pytest.approx(golden[f"mean_{levels}"], rel=1e-12)


def test_limit_error_grows_with_theta_up_to_a_third() -> None:
    grid = np.linspace(0.0, 8.0, 401)
    assert (np.diff(normal.limit_error(grid)) > 0).all()
    assert (np.diff(normal.limit_error_levels(grid, 9)) > 0).all()
    assert normal.limit_error(40.0) == pytest.approx(THETA["ce_sup_theta_inf_integral"], abs=1e-12)
    assert normal.limit_error(0.0) == pytest.approx(THETA["ce_theta0_value"], abs=1e-15)


@pytest.mark.parametrize("rows", [20, 100, 1000])
def test_expected_error_of_finite_replicates(rows: int) -> None:
    golden = THETA["n_finite_expected_T"][str(rows)]
    bayesian = normal.expected_error(rows, "bayesian")
    assert bayesian == pytest.approx(golden["bayes_99"], rel=1e-12)
    independent = normal.expected_error(rows, "independent")
    assert independent == pytest.approx(golden["indep_99"], rel=1e-12)
    assert independent * rows == pytest.approx(THETA["indep_mean_ce_times_n_99"])
    nine = normal.expected_error(rows, "independent", 9) * rows
    assert nine == pytest.approx(THETA["indep_mean_ce_times_n_9"])


def test_mean_of_the_limit_over_the_prior() -> None:
    rows = 10**12
    for levels in (9, 99):
        ours = normal.expected_error(rows, "bayesian", levels)
        assert ours == pytest.approx(THETA[f"prior_mean_ce_{levels}"], abs=1e-9)


@pytest.mark.parametrize("theta", ["0", "0.5", "1", "2"])
def test_limit_p_values(theta: str) -> None:
    problem = normal.NormalProblem("latent", 10)
    ours = normal.limit_p_value(problem, float(theta), "bayesian")
    assert ours == pytest.approx(THETA["n_inf_pvalue_of_CE"][theta], abs=1e-14)
    assert normal.limit_p_value(problem, float(theta), "independent") == 1.0
    iid = normal.NormalProblem("iid", 10)
    assert normal.limit_p_value(iid, None, "bayesian") == 0.0
    assert normal.limit_p_value(iid, None, "independent") is None


def test_conjugate_normal() -> None:
    golden = GOLDEN["conjugate_normal"]
    before, spread = golden["prior"]
    mean, variance = update(np.array(golden["y_train"]), before, spread, golden["sigma2"])
    assert mean == pytest.approx(golden["post_mean"], rel=1e-14)
    assert variance == pytest.approx(golden["post_var"], rel=1e-14)
    y = np.array(golden["y_test"])
    predictive = LatentNormal(mean, variance, golden["sigma2"], len(y))
    cdf = predictive.cdf(y)
    assert cdf == pytest.approx(golden["F_test"], rel=1e-12)
    assert calibration.calibration_error(cdf, 9) == pytest.approx(golden["cal_9_mean"])
    assert calibration.calibration_error(cdf, 9, "sum") == pytest.approx(golden["cal_9_sum"])
    assert calibration.coverage(cdf) == golden["picp90_central"]
    assert values.mean_value(y) == pytest.approx(golden["mean_test"], rel=1e-14)
    assert predictive.log_density(y).mean() == pytest.approx(golden["log_score_mean"], rel=1e-12)


def test_regression_calibration_by_hand() -> None:
    golden = GOLDEN["regcal_hand"]
    cdf = np.array(golden["F"])
    assert calibration.observed_fractions(cdf, 9) == pytest.approx(golden["phat_9"], abs=1e-15)
    assert calibration.calibration_error(cdf, 9) == pytest.approx(golden["mean_sq_9"])
    assert calibration.calibration_error(cdf, 9, "sum") == pytest.approx(golden["sum_sq_9"])
    absolute = calibration.calibration_error(cdf, 9, "absolute")
    assert absolute == pytest.approx(golden["mean_abs_9"])
    for level in (50, 80, 90, 95):
        assert calibration.coverage(cdf, level / 100) == golden[f"picp{level}"]
    assert calibration.kolmogorov_smirnov(cdf) == pytest.approx(golden["ks"], rel=1e-14)
    assert calibration.cramer_von_mises(cdf) == pytest.approx(golden["cvm_W2"], rel=1e-14)


def test_mixture_by_hand() -> None:
    golden = GOLDEN["mixture_hand"]
    columns = np.array([golden["mu"], golden["sigma"]])[..., None]
    mixture = normal_mixture(*columns)
    y = np.array([golden["y"]])
    assert mixture.cdf(y)[0] == pytest.approx(golden["F"], rel=1e-14)
    assert np.exp(mixture.log_density(y)[0]) == pytest.approx(golden["pdf"], rel=1e-14)
    assert -mixture.log_density(y)[0] == pytest.approx(golden["nll"], rel=1e-14)
    mean, aleatoric, epistemic = (m[0] for m in mixture.moments())
    assert mean == pytest.approx(golden["mean"], rel=1e-14)
    assert aleatoric == pytest.approx(golden["aleatoric"], rel=1e-14)
    assert epistemic == pytest.approx(golden["epistemic"], rel=1e-14)
    assert aleatoric + epistemic == pytest.approx(golden["var"], rel=1e-14)


@pytest.mark.parametrize("bins", [1, 10, 15])
def test_ece_by_hand(bins: int) -> None:
    golden = GOLDEN["ece_hand"]
    ours = confidence.confidence_error(np.array(golden["conf"]), np.array(golden["correct"]), bins)
    assert ours == pytest.approx(golden[f"B{bins}"]["right_closed"], abs=1e-15)


def test_classification_by_hand() -> None:
    golden = GOLDEN["classification_hand"]
    probs, labels = np.array(golden["P"]), np.array(golden["y"])
    assert classification.accuracy(probs, labels) == pytest.approx(golden["accuracy"])
    assert classification.nll(probs, labels) == pytest.approx(golden["nll"], rel=1e-14)
    assert classification.brier(probs, labels) == pytest.approx(golden["brier_0to2"], rel=1e-14)
    for bins in (5, 10, 15):
        ours = classification.ece(probs, labels, bins)
        assert ours == pytest.approx(golden[f"ece_{bins}_right"], abs=1e-15)


@pytest.mark.parametrize("observed", ["0.05", "0.1", "0.3", "0.55", "0.9", "0.95"])
def test_p_values_by_hand(observed: str) -> None:
    golden = GOLDEN["pvalue_hand"]
    check = Check("bayesian", float(observed), np.array(golden["T"]), 2)
    row = golden[f"obs{observed}"]
    assert check.p_value == row["strict_lt"]
    assert check.mid_p == pytest.approx(row["mid"], abs=1e-15)
    assert check.passes is row["pass_strict_rule"]
    assert check.passes_range is row["pass_minmax_inclusive"]
    assert check.sharpness == pytest.approx(golden["sharpness"]["linear"], rel=1e-14)


@pytest.mark.parametrize("count", GOLDEN["false_fail_rate"].keys() - {"formula"})
def test_false_fail_rates(count: str) -> None:
    assert false_fail_rate(int(count)) == pytest.approx(GOLDEN["false_fail_rate"][count])


def test_floor_of_few_members() -> None:
    for name, golden in GOLDEN["ensemble_effective_false_fail_n_inf"]["approx 2/(M+1)"].items():
        assert false_fail_rate(int(name[1:])) == pytest.approx(golden)

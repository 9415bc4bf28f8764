"""Numbers of posterior predictive checks that are known without a random draw, one by one.

Names are places in the file of known numbers, so that what is left out can be counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from augury.engine.agents.posterior import update
from augury.engine.catalog.problems import NormalProblem
from augury.engine.goldens.table import Row, data_file
from augury.engine.problems import normal
from augury.engine.statistics import calibration, classification, confidence, values
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.statistics.verdict import Check, false_fail_rate, fresh_fail_rate

EXACT = 1e-12
_MANY = 99_999  # levels in place of an integral: off by less than `_INTEGRAL`
_SUM = _MANY / (_MANY + 1)  # the trapezoid rule, for both ends are 0
_INTEGRAL = 1e-9
_HUGE = 10**12  # rows or replicates in place of infinity


def known() -> Mapping[str, Any]:
    """The file of known numbers. Raises `AuguryError` where the project is installed without it."""
    return json.loads(data_file("ppc.json").read_text())


def exact() -> Iterator[Row]:
    """Closed forms and numbers by hand."""
    golden = known()
    yield from _limits("theta_example", golden["theta_example"])
    yield from _conjugate("conjugate_normal", golden["conjugate_normal"])
    yield from _confidences("ece_hand", golden["ece_hand"])
    yield from _labels("classification_hand", golden["classification_hand"])
    yield from _regression("regcal_hand", golden["regcal_hand"])
    yield from _mixture("mixture_hand", golden["mixture_hand"])
    yield from _verdicts("pvalue_hand", golden["pvalue_hand"])
    for size, rate in golden["false_fail_rate"].items():
        if size != "formula":
            yield Row(f"false_fail_rate/{size}", rate, false_fail_rate(int(size)), EXACT)
    floors = "ensemble_effective_false_fail_n_inf/approx 2/(M+1)"
    for name, rate in golden["ensemble_effective_false_fail_n_inf"]["approx 2/(M+1)"].items():
        ours = fresh_fail_rate(_HUGE, int(name.removeprefix("M")))
        yield Row(f"{floors}/{name}", rate, ours, EXACT)
    yield from _one_label("discrete_pit", golden["discrete_pit"])


def _compare(
    place: str, golden: Mapping[str, Any], ours: Mapping[str, Any], tolerance: float = EXACT
) -> Iterator[Row]:
    """A row for each number, and one with the largest difference for each list of them."""
    for name, value in ours.items():
        if isinstance(golden[name], list):
            apart = np.abs(np.asarray(golden[name]) - value).max()
            yield Row(f"{place}/{name} (largest gap)", 0.0, float(apart), tolerance)
        else:
            yield Row(f"{place}/{name}", float(golden[name]), float(value), tolerance)


def _limits(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    for name, theta in (("0.5", 0.5), ("0", 0.0), ("1", 1.0)):
        levels = golden[f"frac_theta{name}"]
        ours = {level: normal.limit_fraction(theta, float(level)) for level in levels}
        yield from _compare(f"{place}/frac_theta{name}", levels, ours)
    for name, numbers in golden["asymptotic_ce"].items():
        yield from _asymptotic(f"{place}/asymptotic_ce/{name}", numbers, float(name))
    grid = np.linspace(0.0, 8.0, 401)
    grows = {f"levels{n}": np.all(np.diff(normal.limit_error_levels(grid, n)) > 0)
             for n in (99, 9)}  # fmt: skip
    yield from _compare(f"{place}/monotone_in_abs_theta", golden["monotone_in_abs_theta"], grows)
    alone = {n: normal.expected_error(1, "independent", n) for n in (9, 99)}
    yield from _compare(place, golden, {
        "ce_theta0_value": normal.limit_error(0.0),
        "ce_sup_theta_inf_integral": normal.limit_error(40.0),
        "prior_mean_sqdev_alpha0.5": normal.expected_error(_HUGE, "bayesian", 1),
        "prior_mean_ce_99": normal.expected_error(_HUGE, "bayesian", 99),
        "prior_mean_ce_9": normal.expected_error(_HUGE, "bayesian", 9),
        "indep_mean_ce_times_n_99": alone[99],
        "indep_mean_ce_times_n_9": alone[9],
    })  # fmt: skip
    yield from _compare(place, golden, {
        "prior_mean_ce_integral": _SUM * normal.expected_error(_HUGE, "bayesian", _MANY),
        "indep_mean_ce_times_n_integral": _SUM * normal.expected_error(1, "independent", _MANY),
    }, _INTEGRAL)  # fmt: skip
    for rows in (20, 100, 1000):
        ours = {"bayes_99": normal.expected_error(rows, "bayesian"),
                "indep_99": normal.expected_error(rows, "independent")}  # fmt: skip
        where = golden["n_finite_expected_T"][str(rows)]
        yield from _compare(f"{place}/n_finite_expected_T/{rows}", where, ours)
    latent, fresh = NormalProblem("latent", 1), NormalProblem("iid", 1)
    p_values = {name: normal.limit_p_value(latent, float(name), "bayesian")
                for name in ("0.5", "0", "1", "2")}  # fmt: skip
    p_values["indep_limit_any_theta"] = normal.limit_p_value(latent, 0.5, "independent")
    p_values["dgp_N(0,2)_limit_bayes"] = normal.limit_p_value(fresh, None, "bayesian")
    yield from _compare(f"{place}/n_inf_pvalue_of_CE", golden["n_inf_pvalue_of_CE"], p_values)
    # The error grows with |theta|: its quantiles are those of |theta| put in.
    low, high = (float(normal.limit_error_levels(ndtri(0.5 + q / 2))) for q in (0.05, 0.95))
    yield from _compare(
        f"{place}/bayes_CE_inf_quantiles_99", golden["bayes_CE_inf_quantiles_99"],
        {"q05": low, "q95": high, "sharpness": high - low},
    )  # fmt: skip


def _asymptotic(place: str, golden: Mapping[str, Any], theta: float) -> Iterator[Row]:
    closed = normal.limit_error(theta)
    ours = {f"mean_{n}": normal.limit_error_levels(theta, n) for n in (9, 19, 99)}
    ours |= {"integral_closed": closed, "sum_9": 9 * ours["mean_9"]}
    ours["mean_abs_99"] = normal.limit_error_levels(theta, absolute=True)
    yield from _compare(place, golden, ours)
    yield from _compare(place, golden, {
        "integral_quad": closed,
        "abs_integral": _SUM * normal.limit_error_levels(theta, _MANY, absolute=True),
    }, _INTEGRAL)  # fmt: skip


def _conjugate(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    noise, theta = golden["sigma2"], golden["frac_below_alpha_at_theta"]["theta"]
    before, spread = golden["prior"]
    mean, variance = update(np.array(golden["y_train"]), before, spread, noise)
    y = np.array(golden["y_test"])
    model = LatentNormal(mean, variance, noise, len(y))
    cdf = model.cdf(y)
    _, aleatoric, epistemic = (float(part[0]) for part in model.moments())
    yield from _compare(place, golden, {
        "post_mean": mean,
        "post_var": variance,
        "pred_var": aleatoric + epistemic,
        "pred_corr": epistemic / (aleatoric + epistemic),
        "F_test": cdf,
        "cal_9_mean": calibration.calibration_error(cdf, 9),
        "cal_9_sum": calibration.calibration_error(cdf, 9, "sum"),
        "picp90_central": calibration.coverage(cdf),
        "mean_test": values.mean_value(y),
        "log_score_mean": model.log_density(y).mean(),
    })  # fmt: skip
    below = {f"alpha.{n}": ndtr((model.quantile(n / 10)[0] - theta) / noise**0.5) for n in (5, 9)}
    where = golden["frac_below_alpha_at_theta"]
    yield from _compare(f"{place}/frac_below_alpha_at_theta", where, below)


def _confidences(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    sure, right = np.array(golden["conf"]), np.array(golden["correct"])
    # Twelve classes: what the first leaves over is spread thinly enough for it to be the largest.
    rest = np.repeat((1.0 - sure)[:, None] / 11, 11, 1)
    probs, labels = np.concatenate([sure[:, None], rest], 1), 1 - right
    correct = right == 1
    accuracy = classification.accuracy(probs, labels)
    yield from _compare(place, golden, {
        "accuracy": accuracy,
        "mean_conf": confidence.overconfidence(probs, labels) + accuracy,
        "adaptive_5_equal_mass": confidence.adaptive_error(sure, correct, 5),
    })  # fmt: skip
    for bins in (1, 10, 15):
        yield from _compare(f"{place}/B{bins}", golden[f"B{bins}"], {
            "right_closed": confidence.confidence_error(sure, correct, bins),
            "mce_right": confidence.largest_error(probs, labels, bins),
            "rmsce_right": confidence.root_square_error(probs, labels, bins),
            "debiased_l2sq_right(bins with n_b>1)":
                confidence.debiased_error(sure, correct, bins),
        })  # fmt: skip


def _labels(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    probs, labels = np.array(golden["P"]), np.array(golden["y"])
    brier = float(classification.brier(probs, labels))
    yield from _compare(place, golden, {
        "accuracy": classification.accuracy(probs, labels),
        "nll": classification.nll(probs, labels),
        "brier_0to2": brier,
        "brier_ovadia(minus1)": brier - 1.0,
        "brier_mean_over_classes": brier / probs.shape[1],
        **{f"ece_{bins}_right": classification.ece(probs, labels, bins) for bins in (5, 10, 15)},
        "classwise_ece_5_right": classification.classwise_ece(probs, labels, 5),
    })  # fmt: skip


def _regression(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    cdf = np.array(golden["F"])
    yield from _compare(place, golden, {
        "phat_9": calibration.observed_fractions(cdf, 9),
        "sum_sq_9": calibration.calibration_error(cdf, 9, "sum"),
        "mean_sq_9": calibration.calibration_error(cdf, 9),
        "mean_abs_9": calibration.calibration_error(cdf, 9, "absolute"),
        "central_interval_cal_mean_sq_9": calibration.central_error(cdf, 9),
        **{f"picp{n}": calibration.coverage(cdf, n / 100) for n in (50, 80, 90, 95)},
        "ks": calibration.kolmogorov_smirnov(cdf),
        "cvm_W2": calibration.cramer_von_mises(cdf),
    })  # fmt: skip


def _mixture(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    model = normal_mixture(*(np.array(golden[name])[:, None] for name in ("mu", "sigma")))
    y = np.array([golden["y"]])
    mean, aleatoric, epistemic = (float(part[0]) for part in model.moments())
    yield from _compare(place, golden, {
        "F": model.cdf(y)[0],
        "pdf": np.exp(model.log_density(y)[0]),
        "nll": -model.log_density(y)[0],
        "mean": mean,
        "var": aleatoric + epistemic,
        "aleatoric": aleatoric,
        "epistemic": epistemic,
        "crps": model.crps(y)[0],
    })  # fmt: skip


def _verdicts(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    drawn = np.array(golden["T"])
    for name in golden:
        if not name.startswith("obs"):
            continue
        check = Check("bayesian", float(name.removeprefix("obs")), drawn, 2)
        # Ties counted in full, and both ways, follow from ties counted half.
        with_ties = 2 * check.mid_p - check.p_value
        yield from _compare(f"{place}/{name}", golden[name], {
            "strict_lt": check.p_value,
            "le": with_ties,
            "mid": check.mid_p,
            "pass_strict_rule": check.passes,
            "pass_minmax_inclusive": check.passes_range,
        })  # fmt: skip
    check = Check("bayesian", 0.0, drawn, 2)
    low, high = check.quantiles
    yield from _compare(place, golden, {"q05_linear": low, "q95_linear": high})
    yield from _compare(f"{place}/sharpness", golden["sharpness"], {"linear": check.sharpness})


def _one_label(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    probs, label = np.array([golden["p"]]), np.array([golden["y"]])
    ours = {name: classification.label_cdf(probs, label, uniform)[0] for name, uniform in (
        ("F_left", 0.0), ("F", 1.0), ("randomised_u0.4", 0.4), ("mid", 0.5))}  # fmt: skip
    yield from _compare(place, golden, ours)


def given() -> Sequence[str]:
    """What the file's numbers are computed from; names are ends of places."""
    return ("theta", "y_train", "sigma2", "prior", "y_test", "conf", "correct", "P", "y", "p", "F",
            "mu", "sigma", "T", "S", "a_member_by_point")  # fmt: skip


def left_out() -> Mapping[str, Sequence[str]]:
    """Numbers of the file that nothing here computes, and why; names are ends of places."""
    return {
        "another's way to bin": ("left_closed_last_closed", "torchmetrics_phantom_bin",
                                 "fortuna_0.2_style_sq_gap_10thr_from_1/K(K=10)"),
        "another's p-value": ("add_one_upper", "two_sided_2min"),
        "another's quantile": ("hazen", "weibull", "median_unbiased", "inverted_cdf", "lower",
                               "higher", "nearest"),
        "a level of 1, at which every row counts": ("phat_10", "sum_sq_10"),
        "of the mixture alone: no statistic": ("entropy_mean",),
        "parts of a variance": ("within", "between", "identity_var_bayes",
                                "var_bayes_from_pmf", "var_indep_from_pmf"),
        "what a mixture is not": ("F_moment_matched_normal(NOT the mixture)",),
    }  # fmt: skip

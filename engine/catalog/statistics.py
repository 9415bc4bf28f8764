"""Statistics of posterior predictive checks: what each is, and what it is computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

# F under the mixture; y; class probabilities and labels; the mixture of numbers and y; the same
# with a covariate of the rows; the mixture of numbers or labels and y.
Needs: TypeAlias = Literal["cdf", "values", "probs", "mixture", "covariate", "belief"]
Option: TypeAlias = int | float


@dataclass(frozen=True, slots=True)
class StatisticCard:
    """One statistic: one function, one line."""

    target: str  # "augury.engine.statistics.calibration:coverage"
    needs: Needs
    unit: str
    better: Literal["lower", "higher", "none"]  # for display: p counts replicates below, always
    definition: str
    options: Mapping[str, Option] = field(default_factory=dict)  # may be set; with the defaults
    fixed: Mapping[str, str] = field(default_factory=dict)  # arguments that may not


_R, _V = "augury.engine.statistics.calibration", "augury.engine.statistics.values"
_S, _C = "augury.engine.statistics.scores", "augury.engine.statistics.classification"
_F = "augury.engine.statistics.confidence"
_PICP = "rows within the central {} % interval of the mixture"

STATISTICS: dict[str, StatisticCard] = {
    # numbers: F under the mixture
    "calibration": StatisticCard(
        f"{_R}:calibration_error", "cdf", "fraction^2", "lower",
        "mean over 99 levels p of (p - fraction of rows with F <= p)^2", {"num_levels": 99}),
    "calibration_l1": StatisticCard(
        f"{_R}:calibration_error", "cdf", "fraction", "lower",
        "the same with |.| in place of the square: the miscalibration area",
        {"num_levels": 99}, {"reduce": "absolute"}),
    "calibration_central": StatisticCard(
        f"{_R}:central_error", "cdf", "fraction^2", "lower",
        "mean over 99 levels p of (p - rows within the central interval of p)^2",
        {"num_levels": 99}),
    "picp50": StatisticCard(
        f"{_R}:coverage", "cdf", "fraction", "none", _PICP.format(50), {"level": 0.5}),
    "picp80": StatisticCard(
        f"{_R}:coverage", "cdf", "fraction", "none", _PICP.format(80), {"level": 0.8}),
    "picp90": StatisticCard(
        f"{_R}:coverage", "cdf", "fraction", "none", _PICP.format(90), {"level": 0.9}),
    "picp95": StatisticCard(
        f"{_R}:coverage", "cdf", "fraction", "none", _PICP.format(95), {"level": 0.95}),
    "cvm": StatisticCard(
        f"{_R}:cramer_von_mises", "cdf", "statistic", "lower", "Cramer-von Mises W2 of F"),
    "ks": StatisticCard(
        f"{_R}:kolmogorov_smirnov", "cdf", "fraction", "lower",
        "largest distance of F from the uniform distribution"),
    "quantile_histogram": StatisticCard(
        f"{_R}:quantile_histogram", "cdf", "statistic", "lower",
        "chi-squared distance of the histogram of F from equal shares", {"bins": 10}),
    "below_half": StatisticCard(
        f"{_R}:fraction_below", "cdf", "fraction", "none", "rows with F < 1/2", {"level": 0.5}),
    "tails": StatisticCard(
        f"{_R}:tail_fraction", "cdf", "fraction", "none",
        "extremes: rows with F < .01 or F > .99", {"level": 0.01}),
    "lag1": StatisticCard(
        f"{_R}:lag_correlation", "cdf", "correlation", "none",
        "sum of z_i z_(i-1) over sum of z_i^2, z the normal score of F: correlation about 0"),
    "first": StatisticCard(
        f"{_R}:first_cdf", "cdf", "fraction", "none", "F of the first row alone"),
    # numbers: the values themselves
    "mean": StatisticCard(f"{_V}:mean_value", "values", "y", "none", "mean of the observations"),
    "sd": StatisticCard(
        f"{_V}:deviation", "values", "y", "none", "standard deviation of the observations"),
    "min": StatisticCard(f"{_V}:smallest", "values", "y", "none", "smallest observation"),
    "max": StatisticCard(f"{_V}:largest", "values", "y", "none", "largest observation"),
    "median": StatisticCard(
        f"{_V}:value_quantile", "values", "y", "none", "median of the observations",
        {"level": 0.5}),
    "q05": StatisticCard(
        f"{_V}:value_quantile", "values", "y", "none", "5 % quantile of the observations",
        {"level": 0.05}),
    "q95": StatisticCard(
        f"{_V}:value_quantile", "values", "y", "none", "95 % quantile of the observations",
        {"level": 0.95}),
    "skewness": StatisticCard(
        f"{_V}:skewness", "values", "statistic", "none", "skewness of the observations"),
    "kurtosis": StatisticCard(
        f"{_V}:kurtosis", "values", "statistic", "none", "kurtosis of the observations; normal: 3"),
    # numbers: the mixture
    "crps": StatisticCard(
        f"{_S}:crps", "mixture", "y", "lower",
        "continuous ranked probability score of the mixture, mean over rows"),
    "winkler90": StatisticCard(
        f"{_S}:interval_score", "mixture", "y", "lower",
        "width of the central 90 % interval, and 20 times each way outside it", {"level": 0.9}),
    "rmse": StatisticCard(
        f"{_S}:root_square_error", "mixture", "y", "lower",
        "root of the mean squared distance from the mixture's mean"),
    "mae": StatisticCard(
        f"{_S}:absolute_error", "mixture", "y", "lower", "mean distance from the mixture's mean"),
    "r2": StatisticCard(
        f"{_S}:explained", "mixture", "fraction", "higher",
        "1 - squared errors of the mixture's mean over those of the observations' mean"),
    "bias": StatisticCard(
        f"{_S}:bias", "mixture", "y", "none", "mean of y minus the mixture's mean"),
    "rank_histogram": StatisticCard(
        f"{_S}:rank_histogram", "mixture", "statistic", "lower",
        "chi-squared distance of the ranks of y among members' means from equal shares",
        {"bins": 10}),
    "covariate": StatisticCard(
        f"{_S}:covariate_correlation", "covariate", "correlation", "none",
        "correlation of the residuals with a covariate of the rows"),
    "group_bias": StatisticCard(
        f"{_S}:group_bias", "covariate", "y", "lower",
        "largest |mean residual| of rows that share a value of the covariate"),
    # numbers or labels
    "nll": StatisticCard(
        f"{_S}:nll", "belief", "nats", "lower",
        "-log density or probability of a row under the mixture, mean over rows"),
    "joint_nll": StatisticCard(
        f"{_S}:joint_nll", "belief", "nats", "lower",
        "-log density or probability of all rows from one unknown member, per row"),
    # labels
    "accuracy": StatisticCard(
        f"{_C}:accuracy", "probs", "fraction", "higher",
        "labels that equal the most probable class of the mixture"),
    "top5": StatisticCard(
        f"{_C}:top_accuracy", "probs", "fraction", "higher",
        "labels among the 5 most probable classes", {"k": 5}),
    "ece": StatisticCard(
        f"{_C}:ece", "probs", "fraction", "lower",
        "expected calibration error of the mixture, 15 equal bins (a, b]", {"bins": 15}),
    "mce": StatisticCard(
        f"{_F}:largest_error", "probs", "fraction", "lower",
        "largest |accuracy - confidence| of 15 equal bins", {"bins": 15}),
    "rmsce": StatisticCard(
        f"{_F}:root_square_error", "probs", "fraction", "lower",
        "root of the mean squared accuracy - confidence over 15 equal bins", {"bins": 15}),
    "adaptive_ece": StatisticCard(
        f"{_F}:adaptive_ece", "probs", "fraction", "lower",
        "as ece, 15 bins of as many rows each", {"bins": 15}),
    "classwise_ece": StatisticCard(
        f"{_C}:classwise_ece", "probs", "fraction", "lower",
        "as ece, of every class's probability; mean over classes", {"bins": 15}),
    "debiased_ece": StatisticCard(
        f"{_F}:debiased_ece", "probs", "fraction^2", "lower",
        "squared calibration error without the bias of few rows, 15 equal bins", {"bins": 15}),
    "cumulative_error": StatisticCard(
        f"{_F}:cumulative_error", "probs", "fraction", "lower",
        "largest |sum of confidence - accuracy| up to a confidence, over rows: no bins"),
    "overconfidence": StatisticCard(
        f"{_F}:overconfidence", "probs", "fraction", "none", "mean confidence minus accuracy"),
    "brier": StatisticCard(
        f"{_C}:brier", "probs", "fraction", "lower",
        "squared error of the mixture's probabilities, summed over classes"),
    "reliability": StatisticCard(
        f"{_C}:reliability", "probs", "fraction", "lower",
        "the part of brier that is miscalibration, 15 equal bins of each class", {"bins": 15}),
    "resolution": StatisticCard(
        f"{_C}:resolution", "probs", "fraction", "higher",
        "the part of brier that telling rows apart takes off, 15 equal bins of each class",
        {"bins": 15}),
    "aurc": StatisticCard(
        f"{_F}:risk_coverage", "probs", "fraction", "lower",
        "errors among the i most confident rows, mean over i"),
    "confident_accuracy": StatisticCard(
        f"{_F}:confident_accuracy", "probs", "fraction", "higher",
        "accuracy among the most confident tenth of the rows", {"share": 0.1}),
    "first_label": StatisticCard(
        f"{_C}:first_label", "probs", "fraction", "none",
        "P(class below the label) + P(label) / 2 of the first row alone"),
    "class_share": StatisticCard(
        f"{_C}:class_share", "probs", "fraction", "none", "rows with label 0", {"label": 0}),
    "confusion": StatisticCard(
        f"{_C}:confusion", "probs", "fraction", "none",
        "rows with label 0 for which class 1 is the most probable", {"label": 0, "predicted": 1}),
}  # fmt: skip

_SAME = "is the same in every replicate, for observations have no part in it"
# What a person may ask for and no check can be made of.
REFUSED: dict[str, str] = {
    "width": f"the width of the mixture's interval {_SAME}: check picp90 or winkler90.",
    "entropy": f"the mixture's entropy {_SAME}: check nll.",
    "confidence": f"the mixture's confidence {_SAME}: check overconfidence.",
    "disagreement": f"what members disagree by {_SAME}: check ece or calibration.",
    "mutual_information": f"what members disagree by {_SAME}: check nll or joint_nll.",
    "variance": f"the mixture's variance {_SAME}: check sd or rmse.",
}

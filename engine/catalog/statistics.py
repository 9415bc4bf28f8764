"""Statistics of posterior predictive checks: what each is, and what it is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class StatisticCard:
    """One statistic: one function, one line."""

    target: str  # "augury.engine.statistics.calibration:coverage"
    needs: Literal["cdf", "values", "probs"]  # F under the mixture; y; class probabilities
    unit: str
    better: Literal["lower", "higher", "none"]  # for display: p counts replicates below, always
    definition: str


_R, _C = "augury.engine.statistics.calibration", "augury.engine.statistics.classification"

STATISTICS: dict[str, StatisticCard] = {
    "calibration": StatisticCard(
        f"{_R}:calibration_error", "cdf", "fraction^2", "lower",
        "mean over 99 levels p of (p - fraction of rows with F <= p)^2"),
    "picp90": StatisticCard(
        f"{_R}:coverage", "cdf", "fraction", "none",
        "rows within the central 90 % interval of the mixture"),
    "cvm": StatisticCard(
        f"{_R}:cramer_von_mises", "cdf", "statistic", "lower", "Cramer-von Mises W2 of F"),
    "ks": StatisticCard(
        f"{_R}:kolmogorov_smirnov", "cdf", "fraction", "lower",
        "largest distance of F from the uniform distribution"),
    "below_half": StatisticCard(
        f"{_R}:fraction_below_half", "cdf", "fraction", "none", "rows with F < 1/2"),
    "first": StatisticCard(
        f"{_R}:first_cdf", "cdf", "fraction", "none", "F of the first row alone"),
    "mean": StatisticCard(f"{_R}:mean_value", "values", "y", "none", "mean of the observations"),
    "accuracy": StatisticCard(
        f"{_C}:accuracy", "probs", "fraction", "higher",
        "labels that equal the most probable class of the mixture"),
    "ece": StatisticCard(
        f"{_C}:ece", "probs", "fraction", "lower",
        "expected calibration error of the mixture, 15 equal bins (a, b]"),
    "brier": StatisticCard(
        f"{_C}:brier", "probs", "fraction", "lower",
        "squared error of the mixture's probabilities, summed over classes"),
    "nll": StatisticCard(
        f"{_C}:nll", "probs", "nats", "lower", "-log probability of the label, mean over rows"),
}  # fmt: skip

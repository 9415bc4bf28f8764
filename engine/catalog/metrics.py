"""Metric cards: unit, direction and definition of every number that is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CHECKED_BY = "calibration"  # what regression is checked by: its splits name a mode alone
LEAST_ESS = 10  # effective samples; below, a mean over samples rests on a few of them


@dataclass(frozen=True, slots=True)
class MetricCard:
    """What a stored number means."""

    unit: str  # nats | bits | fraction | steps ...
    better: Literal["lower", "higher", "none"]
    definition: str


METRICS: dict[str, MetricCard] = {
    "kl": MetricCard(
        "nats", "lower", "E log P(y|environment) - log P(y|agent), joint over tau labels"
    ),
    "ess": MetricCard(
        "count", "higher", "least effective number of epistemic samples over the test batches"
    ),
    "kl_bias": MetricCard(
        "nats", "lower", "how far finite samples raise kl: mean over batches of (1/ESS - 1/M) / 2"
    ),
    "kl_naive": MetricCard(
        "nats", "lower", "kl by M samples alike for all test batches, as published; biased upward"
    ),
    "ess_naive": MetricCard(
        "count", "higher", "least effective number of those samples over the test batches"
    ),
    "nll": MetricCard("nats", "lower", "-E log p(y|x) of one label"),
    "accuracy": MetricCard("fraction", "higher", "labels that equal the most probable class"),
    "ece10": MetricCard("fraction", "lower", "expected calibration error, 10 equal bins (a, b]"),
    "ece15": MetricCard("fraction", "lower", "expected calibration error, 15 equal bins (a, b]"),
    "brier": MetricCard(
        "fraction", "lower", "squared error of the probabilities, summed over classes"
    ),
    "p_value": MetricCard(
        "fraction", "none", "replicates whose statistic is below the observed one"
    ),
    "mid_p": MetricCard("fraction", "none", "p_value plus half of the replicates that tie"),
    "p_limit": MetricCard(
        "fraction", "none", "p_value for infinitely many rows, closed form of the analytic problems"
    ),
    "picp90": MetricCard(
        "fraction", "none", "rows within the central 90 % interval of the mixture; 0.9 is right"
    ),
    "sharpness": MetricCard("statistic", "lower", "95 % minus 5 % quantile of the replicates"),
    "observed": MetricCard("statistic", "none", "the statistic on the observed labels"),
    "passes": MetricCard("fraction", "higher", "1 if 0 < p < 1"),
    "passes_range": MetricCard(
        "fraction", "higher", "1 if observed is within the replicates' range"
    ),
    "fails_low": MetricCard(
        "fraction", "lower", "1 if p = 0: no replicate is below the observed statistic"
    ),
    "fails_high": MetricCard("fraction", "lower", "1 if p = 1: every replicate is below it"),
    "temperature": MetricCard(
        "ratio", "none", "what logits of every member are divided by; fitted on clean images"
    ),
    "num_members": MetricCard("count", "none", "members M of the predictive; 0: drawn afresh"),
    "mi": MetricCard("bits", "none", "mean of the bound over the final steps of a stage"),
    "mi_true": MetricCard("bits", "none", "mutual information of the source, closed form"),
    "mi_ratio": MetricCard("ratio", "none", "estimate over true value; 1 is right"),
    "mi_miss": MetricCard("ratio", "lower", "|estimate / true value - 1|; with 0 bits: no number"),
    "mi_held_out": MetricCard(
        "bits", "none", "the bound on items that trained nothing, one partition for all batches"
    ),
    "mi_held_out_pairs": MetricCard("count", "none", "pairs K in each batch of that second look"),
    "mi_oracle": MetricCard("bits", "none", "what the bound reads with the exact density ratio"),
    "mi_decodable": MetricCard(
        "bits", "none", "information on the labels that a class posterior finds: a lower limit"
    ),
    "mi_ratio_decodable": MetricCard("ratio", "none", "estimate over mi_decodable; 1 is right"),
    "mi_bias": MetricCard("bits", "none", "estimate minus true value: the sum of the next four"),
    "mi_bias_bound": MetricCard("bits", "none", "of it the bound's own: mi_oracle - mi_true"),
    "mi_bias_labels": MetricCard(
        "bits", "none", "of it what no critic can read: mi_decodable - mi_true; 0 where exact"
    ),
    "mi_bias_training": MetricCard(
        "bits", "none", "of it the critic's: mi_held_out beyond the bound's and the labels' part"
    ),
    "mi_bias_pool": MetricCard(
        "bits", "none", "of it what the critic knows by heart: estimate - mi_held_out"
    ),
    "mi_square": MetricCard("bits^2", "lower", "mi_bias squared"),
    "mi_covers_own": MetricCard(
        "fraction", "none", "95 % interval of mi_held_out holds a look four times as long; 0.95"
    ),
    "mi_covers_true": MetricCard(
        "fraction", "higher", "95 % interval of mi_held_out holds the true value"
    ),
    "mi_median": MetricCard("bits", "none", "median of the bound over those steps, as published"),
    "mi_std": MetricCard("bits", "lower", "standard deviation of the bound over those steps"),
    "mi_diverged": MetricCard("steps", "lower", "final steps whose value is not finite, left out"),
}

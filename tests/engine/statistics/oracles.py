"""Every statistic of the table once more, slowly: loops over rows, SciPy, numerical integrals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate, optimize, stats

# Of numbers: mean, scale [members, rows], weights, covariate and y [rows].
Numbers = Callable[[Any, Any, Any, Any, Any], float]
# Of labels: probabilities [members, rows, classes], weights and labels [rows].
Labels = Callable[[Any, Any, Any], float]


def cdf(mean: Any, scale: Any, weights: Any, y: Any) -> np.ndarray:
    return np.array([
        sum(w * _below((y[i] - mean[m, i]) / scale[m, i]) for m, w in enumerate(weights))
        for i in range(len(y))
    ])  # fmt: skip


def _below(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))


def density(mean: Any, scale: Any, weights: Any, y: Any) -> np.ndarray:
    return np.array([
        sum(w * stats.norm.pdf(y[i], mean[m, i], scale[m, i]) for m, w in enumerate(weights))
        for i in range(len(y))
    ])  # fmt: skip


def numbers() -> dict[str, Numbers]:
    levels = [j / 100 for j in range(1, 100)]

    def gaps(f: Any, power: int, inside: Callable[[float, float], bool]) -> float:
        found = [abs(p - np.mean([inside(v, p) for v in f])) ** power for p in levels]
        return float(np.mean(found))

    def of_cdf(function: Callable[[Any], float]) -> Numbers:
        return lambda mean, scale, w, x, y: function(cdf(mean, scale, w, y))

    def of_values(function: Callable[[Any], float]) -> Numbers:
        return lambda mean, scale, w, x, y: function(y)

    def of_residuals(function: Callable[[Any, Any], float]) -> Numbers:
        return lambda mean, scale, w, x, y: function(y - w @ mean, y)

    def covered(level: float) -> Numbers:
        return of_cdf(lambda f: float(np.mean(np.abs(f - 0.5) <= level / 2)))

    def histogram(f: Any) -> float:
        counts = np.histogram(f, np.linspace(0, 1, 11))[0]
        return float(stats.chisquare(counts).statistic)

    def lag(f: Any) -> float:
        z = stats.norm.ppf(f)
        return sum(a * b for a, b in zip(z, z[1:], strict=False)) / sum(a * a for a in z)

    return {
        "calibration": of_cdf(lambda f: gaps(f, 2, lambda v, p: v <= p)),
        "calibration_l1": of_cdf(lambda f: gaps(f, 1, lambda v, p: v <= p)),
        "calibration_central": of_cdf(
            lambda f: gaps(f, 2, lambda v, p: (1 - p) / 2 <= v <= (1 + p) / 2)
        ),
        **{f"picp{level}": covered(level / 100) for level in (50, 80, 90, 95)},
        "cvm": of_cdf(lambda f: stats.cramervonmises(f, "uniform").statistic),
        "ks": of_cdf(lambda f: float(stats.kstest(f, "uniform").statistic)),
        "quantile_histogram": of_cdf(histogram),
        "below_half": of_cdf(lambda f: float(np.mean([v < 0.5 for v in f]))),
        "tails": of_cdf(lambda f: float(np.mean([v < 0.01 or v > 0.99 for v in f]))),
        "lag1": of_cdf(lag),
        "first": of_cdf(lambda f: f[0]),
        "mean": of_values(lambda y: sum(y) / len(y)),
        "sd": of_values(lambda y: float(stats.tstd(y) * np.sqrt((len(y) - 1) / len(y)))),
        "min": of_values(min),
        "max": of_values(max),
        "median": of_values(lambda y: float(np.median(y))),
        "q05": of_values(lambda y: float(np.percentile(y, 5))),
        "q95": of_values(lambda y: float(np.percentile(y, 95))),
        "skewness": of_values(lambda y: float(stats.skew(y))),
        "kurtosis": of_values(lambda y: float(stats.kurtosis(y, fisher=False))),
        "crps": _crps,
        "winkler90": _winkler,
        "rmse": of_residuals(lambda r, y: float(np.sqrt(np.mean(r**2)))),
        "mae": of_residuals(lambda r, y: float(np.mean(np.abs(r)))),
        "r2": of_residuals(lambda r, y: 1 - float(np.mean(r**2)) / float(np.var(y))),
        "bias": of_residuals(lambda r, y: sum(r) / len(r)),
        "rank_histogram": _ranks,
        "covariate": _correlation,
        "group_bias": lambda mean, scale, w, x, y: max(
            abs(float(np.mean([(y - w @ mean)[i] for i in np.flatnonzero(x == v)]))) for v in set(x)
        ),
        "nll": lambda mean, scale, w, x, y: -float(np.mean(np.log(density(mean, scale, w, y)))),
        "joint_nll": lambda mean, scale, w, x, y: (
            -float(np.log(sum(w * stats.norm.pdf(y, mean, scale).prod(1)))) / len(y)
        ),
    }


def _crps(mean: Any, scale: Any, w: Any, x: Any, y: Any) -> float:
    """int (F(t) - 1[t >= y])^2 dt, by quadrature."""
    total = 0.0
    for i in range(len(y)):
        one = (mean[:, i : i + 1], scale[:, i : i + 1], w)
        below = lambda t, one=one: cdf(one[0], one[1], one[2], np.array([t]))[0]  # noqa: E731
        far = (mean[:, i] - 12 * scale[:, i]).min(), (mean[:, i] + 12 * scale[:, i]).max()
        for low, high, up in ((min(far[0], y[i]), y[i], 0.0), (y[i], max(far[1], y[i]), 1.0)):
            total += integrate.quad(lambda t, up=up, f=below: (f(t) - up) ** 2, low, high,
                                    limit=200)[0]  # fmt: skip
    return total / len(y)


def _winkler(mean: Any, scale: Any, w: Any, x: Any, y: Any) -> float:
    total = 0.0
    for i in range(len(y)):

        def below(t: float, i: int = i) -> float:
            return cdf(mean[:, i : i + 1], scale[:, i : i + 1], w, np.array([t]))[0]

        low: Any = optimize.brentq(lambda t, f=below: f(t) - 0.05, -100, 100, xtol=1e-13)
        high: Any = optimize.brentq(lambda t, f=below: f(t) - 0.95, -100, 100, xtol=1e-13)
        total += high - low + 20 * max(low - y[i], 0) + 20 * max(y[i] - high, 0)
    return total / len(y)


def _ranks(mean: Any, scale: Any, w: Any, x: Any, y: Any) -> float:
    ranks = len(mean) + 1  # fewer than ten: a bin each
    counts = [0] * ranks
    for i in range(len(y)):
        counts[sum(mean[m, i] < y[i] for m in range(len(mean)))] += 1
    return float(stats.chisquare(counts).statistic)


def _correlation(mean: Any, scale: Any, w: Any, x: Any, y: Any) -> float:
    middle = w @ mean
    spread = np.sqrt(w @ (scale**2 + mean**2) - middle**2)
    return float(np.corrcoef((y - middle) / spread, x)[0, 1])


def labels() -> dict[str, Labels]:
    def mixed(function: Callable[[Any, Any], float]) -> Labels:
        return lambda probs, w, y: function(np.einsum("m,mrk->rk", w, probs), y)

    def top(function: Callable[[Any, Any], float]) -> Labels:
        return mixed(lambda p, y: function(p.max(-1), y == p.argmax(-1)))

    def bins(confidence: Any, correct: Any, number: int = 15) -> list[tuple[float, float, int]]:
        """Accuracy, mean confidence and rows of each bin that holds a row."""
        found = []
        for low, high in zip(np.linspace(0, 1, number + 1), np.linspace(0, 1, number + 1)[1:],
                             strict=False):  # fmt: skip
            inside = (confidence > low) & (confidence <= high)
            if inside.any():
                found.append((correct[inside].mean(), confidence[inside].mean(), inside.sum()))
        return found

    def ece(confidence: Any, correct: Any) -> float:
        found = bins(confidence, correct)
        return sum(n * abs(a - c) for a, c, n in found) / len(correct)

    def adaptive(confidence: Any, correct: Any) -> float:
        order = sorted(range(len(correct)), key=lambda i: confidence[i])
        parts = np.array_split(np.array(order), 15)
        return sum(abs(sum(correct[i] - confidence[i] for i in p)) for p in parts) / len(correct)

    def debiased(confidence: Any, correct: Any) -> float:
        found = [b for b in bins(confidence, correct) if b[2] > 1]
        return sum(n * ((a - c) ** 2 - a * (1 - a) / (n - 1)) for a, c, n in found) / len(correct)

    def cumulative(confidence: Any, correct: Any) -> float:
        total, most = 0.0, 0.0
        for i in sorted(range(len(correct)), key=lambda i: confidence[i]):
            total += confidence[i] - correct[i]
            most = max(most, abs(total))
        return most / len(correct)

    def aurc(confidence: Any, correct: Any) -> float:
        order = sorted(range(len(correct)), key=lambda i: -confidence[i])
        risks = [np.mean([not correct[i] for i in order[: n + 1]]) for n in range(len(order))]
        return float(np.mean(risks))

    def confident(confidence: Any, correct: Any) -> float:
        order = sorted(range(len(correct)), key=lambda i: -confidence[i])
        return float(np.mean([correct[i] for i in order[: round(len(order) / 10)]]))

    def by_class(part: Callable[[list[tuple[float, float, int]], float, int], float]) -> Labels:
        return mixed(
            lambda p, y: sum(part(bins(p[:, k], y == k), float(np.mean(y == k)), len(y))
                             for k in range(p.shape[1]))
        )  # fmt: skip

    return {
        "accuracy": top(lambda c, right: float(np.mean(right))),
        "top5": mixed(lambda p, y: float(np.mean([y[i] in sorted(
            range(p.shape[1]), key=lambda k: -p[i, k])[:5] for i in range(len(y))]))),
        "ece": top(ece),
        "mce": top(lambda c, right: max(abs(a - m) for a, m, _ in bins(c, right))),
        "rmsce": top(lambda c, right: float(np.sqrt(
            sum(n * (a - m) ** 2 for a, m, n in bins(c, right)) / len(c)))),
        "adaptive_ece": top(adaptive),
        "classwise_ece": mixed(lambda p, y: float(np.mean(
            [ece(p[:, k], y == k) for k in range(p.shape[1])]))),
        "debiased_ece": top(debiased),
        "cumulative_error": top(cumulative),
        "overconfidence": top(lambda c, right: float(np.mean(c) - np.mean(right))),
        "brier": mixed(lambda p, y: float(((p - np.eye(p.shape[1])[y]) ** 2).sum(-1).mean())),
        "reliability": by_class(
            lambda found, share, rows: sum(n * (a - m) ** 2 for a, m, n in found) / rows),
        "resolution": by_class(
            lambda found, share, rows: sum(n * (a - share) ** 2 for a, _, n in found) / rows),
        "aurc": top(aurc),
        "confident_accuracy": top(confident),
        "first_label": mixed(lambda p, y: sum(p[0, : y[0]]) + p[0, y[0]] / 2),
        "class_share": mixed(lambda p, y: list(y).count(0) / len(y)),
        "confusion": mixed(lambda p, y: sum(
            y[i] == 0 and p[i].argmax() == 1 for i in range(len(y))) / len(y)),
        "nll": mixed(lambda p, y: -float(np.mean([np.log(p[i, y[i]]) for i in range(len(y))]))),
        "joint_nll": lambda probs, w, y: -float(np.log(sum(
            w[m] * np.prod([probs[m, i, y[i]] for i in range(len(y))])
            for m in range(len(w))))) / len(y),
    }  # fmt: skip

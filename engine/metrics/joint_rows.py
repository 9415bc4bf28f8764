"""Rows of joint scores: KL with an error that holds under shared samples, ESS, and the bias."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from augury.engine.catalog.metrics import LEAST_ESS
from augury.engine.metrics.row_sums import row_sums
from augury.engine.metrics.rows import mean_row, standard_error
from augury.engine.types import MetricRow

LIMITED = f"estimator-limited: least ESS below {LEAST_ESS}"
LEAST_BATCHES = 50  # to fit control variates on


def kl_row(
    kl: np.ndarray,
    tau: int,
    kappa: int,
    controls: np.ndarray | None = None,
    left_out: np.ndarray | None = None,
    num_samples: int = 0,
    degree: float = 1.0,
    control_rows: np.ndarray | None = None,
) -> MetricRow:
    """KL of the agent from the truth: mean over J test batches.

    Args:
        kl: [J] of each batch, nats; batches are independent given the samples.
        tau: labels.
        kappa: anchors; 0 means iid.
        controls: [J, q] of mean zero. What of `kl` they explain by least squares is noise and
            taken off (control variates; the bias is of order 1/J).
        left_out: [J, G] without one group of samples.
        num_samples: epistemic samples M drawn; 0 where they are all there are.
        degree: how many independent things a score is of, where `kl` holds its mean given one of
            them: 2 for all pairs of J rows (Hajek's projection).
        control_rows: [n] values whose mean is taken off the control variate, where that is itself
            an estimate: of all test rows.

    The variance is that over batches plus, for drawn samples, the delete-a-group jackknife's
    (Kott 2001): samples are shared by all batches, so their part does not shrink with J.
    A single drawn sample says nothing of that part, hence no error then.
    """
    kl = np.asarray(kl, np.float64)
    row = mean_row("kl", kl, tau=tau, kappa=kappa)
    if row.value is None:
        return row
    value, influence, slopes = _controlled(kl, controls)
    influences = [influence * degree]
    variance = float((influences[0] ** 2).sum()) * kl.size / max(kl.size - 1, 1)
    if slopes.size and control_rows is not None:
        variance += float((slopes**2).sum()) * (standard_error(control_rows) or 0.0) ** 2
        off = control_rows - control_rows.mean()
        influences.append(float(slopes.sum()) * off / off.size)
    own = 0.0
    if num_samples == 1 or kl.size < 2:
        own = np.nan
    elif num_samples:
        own = _jackknife(left_out)
    variance += own
    stderr = float(np.sqrt(variance)) if np.isfinite(variance) else None
    sums = None if stderr is None else row_sums(*influences, own=float(np.sqrt(own)))
    return replace(row, value=value, stderr=stderr, sums=sums)


def ess_rows(
    ess: np.ndarray, inverse_ess: np.ndarray, tau: int, kappa: int, num_samples: int
) -> list[MetricRow]:
    """Least effective sample size, and the bias of KL that finitely many samples M cause.

    The bias is half the relative variance of the mean likelihood, mean_j (1/ESS_j - 1/M) / 2
    (delta method); it says little where ESS is small.
    """
    bias = mean_row("kl_bias", (np.asarray(inverse_ess, float) - 1 / num_samples) / 2, tau, kappa)
    least = np.asarray(ess, float).min()
    finite = np.isfinite(least) and np.isfinite(inverse_ess).all()  # a minimum may drop NaN
    return [
        MetricRow(
            "ess", float(least) if finite else None, None, tau, kappa, "", num_samples,
            "" if finite else "likelihoods are not finite",
        ),
        MetricRow(
            "kl_bias", bias.value, bias.stderr, tau, kappa, "", num_samples, bias.reason
        ),
    ]  # fmt: skip


def limited(row: MetricRow, ess: np.ndarray) -> MetricRow:
    """The row, with a caveat where its mean over samples rests on a few of them."""
    if row.value is None or not np.min(ess) < LEAST_ESS:
        return row
    return replace(row, reason=LIMITED)


def _controlled(
    values: np.ndarray, controls: np.ndarray | None
) -> tuple[float, np.ndarray, np.ndarray]:
    """(mean, influence [J] of each value on it, slopes) with control variates if there are any.

    J / (J - 1) times the sum of squared influences is the variance of the mean.
    """
    size = values.size
    plain = float(values.mean()), (values - values.mean()) / size, np.zeros(0)
    if controls is None or size < LEAST_BATCHES:
        return plain
    controls = np.asarray(controls, np.float64)
    if not np.isfinite(controls).all():
        return plain
    spread = controls.std(0)
    scale = np.where(spread > 0, spread, 1.0)
    controls = controls / scale
    centred = controls - controls.mean(0)
    slopes, _, rank, _ = np.linalg.lstsq(centred, values - values.mean(), rcond=1e-6)
    rest = values - controls @ slopes
    lost = np.sqrt((size - 1) / (size - 1 - rank))  # degrees of freedom that the slopes took
    return float(rest.mean()), (rest - rest.mean()) / size * lost, slopes / scale


def _jackknife(left_out: np.ndarray | None) -> float:
    if left_out is None:
        return np.nan
    means = np.asarray(left_out, np.float64).mean(0)
    groups = means.size
    return float((groups - 1) / groups * ((means - means.mean()) ** 2).sum())

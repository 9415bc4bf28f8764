"""Mean of a series of training-batch values, with an error that knows they are correlated."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float

WINDOW = 5.0  # lags kept: the first that exceeds so many autocorrelation times


class Average(NamedTuple):
    """What a series of values says."""

    mean: float | None
    stderr: float | None
    std: float | None
    finite: int  # values the three rest on
    autocorrelation_time: float | None  # steps that count as one independent value


def autocorrelation_time(values: Float[np.ndarray, " steps"]) -> float:
    """1 + 2 x the sum of autocorrelations, in steps; at least 1.

    Summed over the automatic window of Madras and Sokal 1988: up to the first lag that exceeds
    `WINDOW` times the sum so far. A constant series gives 1.
    """
    centred = np.asarray(values, np.float64) - np.mean(values)
    length = len(centred)
    variance = float(centred @ centred)
    if length < 2 or variance <= 0.0 or not math.isfinite(variance):
        return 1.0
    spectrum = np.fft.rfft(centred, 2 * length)
    correlations = np.fft.irfft(spectrum * spectrum.conj())[:length] / variance
    times = 2.0 * np.cumsum(correlations) - 1.0
    enough = np.arange(length) >= WINDOW * times
    return max(1.0, float(times[np.argmax(enough) if enough.any() else length - 1]))


def average(values: Float[np.ndarray, " steps"]) -> Average:
    """Mean, its standard error, standard deviation; values that are not finite are left out.

    The variance of the mean is the sample variance times tau / (n - tau): tau / n for correlated
    values, and n - tau in the place of n because the mean itself was fitted to n / tau values.
    """
    kept = np.asarray(values, np.float64)
    kept = kept[np.isfinite(kept)]
    if not len(kept):
        return Average(None, None, None, 0, None)
    mean = float(np.mean(kept))
    if len(kept) < 2:
        return Average(mean, None, None, len(kept), None)
    with np.errstate(over="ignore"):
        spread = float(np.mean((kept - mean) ** 2))
    if not math.isfinite(spread):
        return Average(mean, None, None, len(kept), None)
    tau = min(autocorrelation_time(kept), len(kept) / 2.0)
    std = math.sqrt(spread * len(kept) / (len(kept) - 1))
    return Average(mean, math.sqrt(spread * tau / (len(kept) - tau)), std, len(kept), tau)

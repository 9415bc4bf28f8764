"""Statistics of the values themselves, whatever was predicted: [..., rows] to [...]."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float


def mean_value(values: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Mean of the values."""
    return values.mean(-1)


def deviation(values: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Standard deviation of the values, n below the line."""
    return values.std(-1)


def smallest(values: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """The smallest value."""
    return values.min(-1)


def largest(values: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """The largest value."""
    return values.max(-1)


def value_quantile(
    values: Float[np.ndarray, "*size rows"], level: float = 0.5
) -> Float[np.ndarray, "*size"]:
    """The quantile of the values at this level, linear between order statistics."""
    return np.quantile(values, level, axis=-1, method="linear")


def skewness(values: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Third central moment over that of the second to the power 3/2; 0 where all are the same."""
    return _standard_moment(values, 3)


def kurtosis(values: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Fourth central moment over the square of the second; 3 of a normal, 0 where all are equal."""
    return _standard_moment(values, 4)


def _standard_moment(values: np.ndarray, power: int) -> np.ndarray:
    apart = values - values.mean(-1, keepdims=True)
    spread = np.sqrt((apart**2).mean(-1))
    return (apart**power).mean(-1) / np.where(spread > 0, spread, 1.0) ** power

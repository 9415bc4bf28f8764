"""Cover's theorem: how many labelings of points a half-space can give (IEEE Trans. EC-14, 1965)."""

from __future__ import annotations

import math


def labelings(dim: int, tau: int) -> float:
    """Log of 2 sum_{i<dim} C(tau-1, i), for tau points in general position in `dim` dimensions.

    As rho -> 0 the KL of the prior agent of logistic regression is the entropy of a labeling, so it
    is at most this many nats.
    """
    terms = [
        math.lgamma(tau) - math.lgamma(i + 1) - math.lgamma(tau - i) for i in range(min(dim, tau))
    ]
    top = max(terms)
    return math.log(2.0) + top + math.log(sum(math.exp(x - top) for x in terms))

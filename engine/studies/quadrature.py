"""Gauss rules for sums of independent numbers: exact for polynomials up to a chosen degree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh_tridiagonal


class Rule(NamedTuple):
    """A discrete measure; the weights of a distribution add up to one."""

    nodes: np.ndarray
    weights: np.ndarray

    def scaled(self, factor: float) -> Rule:
        """The rule of `factor` times the number."""
        return Rule(self.nodes * factor, self.weights)


def beta_rule(a: float, b: float, size: int) -> Rule:
    """Gauss rule of Beta(a, b) on [0, 1]: exact up to degree 2 size - 1 (Golub and Welsch)."""
    n = np.arange(1, size, dtype=np.float64)
    t = 2.0 * n + a + b - 2.0  # Jacobi polynomials of weight (1 - x)^(b - 1) (1 + x)^(a - 1)
    diagonal, squared = np.empty(size), np.empty(size - 1)
    diagonal[0] = (a - b) / (a + b)
    diagonal[1:] = (a - b) * (a + b - 2.0) / (t * (t + 2.0))
    if size > 1:
        m, t = n[1:], t[1:]
        squared[0] = 4.0 * a * b / ((a + b) ** 2 * (a + b + 1.0))
        squared[1:] = 4.0 * m * (m + a - 1.0) * (m + b - 1.0) * (m + a + b - 2.0)
        squared[1:] /= t**2 * (t + 1.0) * (t - 1.0)
    nodes, weights = _golub_welsch(diagonal, np.sqrt(squared))
    return Rule(0.5 + 0.5 * nodes, weights)


def compress(rule: Rule, size: int) -> Rule:
    """The Gauss rule of `size` nodes with the same moments up to 2 size - 1 (Lanczos)."""
    total = rule.weights.sum()
    if len(rule.nodes) <= size or total <= 0:
        return rule
    middle = float(rule.weights @ rule.nodes / total)
    spread = float(np.abs(rule.nodes - middle).max())
    if spread == 0:
        return Rule(np.array([middle]), np.array([total]))
    x = (rule.nodes - middle) / spread
    basis = np.empty((size, len(x)))
    basis[0] = np.sqrt(rule.weights / total)
    diagonal, beside = np.zeros(size), np.zeros(max(size - 1, 0))
    for n in range(size):
        following = x * basis[n]
        diagonal[n] = following @ basis[n]
        if n + 1 == size:
            break
        for _ in range(2):  # twice is enough to stay orthogonal
            following -= basis[: n + 1].T @ (basis[: n + 1] @ following)
        beside[n] = np.linalg.norm(following)
        if beside[n] < 1e-13:  # the measure has no more points than this
            diagonal, beside = diagonal[: n + 1], beside[:n]
            break
        basis[n + 1] = following / beside[n]
    nodes, weights = _golub_welsch(diagonal, beside)
    return Rule(middle + spread * nodes, total * weights)


def add(first: Rule, second: Rule, size: int) -> Rule:
    """The rule of the sum of two independent numbers."""
    return compress(outer(first, second), size)


def outer(first: Rule, second: Rule) -> Rule:
    """As `add`, with all pairs of nodes."""
    nodes = np.add.outer(first.nodes, second.nodes).ravel()
    return Rule(nodes, np.multiply.outer(first.weights, second.weights).ravel())


def _golub_welsch(diagonal: np.ndarray, beside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if len(diagonal) == 1:
        return diagonal.copy(), np.ones(1)
    nodes, vectors = eigh_tridiagonal(diagonal, beside)
    return nodes, vectors[0] ** 2

"""Log-likelihoods of labels under N(0, I) weights, by sequential Monte Carlo with resample-move.

Labels come one at a time. Particles are reweighted by each, and when their effective sample size
falls below half of their number they are resampled and moved; a label that would throw away more
than that comes in by powers of its likelihood (Del Moral, Doucet and Jasra 2006; Chopin 2002). A
move is a slice sampler along a random line: directions follow the covariance of the particles, the
prior is exact along the line, and what the line allows is cut out of it by every label at once, so
that nothing is rejected as rho -> 0, where each label is a half-space.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from augury.engine.studies.anchors import log_joint, log_sigmoid

MOVES = 5  # after each resampling, and one more for each dimension
KEPT = 0.5  # effective share of the particles at which they are resampled
CERTAIN = 25.0  # a logit whose label adds 1e-11 to a log-likelihood
RARE = 6.0  # standard deviations: particles seldom go so far in a few moves
CHUNK = 60_000  # logits in flight: stay in cache


class Labels(NamedTuple):
    """Labels in order, as signed slopes: label t has likelihood sigmoid(slopes[which[t]].theta)."""

    slopes: np.ndarray  # [distinct, dim], +-x / rho
    which: np.ndarray  # [tau]


class Estimate(NamedTuple):
    """Of log E_theta prod_t sigmoid(slope_t.theta), theta ~ N(0, I)."""

    log_likelihood: float  # nats
    ess: float  # 1 / ess is the relative variance of the likelihood, were moves independent


def estimate(
    labels: Labels, taus: Sequence[int], num_particles: int, rng: np.random.Generator
) -> list[Estimate]:
    """The log-likelihood of the first tau labels for each of `taus` (increasing)."""
    slopes, which = labels.slopes, labels.which[: taus[-1]]
    theta = rng.standard_normal((slopes.shape[1], num_particles))
    log_w, log_z, excess = np.zeros(num_particles), 0.0, 0.0
    found: list[Estimate] = []
    t, power = 0, 0.0  # labels that are in, and the power of the one that is coming in
    while t < len(which):
        size = int(np.clip(t // 4, 8, 500))
        block = which[t : t + size]
        terms = log_sigmoid(slopes[block] @ theta)
        terms[0] *= 1.0 - power
        paths = log_w + np.cumsum(terms, axis=0)
        sizes = _effective(paths)
        short = np.flatnonzero(sizes < KEPT * num_particles)
        inside = int(short[0]) if short.size else len(block)
        for tau in taus[len(found) :]:
            if tau > t + inside:
                break
            row = tau - t - 1
            found.append(_estimate(log_z, paths[row], sizes[row], excess))
        if not short.size:
            log_w, t, power = paths[-1], t + len(block), 0.0
            continue
        before = paths[inside - 1] if inside else log_w
        if inside:
            power = 0.0
        t += inside
        step = _step(before, terms[inside] / (1.0 - power), 1.0 - power)
        log_w = before + step * terms[inside] / (1.0 - power)
        power = min(power + step, 1.0)
        log_z += _log_mean(log_w)
        excess += 1.0 / float(_effective(log_w[None])[0]) - 1.0 / num_particles
        counts = np.bincount(which[:t], minlength=len(slopes)).astype(np.float64)
        counts[which[t]] += power
        seen = np.flatnonzero(counts)
        theta = _moved(theta, log_w, slopes[seen], counts[seen], rng)
        log_w = np.zeros(num_particles)
        if power == 1.0:
            t, power = t + 1, 0.0
            if taus[len(found)] == t:
                found.append(_estimate(log_z, log_w, float(num_particles), excess))
    return found


def _estimate(log_z: float, log_w: np.ndarray, ess: float, excess: float) -> Estimate:
    return Estimate(log_z + _log_mean(log_w), 1.0 / (1.0 / float(ess) + excess))


def _step(before: np.ndarray, term: np.ndarray, most: float) -> float:
    """The largest further power of a label's likelihood that keeps the effective share."""
    low, high = 1e-12 * most, most
    wanted = KEPT * len(before)
    if _effective((before + most * term)[None])[0] >= wanted:
        return most
    for _ in range(50):
        middle = (low * high) ** 0.5  # powers span many orders as rho -> 0
        if _effective((before + middle * term)[None])[0] >= wanted:
            low = middle
        else:
            high = middle
    return low


def _moved(
    theta: np.ndarray,
    log_w: np.ndarray,
    slopes: np.ndarray,
    counts: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Particles resampled by their weights, then moved `MOVES` times each."""
    dim, number = theta.shape
    weights = np.exp(log_w - log_w.max())
    weights /= weights.sum()
    middle = theta @ weights
    away = theta - middle[:, None]
    covariance = (away * weights) @ away.T
    root = np.linalg.cholesky(covariance + 1e-12 * np.trace(covariance) * np.eye(dim) / dim)
    places = (np.arange(number) + rng.random()) / number  # systematic resampling
    theta = theta[:, np.searchsorted(np.cumsum(weights), places).clip(0, number - 1)]
    logits = slopes @ theta
    # Most labels are certain for all particles, and stay so: only the others are looked at in
    # moves. A particle that ends where another label matters is put back.
    doubtful = logits.mean(axis=1) - RARE * logits.std(axis=1) < CERTAIN
    live = np.flatnonzero(doubtful | (logits.min(axis=1) < CERTAIN))
    size = max(16, CHUNK // max(len(live), 1))
    moved = np.concatenate(
        [
            _walk(theta[:, i : i + size], slopes[live], counts[live, None], root, rng)
            for i in range(0, number, size)
        ],
        axis=1,
    )
    certain = np.delete(slopes, live, axis=0) @ moved
    return np.where((certain >= CERTAIN).all(axis=0), moved, theta)


def _walk(
    theta: np.ndarray,
    slopes: np.ndarray,
    counts: np.ndarray,
    root: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Slice sampling along random lines, for each particle its own."""
    dim, number = theta.shape
    logits = slopes @ theta
    value = log_joint(logits, counts)
    for _ in range(MOVES + dim):
        line = root @ rng.standard_normal((dim, number))
        along = np.sum(theta * line, axis=0)
        line *= np.where(along > 0, -1.0, 1.0)  # then what follows looks at lower tails of normals
        scale = np.sum(line**2, axis=0) ** -0.5
        start = -np.abs(along) * scale  # theta in standard deviations of the prior along the line
        slope = slopes @ (line * scale)
        level = value - rng.standard_exponential(number)
        low, high = _bracket(logits, slope, level / counts)
        at, low, high = ndtr(start), ndtr(start + low), ndtr(start + high)
        step, left = np.zeros(number), np.arange(number)
        while left.size:
            u = low[left] + (high[left] - low[left]) * rng.random(left.size)
            tried = ndtri(u) - start[left]
            new = log_joint(logits[:, left] + slope[:, left] * tried, counts)
            good = new >= level[left]
            step[left[good]], value[left[good]] = tried[good], new[good]
            left, u = left[~good], u[~good]
            low[left] = np.where(u < at[left], u, low[left])
            high[left] = np.where(u < at[left], high[left], u)
            left = left[high[left] - low[left] > 1e-15]  # nothing is left of it: it stays
        theta = theta + line * (scale * step)
        logits += slope * step
    return theta


def _bracket(
    logits: np.ndarray, slope: np.ndarray, least: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where along lines every logit is at least `least`; at most 10 standard deviations away.

    A label's log-likelihood is below its logit, and no other's is above 0.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = (least - logits) / slope
    low = np.max(np.where(slope > 0, ends, -10.0), axis=0, initial=-10.0)
    high = np.min(np.where(slope < 0, ends, 10.0), axis=0, initial=10.0)
    return np.minimum(low, 0.0), np.maximum(high, 0.0)


def _effective(log_w: np.ndarray) -> np.ndarray:
    w = np.exp(log_w - log_w.max(axis=1, keepdims=True))
    return w.sum(axis=1) ** 2 / np.sum(w**2, axis=1)


def _log_mean(log_w: np.ndarray) -> float:
    top = log_w.max()
    return float(top + np.log(np.mean(np.exp(log_w - top))))

"""Logistic regression: limits in closed form, published estimates, and Cover's bound."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from augury.engine.goldens.table import Row, data_file, leave, line, show
from augury.engine.studies import marginal, naive, particles
from augury.engine.studies.anchors import label_entropy, one_anchor_entropy, truth_deviation
from augury.engine.studies.cover import labelings
from augury.engine.studies.draws import Drawn, draw
from augury.engine.studies.dyads import Mean, dyadic_entropies

RHO, TAU = 0.01, 10  # of the file
SMALL_RHO = 1e-5
# ln 2 + (1 - 2^-9) E[entropy of whether two random vectors are on one side], by dimension
LIMITS = {2: 1.19217, 3: 1.28149, 5: 1.33286, 10: 1.36205, 100: 1.38289, 1000: 1.38474}
CLOSE = 2e-3
DIMENSIONS = (2, 10, 100, 1000)
KAPPAS = {0: "iid", 1: "kappa1", 2: "kappa2"}
COVER = {"dim": 5, "taus": (10, 30, 100, 1000), "batches": 40, "particles": 500}


def rows() -> Iterator[Row]:
    """All comparisons: limits, the file's entries, the prior agent against Cover's bound."""
    for dim in LIMITS:
        yield from limits(dim)
    for dim in DIMENSIONS:
        yield from published(dim)
    yield from bounds()


def limits(dim: int) -> Iterator[Row]:
    """Temperature 1e-5 beside its limit 0 at tau = 10: uniform, one anchor, two anchors."""
    noise = TAU * label_entropy(dim, SMALL_RHO)
    yield Row(f"D={dim} limit uniform", TAU * math.log(2.0), TAU * math.log(2.0) - noise, CLOSE)
    one = one_anchor_entropy(dim, SMALL_RHO, TAU) - noise
    yield Row(f"D={dim} limit prior kappa=1", math.log(2.0), one, CLOSE)
    two = dyadic_entropies(dim, SMALL_RHO, TAU).own.value - noise
    yield Row(f"D={dim} limit prior kappa=2", LIMITS[dim], two, CLOSE)


def published(dim: int) -> Iterator[Row]:
    """The file's entries within 3 standard errors, theirs and ours.

    With iid inputs the prior agent is scored by as many shared weights as there, since the estimate
    depends on their number; exactly elsewhere.
    """
    noise = TAU * label_entropy(dim, RHO)
    file = _published()
    uniform = file["uniform_exact"][str(dim)]
    ours = Mean(TAU * math.log(2.0) - noise, 0.0)
    yield _row(f"D={dim} uniform", uniform["value"], uniform["stderr"], ours)
    for kappa, name in KAPPAS.items():
        entry = file["results"][f"D{dim}_{name}"]
        batches = [draw(dim, RHO, kappa, TAU, "golden", dim, j) for j in range(entry["J"])]
        found = {"uniform": ours, "prior_M1000": _naive(batches, 1_000)}
        if kappa == 0:
            found["marginal"] = _marginal(batches)
            found["prior"] = _naive(batches, entry["M"])
            del found["prior_M1000"]  # of a few weights only: not reproducible, see `heavy`
        elif kappa == 1:
            one = Mean(one_anchor_entropy(dim, RHO, TAU) - noise, 0.0)
            found |= {"marginal": one, "prior": one}
        else:
            both = dyadic_entropies(dim, RHO, TAU)
            found["marginal"] = Mean(both.marginal.value - noise, both.marginal.stderr)
            found["prior"] = Mean(both.own.value - noise, both.own.stderr)
        for subject, mean in found.items():
            golden, stderr = entry[subject]["mean"], entry[subject]["stderr"]
            if subject == "uniform":  # rests on rare labels: the draws' own spread is an accident
                stderr = truth_deviation(dim, RHO, TAU, kappa) / entry["J"] ** 0.5
            yield _row(f"D={dim} {name} {subject}", golden, stderr, mean)


def heavy(dim: int) -> Row:
    """The prior agent by 1,000 weights under iid inputs: shown, not asserted."""
    batches = [draw(dim, RHO, 0, TAU, "golden", dim, j) for j in range(1_000)]
    entry = _published()["results"][f"D{dim}_iid"]["prior_M1000"]
    ours = _naive(batches, 1_000)
    return Row(f"D={dim} iid prior_M1000", entry["mean"], ours.value, ours.stderr)


def bounds() -> Iterator[Row]:
    """What the prior agent's KL exceeds Cover's bound by, 0 within 3 standard errors (D = 5)."""
    for (tau, kl), bound in zip(prior_kl().items(), _bounds(), strict=True):
        text = f"D={COVER['dim']} tau={tau} KL {kl.value:.2f} +- {kl.stderr:.2f}, bound {bound:.2f}"
        yield Row(text, 0.0, max(0.0, kl.value - bound), 3.0 * kl.stderr)


def prior_kl() -> dict[int, Mean]:
    """KL of the prior agent by particles under iid inputs, for each tau."""
    dim, taus, kl = COVER["dim"], COVER["taus"], []
    for j in range(COVER["batches"]):
        batch = draw(dim, RHO, 0, taus[-1], "cover", j)
        rng = np.random.default_rng(j)
        scored = particles.estimate(batch.labels, taus, COVER["particles"], rng)
        kl.append(
            [batch.true_ll[t - 1] - s.log_likelihood for t, s in zip(taus, scored, strict=True)]
        )
    return {tau: _mean(values) for tau, values in zip(taus, np.transpose(kl), strict=True)}


def _bounds() -> list[float]:
    return [labelings(COVER["dim"], tau) for tau in COVER["taus"]]


def _naive(batches: Sequence[Drawn], number: int) -> Mean:
    scores = naive.score(batches, TAU, number, np.random.default_rng(number))
    return Mean(*scores.mean_and_error(np.array([b.true_ll[-1] for b in batches])))


def _marginal(batches: Sequence[Drawn]) -> Mean:
    log_q = marginal.log_likelihoods(np.stack([b.lengths for b in batches]))
    return _mean(np.array([b.true_ll[-1] for b in batches]) - log_q)


def _mean(values: np.ndarray) -> Mean:
    return Mean(float(np.mean(values)), float(np.std(values, ddof=1) / len(values) ** 0.5))


def _row(name: str, golden: float, stderr: float, ours: Mean) -> Row:
    return Row(name, golden, ours.value, 3.0 * math.hypot(stderr, ours.stderr))


def _published() -> Any:
    return json.loads(data_file("logistic.json").read_text())


def main() -> int:
    """Print the table; 1 if a number is out of tolerance."""
    wrong = show(rows())
    print("\nshown, not asserted: 1,000 shared weights miss most labelings, so that their estimate")
    print("is an accident of the draw (the last column is its standard error)")
    for row in map(heavy, DIMENSIONS):
        line(*row)
    return wrong


if __name__ == "__main__":
    leave(main)

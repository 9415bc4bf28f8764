"""Mutual information against known numbers: `python -m augury.engine.goldens.mi`.

Three kinds: every bound and its gradient on one fixed matrix; every bound with the exact critic of
Gaussian pairs, where a closed form or a long reference average is known; and trained critics
against runs of the published code (Lee and Rhee 2024) at the same configuration.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.entry import load
from augury.engine.catalog.estimators import ESTIMATORS
from augury.engine.estimators.bounds import BITS
from augury.engine.estimators.objectives import OBJECTIVES
from augury.engine.goldens.table import Row, leave, show
from augury.engine.problems import gaussian
from augury.engine.scenarios.mi import run_batch
from augury.engine.types import BatchContext, Cell, CellFinished, Progress

# f_ij = 2 sin(3i + 5j + 1) + 3 [i = j], i, j = 0..7, in nats: value, Frobenius norm and sum of the
# gradient that trains. The published js is our js-compat.
EXACT: Mapping[str, tuple[float, float, float]] = {
    "nwj": (2.286967913460654, 0.3892197245969717, 0.1660825329948454),
    "js-compat": (2.286967913460654, 0.08989999173422067, -0.4138397804145424),
    "infonce": (1.3200592313068356, 0.21201214039217545, 0.0),
    "dv": (2.302506222411579, 0.40385027723876993, 0.0),
    "smile-1": (2.7607216431384716, 0.08989999173422067, -0.4138397804145424),
    "smile-5": (2.302506222411579, 0.08989999173422067, -0.4138397804145424),
    "smile-inf": (2.302506222411579, 0.08989999173422067, -0.4138397804145424),
}
# Mean and standard deviation of 1,000 batches of 64 pairs, 10 Gaussian sources, exact critic; bits.
# nwj and js are read at their best: 1 + log r, and log r.
ORACLE: Mapping[int, Mapping[str, tuple[float, float]]] = {
    2: {"nwj": (2.0035, 0.3091), "js": (2.0035, 0.3091), "js-compat": (1.4730, 0.2966),
        "infonce": (1.8884, 0.2688), "dv": (2.0063, 0.3085), "smile-1": (2.3570, 0.3093),
        "smile-5": (2.0135, 0.3068), "smile-inf": (2.0063, 0.3085)},
    4: {"nwj": (4.0127, 0.4324), "js": (4.0127, 0.4324), "js-compat": (3.4810, 0.3684),
        "infonce": (3.4598, 0.2735), "dv": (4.0305, 0.4209), "smile-1": (4.7264, 0.3814),
        "smile-5": (4.1135, 0.3978), "smile-inf": (4.0305, 0.4209)},
}  # fmt: skip
ORACLE_BATCHES = 4_000
# Ratio to the truth over the last 1,000 of 4,000 steps at 4 bits, one run of the published code.
REFERENCE: Mapping[str, Mapping[str, float]] = {
    "separable": {"dv": 3.449 / 4, "smile-5": 3.721 / 4},
    "joint": {"dv": 0.962891592479285, "smile-5": 0.956882125204829},
}


def rows() -> Iterator[Row]:
    """All comparisons, the dearest last: the joint critic takes minutes."""
    yield from exact()
    yield from oracle()
    for critic in REFERENCE:
        yield from reference(critic)


def exact() -> Iterator[Row]:
    """Values and training gradients on the fixed matrix, to 1e-5."""
    i, j = np.meshgrid(np.arange(8.0), np.arange(8.0), indexing="ij")
    scores = jnp.asarray(2 * np.sin(3 * i + 5 * j + 1) + 3 * (i == j), jnp.float32)
    for name, (value, norm, total) in EXACT.items():
        entry = ESTIMATORS[name]
        gradient = np.asarray(jax.grad(OBJECTIVES[entry.group])(scores), np.float64)
        yield Row(
            f"{name} on the fixed matrix, nats", value, float(load(entry.target)(scores)), 1e-5
        )
        yield Row(f"{name} gradient, norm", norm, float(np.linalg.norm(gradient)), 1e-5)
        yield Row(f"{name} gradient, sum", total, float(gradient.sum()), 1e-5)


def oracle_values(
    bits: float, num_batches: int = ORACLE_BATCHES, num_pairs: int = 64, num_sources: int = 10
) -> dict[str, np.ndarray]:
    """What each estimator reads in each of `num_batches` batches with the exact critic, in bits."""
    bounds = {name: load(entry.target) for name, entry in ESTIMATORS.items()}

    def read(key: jax.Array) -> dict[str, jax.Array]:
        true = jnp.float32(bits)
        log_r = gaussian.log_ratio(*gaussian.sample(key, true, num_pairs, num_sources), true)
        return {n: bound(log_r + (n == "nwj")) for n, bound in bounds.items()}

    keys = jax.random.split(jax.random.key(0), num_batches)
    found = jax.jit(lambda keys: jax.lax.map(read, keys))(keys)
    return {name: np.asarray(values, np.float64) * BITS for name, values in found.items()}


def oracle() -> Iterator[Row]:
    """Means over batches, within 4 standard errors of the difference of two such means."""
    for bits, table in ORACLE.items():
        found = oracle_values(bits)
        for name, (mean, std) in table.items():
            error = std * math.sqrt(1 / 1_000 + 1 / ORACLE_BATCHES)
            yield Row(f"{name} of the exact critic, {bits} bits", mean,
                      float(found[name].mean()), 4 * error)  # fmt: skip
        best = found["nwj"]
        error = 4 * float(best.std()) / math.sqrt(len(best))
        yield Row(f"nwj of the exact critic, {bits} bits: exact", bits, float(best.mean()), error)


def reference(critic: str) -> Iterator[Row]:
    """Trained critics: ratio to the truth within .05 of the published code's."""
    for name, golden in REFERENCE[critic].items():
        config = {"num_steps": 4_000} | ({} if critic == "joint" else {"critic": critic})
        ratio = trained_ratio(Cell("mi", "mi/gaussian-ds10-4bits", name, config))
        yield Row(f"{name} ratio, {critic} critic, 4,000 steps", golden, ratio, 0.05)


def trained_ratio(cell: Cell) -> float:
    """The ratio of estimate to truth of one cell; NaN where it diverged."""
    found: list[CellFinished] = []

    def emit(event: Progress | CellFinished) -> None:
        if isinstance(event, CellFinished):
            found.append(event)

    run_batch([cell], emit, BatchContext())
    value = next(row.value for row in found[0].rows if row.metric == "mi_ratio")
    return math.nan if value is None else value


if __name__ == "__main__":
    leave(lambda: show(rows()))

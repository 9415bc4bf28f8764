"""Mutual information against known numbers: `python -m augury.engine.goldens.mi`.

Three kinds: what is exact (bounds and their gradients on one matrix, crossovers of channels, the
closed forms); every bound with the exact critic of Gaussian pairs and of a channel, where a closed
form or a long reference average is known; and separable critics against runs of the published code
(Lee and Rhee 2024) at the same configuration. Joint ones take minutes: `mi_joint`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from augury.engine.catalog.estimators import ESTIMATORS
from augury.engine.catalog.problems import ChannelProblem, GaussianProblem
from augury.engine.critics import exact_critic
from augury.engine.goldens import mi_exact
from augury.engine.goldens.table import Row, leave, show_whole
from augury.engine.scenarios.mi import run_batch
from augury.engine.types import BatchContext, Cell, CellFinished, Progress

# Mean and standard deviation of 1,000 batches of 64 pairs of 10 sources, exact critic; bits. nwj
# and js are read at their best: 1 + log r, and log r. Above 4 bits only two have deviations that
# say anything of their means, and without errors of the channel (10 bits) one.
ORACLE: Mapping[tuple[str, int], Mapping[str, tuple[float, float]]] = {
    ("gaussian", 2): {
        "nwj": (2.0035, 0.3091), "js": (2.0035, 0.3091), "js-compat": (1.4730, 0.2966),
        "infonce": (1.8884, 0.2688), "dv": (2.0063, 0.3085), "smile-1": (2.3570, 0.3093),
        "smile-5": (2.0135, 0.3068), "smile-inf": (2.0063, 0.3085),
    },
    ("gaussian", 4): {
        "nwj": (4.0127, 0.4324), "js": (4.0127, 0.4324), "js-compat": (3.4810, 0.3684),
        "infonce": (3.4598, 0.2735), "dv": (4.0305, 0.4209), "smile-1": (4.7264, 0.3814),
        "smile-5": (4.1135, 0.3978), "smile-inf": (4.0305, 0.4209),
    },
    ("gaussian", 6): {"infonce": (4.6145, 0.2535), "smile-1": (6.9974, 0.4608)},
    ("gaussian", 8): {"infonce": (5.3296, 0.1838), "smile-1": (9.1847, 0.4906)},
    ("gaussian", 10): {"infonce": (5.7324, 0.1155), "smile-1": (11.3140, 0.4938)},
    ("channel", 2): {
        "nwj": (2.0049, 0.2814), "js": (2.0049, 0.2814), "js-compat": (1.4739, 0.2735),
        "infonce": (1.9082, 0.2507), "dv": (2.0068, 0.2813), "smile-1": (2.3986, 0.2732),
        "smile-5": (2.0067, 0.2813), "smile-inf": (2.0068, 0.2813),
    },
    ("channel", 4): {
        "nwj": (3.9833, 0.3968), "js": (3.9833, 0.3968), "js-compat": (3.4550, 0.3608),
        "infonce": (3.5367, 0.2814), "dv": (3.9941, 0.3962), "smile-1": (4.7801, 0.3557),
        "smile-5": (4.0815, 0.3853), "smile-inf": (3.9941, 0.3962),
    },
    ("channel", 6): {"infonce": (4.7956, 0.2206), "smile-1": (7.0360, 0.3760)},
    ("channel", 8): {"infonce": (5.5555, 0.1466), "smile-1": (9.2807, 0.3409)},
    ("channel", 10): {"infonce": (5.9400, 0.0409)},
}  # fmt: skip
ORACLE_BATCHES = 1_000
ONCE = {"held_out_pairs": 5_000, "oracle_batches": 50}  # of what is beside the training: little
# Ratio to the truth over the last 1,000 of 4,000 steps at 4 bits, one run of the published code.
SEPARABLE: Mapping[str, float] = {"dv": 3.449 / 4, "smile-5": 3.721 / 4}


def rows() -> Iterator[Row]:
    """All comparisons, the dearest last."""
    yield from mi_exact.rows()
    yield from oracle()
    yield from separable()


def oracle_values(
    domain: str, bits: float, names: Iterable[str], num_batches: int = ORACLE_BATCHES
) -> dict[str, np.ndarray]:
    """What estimators read in each of `num_batches` batches with the exact critic, in bits."""
    kinds: dict[str, type[GaussianProblem] | type[ChannelProblem]] = {
        "gaussian": GaussianProblem, "channel": ChannelProblem,
    }  # fmt: skip
    problem = kinds[domain](10, (bits,))
    groups = dict.fromkeys(ESTIMATORS[name].group for name in names)
    found = [exact_critic.values(problem, group, 64, num_batches) for group in groups]
    return {name: values[0] for part in found for name, values in part.items()}


def oracle(num_batches: int = ORACLE_BATCHES) -> Iterator[Row]:
    """Means over batches, within 3 standard errors of the difference of two such means."""
    for (domain, bits), table in ORACLE.items():
        found = oracle_values(domain, bits, table, num_batches)
        for name, (mean, std) in table.items():
            error = std * math.sqrt(1 / 1_000 + 1 / num_batches)
            yield Row(f"{name}, exact critic, {domain} {bits} bits", mean,
                      float(found[name].mean()), 3 * error)  # fmt: skip
        if bits <= 4:
            best = found["nwj"]
            error = 3 * float(best.std()) / math.sqrt(len(best))
            yield Row(f"nwj, exact critic, {domain} {bits} bits: exact", bits,
                      float(best.mean()), error)  # fmt: skip


def separable() -> Iterator[Row]:
    """Trained critics: ratio to the truth within .05 of the published code's."""
    for name, golden in SEPARABLE.items():
        config = {"num_steps": 4_000, "critic": "separable"}
        found = trained(Cell("mi", "mi/gaussian-ds10-4bits", name, config, ONCE))
        yield Row(f"{name} ratio, separable critic, 4,000 steps", golden, ratio(found), 0.05)


def trained(cell: Cell) -> CellFinished:
    """One cell, computed here."""
    found: list[CellFinished] = []

    def emit(event: Progress | CellFinished) -> None:
        if isinstance(event, CellFinished):
            found.append(event)

    run_batch([cell], emit, BatchContext())
    return found[0]


def ratio(found: CellFinished) -> float:
    """Of estimate to truth over the final steps; NaN where it diverged."""
    value = next(row.value for row in found.rows if row.metric == "mi_ratio")
    return math.nan if value is None else value


LEFT_OUT: Mapping[str, str] = {
    "text_truth": "needs the embeddings of 25,000 reviews; ./test -m slow compares them",
    "reference_run": "joint critics take minutes: augury goldens mi-joint",
}


def main() -> int:
    """Print the table, and what of the file is not in it; 1 if a number is out of tolerance."""
    return show_whole(rows(), LEFT_OUT.items(), width=60)


if __name__ == "__main__":
    leave(main)

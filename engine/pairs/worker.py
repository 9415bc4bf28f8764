"""The process that trains critics of a person's rows: `python -m augury.engine.pairs.worker`.

Arguments are a file of rows and what is asked, in JSON; stdout is what was found, in JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from augury.engine.pairs.critics import FOLDS, Rows, batch_size, estimates


def answer(rows: Mapping[str, np.ndarray], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Estimates of each kind of pairs, in arrays of one shape, so that one program does all."""
    given = {kind: (rows[f"{kind}/x"], rows[f"{kind}/y"]) for kind in asked["kinds"]}
    shapes = [(len(x), x.shape[1], y.shape[1]) for x, y in given.values()]
    capacity, x_dim, y_dim = (max(sizes) for sizes in zip(*shapes, strict=True))
    size = batch_size(min(number for number, _, _ in shapes))

    def alive() -> None:
        if os.getppid() != asked["parent"]:
            raise SystemExit("nobody waits for the answer.")

    found: dict[str, Any] = {}
    for place, (kind, (x, y)) in enumerate(given.items()):
        one = Rows(_filled(x, capacity, x_dim), _filled(y, capacity, y_dim), len(x))
        folds = range(1) if place else range(FOLDS)
        read = estimates(asked["names"], one, size, asked["seed"], asked["num_steps"], folds,
                         alive)  # fmt: skip
        found[kind] = {name: asdict(value) for name, value in read.items()}
    return found


def _filled(rows: np.ndarray, capacity: int, width: int) -> np.ndarray:
    """With rows that nobody takes, and columns of zeros, which tell nothing."""
    return np.pad(rows, ((0, capacity - len(rows)), (0, width - rows.shape[1])))


if __name__ == "__main__":
    with np.load(sys.argv[1]) as file:
        found = answer(dict(file), json.loads(sys.argv[2]))
    json.dump(found, sys.stdout)

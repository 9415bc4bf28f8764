"""Trainings of critics in a process of their own: the command line never imports JAX."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from augury.engine.catalog.estimators import ESTIMATORS, NEURAL
from augury.engine.errors import AuguryError
from augury.engine.pairs.estimate import Estimate
from augury.engine.pairs.sides import Side

LEAST_ROWS = 200  # for a critic to learn from, and to be scored on
MOST_TRAINED = 200_000  # rows
USUAL = ("infonce", "nwj", "smile-5")
_BASELINES = ("tuba", "interpolated")  # objectives with a second network
TRAINABLE = tuple(name for name in NEURAL if ESTIMATORS[name].group not in _BASELINES)
_MODULE = "augury.engine.pairs.worker"


def trained(
    names: Sequence[str],
    pairs: Mapping[str, tuple[Side, Side]],
    seed: int,
    num_steps: int,
) -> dict[str, dict[str, Estimate]]:
    """What critics of each objective tell of several kinds of pairs: kind -> estimator -> value.

    The first kind is scored on all of its rows, the others on a fold of them.

    Raises:
        AuguryError: the process failed.
    """
    with tempfile.TemporaryDirectory(prefix="augury-") as folder:
        place = Path(folder) / "rows.npz"
        arrays = {
            f"{kind}/{side}": rows.take(np.arange(min(rows.num_rows, MOST_TRAINED))).matrix()
            for kind, both in pairs.items()
            for side, rows in zip("xy", both, strict=True)
        }
        np.savez(place, **{name: rows.astype(np.float32) for name, rows in arrays.items()})  # type: ignore[arg-type]
        asked = {"names": list(names), "kinds": list(pairs), "seed": seed, "num_steps": num_steps,
                 "parent": os.getpid()}  # fmt: skip
        # These critics are small: an accelerator that others use would not make them quicker.
        environment = {"JAX_PLATFORMS": "cpu", **os.environ}
        ended = subprocess.run(
            [sys.executable, "-P", "-m", _MODULE, str(place), json.dumps(asked)],
            env=environment, stdout=subprocess.PIPE, check=False,
        )  # fmt: skip
    if ended.returncode:
        raise AuguryError(f"the process that trains critics ended with code {ended.returncode}.")
    found = json.loads(ended.stdout)
    return {
        kind: {name: Estimate(**values) for name, values in read.items()}
        for kind, read in found.items()
    }

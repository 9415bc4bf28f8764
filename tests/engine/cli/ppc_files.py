"""Predictions and labels in files, and the command that reads them."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
from click.testing import CliRunner, Result

from augury.engine.cli.main import main

MEMBERS, ROWS, CLASSES = 4, 60, 6
rng = np.random.default_rng


def write(folder: Path) -> None:
    """Right predictions of labels and of numbers; labels that no member expects."""
    draw = rng(0)
    probs = draw.dirichlet(np.full(CLASSES, 0.3), size=(MEMBERS, ROWS))
    np.savez(folder / "probs.npz", probs=probs.astype(np.float32))
    np.savez(folder / "slip.npz", probs=probs.astype(np.float32), weight=[0.4, 0.3, 0.2, 0.1])
    np.save(folder / "y.npy", np.array([draw.choice(CLASSES, p=p) for p in probs[0]]))
    np.save(folder / "wrong.npy", probs.mean(0).argmin(-1))
    mean = draw.normal(size=(MEMBERS, ROWS))
    np.savez(
        folder / "normal.npz", mean=mean, scale=np.ones(mean.shape), weights=[0.4, 0.3, 0.2, 0.1]
    )
    np.save(folder / "numbers.npy", mean[0] + draw.normal(size=ROWS))
    np.save(folder / "group.npy", np.arange(ROWS) % 3)
    np.save(folder / "nan.npy", np.where(np.arange(ROWS) == 2, np.nan, 0.0))


def call(words: str) -> Result:
    """What `augury ppc` says to these words."""
    return CliRunner().invoke(main, ["ppc", *shlex.split(words)], prog_name="augury")

"""The carry of a long training, kept on disk between chunks."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.paths import discard


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One file for one group of cells that train side by side."""

    path: Path

    @classmethod
    def of(cls, directory: Path, cell_ids: Iterable[str], *also: object) -> Checkpoint:
        """The file for these cells in this order; `also` is what else its content depends on."""
        text = "\n".join([*cell_ids, *map(str, also), jax.__version__])
        digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        return cls(directory / f"{digest}.npz")

    def save(self, step: int, tree: Any) -> None:
        """Replace the file with the tree's leaves; a death in between leaves the old one."""
        leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(tree)]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        half = self.path.with_suffix(f".{os.getpid()}.tmp")
        with half.open("wb") as file:
            named = {f"leaf{i}": leaf for i, leaf in enumerate(leaves)}
            np.savez(file, allow_pickle=False, step=np.int64(step), **named)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        half.replace(self.path)

    def load(self, like: Any) -> tuple[int, Any] | None:
        """(step, tree shaped as `like`); None where there is no usable file.

        Axis 1 of the NumPy leaves of `like` may differ: it counts steps.
        """
        leaves, structure = jax.tree.flatten(like)
        try:
            with self.path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                found = [file[f"leaf{i}"] for i in range(len(leaves))]
                step = int(file["step"])
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return None
        for old, new in zip(leaves, found, strict=True):
            steps = isinstance(old, np.ndarray)
            if old.dtype != new.dtype or _shape(old, steps) != _shape(new, steps):
                return None
        restored = [
            new if isinstance(old, np.ndarray) else jnp.asarray(new)
            for old, new in zip(leaves, found, strict=True)
        ]
        return step, jax.tree.unflatten(structure, restored)

    def remove(self) -> None:
        """Forget it: the results are out."""
        discard(self.path)


def _shape(leaf: Any, steps: bool) -> tuple[int, ...]:
    return (*leaf.shape[:1], *leaf.shape[2:]) if steps else tuple(leaf.shape)

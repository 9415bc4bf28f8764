"""What is told of a training while it goes on, a few times a second."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from augury.engine.types import Emit, Progress

PROGRESS_SECONDS = 0.2


def reports(
    emit: Emit, cell_ids: tuple[str, ...], num_trainings: int, num_steps: int
) -> Callable[[int, np.ndarray], None]:
    """What `train` calls between chunks: it emits the mean of the newest losses, if finite.

    Rows of losses beyond `num_trainings` fill the width of the program and are left out.
    """
    shown = -np.inf

    def on_chunk(done: int, losses: np.ndarray) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown >= PROGRESS_SECONDS or done == num_steps:
            shown = now
            mean = float(np.mean(losses[:num_trainings, -1]))
            emit(Progress(cell_ids, "train", done, num_steps, mean if np.isfinite(mean) else None))

    return on_chunk

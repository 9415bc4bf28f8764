"""What is told while a training goes on."""

import numpy as np
import pytest

from augury.engine.learning import reports
from augury.engine.training import diverged


def test_the_newest_losses_are_told_now_and_then_and_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = []
    monkeypatch.setattr(reports, "PROGRESS_SECONDS", 1000.0)
    on_chunk = reports.reports(told.append, ("a", "b"), 2, 30)
    losses = np.array([[9.0, 1.0], [9.0, 3.0], [9.0, 50.0]])  # the last row fills the width
    for done in (10, 20):
        on_chunk(done, losses)
    losses[0, -1] = np.nan
    on_chunk(30, losses)
    assert [(p.cell_ids, p.phase, p.step, p.num_steps, p.loss) for p in told] == [
        (("a", "b"), "train", 10, 30, 2.0),
        (("a", "b"), "train", 30, 30, None),
    ]


def test_where_a_training_diverged() -> None:
    assert diverged(np.array([1.0, 2.0])) == ""
    assert diverged(np.array([1.0, np.inf, np.nan])) == "training diverged at step 2"

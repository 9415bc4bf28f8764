"""Charts of what the application knows without asking: curves of one cell."""

from __future__ import annotations

from collections.abc import Sequence

from augury.engine.charts.chart import Axis, Chart, Series


def loss(cell_id: str, name: str, points: Sequence[tuple[float, float]], title: str = "") -> Chart:
    """The loss of one cell by step."""
    series = (Series(name, tuple(points)),) if points else ()
    command = f"augury plot cell {cell_id[:12]}"
    return Chart(title, series, Axis("step"), Axis("loss", log=True), (), command)

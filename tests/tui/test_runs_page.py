"""The table of runs in any width."""

from __future__ import annotations

from typing import Any

import pytest

from augury.engine.text_width import width_of
from augury.tui.runs_page import columns, run_line

_RUN: dict[str, Any] = {
    "run_id": "r19gq1z", "state": "cancelled", "priority": 2, "total": 1504, "done": 1500,
    "failed": 4, "command": "augury run testbed --scale quick --seeds 1-10", "pending": 0,
}  # fmt: skip


@pytest.mark.parametrize("width", range(60, 140))
def test_every_column_has_room_and_what_is_cut_carries_a_mark(width: int) -> None:
    shown = columns(width)
    texts = run_line(_RUN, width)
    names = [name for name, _, _ in shown]
    line = dict(zip(names, texts, strict=True))
    taken = sum((fixed or width_of(line["command"])) + 2 for _, _, fixed in shown)
    assert taken <= width - 1  # the scroll bar's
    assert {"state", "run", "cells", "left", "command"} <= set(names)
    for name, title, fixed in shown:
        assert width_of(line[name]) <= (fixed or width) and width_of(title) <= (fixed or 7)
    assert line["state"] == "⊘ cancelled" and line["run"] == "r19gq1z +2"
    assert "4" in line.get("failed", line["cells"]) and line["cells"].startswith("1500/1504"[:9])
    assert line["command"].startswith("testbed"[:6])
    assert line["command"][-1] == "…" or line["command"].endswith("1-10")


def test_failed_cells_have_a_column_where_there_is_room() -> None:
    assert [name for name, _, _ in columns(80)][2:6] == ["progress", "cells", "failed", "left"]
    assert dict(zip([n for n, _, _ in columns(60)], run_line(_RUN | {"total": 36, "done": 32}, 60),
                    strict=True))["cells"] == "32/36 ✖4"  # fmt: skip

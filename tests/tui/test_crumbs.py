"""Where one is, in any width."""

from __future__ import annotations

import pytest

from augury.engine.text_width import width_of
from augury.tui.cell_page import title
from augury.tui.crumbs import names, trail

_CELL = {
    "label": "smile[critic=concat, clip=5.0, steps=20000]",
    "problem": "mi/gaussian-d20-rho0.9/e0",
    "seed": 17,
}


@pytest.mark.parametrize("width", range(30, 120))
def test_a_cells_seed_stays_and_what_is_above_goes_first(width: int) -> None:
    here = title(_CELL, width)
    assert width_of(here) <= width and here.endswith("  seed 17")
    line = trail(("mi", "smile", "all cells", here), width)
    assert width_of(line) <= width and line.endswith("seed 17")
    assert "…" in line or line in (title(_CELL), f"mi › smile › all cells › {title(_CELL)}")


def test_names_share_the_room_there_is() -> None:
    assert names(("mlp", "ensemble[size=100]"), 17) == ["mlp", "ensembl…e=100]"]
    assert names(("mlp", "ensemble"), 17) == ["mlp", "ensemble"]

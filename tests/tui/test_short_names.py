"""Names that have no room."""

from __future__ import annotations

import pytest

from augury.engine.text_width import width_of
from augury.tui.short_names import apart

_NAMES = [
    *(f"sgmcmc[burn_in={a}, num_steps={b}, save_every={c}]"
      for a in (2000, 4000) for b in (10000, 20000) for c in (400, 500)),
    "模型[层=4000, 宽=20000, 每=400]", "模型[层=4000, 宽=20000, 每=500]", "mlp",
]  # fmt: skip


@pytest.mark.parametrize("width", range(8, 50))
def test_short_names_are_no_longer_than_asked_and_all_different(width: int) -> None:
    short = apart(_NAMES, width)
    shown = [short.get(name, name) for name in _NAMES]
    assert max(map(width_of, shown)) <= width
    assert len(set(shown)) == len(_NAMES)
    assert all("…" in text for text in short.values()) and "mlp" not in short


def test_a_name_shows_both_of_its_ends_and_where_alike_what_differs() -> None:
    long = "sgmcmc[burn_in=4000, num_steps=20000, save_every=400]"
    assert apart([long], 24)[long] == "sgmcmc[burn_…_every=400]"
    pair = ["mlp[width=50, steps=4000, decay=1]", "mlp[width=50, steps=9000, decay=1]"]
    assert all("00" in text and text[:3] == "mlp" for text in apart(pair, 18).values())
    assert "4000" in apart(pair, 18)[pair[0]] and "9000" in apart(pair, 18)[pair[1]]

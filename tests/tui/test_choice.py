"""The form's words as a selection, and the command that means the same."""

from __future__ import annotations

import pytest

from augury.engine.catalog.sweeps import COLLECTIONS, DEFAULT_SWEEPS, SWEEPS
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand
from augury.tui import choice


@pytest.mark.parametrize("what", [*COLLECTIONS, *DEFAULT_SWEEPS, *SWEEPS])
def test_everything_offered_can_be_planned(what: str) -> None:
    chosen = choice.selection(what, choice.default_subjects(what), "", "smoke")
    assert expand(chosen) and chosen.subjects == ()
    # As the list has them, in the order of its lines.
    listed = [name for name in choice.subjects_of(what) if name in choice.default_subjects(what)]
    assert choice.selection(what, listed, "", "smoke") == chosen
    assert choice.summary(what) and set(choice.default_subjects(what)) <= set(
        choice.subjects_of(what)
    )


@pytest.mark.parametrize(
    ("text", "seeds"),
    [("", ()), ("3", (3,)), ("0-4", (0, 1, 2, 3, 4)), (" 0, 2 ,5-6", (0, 2, 5, 6)), ("1,1", (1,))],
)
def test_seeds(text: str, seeds: tuple[int, ...]) -> None:
    assert choice.parse_seeds(text) == seeds


@pytest.mark.parametrize("text", ["x", "4-1", "0-99999", "-1", "1.5", "0..4"])
def test_wrong_seeds_are_explained(text: str) -> None:
    with pytest.raises(UsageError, match="seed"):
        choice.parse_seeds(text)


def test_command() -> None:
    chosen = choice.selection("testbed-2d", ["mlp", "ensemble+"], "0-2,5", "quick")
    assert choice.command(chosen) == (
        "augury run testbed-2d --agent mlp,ensemble+ --seeds 0-2,5 --scale quick --detach"
    )
    mixed = Selection(("quick",), ("mlp", "dv"))
    assert choice.command(mixed) == "augury run quick --agent mlp --estimator dv --detach"
    assert choice.command(choice.QUICK) == "augury run quick --detach"


def test_no_subject_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one"):
        choice.selection("quick", [], "", "default")

"""What the published benchmark found, at small scale: which critics fail where, and what does not
matter (Lee and Rhee 2024, scenarios 1, 2, 3, 5)."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from augury.engine.goldens.mi import ratio, trained
from augury.engine.types import JSON, Cell, CellFinished

# Each trains critics for half a minute, and finds out what images tell: longer on a busy machine.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_200)]

# Read over the last 250 steps; all items train, as published.
BRIEF: dict[str, JSON] = {
    "num_final": 250, "held_out_pairs": 1_000, "oracle_batches": 2, "pool": "full",
}  # fmt: skip
SMALL: dict[str, JSON] = {"width": 64, "depth": 1, "batch_size": 32}


def _trained(problem: str, estimator: str, num_steps: int, **config: JSON) -> CellFinished:
    changes = {"num_steps": num_steps, **config}
    return trained(Cell("mi", f"mi/{problem}", estimator, changes, BRIEF))


def _number(found: CellFinished, metric: str) -> float:
    value = next(row.value for row in found.rows if row.metric == metric)
    return math.nan if value is None else value


def test_infonce_saturates_at_the_log_of_its_batch() -> None:
    """Of 10 bits a batch of 16 lets it read 4, and it nears them."""
    found = _trained("gaussian-ds10-10bits", "infonce", 1_000, width=64, depth=1, batch_size=16)
    assert 3.7 < _number(found, "mi") <= 4.0


def test_a_bilinear_critic_fails_on_images_and_reads_low_on_gaussians(
    own_data: Callable[[str], None],
) -> None:
    """Of 4,096 pixels 16 million weights move at once: the bound leaves every scale."""
    low = _trained("gaussian-ds10-4bits", "dv", 2_000, critic="bilinear")
    assert 0.4 < ratio(low) < 0.8  # published: .67
    own_data("mnist")
    images = "image-mnist-1x2x5-s64-4bits"
    wild = _trained(images, "nwj", 40, critic="bilinear")
    assert _number(wild, "mi_diverged") > 0 or abs(_number(wild, "mi")) > 100
    calm = _trained(images, "nwj", 40, **SMALL)
    assert _number(calm, "mi_diverged") == 0 and abs(_number(calm, "mi")) < 4


def test_deep_separable_critics_collapse_and_deep_joint_ones_do_not(
    own_data: Callable[[str], None],
) -> None:
    """Depth 1 and 5 on images of four digits; published for ten: .97 to .10, and .97 to .96."""
    own_data("mnist")

    def at(critic: str, depth: int) -> float:
        config = {**SMALL, "critic": critic, "depth": depth}
        return ratio(_trained("image-mnist-1x2x2-s16-3bits", "dv", 1_000, **config))

    assert at("separable", 1) > 0.85
    assert at("separable", 5) < 0.5
    assert at("joint", 5) > 0.85


def test_four_times_the_dimensions_make_no_difference() -> None:
    """Each of ten sources once, and four times; what turns or hides them is learnt more slowly."""
    once = ratio(_trained("gaussian-ds10-4bits", "dv", 1_000, **SMALL))
    tiled = ratio(_trained("gaussian-ds10-dr40tile-4bits", "dv", 1_000, **SMALL))
    assert once > 0.85 and tiled > 0.85
    assert tiled == pytest.approx(once, abs=0.05)

"""Widths are measured where that pays, and the fastest is kept."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import pytest

from augury.engine import compiled
from augury.engine.agents.mlp import build
from augury.engine.catalog.agent_configs.networks import MlpConfig
from augury.engine.learning import measuring
from augury.engine.learning.epistemic import make_known
from augury.engine.learning.fitting import make_fitter
from augury.engine.learning.measuring import measure_width, step_seconds


class Table:
    """Step seconds by width in place of a clock; a width without any does not fit."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: dict[int, float]) -> None:
        """Measuring reads the table, and every width costs one second to compile."""
        self.seconds, self.asked = seconds, []
        monkeypatch.setattr(measuring, "step_seconds", self.read)
        monkeypatch.setattr(measuring, "compile_seconds", lambda: float(len(self.asked)))

    def read(self, width: Any, rows: Any) -> float:
        """As `step_seconds`, of a fitter that is its width."""
        self.asked.append(width)
        if width not in self.seconds:
            raise RuntimeError("RESOURCE_EXHAUSTED: out of memory")
        return self.seconds[width]

    def choose(self, rule: int, trainings: int = 1_000, most: int = 16) -> int:
        """A thousand steps a training."""
        return measure_width(lambda width: width, [()], 1_000, trainings, rule, most)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize(
    ("seconds", "best"),
    [
        ({1: 4e-5, 2: 3e-5, 4: 2e-5, 8: 1e-5, 16: 0.9e-5}, 16),
        ({1: 1e-5, 2: 2e-5, 4: 3e-5, 8: 4e-5, 16: 5e-5}, 1),
        ({1: 4e-5, 2: 3e-5, 4: 2e-5, 8: 3e-5, 16: 5e-5}, 4),
        ({1: 4e-5, 2: 3e-5, 4: 2e-5, 8: 1.95e-5, 16: 1e-5}, 4),  # no clear gain at 8
        ({1: 4e-5, 2: 3e-5, 4: 2e-5}, 4),  # 8 does not fit
    ],
)
def test_the_fastest_neighbour_wins(
    monkeypatch: pytest.MonkeyPatch, seconds: dict[int, float], best: int
) -> None:
    """From the rule's width towards whichever side is clearly faster."""
    assert Table(monkeypatch, seconds).choose(rule=4) == best


def test_measuring_must_pay_for_its_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of what waits has to outweigh the programs that measuring would compile."""
    table = Table(monkeypatch, {1: 1e-5, 2: 1e-3, 4: 1e-3})
    assert table.choose(rule=4, trainings=9) == 4
    assert table.asked == [4]
    assert table.choose(rule=4, trainings=11) == 4
    assert len(table.asked) > 2


def test_memory_bounds_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Widths beyond the most that fits are not tried."""
    table = Table(monkeypatch, {1: 4e-5, 2: 3e-5, 4: 2e-5, 8: 1e-5, 16: 0.5e-5})
    assert table.choose(rule=4, most=8) == 8
    assert 16 not in table.asked


def test_other_errors_are_not_taken_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that cannot run says so."""
    table = Table(monkeypatch, {4: 1e-5})

    def broken(width: Any, rows: Any) -> float:
        if width != 4:
            raise RuntimeError("INTERNAL: broken")
        return table.read(width, rows)

    monkeypatch.setattr(measuring, "step_seconds", broken)
    with pytest.raises(RuntimeError, match="broken"):
        table.choose(rule=4)


def test_a_step_is_timed_without_compiling_twice() -> None:
    """Seconds of a real network's step; asking again compiles nothing."""
    config = MlpConfig(hidden=(4,))
    fitter = make_fitter(build(config, 3, 2), 2)
    x, y = jax.random.normal(jax.random.key(0), (10, 3)), jnp.zeros((10,), jnp.int32)
    rows = [(jax.random.key(1), x, y, make_known(10, 0.1, config))]
    assert 0 < step_seconds(fitter, rows) < 1
    before = compiled.compilations()
    step_seconds(fitter, rows)
    assert compiled.compilations() == before

"""What tests of an SGD agent's functions stand on: twelve labelled rows in three dimensions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.learning.epistemic import make_known

DIM, ROWS, NUM_TRAIN, TEMPERATURE = 3, 12, 50, 0.25


@dataclass(frozen=True)
class Small:
    """An agent's functions, what is known, and the rows."""

    learner: Any
    config: Any
    known: Any
    x: np.ndarray
    y: np.ndarray

    def loss(self, learned: Any, key: Any, offset: Any = ()) -> float:
        """The training loss of a step with this key."""
        return float(jax.jit(self.learner.training.loss)(*self._told(learned, key, offset)))

    def slope(self, learned: Any, key: Any) -> Any:
        """Its slope in the parameters."""
        return jax.jit(jax.grad(self.learner.training.loss))(*self._told(learned, key, ()))

    def _told(self, learned: Any, key: Any, offset: Any) -> tuple[Any, ...]:
        x, y = jnp.asarray(self.x), jnp.asarray(self.y)
        return learned.params, offset, x, y, self.known, key, 0


@pytest.fixture
def small() -> Callable[[Any, Any], Small]:
    """Build an agent by its factory and config."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, DIM)).astype(np.float32)
    y = rng.integers(0, 2, ROWS).astype(np.int32)

    def build(make_agent: Any, config: Any) -> Small:
        learner = make_agent(config).learner(DIM, 2)
        # One program each is quicker than many operations.
        quick = replace(
            learner,
            init=jax.jit(learner.init),
            draw=jax.jit(learner.draw, static_argnums=2),
            apply=jax.jit(learner.apply),
        )
        return Small(quick, config, make_known(NUM_TRAIN, TEMPERATURE, config), x, y)

    return build

"""A lower bound that leaves alone what is no number."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp


def at_least(values: Any, least: float) -> Any:
    """`values`, `least` where they are less; NaN stays NaN.

    `jnp.maximum` promises as much, but programs that XLA compiles for CPU may give `least` for NaN,
    and a network that is broken would get a score.
    """
    return jnp.where(values < least, least, values)

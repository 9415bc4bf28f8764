"""How a prior function grows as the temperature falls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax.numpy as jnp

if TYPE_CHECKING:
    from jaxtyping import Array, Float

    from augury.engine.learning.epistemic import Known


def prior_factor(known: Known, temp_scale: str) -> Float[Array, ""]:
    """prior_scale / temperature^(1/2, 1, 0) for "sqrt", "linear", "none"; KeyError for others."""
    powers = {"sqrt": jnp.sqrt, "linear": lambda t: t, "none": jnp.ones_like}
    return known.hyper["prior_scale"] / powers[temp_scale](known.temperature)

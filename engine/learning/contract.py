"""The two-line contract over a learner: what agents of this project hand out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from augury.engine.learning.epistemic import Known, Learned, Learner, make_known
from augury.engine.learning.fitting import fit

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.types import Data, Prior


@dataclass(frozen=True, slots=True)
class LearnerAgent:
    """The two-line contract over a learner; scenarios take the learner itself."""

    config: Any
    build: Callable[[Any, int, int], Learner]  # (config, input_dim, num_classes)

    def learner(self, input_dim: int, num_classes: int) -> Learner:
        """The pure functions."""
        return self.build(self.config, input_dim, num_classes)

    def __call__(self, data: Data, prior: Prior, key: PRNGKeyArray) -> LearnerSampler:
        """Train on `data`; as the scenarios do, given the same key."""
        learner = self.learner(prior.input_dim, prior.num_classes)
        known = make_known(prior.num_train, prior.temperature, self.config)
        rows = jnp.asarray(data.x, jnp.float32), jnp.asarray(data.y, jnp.int32).reshape(-1)
        return LearnerSampler(learner, fit(learner, rows, known, key), known)


@dataclass(frozen=True, slots=True)
class LearnerSampler:
    """Epistemic samples of a trained learner."""

    learner: Learner
    learned: Learned
    known: Known

    def __call__(
        self, x: Float[Array, "data dim"], key: PRNGKeyArray
    ) -> Float[Array, "data classes"]:
        """Logits of one sample, the same for all rows."""
        count = self.learner.num_members
        samples = self.learner.draw(self.learned, key, 1)
        which = jax.random.randint(key, (), 0, count) if count else 0
        return self.learner.apply(samples, x, self.known)[which].T

    def members(self, x: Float[Array, "data dim"]) -> Float[Array, "member data classes"] | None:
        """Logits of every equally likely sample, where there are finitely many."""
        if self.learner.num_members is None:
            return None
        samples = self.learner.draw(self.learned, jax.random.key(0), 1)
        return jnp.swapaxes(self.learner.apply(samples, x, self.known), 1, 2)

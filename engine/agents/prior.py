"""Prior: fresh draws of the generative network. What an agent can know before data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from augury.engine.catalog.agent_configs.untrained import PriorConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Known, Learned, Learner
from augury.engine.networks import mlp
from augury.engine.networks.groups import in_groups

if TYPE_CHECKING:
    from jaxtyping import Array, Float

HIDDEN = (50, 50)  # of the testbed's environments


def build(config: PriorConfig, input_dim: int, num_classes: int) -> Learner:
    """Infinitely many samples: each is an environment of its own, at the known temperature."""
    sizes = (input_dim, *HIDDEN, num_classes)

    def apply(samples: mlp.Params, x: Any, known: Known) -> Float[Array, "m classes n"]:
        outputs = in_groups(lambda some: mlp.columns(some, x), samples)
        # As the truth's own: the greatest goes off before the division, so that it ends as 0.
        return (outputs - outputs.max(1, keepdims=True)) / known.temperature

    return Learner(
        init=lambda key, known: Learned(()),
        draw=lambda learned, key, count: mlp.init(key, sizes, count, "normal"),
        apply=apply,
    )


def make_agent(config: PriorConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or PriorConfig(), build)

"""Random forest: a class's share among randomised decision trees.

Choose it as the strong baseline on tables of features. Needs scikit-learn. It costs seconds for
thousands of rows, on one core, and grows linearly in num_trees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from augury.engine.catalog.agent_configs.rows import SKLEARN, RandomForestConfig
from augury.engine.learning.shares import ShareSampler, training_rows
from augury.engine.randomness import stream

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

    from augury.engine.types import Agent, Data, Prior


def make_agent(config: RandomForestConfig | None = None) -> Agent:
    """The two-line contract, on the host; `UsageError` where scikit-learn is missing."""
    chosen = config or RandomForestConfig()
    if SKLEARN.missing:
        raise SKLEARN.refusal("random-forest")

    def agent(data: Data, prior: Prior, key: PRNGKeyArray) -> ShareSampler:
        from sklearn.ensemble import RandomForestClassifier  # a second, for this agent only

        seed = int(jax.random.bits(stream(key, "forest")))
        forest: Any = RandomForestClassifier(
            chosen.num_trees, criterion=chosen.criterion, random_state=seed
        )
        forest.fit(*training_rows(data, prior, chosen.zero_rows))

        def shares(x: np.ndarray) -> np.ndarray:
            found = np.zeros((len(x), prior.num_classes))
            found[:, forest.classes_] = forest.predict_proba(x)  # classes without a row have none
            return found

        return ShareSampler(shares)

    return agent

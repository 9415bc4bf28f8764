"""Floor: the least KL of any agent, as a row of a board. It is a number, not an agent to run.

Choose it beside others on `coins` and `logistic`, where the posterior can be scored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from augury.engine.catalog.agent_configs.studies import FloorConfig
    from augury.engine.types import Agent


def make_agent(config: FloorConfig | None = None) -> Agent:
    """Raise `UsageError`: on the problems that have a floor it is computed, not sampled."""
    raise UsageError("'floor' is computed on the sweeps coins and logistic; it draws no samples.")

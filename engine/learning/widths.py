"""How many cells train side by side, and how many members: rules from measurements.

Where much work waits, `measuring` starts from them and measures on the machine at hand.

Step of one network 10-50-50-2 on 100 rows, one core with AVX-512: alone 58 us, 8 side by side 37,
16 36. Members of an ensemble of 100, all at once 38 us, 20 to 50 at a time 32: beyond that an
ensemble's values leave the cache, so on CPU large ones train one cell after another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from augury.engine.learning.epistemic import Learner
    from augury.engine.problems.prepared import Prepared

CPU_NETWORKS = 8
CPU_INPUTS = 100  # of a network that is small; a step of a large one is all matrix products
CPU_MEMBERS = 25
GPU_NETWORKS = 1_600
MOST_CELLS = 16
MOST_BYTES = 256 * 2**20  # of training rows


def choose_width(learner: Learner, problem: Prepared, device: str) -> int:
    """Cells whose networks together fill the device, and whose rows fit in memory."""
    if learner.training is None:
        return 1
    networks = GPU_NETWORKS
    if device == "cpu":
        networks = CPU_NETWORKS * CPU_INPUTS // max(problem.prior.input_dim, CPU_INPUTS)
    return min(max(1, networks // networks_of(learner)), widest(problem))


def widest(problem: Prepared) -> int:
    """The most cells whose rows fit in memory; rows that all of them share need no room."""
    if problem.shared:
        return MOST_CELLS
    return max(1, min(MOST_CELLS, MOST_BYTES // (4 * problem.x.size)))


def networks_of(learner: Learner) -> int:
    """Networks that one cell trains side by side."""
    rules = learner.training
    if rules is None:
        return 1
    return max(learner.num_members or 1, 1) if rules.members_axis else rules.networks


def members_at_once(device: str) -> int:
    """Members of one ensemble that train together: as many as stay in cache; 0 is all."""
    return CPU_MEMBERS if device == "cpu" else 0

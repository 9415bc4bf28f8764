"""What every agent of the testbed costs, beside the floor of its matrix products.

`XLA_FLAGS=--xla_cpu_multi_thread_eigen=false taskset -c 0 ./test -m slow -s
tests/bench/test_agents_bench.py` prints the table, on one core, as workers run; it asserts the
number of compilations. All three metrics of lambda = 10 at the defaults; sgmcmc's chain is cut.
"""

from __future__ import annotations

import functools
from typing import Any

import pytest

from augury.engine.catalog.entry import as_json
from augury.engine.catalog.scenarios import config_of
from augury.engine.catalog.subjects import usual
from augury.engine.types import Cell
from tests.bench.measured import cost
from tests.bench.products import floor

pytestmark = pytest.mark.slow
CUT = {"sgmcmc": {"num_steps": 20_000, "burn_in": 4_000, "save_every": 400}}
HEAD = (
    "agent", "D", "width", "compile", "train", "evaluate", "CPU", "floor", "CPU/floor",
    "scoring", "CPU/both",
)  # fmt: skip


@pytest.mark.timeout(900)
@pytest.mark.parametrize("subject", usual("testbed"))
def test_costs_of_agents(subject: str) -> None:
    """Rows of a table: seconds of wall to compile once; CPU seconds a cell; the floor of a cell.

    `scoring` is what is spent once logits are there (286 patterns of labels x M samples for each
    test batch). The floor is that of the networks' products: scoring lies beside it.
    """
    print("\n" + "".join(f"{word:>13}" for word in HEAD))
    for dim in (2, 10, 100):
        make = functools.partial(_cell, subject, dim, CUT.get(subject, {}))
        steps: Any = as_json(config_of(make(0))).get("num_steps", 0)
        # The loop's own products are counted at one trip, then times the steps.
        spent = cost(make, int(steps))
        least = floor(spent.training) + floor(spent.evaluation)
        numbers = (spent.compile, spent.train, spent.evaluate, spent.cpu, least)
        shown = [subject, str(dim), str(spent.width), *(f"{n:.3f}" for n in numbers)]
        shown += [_times(spent.cpu, least), f"{spent.scoring:.3f}"]
        shown += [_times(spent.cpu, least + spent.scoring)]
        print("".join(f"{word:>13}" for word in shown), flush=True)


def _times(spent: float, least: float) -> str:
    return f"{spent / least:.2f}" if least > 0 else "-"


def _cell(subject: str, dim: int, config: dict[str, Any], number: int) -> Cell:
    problem = f"testbed/d{dim}-l10-t0.1/e{number}"
    return Cell("testbed", problem, subject, config, {}, 0)

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
    "networks", "CPU/networks", "scoring",
)  # fmt: skip


@pytest.mark.timeout(900)
@pytest.mark.parametrize("subject", usual("testbed"))
def test_costs_of_agents(subject: str) -> None:
    """Rows of a table: seconds of wall to compile once; CPU seconds a cell; the floor of a cell.

    The floor is that of all products of training and evaluation; `networks` is its part without
    scoring, of which `scoring` is what is spent: 286 patterns of labels x M samples for each test
    batch, once logits are there.
    """
    print("\n" + "".join(f"{word:>13}" for word in HEAD))
    for dim in (2, 10, 100):
        make = functools.partial(_cell, subject, dim, CUT.get(subject, {}))
        steps: Any = as_json(config_of(make(0))).get("num_steps", 0)
        # The loop's own products are counted at one trip, then times the steps.
        spent = cost(make, int(steps))
        networks = floor(spent.training) + floor(spent.evaluation)
        least = networks + floor(spent.scored)
        numbers = (spent.compile, spent.train, spent.evaluate, spent.cpu, least)
        shown = [subject, str(dim), str(spent.width), *(f"{n:.3f}" for n in numbers)]
        shown += [_times(spent.cpu, least), f"{networks:.3f}", _times(spent.cpu, networks)]
        shown += [f"{spent.scoring:.3f}"]
        print("".join(f"{word:>13}" for word in shown), flush=True)


def _times(spent: float, least: float) -> str:
    return f"{spent / least:.2f}" if least > 0 else "-"


def _cell(subject: str, dim: int, config: dict[str, Any], number: int) -> Cell:
    problem = f"testbed/d{dim}-l10-t0.1/e{number}"
    return Cell("testbed", problem, subject, config, {}, 0)

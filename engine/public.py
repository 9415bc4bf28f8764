"""The two-line contract by name: `sampler = agent(problem.train, problem.prior, key)`, a score.

import augury, jax
key = jax.random.key(0)
problem = augury.problem("testbed/d10-l10-t0.1/e3")
sampler = augury.agent("ensemble")(problem.train, problem.prior, key)
rows = problem.score(sampler, key)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from augury.engine.catalog.entry import load, lookup, override
from augury.engine.catalog.problems import TableProblem, parse
from augury.engine.catalog.scenarios import SCENARIOS, default_settings
from augury.engine.catalog.settings import Scale
from augury.engine.datasets.own.load import describe
from augury.engine.datasets.own.recipe import Recipe
from augury.engine.errors import UsageError
from augury.engine.types import JSON, Agent, Cell, Problem

# The scenarios whose subjects are agents that learn from `Data` and answer with logits.
_PREPARE = {
    "testbed": "augury.engine.scenarios.testbed:prepare",
    "real": "augury.engine.scenarios.real:prepare",
}


def problem(problem_id: str, scale: Scale = "full") -> Problem:
    """A problem ready to be learned and scored, with the settings of a scale.

    Args:
        problem_id: "testbed/d10-l10-t0.1/e3", "real/iris/n120"; `augury list sweeps` shows sets.
        scale: how many test batches and epistemic samples a score rests on.

    Raises:
        UsageError: no such problem, or one that is no supervised problem (ppc, mi).
    """
    scenario = parse(problem_id).id.partition("/")[0]
    if scenario not in _PREPARE:
        raise UsageError(
            f"{problem_id!r} is not scored by logits; the contract is that of testbed and real."
        )
    cell = Cell(scenario, problem_id, subject="")
    return load(_PREPARE[scenario])(cell, default_settings(scenario, scale))


def table(
    path: str | Path,
    target: str,
    ignore: Sequence[str] = (),
    test_share: float = 0.2,
    split_seed: int = 0,
    scale: Scale = "full",
    category: Sequence[str] = (),
) -> Problem:
    """A person's own table of classes as a problem, as `augury run --data` makes it.

    Args:
        path: a .csv, .parquet or .npz file.
        target: the column that is predicted.
        ignore: columns that are left out.
        test_share: rows of each class that are tested on, 10,000 in all at most.
        split_seed: draws which rows these are.
        scale: how many test batches and epistemic samples a score rests on.
        category: columns whose values are names, even if they are numbers.

    Raises:
        UsageError: no such file or column, or nothing that a class could be told by.
    """
    file = Path(path).absolute()
    recipe = Recipe(target, tuple(ignore), test_share, split_seed, tuple(category))
    about = describe(file, recipe)
    card = TableProblem(about.name, about.digest, about.num_train)
    resources = {"table": str(file), "recipe": recipe.text()}
    cell = Cell("real", card.id, subject="", resources=resources)
    settings = override(default_settings("real", scale), {"preprocess": "feature"}, "real")
    return load(_PREPARE["real"])(cell, settings)


def agent(name: str, scenario: str = "testbed", **config: JSON) -> Agent:
    """An agent of the catalog, with config fields that differ from its defaults.

    Args:
        name: "mlp", "ensemble", ...; `augury list agents` shows all.
        scenario: whose defaults it takes; on real data nothing scales with a temperature.
        **config: fields to change, as `--set` takes them.

    Raises:
        UsageError: no such agent, scenario or field, or a value that the field refuses.
    """
    lookup(_PREPARE, scenario, "scenario of agents")
    entry = lookup(SCENARIOS[scenario].subjects, name, "agent")
    return load(entry.target)(override(entry.config, config, name))

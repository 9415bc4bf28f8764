"""Every agent keeps the two-line contract on a smoke problem: a new entry is tested unasked."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import numpy as np
import pytest

from augury.engine.catalog.agents import AGENTS, REAL_AGENTS, STUDY_AGENTS
from augury.engine.catalog.entry import load, override, traced
from augury.engine.catalog.problems import PlaneProblem
from augury.engine.catalog.settings import JointSettings
from augury.engine.learning.contract import LearnerAgent
from augury.engine.problems.testbed import prepare
from augury.engine.types import Prior

SMALL = {
    "num_steps": 20, "hidden": [8, 8], "num_ensemble": 3, "burn_in": 5, "save_every": 5,
}  # fmt: skip
PROBLEM = PlaneProblem(10, 0.1)

# Those of the two studies know no other problem: tests/engine/studies.
TRAINED = [name for name in AGENTS if name not in STUDY_AGENTS]


def _config(entry: Any) -> Any:
    fields = {k: v for k, v in SMALL.items() if getattr(entry.config, k, None)}
    return override(entry.config, fields, "config")


@cache
def _problem() -> Any:
    return prepare(PROBLEM, JointSettings(num_test_batches=20, num_epistemic=10))


@cache
def _trained(name: str) -> tuple[Any, Any]:
    problem = _problem()
    agent = load(AGENTS[name].target)(_config(AGENTS[name]))
    return problem, agent(problem.train, problem.prior, jax.random.key(1))


def _members(sampler, problem):
    members = getattr(sampler, "members", None)
    return None if members is None else members(problem.train.x[:1])


@pytest.mark.parametrize("name", TRAINED)
def test_two_lines(name: str) -> None:
    problem, sampler = _trained(name)
    rows = problem.score(sampler, jax.random.key(2))
    drawn = {"ess", "kl_bias"} if _members(sampler, problem) is None else set()
    assert {row.metric for row in rows} == {"kl", "accuracy", "nll", "ece10"} | drawn
    assert all(row.value is not None for row in rows)
    assert all(row.stderr is not None for row in rows if row.metric != "ess")


@pytest.mark.parametrize("name", TRAINED)
def test_a_sample_is_one_function(name: str) -> None:
    problem, sampler = _trained(name)
    x = np.asarray(problem.x[:10])
    first = np.asarray(sampler(x, jax.random.key(3)))
    assert first.shape == (10, 2) and np.isfinite(first).all()
    np.testing.assert_array_equal(first, sampler(x, jax.random.key(3)))
    # The same key is the same function, whatever other rows it is asked about.
    np.testing.assert_allclose(first[4:6], sampler(x[4:6], jax.random.key(3)), rtol=1e-4, atol=1e-5)
    others = [np.asarray(sampler(x, jax.random.key(seed))) for seed in range(4, 10)]
    deterministic = all(np.array_equal(first, other) for other in others)
    members = sampler.members(x) if hasattr(sampler, "members") else None
    assert deterministic == (members is not None and len(members) == 1)


@pytest.mark.parametrize("name", TRAINED)
def test_float_fields_are_traced(name: str) -> None:
    agent = load(AGENTS[name].target)(_config(AGENTS[name]))
    if not isinstance(agent, LearnerAgent):
        return
    changed = {k: v / 2 for k, v in traced(agent.config).items()}
    other = load(AGENTS[name].target)(override(agent.config, changed, name))
    problem, sampler = _trained(name)
    # The numbers come with what is known, never from the config that built the functions.
    theirs, ours = (a.learner(2, 2) for a in (other, agent))
    if ours.training is not None:
        assert _programs(theirs, problem, sampler.known) == _programs(ours, problem, sampler.known)


def _programs(learner: Any, problem: Any, known: Any) -> list[str]:
    """What would be compiled of its beginning and its loss; a number of a config stands in it."""
    key, rows, rules = jax.random.key(0), (problem.x[:10], problem.y[:10]), learner.training
    learned, offsets = jax.eval_shape(learner.init, key, known), ()
    if rules.offset:
        offsets = jax.eval_shape(rules.offset, learned.fixed, rows[0], np.arange(10), known)
    begins = jax.jit(learner.init).lower(key, known)
    loss = jax.jit(rules.loss).lower(learned.params, offsets, *rows, known, key, 0)
    return [begins.as_text(), loss.as_text()]


# Those that take seconds to compile are slow here: the two lines were kept on two classes.
_DEAR = {"hypermodel", "bbb", "epinet", "sgmcmc"}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n in _DEAR)) for n in REAL_AGENTS]
)
def test_more_classes_and_no_temperature(name: str) -> None:
    rng = np.random.default_rng(0)
    agent = load(REAL_AGENTS[name].target)(_config(REAL_AGENTS[name]))
    from augury.engine.types import Data

    data = Data(rng.normal(size=(7, 3)).astype(np.float32), rng.integers(0, 4, (7, 1)))  # type: ignore[arg-type]
    sampler = agent(data, Prior(3, 7, num_classes=4), jax.random.key(0))
    assert np.asarray(sampler(data.x, jax.random.key(1))).shape == (7, 4)

"""The interface a newcomer meets."""

import math

import jax
import pytest

import augury
from augury.engine.errors import UsageError


def test_the_two_lines(key):
    problem = augury.problem("testbed/d2-l1-t0.1/e0", scale="smoke")
    agent = augury.agent("mlp", num_steps=20)
    sampler = agent(problem.train, problem.prior, key)
    rows = problem.score(sampler, key)
    assert problem.train.x.shape == (2, 2) and problem.train.y.shape == (2, 1)
    points = [(row.tau, row.kappa) for row in rows if row.metric == "kl"]
    assert points == [(1, 0), (10, 0), (10, 2)]
    logits = sampler(problem.train.x, jax.random.key(1))
    assert logits.shape == (2, problem.prior.num_classes)


def test_a_table_of_ones_own(key, tmp_path):
    lines = "".join(f"{i % 7},{'ab'[i % 7 > 3]}\n" for i in range(50))
    (tmp_path / "mine.csv").write_text("x,y\n" + lines)
    problem = augury.table(tmp_path / "mine.csv", "y", scale="smoke")
    assert problem.train.x.shape == (40, 1) and problem.prior.num_classes == 2
    sampler = augury.agent("uniform", "real")(problem.train, problem.prior, key)
    kl = {row.tau: row.value for row in problem.score(sampler, key) if row.metric == "kl"}
    assert kl == pytest.approx({1: math.log(2), 10: 10 * math.log(2)}, rel=1e-6)


def test_every_public_name_is_there():
    for name in augury.__all__:
        assert getattr(augury, name).__doc__


def test_unknown_attribute():
    with pytest.raises(AttributeError, match="no attribute 'agnet'"):
        augury.agnet  # noqa: B018 # pyright: ignore


def test_names_that_do_not_exist_help():
    with pytest.raises(UsageError, match="Did you mean 'ensemble'"):
        augury.agent("ensembel")
    with pytest.raises(UsageError, match="unknown field of mlp 'steps'"):
        augury.agent("mlp", steps=3)
    with pytest.raises(UsageError, match="contract is that of testbed and real"):
        augury.problem("mi/gaussian-ds10-4bits")
    with pytest.raises(UsageError, match="scenario of agents 'mi'"):
        augury.agent("dv", scenario="mi")

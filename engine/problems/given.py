"""Testbed problems given as a file: the person's environment, rows and, if any, test draws."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.problems import FileProblem
from augury.engine.catalog.settings import JointSettings
from augury.engine.compiled import Compiled
from augury.engine.errors import UsageError
from augury.engine.evaluation.scores import Tests
from augury.engine.metrics.pool import Pool
from augury.engine.metrics.test_sets import TestSet, gather, weighted
from augury.engine.problems.environment import Environment, environment_key, logits
from augury.engine.problems.environment_file import EnvironmentFile, load
from augury.engine.problems.prepared import Prepared
from augury.engine.problems.testbed import fresh_tests
from augury.engine.types import Prior


def prepare(card: FileProblem, path: str | None, settings: JointSettings) -> Prepared:
    """The problem in a file. Test draws that it carries are what is scored, all of them.

    Raises:
        UsageError: the file is gone, damaged, changed or of the wrong form.
    """
    file, environment = _read(card, path)
    carried = carried_sets(file, environment, str(path))
    if carried and settings.estimator == "projection":
        raise UsageError(f"{path}: projections are not for the draws that a file carries.")
    if any(kappa == 0 for _, kappa in carried):
        return _prepared(file, Tests(carried), settings)
    if not carried:
        return fresh_problem(card, path, settings)
    return _prepared(
        file, Tests(carried, _single_rows(file, environment, card, settings)), settings
    )


def _single_rows(
    file: EnvironmentFile, environment: Environment, card: FileProblem, settings: JointSettings
) -> TestSet:
    """Rows with one label each, for a file whose draws have no iid inputs."""
    key, dim = environment_key(0, card.setting), file.train_x.shape[1]
    drawn = fresh_tests(key, environment, dim, settings.num_test_batches, ((1, 0),), False)
    assert drawn.labels is not None
    counts = jax.nn.one_hot(drawn.labels, file.num_classes)
    return TestSet(drawn.x, counts, jnp.zeros(len(counts)))


def fresh_problem(card: FileProblem, path: str | None, settings: JointSettings) -> Prepared:
    """The problem in a file on new test draws from its environment, at every (tau, kappa)."""
    file, environment = _read(card, path)
    settings.check_inputs(file.train_x.shape[1])
    dim, count = file.train_x.shape[1], settings.num_test_batches
    how = settings.points, settings.labels == "exact", settings.estimator == "projection"
    draw = Compiled(lambda key, truth: fresh_tests(key, truth, dim, count, *how))
    tests = draw(environment_key(0, card.setting), environment)
    _check_truth(tests.truth, path)
    return _prepared(file, tests, settings)


def _check_truth(log_p: Any, path: str | None) -> None:
    """Raises `UsageError` where the environment itself gives no number; -inf is one."""
    bad = int(np.isnan(np.asarray(log_p)).any(-1).sum())
    if bad:
        raise UsageError(
            f"{path}: its network has no finite logits at {bad:,} test inputs (float32): make its "
            "weights smaller, or its temperature larger."
        )


def _read(card: FileProblem, path: str | None) -> tuple[EnvironmentFile, Environment]:
    if path is None:
        raise UsageError(f"{card.id}: name its file with --problem FILE.npz.")
    file = load(path, card.digest)
    network = tuple((jnp.asarray(w.T)[None], jnp.asarray(b)[None]) for w, b in file.layers)
    return file, Environment(network, jnp.float32(file.temperature))


def _prepared(file: EnvironmentFile, tests: Tests | Pool, settings: JointSettings) -> Prepared:
    n, dim = file.train_x.shape
    prior = Prior(dim, n, file.num_classes, file.temperature, layers=2)
    return Prepared(
        jnp.asarray(file.train_x), jnp.asarray(file.train_y), prior, tests, settings.num_epistemic
    )


def carried_sets(
    file: EnvironmentFile, environment: Environment, where: str
) -> dict[tuple[int, int], TestSet]:
    """The file's own draws as test sets, with the environment's log-likelihood of each batch."""
    truth = jax.jit(lambda x: jax.nn.log_softmax(logits(environment, x)))
    found = {}
    for (tau, kappa), (x, y) in file.draws.items():
        tests = gather(x, y, kappa, file.num_classes, f"{where}: test_tau{tau}_kappa{kappa}_x")
        log_p = truth(tests.x.reshape(-1, x.shape[-1])).reshape(tests.counts.shape)
        _check_truth(log_p, where)
        true_ll = jnp.asarray(np.asarray(weighted(tests.counts, log_p)).sum((1, 2)))
        found[tau, kappa] = TestSet(tests.x, tests.counts, true_ll)
    return found

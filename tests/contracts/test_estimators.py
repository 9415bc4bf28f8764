"""What every line of the table of estimators must do: load, share, freeze, tell 0 from 2 bits."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from augury.engine.catalog.entry import load
from augury.engine.catalog.estimators import ESTIMATORS, CriticConfig
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.estimators.bounds import BITS
from augury.engine.estimators.objectives import OBJECTIVES
from augury.engine.plan import Selection, batches, expand
from augury.engine.scenarios.mi import run_batch
from augury.engine.types import BatchContext, Cell, CellFinished, Progress

NAMES = sorted(ESTIMATORS)
# In nats on f_ij = 7 sin(i + 2j) + 3 [i = j]; to change one, bump the estimator's version.
FROZEN = {
    ("dv", 1): -1.842745,
    ("infonce", 1): -1.833806,
    ("js", 1): -194.860008,
    ("js-compat", 1): -69.870710,
    ("nwj", 1): -69.870710,
    ("smile-1", 1): 3.019057,
    ("smile-5", 1): -0.400722,
    ("smile-inf", 1): -1.842745,
}
OFFSET = {"js-compat": -BITS * 0.36787944}  # the published reading is 1/e nats too low


def _matrix() -> jax.Array:
    i, j = jnp.meshgrid(jnp.arange(6.0), jnp.arange(6.0), indexing="ij")
    return 7 * jnp.sin(i + 2 * j) + 3 * (i == j)


@pytest.mark.parametrize("name", NAMES)
def test_reads_one_number_from_a_matrix_of_scores(name: str) -> None:
    value = load(ESTIMATORS[name].target)(_matrix())
    assert value.shape == ()
    frozen = FROZEN[name, ESTIMATORS[name].version]
    assert float(value) == pytest.approx(frozen, rel=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_trains_by_an_objective_that_exists(name: str) -> None:
    entry = ESTIMATORS[name]
    assert entry.group in OBJECTIVES
    assert entry.paper
    assert isinstance(entry.config, CriticConfig)


def test_every_objective_has_an_estimator() -> None:
    assert {entry.group for entry in ESTIMATORS.values()} == set(OBJECTIVES)


def test_published_quirks_run_only_when_named() -> None:
    quirks = {name for name, entry in ESTIMATORS.items() if "compat" in entry.tags}
    planned = {p.cell.subject for p in expand(Selection(("mi-quick",)))}
    assert quirks and planned == set(ESTIMATORS) - quirks
    named = expand(Selection(("mi-quick",), subjects=tuple(sorted(quirks))))
    assert {p.cell.subject for p in named} == quirks


@pytest.fixture(scope="module")
def readings() -> dict[tuple[str, str], tuple[float, float]]:
    """(estimator, problem) -> (estimate, standard error) in bits, after a short training."""
    config = {"width": 32, "depth": 0, "learning_rate": 3e-3}
    settings = {"num_final": 300, "max_steps": 700}
    version = SCENARIOS["mi"].version
    problems = ("mi/gaussian-ds2-0bits", "mi/gaussian-ds2-2bits")
    cells = {
        cell.cell_id: cell
        for cell in (
            Cell("mi", problem, name, config, settings, 0, version, ESTIMATORS[name].version)
            for name in NAMES
            for problem in problems
        )
    }
    found: dict[tuple[str, str], tuple[float, float]] = {}

    def emit(event: Progress | CellFinished) -> None:
        if isinstance(event, CellFinished):
            cell = cells[event.cell_id]
            row = next(row for row in event.rows if row.metric == "mi")
            assert row.value is not None and row.stderr is not None, row.reason
            found[cell.subject, cell.problem] = (row.value, row.stderr)

    for batch in batches(cells.values()):
        run_batch(batch.cells, emit, BatchContext())
    return found


@pytest.mark.parametrize("name", NAMES)
def test_independent_pairs_read_nothing(
    name: str, readings: dict[tuple[str, str], tuple[float, float]]
) -> None:
    value, stderr = readings[name, "mi/gaussian-ds2-0bits"]
    assert value == pytest.approx(OFFSET.get(name, 0.0), abs=0.05)
    assert stderr < 0.02


@pytest.mark.parametrize("name", NAMES)
def test_two_bits_read_two_bits(
    name: str, readings: dict[tuple[str, str], tuple[float, float]]
) -> None:
    # With the exact critic smile-1 reads .4 too much at 64 pairs, infonce .1 too little.
    value, _ = readings[name, "mi/gaussian-ds2-2bits"]
    assert value == pytest.approx(2.0 + OFFSET.get(name, 0.0), abs=0.5)

"""Every sweep, at every scale, is a plan: known subjects, cells that are each one of a kind."""

import pytest

from augury.engine.batching import batches
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.subjects import usual
from augury.engine.catalog.sweeps import COLLECTIONS, DEFAULT_SWEEPS, SWEEPS
from augury.engine.plan import Selection, expand


@pytest.fixture(params=SWEEPS)
def name(request):
    return request.param


@pytest.fixture(params=SCALES)
def scale(request):
    return request.param


def test_cells_are_problems_by_subjects_by_seeds(name, scale):
    sweep = SWEEPS[name]
    cells = expand(Selection((name,), scale=scale))
    table = SCENARIOS[sweep.scenario].subjects
    apart = {"compat", "study"}
    fits = [n for n, entry in table.items() if not apart & entry.tags]
    subjects = sweep.usual or sweep.subjects or fits
    assert usual(name) == tuple(subjects)  # the environment of the tests lacks no package
    kinds = len(sweep.kinds.get(scale, ({},)))
    each = len(subjects) * len(sweep.seeds[scale]) * kinds
    assert len(cells) == len(sweep.problems(scale)) * each
    assert len({planned.cell.cell_id for planned in cells}) == len(cells) > 0
    assert {planned.cell.scenario for planned in cells} == {sweep.scenario}


def test_every_cell_is_in_one_batch(name):
    cells = [planned.cell for planned in expand(Selection((name,), scale="quick"))]
    batched = [cell.cell_id for batch in batches(cells) for cell in batch.cells]
    assert sorted(batched) == sorted(cell.cell_id for cell in cells)


def test_smaller_scales_are_not_larger(name):
    sizes = [len(SWEEPS[name].problems(scale)) for scale in SCALES]
    assert sizes == sorted(sizes)
    assert SWEEPS[name].summary


def test_names_resolve():
    assert set(DEFAULT_SWEEPS) == set(SCENARIOS)
    assert set(DEFAULT_SWEEPS.values()) <= set(SWEEPS)
    assert {name for names in COLLECTIONS.values() for name in names} <= set(SWEEPS)
    assert not set(COLLECTIONS) & set(SWEEPS)


def test_the_quick_collection_covers_every_scenario():
    assert {SWEEPS[name].scenario for name in COLLECTIONS["quick"]} == set(SCENARIOS)

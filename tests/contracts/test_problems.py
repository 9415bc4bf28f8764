"""Every problem of every sweep is its id, and its id is the problem."""

import pytest

from augury.engine.catalog.problems import parse
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.sweeps import SWEEPS
from augury.engine.types import canonical

PROBLEMS = sorted(
    {problem for sweep in SWEEPS.values() for scale in SCALES for problem in sweep.problems(scale)},
    key=lambda problem: problem.id,
)


def test_every_id_parses_back():
    assert [parse(problem.id) for problem in PROBLEMS] == PROBLEMS


def test_ids_are_unique():
    assert len({problem.id for problem in PROBLEMS}) == len(PROBLEMS)


def test_ids_name_their_scenario_and_setting():
    for problem in PROBLEMS:
        scenario, _, rest = problem.id.partition("/")
        assert scenario in SCENARIOS
        assert rest.startswith(problem.setting)
        assert problem.id == problem.id.lower()


def test_columns_and_shapes_have_a_json_form():
    for problem in PROBLEMS:
        assert canonical(problem.columns()) and canonical(problem.shape())


@pytest.mark.parametrize("sweep", SWEEPS.values(), ids=SWEEPS)
def test_problems_of_one_setting_share_columns_and_program(sweep):
    for scale in SCALES:
        seen = {}
        for problem in sweep.problems(scale):
            shared = (canonical(problem.columns()), canonical(problem.shape()))
            assert seen.setdefault(problem.setting, shared) == shared

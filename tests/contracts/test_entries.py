"""Every line of a catalog table names something that can be imported and called."""

import pytest

from augury.engine.catalog.agents import AGENTS, REAL_AGENTS
from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.entry import as_json, load, override
from augury.engine.catalog.estimators import ESTIMATORS
from augury.engine.catalog.members import MEMBERS
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.types import canonical

TABLES = {"agents": AGENTS, "real": REAL_AGENTS, "members": MEMBERS, "estimators": ESTIMATORS}
ENTRIES = {f"{table}/{name}": entry for table, t in TABLES.items() for name, entry in t.items()}
TARGETS = sorted(
    {entry.target for entry in ENTRIES.values()}
    | {scenario.target for scenario in SCENARIOS.values()}
    | {card.target for card in DATASETS.values()}
)


@pytest.mark.parametrize("target", TARGETS)
def test_target_is_callable_and_documented(target):
    found = load(target)
    assert callable(found) and found.__doc__


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_config_is_a_frozen_value_with_a_json_form(entry):
    assert entry.config.__dataclass_params__.frozen and hash(entry.config) is not None
    assert canonical(as_json(entry.config))
    assert override(entry.config, as_json(entry.config), "config") == entry.config
    assert type(entry.config).__doc__


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_scenario_ranks_known_subjects(scenario):
    assert scenario.subjects and scenario.unit and scenario.question.endswith("?")
    assert not scenario.baseline or scenario.baseline in scenario.subjects
    assert scenario.kind in {"agent", "estimator"}

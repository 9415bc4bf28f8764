"""Lengths of trainings, and configs that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from augury.engine.catalog.agent_configs.bayesian import BbbConfig, DropoutConfig, HypermodelConfig
from augury.engine.catalog.agent_configs.chains import SgmcmcConfig
from augury.engine.catalog.agent_configs.heads import (
    DeepKernelConfig,
    EpinetConfig,
    LogisticRegressionConfig,
)
from augury.engine.catalog.agent_configs.networks import MlpConfig
from augury.engine.catalog.agent_configs.sgd import steps_for
from augury.engine.catalog.entry import traced


@pytest.mark.parametrize(
    ("ratio", "steps"), [(1, 200), (4.9, 200), (5, 1000), (500, 1000), (500.5, 5000), (None, 1000)]
)
def test_steps_follow_the_ratio_if_asked(ratio: float | None, steps: int) -> None:
    assert steps_for(1_000, True, ratio) == steps
    assert steps_for(1_000, False, ratio) == 1_000


def test_more_steps_for_many_rows() -> None:
    assert steps_for(1_000, False, 1_000, 10) == 10_000
    assert steps_for(1_000, True, 1_000, 10) == 50_000
    assert steps_for(1_000, False, 500, 10) == steps_for(1_000, False, 1, 10) == 1_000


def test_a_short_training_keeps_a_step() -> None:
    assert steps_for(3, True, 1) == 1


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        (DropoutConfig, {"rate": 1.0}, "below 1"),
        (DropoutConfig, {"tau_reg": 0.0}, "positive"),
        (DropoutConfig, {"num_steps": 0}, "num_steps"),
        (BbbConfig, {"sigma_1": 0.0}, "positive"),
        (BbbConfig, {"mixture_scale": 1.5}, "0 to 1"),
        (BbbConfig, {"num_index_samples": 0}, "num_index_samples"),
        (HypermodelConfig, {"index_dim": 0}, "index_dim"),
        (HypermodelConfig, {"prior_hidden": (0,)}, "prior_hidden"),
        (HypermodelConfig, {"weight_decay": -1.0}, "not negative"),
        (SgmcmcConfig, {"burn_in": 0}, "burn_in"),
        (SgmcmcConfig, {"num_steps": 1_000}, "burn_in"),
        (SgmcmcConfig, {"momentum_decay": 1.0}, "momentum_decay"),
        (LogisticRegressionConfig, {"hidden": (3,)}, "'mlp' has hidden layers"),
        (DeepKernelConfig, {"hidden": ()}, "hidden"),
        (EpinetConfig, {"epi_hidden": ()}, "epi_hidden"),
        (MlpConfig, {"batch_strategy": True, "num_steps": 5_000_000}, "2\\^31"),
    ],
)
def test_what_cannot_be_trained_is_refused(kind: Any, changes: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        kind(**changes)


def test_floats_are_traced() -> None:
    assert set(traced(BbbConfig())) == {"learning_rate", "sigma_1", "sigma_2", "mixture_scale"}
    assert set(traced(DropoutConfig())) == {"learning_rate", "rate", "length_scale", "tau_reg"}
    assert set(traced(HypermodelConfig())) == {"learning_rate", "weight_decay", "prior_scale"}

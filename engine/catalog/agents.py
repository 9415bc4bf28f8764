"""Agents for classification: the tables of the scenarios that rank them."""

from __future__ import annotations

from typing import Any

from augury.engine.catalog.agent_configs.bayesian import BbbConfig, DropoutConfig, HypermodelConfig
from augury.engine.catalog.agent_configs.chains import SgmcmcConfig
from augury.engine.catalog.agent_configs.heads import (
    DeepKernelConfig,
    EpinetConfig,
    LogisticRegressionConfig,
)
from augury.engine.catalog.agent_configs.networks import (
    EnsembleConfig,
    EnsemblePlusConfig,
    MlpConfig,
)
from augury.engine.catalog.agent_configs.rows import SKLEARN, KnnConfig, RandomForestConfig
from augury.engine.catalog.agent_configs.studies import (
    FloorConfig,
    IndependentCoinsConfig,
    MarginalConfig,
    SharedBiasConfig,
)
from augury.engine.catalog.agent_configs.untrained import PriorConfig, UniformConfig
from augury.engine.catalog.entry import Entry

_STUDY = "arXiv:2202.13509"
# What only the coin and logistic sweeps rank; scored together, so that they share what is slow.
STUDY_AGENTS: dict[str, Entry[Any]] = {
    "posterior": Entry(
        "augury.engine.agents.independent_coins:make_agent",
        IndependentCoinsConfig(),
        paper=_STUDY,
        tags=frozenset({"study"}),
    ),
    "shared-bias": Entry(
        "augury.engine.agents.shared_bias:make_agent",
        SharedBiasConfig(),
        paper=_STUDY,
        tags=frozenset({"study"}),
    ),
    "marginal": Entry(
        "augury.engine.agents.marginal:make_agent",
        MarginalConfig(),
        group="prior",
        paper=_STUDY,
        tags=frozenset({"study"}),
    ),
    "floor": Entry(
        "augury.engine.agents.floor:make_agent",
        FloorConfig(),
        group="prior",
        tags=frozenset({"study"}),
    ),
}

AGENTS: dict[str, Entry[Any]] = {
    "uniform": Entry("augury.engine.agents.uniform:make_agent", UniformConfig()),
    "prior": Entry("augury.engine.agents.prior:make_agent", PriorConfig(), group="prior"),
    "mlp": Entry("augury.engine.agents.mlp:make_agent", MlpConfig()),
    "ensemble": Entry(
        "augury.engine.agents.ensemble:make_agent", EnsembleConfig(), paper="arXiv:1612.01474"
    ),
    "ensemble+": Entry(
        "augury.engine.agents.ensemble_plus:make_agent",
        EnsemblePlusConfig(),
        paper="arXiv:1806.03335",
    ),
    "sgmcmc": Entry(
        "augury.engine.agents.sgmcmc:make_agent", SgmcmcConfig(), paper="arXiv:1402.4102"
    ),
    "dropout": Entry(
        "augury.engine.agents.dropout:make_agent", DropoutConfig(), paper="arXiv:1506.02142"
    ),
    "bbb": Entry("augury.engine.agents.bbb:make_agent", BbbConfig(), paper="arXiv:1505.05424"),
    "hypermodel": Entry(
        "augury.engine.agents.hypermodel:make_agent",
        HypermodelConfig(),
        paper="arXiv:2006.07464",
    ),
    "epinet": Entry(
        "augury.engine.agents.epinet:make_agent", EpinetConfig(), paper="arXiv:2107.08924"
    ),
    "deep-kernel": Entry(
        "augury.engine.agents.deep_kernel:make_agent",
        DeepKernelConfig(),
        paper="arXiv:1511.02222",
    ),
    "logistic-regression": Entry(
        "augury.engine.agents.logistic_regression:make_agent", LogisticRegressionConfig()
    ),
    "knn": Entry("augury.engine.agents.knn:make_agent", KnnConfig()),
    "random-forest": Entry(
        "augury.engine.agents.random_forest:make_agent",
        RandomForestConfig(),
        needs=SKLEARN,
    ),
    **STUDY_AGENTS,
}

# On real data the generative temperature is unknown, so nothing scales with it.
REAL_AGENTS: dict[str, Entry[Any]] = {
    "uniform": AGENTS["uniform"],
    "mlp": Entry(AGENTS["mlp"].target, MlpConfig(adaptive=False)),
    "ensemble": Entry(AGENTS["ensemble"].target, EnsembleConfig(adaptive=False)),
    "ensemble+": Entry(
        AGENTS["ensemble+"].target, EnsemblePlusConfig(adaptive=False, temp_scale="none")
    ),
    "sgmcmc": AGENTS["sgmcmc"],
    "dropout": Entry(AGENTS["dropout"].target, DropoutConfig(adaptive=False)),
    "bbb": Entry(AGENTS["bbb"].target, BbbConfig(adaptive=False, learning_rate=1e-3)),
    "hypermodel": Entry(
        AGENTS["hypermodel"].target,
        HypermodelConfig(
            adaptive=False,
            temp_scale="none",
            num_steps=1_000,
            index_dim=5,
            prior_hidden=(10, 10),
        ),
    ),
}

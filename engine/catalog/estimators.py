"""Mutual-information estimators: bounds, and the objective whose gradient trains their critic."""

from __future__ import annotations

from typing import Any

from augury.engine.catalog.critic_config import CorrelationConfig, NeighbourConfig
from augury.engine.catalog.critic_config import CriticConfig as CriticConfig
from augury.engine.catalog.critic_config import InterpolatedConfig as InterpolatedConfig
from augury.engine.catalog.entry import Entry

COMPAT = frozenset({"compat"})  # a published quirk: runs only when it is named
SAMPLES = "samples"  # of those that take samples and train no critic
_POOLE = "arXiv:1905.06922"
_DIME = "arXiv:2305.20025"


def _bound(
    name: str,
    objective: str,
    paper: str,
    summary: str,
    tags: frozenset[str] = frozenset(),
    config: CriticConfig | None = None,
) -> Entry[Any]:
    target = f"augury.engine.estimators.bounds:{name}"
    config = config or CriticConfig()
    return Entry(target, config, group=objective, paper=paper, tags=tags, summary=summary)


ESTIMATORS: dict[str, Entry[Any]] = {
    "nwj": _bound("nwj", "nwj", "arXiv:0809.0853", "NWJ bound, trained by itself."),
    "infonce": _bound("infonce", "infonce", "arXiv:1807.03748",
                      "Contrastive bound: never above the log of the batch size."),
    "dv": _bound("dv", "dv", "Donsker and Varadhan 1983",
                 "Donsker-Varadhan bound, trained by itself."),
    "mine": _bound("dv", "mine", "arXiv:1801.04062",
                   "DV bound of a critic whose partition function is averaged over two steps."),
    "js": _bound("js", "js", "arXiv:1606.00709",
                 "NWJ bound of a critic trained by the Jensen-Shannon objective."),
    "js-compat": _bound("js_compat", "js", "published results, 1/e nats too low",
                        "As js, read the way published results do: 1/e nats too low.", COMPAT),
    "smile-1": _bound("smile_1", "js", "arXiv:1910.06222",
                      "SMILE: critic of js, dv bound with scores clipped to 1 nat."),
    "smile-5": _bound("smile_5", "js", "arXiv:1910.06222",
                      "SMILE: critic of js, dv bound with scores clipped to 5 nats."),
    "smile-inf": _bound("smile_inf", "js", "arXiv:1910.06222",
                        "SMILE without a clip: the dv bound of the critic of js."),
    "tuba": _bound("tuba", "tuba", _POOLE, "NWJ bound with a learned baseline for each row."),
    "interpolated": _bound("interpolated", "interpolated", _POOLE,
                           "Between tuba and infonce: a baseline mixed of both.",
                           config=InterpolatedConfig()),
    "infonce-symmetric": _bound("infonce_symmetric", "infonce-symmetric", "arXiv:1807.03748",
                                "Contrastive over row and column: never above log(2K - 1)."),
    "infonce-anchor": _bound("plug_in", "infonce-anchor", "arXiv:2510.25983",
                             "InfoNCE with a class for 'no match': a density ratio, no ceiling."),
    "kl-dime": _bound("plug_in_nwj", "nwj", _DIME,
                      "f-DIME of the KL divergence: mean log ratio of the critic of nwj."),
    "gan-dime": _bound("plug_in", "js", _DIME,
                       "f-DIME of the GAN divergence: mean log ratio of the critic of js."),
    "hd-dime": _bound("plug_in", "hellinger", _DIME,
                      "f-DIME of the squared Hellinger distance: mean log ratio."),
    "demi": _bound("plug_in", "demi", "arXiv:2010.01766",
                   "A classifier of pairs at the batch's own odds: mean log ratio."),
    "ksg": Entry("augury.engine.estimators.samples:ksg", NeighbourConfig(), group="ksg",
                 paper="arXiv:cond-mat/0305641", tags=frozenset({SAMPLES}),
                 summary="Nearest neighbours in both spaces; no critic, cost of samples squared."),
    "cca": Entry("augury.engine.estimators.samples:cca", CorrelationConfig(), group="cca",
                 paper="Hotelling 1936", tags=frozenset({SAMPLES}),
                 summary="Canonical correlations: exact for Gaussian pairs, blind to all else."),
}  # fmt: skip
# Those that train a critic.
NEURAL = tuple(name for name, entry in ESTIMATORS.items() if SAMPLES not in entry.tags)
# The eight of Lee and Rhee 2024, js read without the offset: what runs where none is named.
PUBLISHED = ("nwj", "js", "infonce", "dv", "mine", "smile-1", "smile-5", "smile-inf")

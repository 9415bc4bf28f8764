"""Mutual-information estimators: bounds, and the objective whose gradient trains their critic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from augury.engine.catalog.entry import Entry


@dataclass(frozen=True, slots=True)
class CriticConfig:
    """A critic and its training. Bounds with one objective share one training of it."""

    critic: Literal["joint", "separable"] = "joint"
    width: int = 256
    depth: int = 2  # hidden layers after the first
    embed: int = 32  # output width of a separable critic's two towers
    num_steps: int = 20_000
    batch_size: int = 64
    learning_rate: float = 5e-4  # Adam

    def __post_init__(self) -> None:
        """Refuse what cannot be trained; a batch of one has no product-of-marginals pair."""
        for name, least in (("width", 1), ("depth", 0), ("embed", 1), ("num_steps", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, got {getattr(self, name)}.")
        if self.batch_size < 2:
            raise ValueError(f"batch_size must be at least 2, got {self.batch_size}.")
        if self.learning_rate <= 0:
            raise ValueError(f"learning_rate must be positive, got {self.learning_rate}.")


COMPAT = frozenset({"compat"})  # a published quirk: runs only when it is named


def _bound(
    name: str, objective: str, paper: str, summary: str, tags: frozenset[str] = frozenset()
) -> Entry[Any]:
    target = f"augury.engine.estimators.bounds:{name}"
    return Entry(target, CriticConfig(), group=objective, paper=paper, tags=tags, summary=summary)


ESTIMATORS: dict[str, Entry[Any]] = {
    "nwj": _bound("nwj", "nwj", "arXiv:0809.0853", "NWJ bound, trained by itself."),
    "infonce": _bound("infonce", "infonce", "arXiv:1807.03748",
                      "Contrastive bound: never above the log of the batch size."),
    "dv": _bound("dv", "dv", "Donsker and Varadhan 1983",
                 "Donsker-Varadhan bound, trained by itself."),
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
}  # fmt: skip

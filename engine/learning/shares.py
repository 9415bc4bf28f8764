"""Agents on the host whose one belief about a row is a share for each class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from augury.engine.types import Data, Prior

LEAST, MOST = 0.01, 0.99  # of a share: a class that got no vote is not impossible


@dataclass(frozen=True, slots=True)
class ShareSampler:
    """One function, whatever the key: log of the shares, between `LEAST` and `MOST`."""

    shares: Callable[[np.ndarray], np.ndarray]  # [data, dim] -> [data, classes]

    def __call__(self, x: Any, key: Any) -> Any:
        """Logits [data, classes]."""
        return np.log(np.clip(self.shares(np.asarray(x)), LEAST, MOST))

    def members(self, x: Any) -> np.ndarray:
        """Logits [1, data, classes] of the only sample."""
        return self(x, None)[None]


def training_rows(data: Data, prior: Prior, zero_rows: bool) -> tuple[np.ndarray, np.ndarray]:
    """Inputs in double precision and labels [data]; on request a zero input of each class more."""
    x, y = np.asarray(data.x, np.float64), np.asarray(data.y, np.int64).reshape(-1)
    if not zero_rows:
        return x, y
    extra = np.zeros((prior.num_classes, x.shape[1]))
    return np.concatenate([x, extra]), np.concatenate([y, np.arange(prior.num_classes)])

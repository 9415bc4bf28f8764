"""Splits of posterior predictive checks: `bayesian/accuracy/none`, `independent`.

A split that names a mode alone is of the statistic that regression is checked by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from augury.engine.catalog.metrics import CHECKED_BY

PARTS = ("mode", "statistic", "recalibration")
ALONE = ("bayesian", "independent")  # modes that are a whole split


def parts_of(split: str) -> dict[str, str]:
    """What a split says, part by part.

    >>> parts_of("bayesian")
    {'mode': 'bayesian', 'statistic': 'calibration', 'recalibration': ''}
    """
    said: dict[str, str] = dict(zip(PARTS, [*split.split("/"), "", ""], strict=False))
    return said | {"statistic": CHECKED_BY} if split in ALONE else said


def split_of(parts: Mapping[str, Any]) -> str:
    """The split that has these parts; "" of a row that names none.

    >>> split_of({"mode": "bayesian", "statistic": "ece", "recalibration": "none"})
    'bayesian/ece/none'
    >>> split_of({"mode": "bayesian", "statistic": "calibration", "recalibration": ""})
    'bayesian'
    """
    said = [str(parts[name]) for name in PARTS if parts.get(name)]
    return said[0] if said[1:] == [CHECKED_BY] and said[0] in ALONE else "/".join(said)

"""Named statistics bound to a predictive's mixture, which is read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from augury.engine.catalog.entry import load, lookup
from augury.engine.catalog.statistics import STATISTICS
from augury.engine.errors import UsageError
from augury.engine.statistics.check import Statistics


def bind(names: Sequence[str], predictive: Any) -> Statistics:
    """A function of observations [..., rows] that gives every named statistic, [...].

    Raises:
      UsageError: a name that is in no table, or a statistic of labels for a predictive of numbers
        (or the other way round).
    """
    cards = {name: lookup(STATISTICS, name, "statistic") for name in names}
    functions = {name: load(card.target) for name, card in cards.items()}
    labels = hasattr(predictive, "probs")
    for name, card in cards.items():
        if (card.needs == "probs") != labels:
            kind = "class labels" if card.needs == "probs" else "numbers"
            raise UsageError(f"statistic {name!r} is one of {kind}, which these predictions lack.")

    def evaluate(y: Any) -> Mapping[str, Any]:
        if labels:
            return {name: function(predictive.probs, y) for name, function in functions.items()}
        cdf = predictive.cdf(y) if any(c.needs == "cdf" for c in cards.values()) else None
        return {
            name: function(cdf if cards[name].needs == "cdf" else y)
            for name, function in functions.items()
        }

    return evaluate

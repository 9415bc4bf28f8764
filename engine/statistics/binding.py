"""Named statistics bound to a predictive's mixture, which is read once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from augury.engine.catalog.entry import load, lookup
from augury.engine.catalog.statistics import REFUSED, STATISTICS, Needs, Option
from augury.engine.errors import UsageError, unknown
from augury.engine.statistics.check import Statistics

if TYPE_CHECKING:
    import numpy as np
    from jaxtyping import Float

Options = Mapping[str, Mapping[str, Option]]  # statistic -> option -> value
_CLASSES = ("label", "predicted")  # options that name a class
MOST = 1_000  # of a whole number: bins, levels


def bind(
    names: Sequence[str],
    predictive: Any,
    options: Options | None = None,
    covariate: Float[np.ndarray, " rows"] | None = None,
) -> Statistics:
    """A function of observations [..., rows] that gives every named statistic, [...].

    Args:
      names: of the catalog's table of statistics.
      predictive: whose mixture they read.
      options: what differs from a card's options, as {"ece": {"bins": 10}}.
      covariate: a number of each row, for the statistics that need one.

    Raises:
      UsageError: a name that is in no table, or that no check can be made of; a statistic of
        labels for a predictive of numbers (or the other way round); an option that is unknown, of
        a statistic that is not named, or out of range; a covariate that is needed.
    """
    given = dict(options or {})
    for name in given:
        if name not in names:
            raise UsageError(f"an option of {name!r} is set, and no such statistic is asked for.")
    labels = hasattr(predictive, "probs")
    if labels:
        _refuse_far_classes(names, given, predictive.probs.shape[1])
    bound = {name: _bound(name, labels, given.get(name, {}), covariate) for name in names}

    def evaluate(y: Any) -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        cdf = None
        for name, (needs, function) in bound.items():
            if needs == "cdf" and cdf is None:
                cdf = predictive.cdf(y)
            found[name] = _value(needs, function, predictive, cdf, y)
        return found

    return evaluate


def checked_options(name: str, given: Mapping[str, Any]) -> dict[str, Option]:
    """All options of a statistic. Raises `UsageError`, as `bind` does of them."""
    card = STATISTICS[name]
    found = dict(card.options)
    for option, value in given.items():
        if option not in found:
            if not found:
                raise UsageError(f"statistic {name!r} has no options; {option!r} is set.")
            raise unknown(f"option of statistic {name!r}", option, found)
        found[option] = _in_range(f"{name}.{option}", found[option], value)
    return found


def _in_range(what: str, default: Option, value: Any) -> Option:
    """A whole number where the default is one, else a share of 1."""
    number = type(value) in (int, float) and math.isfinite(value)
    if isinstance(default, int):
        least = min(default, 1)
        if number and value == int(value) and least <= value <= MOST:
            return int(value)
        raise UsageError(f"{what} must be a whole number from {least} to {MOST}, got {value!r}.")
    if number and 0.0 < value < 1.0:
        return float(value)
    raise UsageError(f"{what} must be a number between 0 and 1, got {value!r}.")


def _refuse_far_classes(names: Sequence[str], given: Options, classes: int) -> None:
    for name in names:
        for option, value in given.get(name, {}).items():
            if option in _CLASSES and type(value) in (int, float) and value >= classes:
                raise UsageError(
                    f"{name}.{option} must be one of the classes 0 to {classes - 1}, got {value}."
                )


def _bound(name: str, labels: bool, given: Mapping[str, Any], covariate: Any) -> tuple[Needs, Any]:
    if name in REFUSED:
        raise UsageError(f"statistic {name!r}: {REFUSED[name]}")
    card = lookup(STATISTICS, name, "statistic")
    if card.needs != "belief" and (card.needs == "probs") != labels:
        kind = "class labels" if card.needs == "probs" else "numbers"
        raise UsageError(f"statistic {name!r} is one of {kind}, which these predictions lack.")
    function = partial(load(card.target), **checked_options(name, given), **card.fixed)
    if card.needs == "covariate":
        if covariate is None:
            raise UsageError(f"statistic {name!r} needs a covariate: a number of each row.")
        function = partial(function, covariate=covariate)
    return card.needs, function


def _value(needs: Needs, function: Any, predictive: Any, cdf: Any, y: Any) -> Any:
    if needs == "cdf":
        return function(cdf)
    if needs == "values":
        return function(y)
    return function(predictive.probs if needs == "probs" else predictive, y)

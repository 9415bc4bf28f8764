"""Mutual information where a number is exact: bounds of one matrix, channels, closed forms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.problems.mi_closed import RECIPES
from augury.engine.estimators import bounds
from augury.engine.estimators.objectives import OBJECTIVES, Bound
from augury.engine.goldens.table import Row, data_file
from augury.engine.problems import channel, closed_form

_BASELINE = jnp.arange(8) * 0.1  # log baseline of each row
# As the file calls them: (bound that is reported, objective whose gradient is followed).
PAIRS: dict[str, tuple[Bound, Bound]] = {
    "nwj": (bounds.nwj, bounds.nwj),
    "infonce": (bounds.infonce, bounds.infonce),
    "dv": (bounds.dv, bounds.dv),
    "mine_first(buffer=1)": (bounds.dv, OBJECTIVES["mine"].value),
    "mine_buffer=2.5": (bounds.dv, lambda f: OBJECTIVES["mine"].value(f, np.log(2.5))),
    "js": (bounds.js_compat, OBJECTIVES["js"].value),
    "smile-1": (bounds.smile_1, OBJECTIVES["js"].value),
    "smile-5": (bounds.smile_5, OBJECTIVES["js"].value),
    "smile-inf": (bounds.smile_inf, OBJECTIVES["js"].value),
    "js_fgan": (OBJECTIVES["js"].value, OBJECTIVES["js"].value),
    "tuba_logbaseline=.1*i": (
        lambda f: bounds.tuba(f, _BASELINE),
        lambda f: OBJECTIVES["tuba"].value(f, _BASELINE),
    ),
}


def known() -> dict[str, Any]:
    """The file of known numbers."""
    return json.loads(data_file("mi.json").read_text())


def rows() -> Iterator[Row]:
    """All of them; a second or two."""
    golden = known()
    yield from matrix(golden["exact_bounds"]["values"])
    for name, rate in golden["bsc"].items():  # ds=10|I=2
        sources, bits = (float(part.partition("=")[2]) for part in name.split("|"))
        found = channel.crossover(bits, int(sources))
        yield Row(f"channel of {sources:g}, {bits:g} bits: crossover", rate, found, 1e-7)
    for name, nats in golden["closed_form"].items():
        yield Row(f"{name}, nats", nats, closed_form.information(RECIPES[name]), 1e-6)


def matrix(golden: dict[str, Any]) -> Iterator[Row]:
    """f_ij = 2 sin(3i + 5j + 1) + 3 [i = j], i, j = 0..7, in nats: values, training gradients."""
    i, j = np.meshgrid(np.arange(8.0), np.arange(8.0), indexing="ij")
    scores = jnp.asarray(2 * np.sin(3 * i + 5 * j + 1) + 3 * (i == j), jnp.float32)
    for name, card in golden.items():
        bound, objective = PAIRS[name]
        gradient = np.asarray(jax.grad(objective)(scores), np.float64)
        yield Row(f"{name} on the fixed matrix, nats", card["value"], float(bound(scores)), 1e-5)
        yield Row(f"{name} gradient, norm", card["grad_fro"], float(np.linalg.norm(gradient)), 1e-5)
        yield Row(f"{name} gradient, sum", card["grad_sum"], float(gradient.sum()), 1e-5)
        for column, slope in enumerate(card["grad_row0"]):
            yield Row(f"{name} gradient at 0, {column}", slope, float(gradient[0, column]), 1e-5)

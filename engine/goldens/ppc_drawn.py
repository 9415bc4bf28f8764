"""Numbers of posterior predictive checks that are estimated by drawing, one by one.

Tolerances are four standard errors: of our draws and, where the known number was drawn too, of
those. Names are places in the file of known numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from augury.engine.agents.posterior import update
from augury.engine.goldens.ppc_exact import known
from augury.engine.goldens.table import Row
from augury.engine.randomness import generator
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import check, replicate
from augury.engine.statistics.classes import CategoricalMixture, categorical_mixture
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.statistics.predictive import MODES, Mode
from augury.engine.statistics.verdict import Check

SHORT: Mapping[Mode, str] = {"bayesian": "bayes", "independent": "indep"}
_SE = 4.0
_BATCHES = 16  # of as many draws as the known number rests on
_RESAMPLES = 200


def drawn() -> Iterator[Row]:
    """Every number of the file that rests on draws."""
    golden = known()
    yield from _latent("theta_example", golden["theta_example"])
    yield from _hundred("theta_example_mc_n100", golden["theta_example_mc_n100"])
    yield from _conjugate("conjugate_normal", golden["conjugate_normal"])
    yield from _accuracy("accuracy_bayes_vs_indep", golden["accuracy_bayes_vs_indep"])
    for rows in (100, 1000):
        name = f"ece_null_one_bin_n{rows}_p.8"
        model = _two_classes(np.full((2, rows), 0.8))
        values = _draw(model, "ece", "bayesian", 10_000, name)
        yield Row(name, golden[name], values.mean(), _SE * _error(values, np.mean))
    yield from _free("null_calibration_indep", golden["null_calibration_indep"])


def _latent(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    for rows, numbers in golden["mean_stat_p_ybar0.5"].items():
        model = LatentNormal(0.0, 1.0, 1.0, int(rows))
        for mode, short in SHORT.items():
            name = f"{place}/mean_stat_p_ybar0.5/{rows}/{short}"
            found = _check(model, np.full(int(rows), 0.5), "mean", mode, 10_000, name)
            yield Row(name, numbers[short], found.p_value, _SE * found.stderr)
    pair = LatentNormal(0.0, 1.0, 1.0, 2)
    theta, noise = _streams(f"{place}/pair")
    y = pair.draw(pair.choose("bayesian", 200_000, theta), noise)
    ours = float(np.corrcoef(y.T)[0, 1])
    yield Row(f"{place}/corr_y", golden["corr_y"], ours, _SE * 0.75 / len(y) ** 0.5)
    both = np.asarray((pair.cdf(y) < 0.5).all(-1))
    name = "pr_both_F_below_half"
    yield Row(f"{place}/{name}", golden[name], both.mean(), _SE * _error(both, np.mean))
    name = f"{place}/statistic_frac_below_half_n_inf"
    below = _draw(LatentNormal(0.0, 1.0, 1.0, 1000), "below_half", "bayesian", 5_000, name)
    numbers = golden["statistic_frac_below_half_n_inf"]
    found = Check("bayesian", golden["frac_theta0.5"]["0.5"], below, 0)
    # A thousand rows are a grid of 1/1000, and blur a replicate's share: less than .001 of p.
    yield Row(f"{name}/p_at_theta0.5", numbers["p_at_theta0.5"], found.p_value,
              _SE * found.stderr + 0.001)  # fmt: skip
    yield Row(f"{name}/sharpness", numbers["sharpness"], found.sharpness,
              _SE * found.sharpness_stderr + 0.002)  # fmt: skip


def _hundred(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    """A study of 4,000 replicates and 4,000 data sets of 100 rows, sixteen times over."""
    model, size = LatentNormal(0.0, 1.0, 1.0, 100), golden["S"]
    statistics = bind(["calibration"], model)
    batches: list[dict[str, float]] = []
    for number in range(_BATCHES):
        ours = {mode: _draw(model, "calibration", mode, size, f"{place}/{number}")
                for mode in MODES}  # fmt: skip
        data = generator(f"goldens/ppc/{place}/data", number)
        observed = statistics(0.5 + data.standard_normal((size, 100)))["calibration"]
        p = {mode: np.searchsorted(np.sort(values), observed) / size
             for mode, values in ours.items()}  # fmt: skip
        found = {"obs_theta0.5_mean": observed.mean()}
        found["frac_datasets_indep_p_eq_1(S=4000)"] = float(np.mean(p["independent"] == 1.0))
        for mode, short in SHORT.items():
            found[f"p_{short}_mean_over_data"] = p[mode].mean()
            found[f"{short}_mean"] = ours[mode].mean()
            for level in ("05", "95"):
                found[f"{short}_q{level}"] = np.quantile(ours[mode], int(level) / 100)
        batches.append(found)
    for name in batches[0]:
        values = np.array([batch[name] for batch in batches])
        spread = values.std(ddof=1) * (1 + 1 / _BATCHES) ** 0.5  # the known number is one batch
        yield Row(f"{place}/{name}", golden[name], values.mean(), _SE * spread)


def _conjugate(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    y = np.array(golden["y_test"])
    before, spread = golden["prior"]
    mean, variance = update(np.array(golden["y_train"]), before, spread, golden["sigma2"])
    model = LatentNormal(mean, variance, golden["sigma2"], len(y))
    for mode, short in SHORT.items():
        found = _check(model, y, "mean", mode, 40_000, f"{place}/{short}")
        yield Row(f"{place}/p_mean_{short}", golden[f"p_mean_{short}"], found.p_value,
                  _SE * found.stderr)  # fmt: skip
        yield Row(f"{place}/sharp_mean_{short}", golden[f"sharp_mean_{short}"], found.sharpness,
                  _SE * found.sharpness_stderr)  # fmt: skip


def _accuracy(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    hit = np.array(golden["a_member_by_point"])
    # The first class must be the mixture's choice: the rest is spread over nine others.
    others = np.repeat((1.0 - hit)[..., None] / 9.0, 9, -1)
    model = categorical_mixture(np.concatenate([hit[..., None], others], -1))
    for mode, short in SHORT.items():
        values = _draw(model, "accuracy", mode, 100_000, f"{place}/{short}")
        yield Row(f"{place}/mean_both, {short}", golden["mean_both"], values.mean(),
                  _SE * _error(values, np.mean))  # fmt: skip
        yield Row(f"{place}/var_{short}", golden[f"var_{short}"], values.var(),
                  _SE * _error(values, np.var))  # fmt: skip
        for observed in ("0.0", "0.5", "1.0"):
            known_p = golden[f"p_strict_obs{observed}"]
            found = Check(mode, float(observed), values, 3)
            yield Row(f"{place}/p_strict_obs{observed}, {short}",
                      known_p[short] if isinstance(known_p, dict) else known_p,
                      found.p_value, _SE * found.stderr)  # fmt: skip
    for rows, size in ((100, 8_000), (1000, 4_000), (10_000, 1_000)):
        name = f"two_members_.9_.6_N{rows}"
        model = _two_classes(np.repeat([[0.9], [0.6]], rows, 1))
        for mode, short in SHORT.items():
            values = _draw(model, "accuracy", mode, size, f"{place}/{name}/{short}")
            yield Row(f"{place}/{name}/sd_{short}", golden[name][f"sd_{short}"], values.std(),
                      _SE * _error(values, np.std))  # fmt: skip


def _free(place: str, golden: Mapping[str, Any]) -> Iterator[Row]:
    """Independent mode: rows' F are uniform whatever the members, five unlike ones here."""
    for rows in (100, 200, 500):
        name, size = f"n{rows}_99levels_mc20000", 5_000
        draw = generator(f"goldens/ppc/{place}/members", rows)
        mean, scale = draw.normal(size=(5, rows)) * 2.0, np.exp(draw.normal(size=(5, rows)))
        model = normal_mixture(mean, scale)
        values = _draw(model, "calibration", "independent", size, f"{place}/{rows}")
        yield Row(f"{place}/{name}/exact_mean", golden[name]["exact_mean"], values.mean(),
                  _SE * _error(values, np.mean))  # fmt: skip
        both = _SE * (1 + size / 20_000) ** 0.5  # the known numbers are of 20,000 draws
        parts: dict[str, Callable[[Any], Any]] = {
            "mean": np.mean,
            **{f"q{n}": lambda v, level=float(f"0.{n}"): np.quantile(v, level)
               for n in ("05", "95", "999")},
            "sharp": lambda v: np.quantile(v, 0.95) - np.quantile(v, 0.05),
        }  # fmt: skip
        for part, function in parts.items():
            yield Row(f"{place}/{name}/{part}", golden[name][part], float(function(values)),
                      both * _error(values, function))  # fmt: skip
    limit = golden["cvm_limit_quantiles_of_n*integral"]
    model = LatentNormal(0.0, 1.0, 1.0, 1000)
    values = _draw(model, "cvm", "independent", 10_000, f"{place}/limit")
    quantiles = {n: lambda v, level=float(f"0.{n[1:]}"): np.quantile(v, level)
                 for n in ("q05", "q50", "q95")}  # fmt: skip
    for name, function in quantiles.items():
        yield Row(f"{place}/cvm_limit/{name}", limit[name], float(function(values)),
                  _SE * _error(values, function))  # fmt: skip
    found = Check("independent", 0.0, values, 0)
    yield Row(f"{place}/cvm_limit/sharpness_times_n", limit["sharpness_times_n"], found.sharpness,
              _SE * found.sharpness_stderr)  # fmt: skip


def _two_classes(first: np.ndarray) -> CategoricalMixture:
    return categorical_mixture(np.stack([first, 1.0 - first], -1))


def _draw(model: Any, name: str, mode: Mode, size: int, stream: str) -> np.ndarray:
    members, noise = _streams(f"{stream}/{mode}")
    return replicate(model, bind([name], model), mode, size, members, noise)[name]


def _check(model: Any, y: np.ndarray, name: str, mode: Mode, size: int, stream: str) -> Check:
    members, noise = _streams(f"{stream}/{mode}")
    return check(model, y, bind([name], model), mode, size, members, noise)[name]


def _streams(stream: str) -> tuple[np.random.Generator, np.random.Generator]:
    return generator(f"goldens/ppc/{stream}/members"), generator(f"goldens/ppc/{stream}/noise")


def _error(values: np.ndarray, function: Callable[[Any], Any]) -> float:
    """Standard error of a number of draws, by bootstrap; that of their mean in closed form."""
    if function is np.mean:
        return float(np.std(values) / len(values) ** 0.5)
    draw = generator("goldens/ppc/resamples")
    size = len(values)
    found = [function(values[draw.integers(size, size=size)]) for _ in range(_RESAMPLES)]
    return float(np.std(found, ddof=1))

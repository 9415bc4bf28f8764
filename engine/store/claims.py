"""What the paper on joint predictions claims, as numbers of a store (arXiv:2202.13509).

Agents look alike at tau = 1 and differ at tau = 10 with dyadic inputs, on the testbed (section 4)
and on real data (section 5). On the testbed, prior functions help where data are few, up to a ratio
of rows that grows with the dimension; independent test inputs show that only in few dimensions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

from augury.engine.catalog.problems import parse
from augury.engine.store.bootstrap import paired
from augury.engine.store.ranks import spearman
from augury.engine.store.unit_values import Table, Value, units, without_interval

Row: TypeAlias = dict[str, Any]
_Place: TypeAlias = tuple[str, dict[str, Any]]  # its name, and what its problems' columns are
SET = ("mlp", "ensemble", "dropout", "ensemble+", "hypermodel", "bbb")
SINGLE, IID, DYADIC = "kl_t1", "kl_t10_iid", "kl_t10_k2"
COLUMNS = (SINGLE, IID, DYADIC)  # of the testbed
REAL_COLUMNS = (SINGLE, DYADIC)
# Worst over best of the set: at most this at tau = 1, at least that at tau = 10, kappa = 2.
SPREADS = ((SINGLE, "tau=1", "<= 1.3"), (DYADIC, "tau=10 kappa=2", ">= 1.5"))


def claims(table: Table, rows: Mapping[str, str]) -> list[Row]:
    """One row for each claim and place. `rows` says which label stands for an agent."""
    places = {pair[0]: parse(pair[0]).columns() for numbers in table.values() for pair in numbers}
    dims = sorted({int(c["input_dim"]) for c in places.values() if "input_dim" in c})
    chosen = _Chosen(table, rows, places)
    found = list(_spreads(chosen, _by_dimension(dims)))
    return found + list(_advantages(chosen, dims)) + list(_ranks(chosen, dims))


def claims_on_real_data(table: Table, rows: Mapping[str, str]) -> list[Row]:
    """Likewise on real data: the spread over all data sets, and over each."""
    places = {pair[0]: parse(pair[0]).columns() for numbers in table.values() for pair in numbers}
    names = list(dict.fromkeys(str(c["dataset"]) for c in places.values()))
    where: list[_Place] = [(f"all {len(names)} data sets", {})] if len(names) > 1 else []
    where += [(name, {"dataset": name}) for name in sorted(names)]
    return list(_spreads(_Chosen(table, rows, places), where))


class _Chosen:
    """Numbers of agents on the problems of one place."""

    def __init__(
        self, table: Table, rows: Mapping[str, str], places: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self._table = table
        self._places = places
        self.rows = rows

    def agents(self, among: Iterable[str], column: str) -> list[str]:
        """Those with numbers in this column."""
        return [a for a in among if (self.rows.get(a, a), column) in self._table]

    def of(self, agent: str, column: str, **place: Any) -> list[Value]:
        """An agent's numbers on the problems whose columns are as given; a set holds any of it."""
        numbers = self._table.get((self.rows.get(agent, agent), column), {})
        return [v for v in numbers.values() if self._fits(v.problem, place)]

    def ratios(self, **place: Any) -> list[Any]:
        """Ratios of rows that these problems have, in order."""
        fit = (c for p, c in self._places.items() if self._fits(p, place))
        return sorted({c["ratio"] for c in fit if "ratio" in c})

    def _fits(self, problem: str, place: Mapping[str, Any]) -> bool:
        columns = self._places[problem]
        return all(
            columns.get(name) in value if isinstance(value, set) else columns.get(name) == value
            for name, value in place.items()
        )


def _by_dimension(dims: Sequence[int]) -> list[_Place]:
    large = [dim for dim in dims if dim >= 10]
    places: list[_Place] = [(f"D={dim}", {"input_dim": dim}) for dim in dims]
    if len(large) > 1:
        places.insert(0, ("D=" + ",".join(map(str, large)), {"input_dim": set(large)}))
    return places


def _spreads(chosen: _Chosen, places: Sequence[_Place]) -> Iterator[Row]:
    """Worst over best agent at each of some places, by column."""
    for (column, words, bound), (where, place) in product(SPREADS, places):
        means = {}
        for agent in chosen.agents(SET, column):
            numbers = chosen.of(agent, column, **place)
            known = [number.value for number in numbers if number.value is not None]
            if known and len(known) == len(numbers):
                means[agent] = sum(known) / len(known)
        if len(means) < 2:
            continue
        worst, best = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
        row = _ratio(chosen, worst, best, column, **place)
        value = row.get("value")
        if value is not None:
            row["holds"] = "yes" if _within(value, bound) else "no"
        claim = f"worst / best of {len(means)} agents, {words}"
        yield {"claim": claim, "place": where, "expected": bound, **row}


def _advantages(chosen: _Chosen, dims: Sequence[int]) -> Iterator[Row]:
    better: dict[int, dict[Any, bool | None]] = {}  # by dimension and ratio; None: cannot be told
    for dim in dims:
        for ratio in chosen.ratios(input_dim=dim):
            row = _ratio(chosen, "ensemble+", "ensemble", DYADIC, input_dim=dim, ratio=ratio)
            if not row:
                continue
            high = row["high"]
            better.setdefault(dim, {})[ratio] = None if high is None else high < 1
            place = f"D={dim} lambda={ratio:g}"
            yield {"claim": "ensemble+ / ensemble, tau=10 kappa=2", "place": place, **row}
    largest = {dim: _largest(found) for dim, found in better.items()}
    same = len({tuple(found) for found in better.values()}) == 1
    holds = grows(list(largest.values())) if same and len(next(iter(better.values()))) > 1 else None
    for dim, value in largest.items():
        yield {
            "claim": "largest lambda where ensemble+ is better (interval below 1)",
            "place": f"D={dim}", "value": value, "expected": "grows with D", "holds": holds,
        }  # fmt: skip


def _largest(better: Mapping[Any, bool | None]) -> float | None:
    """The largest ratio of an advantage, 0 for none; None where one of them cannot be told."""
    if None in better.values():
        return None
    return max((float(ratio) for ratio, found in better.items() if found), default=0.0)


def grows(values: Sequence[float | None]) -> str | None:
    """Whether numbers never fall and end above their first; None for a lone or a missing one."""
    known = [value for value in values if value is not None]
    if len(known) < 2 or len(known) < len(values):
        return None
    rises = all(a <= b for a, b in zip(known, known[1:], strict=False)) and known[0] < known[-1]
    return "yes" if rises else "no"


def _ranks(chosen: _Chosen, dims: Sequence[int]) -> Iterator[Row]:
    """Do iid inputs in few dimensions order agents as dyadic inputs in many do?"""
    if len(dims) < 2:
        return
    few, many = dims[0], dims[-1]
    agents = [a for a in chosen.rows if chosen.of(a, IID, input_dim=few)
              and chosen.of(a, DYADIC, input_dim=many)]  # fmt: skip
    sides = ((IID, few), (DYADIC, many))
    pairs = [
        [units(mine := chosen.of(a, column, input_dim=dim), mine) for column, dim in sides]
        for a in agents
    ]
    if len(agents) < 3 or any(not side for pair in pairs for side in pair):
        return
    value, low, high = spearman([(p[0] or [], p[1] or []) for p in pairs])
    yield {
        "claim": f"rank correlation of {len(agents)} agents",
        "place": f"(D={few}, tau=10 iid) with (D={many}, tau=10 kappa=2)",
        "value": value, "low": low, "high": high, "detail": ", ".join(agents),
    }  # fmt: skip


def _ratio(chosen: _Chosen, above: str, below: str, column: str, **place: Any) -> Row:
    a, b = chosen.of(above, column, **place), chosen.of(below, column, **place)
    if not a or not b:
        return {}
    both = units(a, b)
    if both is None:
        return {"value": None, "low": None, "high": None, "detail": "numbers are missing"}
    pair = paired(both)
    if pair is None:
        return {"value": None, "low": None, "high": None, "detail": f"{below} is not above 0"}
    why = f" ({without_interval(both)})" if pair.low is None else ""
    return {
        "value": pair.ratio, "low": pair.low, "high": pair.high, "p": pair.p,
        "environments": len(both), "detail": f"{above} / {below}{why}",
    }  # fmt: skip


def _within(value: float, bound: str) -> bool:
    way, _, limit = bound.partition(" ")
    return value <= float(limit) if way == "<=" else value >= float(limit)

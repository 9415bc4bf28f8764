"""Tuning: every config of every agent on what chooses them, best first for each place.

A place is an input dimension of the testbed; of real data a data set and a number of rows.

The configs are those that runs with `--config all` planned: each such run plans every config on
the same (problem, seed) pairs. A config is ranked by its mean KL at tau=10 kappa=2 (`RANK`), agent
seeds averaged inside each environment, if it covers every pair that any of these runs planned. So
all ranked configs of an agent and dimension are compared on the same pairs, cells that were asked
for in any other way change no choice, and while a grid is unfinished, the configs that lack cells
are counted (`unfinished`) and the others compete.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import JSON
from augury.engine.errors import UsageError
from augury.engine.store.board import Context, place_sql
from augury.engine.store.contexts import choose, context_json, fits, preferred
from augury.engine.store.table import Query

if TYPE_CHECKING:
    import duckdb

    from augury.engine.catalog.tuning import Tuned

RANK = ("kl", 10, 2)  # metric, tau, kappa


def tuning(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """Configs on what chooses those of `sweep`, the reported one; chosen ones, or `every`."""
    from augury.engine.catalog.tuning import tuning_of  # other queries need no catalog

    if "sweep" not in params:
        raise UsageError("query tuning needs the parameter 'sweep'.")
    sweep = str(params["sweep"])
    wanted = {k: v for k, v in params.items() if k in ("scale", "settings", "scenario_version")}
    chosen = _twin(cursor, {**wanted, "sweep": tuning_of(sweep, "best")})
    scenario = _scenario(sweep)
    bound = _bound(scenario, chosen) | {
        "every": bool(params.get("every")),
        "agents": list(params.get("agents") or ()) or None,
    }
    meta: dict[str, JSON] = {
        "title": f"Configs for {sweep}",
        "context": context_json(chosen),
        "unfinished": _unfinished(cursor, scenario, bound),
    }
    return Query(_statement(_TUNING, scenario), bound, meta)


def tuned(
    cursor: duckdb.DuckDBPyConnection, sweep: str, context: Context
) -> tuple[tuple[Tuned, ...], list[JSON]]:
    """The chosen configs for a context of a reported sweep, from its twin at equal settings.

    Beside them what `unfinished` tells of that twin.
    """
    from augury.engine.catalog.tuning import tuning_of

    wanted = {
        "sweep": tuning_of(sweep, "best"), "scale": context.scale, "settings": context.settings,
        "scenario_version": context.scenario_version,
    }  # fmt: skip
    scenario = _scenario(sweep)
    bound = _bound(scenario, _twin(cursor, wanted)) | {"every": False, "agents": None}
    rows = cursor.execute(_statement(_TUNING, scenario), bound).fetchall()
    chosen = tuple((agent, place, config) for agent, place, _, config, *_ in rows)
    return chosen, _unfinished(cursor, scenario, bound)


def _unfinished(
    cursor: duckdb.DuckDBPyConnection, scenario: str, bound: Mapping[str, Any]
) -> list[JSON]:
    """Agents and places of which configs lack cells: how many there are, how many are whole."""
    bound = {name: value for name, value in bound.items() if name != "every"}
    names = ("agent", "place", "configs", "complete")
    rows = cursor.execute(_statement(_UNFINISHED, scenario), bound).fetchall()
    return [dict(zip(names, row, strict=True)) for row in rows]


def _scenario(sweep: str) -> str:
    from augury.engine.catalog.sweeps import SWEEPS

    return SWEEPS[sweep].scenario


def _statement(end: str, scenario: str) -> str:
    from augury.engine.catalog.tuning import COLUMNS

    return (_RANKED + end).format(place=place_sql(scenario, "cells"), name=COLUMNS[scenario])


def _twin(cursor: duckdb.DuckDBPyConnection, wanted: Mapping[str, Any]) -> Context | None:
    """The tuning context at these settings, else one that differs in its points only.

    Scoring a cell at more (tau, kappa) changes nothing at the one that ranks configs. Of several
    that fit, one with a grid.
    """
    held, found = choose(cursor, _scenario(str(wanted["sweep"])), None, wanted)
    settings = wanted.get("settings")
    if found or settings is None:
        held_grids = cursor.execute(_GRIDS, {"scenario": _scenario(str(wanted["sweep"]))})
        grids = {Context(*row) for row in held_grids.fetchall()}
        fit = (context for context in preferred(held) if fits(context, wanted))
        return next((context for context in fit if context in grids), found)
    usual = _without_points(json.loads(settings) if isinstance(settings, str) else settings)
    for context in (one.context for one in held):
        if context.sweep == wanted["sweep"] and all(
            wanted.get(name) in (None, "", getattr(context, name))
            for name in ("scale", "scenario_version")
        ):
            if _without_points(json.loads(context.settings)) == usual:
                return context
    return None


def _without_points(settings: Mapping[str, JSON]) -> dict[str, JSON]:
    from augury.engine.catalog.tuning import POINTS

    return {name: value for name, value in settings.items() if name not in POINTS}


def _bound(scenario: str, context: Context | None) -> dict[str, Any]:
    return {
        "scenario": scenario,
        "sweep": context.sweep if context else None,
        "scale": context.scale if context else None,
        "context": context.settings if context else None,
        "version": context.scenario_version if context else None,
        **dict(zip(("metric", "tau", "kappa"), RANK, strict=True)),
    }


_GRIDS = """
SELECT DISTINCT x.sweep, x.scale, c.context, c.scenario_version
FROM run_cells x JOIN runs r ON r.run_id = x.run_id JOIN cells c ON c.cell_id = x.cell_id
WHERE c.scenario = $scenario AND (r.selection ->> 'config') = 'all'
"""

# Sums are ordered by their own terms: the same store gives the same bytes.
_RANKED = """
WITH scope AS (
  SELECT cell_id, subject, label, CAST(spec -> 'config' AS VARCHAR) AS config, problem, setting,
    environment, seed, status, {place} AS place
  FROM cells
  WHERE scenario = $scenario AND scenario_version = $version AND context = $context
    AND cell_id IN (
      SELECT x.cell_id FROM run_cells x JOIN runs r ON r.run_id = x.run_id
      WHERE x.sweep = $sweep AND x.scale = $scale AND (r.selection ->> 'config') = 'all')
    AND ($agents IS NULL OR list_contains($agents, subject))
  QUALIFY subject_version = max(subject_version) OVER (PARTITION BY subject)
),
planned AS (
  SELECT subject, place, count(DISTINCT (problem, seed)) AS planned,
    count(DISTINCT label) AS configs
  FROM scope GROUP BY ALL
),
units AS (
  SELECT s.subject, s.place, s.label, any_value(s.config) AS config, s.setting, s.environment,
    avg(r.value ORDER BY r.value) AS value, count(r.value) AS covered,
    CASE WHEN count(r.value) = count(r.stderr) THEN avg(r.stderr ORDER BY r.stderr) END AS own,
    max(s.seed) AS seed
  FROM scope s LEFT JOIN results r ON r.cell_id = s.cell_id AND s.status = 'done'
    AND r.metric = $metric AND r.tau = $tau AND r.kappa = $kappa AND r.split = ''
  GROUP BY ALL
),
seeds AS (
  SELECT label, place, count(DISTINCT seed) AS seeds FROM scope GROUP BY ALL
),
strata AS (
  SELECT subject, place, label, any_value(config) AS config, setting, count(value) AS n,
    sum(value ORDER BY value) AS total, sum(covered) AS covered,
    CASE WHEN count(value) > 1 THEN var_samp(value ORDER BY value) / count(value)
      ELSE max(own) * max(own) END AS variance
  FROM units GROUP BY ALL
),
means AS (
  SELECT subject, place, label, any_value(config) AS config,
    sum(total ORDER BY total) / sum(n) AS kl,
    CASE WHEN count(*) FILTER (n > 0) = count(variance) FILTER (n > 0)
      THEN sqrt(sum(n * n * variance ORDER BY n * n * variance)) / sum(n) END AS kl_stderr,
    CAST(sum(n) AS BIGINT) AS problems, CAST(sum(covered) AS BIGINT) AS covered
  FROM strata GROUP BY ALL
),
ranked AS (
  SELECT m.*, s.seeds, p.planned, p.configs, m.covered = p.planned AS complete,
    CASE WHEN m.covered = p.planned
      THEN row_number() OVER (PARTITION BY m.subject, m.place, m.covered = p.planned
        ORDER BY m.kl, m.label) END AS rank
  FROM means m JOIN planned p USING (subject, place) JOIN seeds s USING (label, place)
)
"""
_TUNING = """
SELECT subject AS agent, place AS {name}, rank, config, kl, kl_stderr, problems, seeds,
  covered || '/' || planned AS coverage, configs
FROM ranked WHERE $every OR rank = 1
ORDER BY agent, place, rank IS NULL, rank, label
"""
_UNFINISHED = """
SELECT subject, place, any_value(configs) AS configs, count(*) FILTER (complete) AS whole
FROM ranked GROUP BY subject, place HAVING whole < any_value(configs)
ORDER BY subject, place
"""

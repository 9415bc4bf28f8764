"""`augury tuning`: which config of each agent was chosen for which problems."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.sweeps import SWEEPS, TUNING
from augury.engine.catalog.tuning import command, place_names, reported
from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.cli.options import (
    chosen_format,
    existing_store,
    format_options,
    is_there,
    settings_object,
    store_option,
    words,
)
from augury.engine.cli.wording import count
from augury.engine.errors import UsageError
from augury.engine.plan import expand

if TYPE_CHECKING:
    from augury.engine.catalog.tuning import Where
    from augury.engine.cli.boards import Shown
    from augury.engine.plan import Selection
    from augury.engine.service.link import Store


@click.command(
    cls=Command,
    examples=(
        "augury run testbed --config all --agent mlp,ensemble",
        "augury tuning testbed",
        "augury tuning testbed --all --agent ensemble --format csv",
    ),
)
@click.argument("sweep", default="testbed")
@click.option("--agent", "agents", multiple=True, metavar="A,B", help="Only these agents.")
@click.option("--all", "every", is_flag=True, help="Every config, best first; not the chosen only.")
@click.option("--scale", type=click.Choice(SCALES), help="Default: the newest run's.")
@click.option("--settings", metavar="JSON", help="Those that differ from full scale.")
@format_options
@store_option
def tuning(
    sweep: str,
    agents: tuple[str, ...],
    every: bool,
    scale: str | None,
    settings: str | None,
    fmt: str | None,
    output: str | None,
    store: str | None,
) -> None:
    """Print the configs that tuning chose for SWEEP: testbed, testbed-2d, real or real-regimes.

    Chosen is the least mean KL at tau 10, kappa 2 over what no board reports, for each agent: on
    the testbed over environments, for each input dimension; on real data over training rows that
    are not learned from, for each data set and number of rows. Configs are given by the fields that
    differ from the default.
    """
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader

    params = {"sweep": sweep, "scale": scale, "settings": settings_object(settings),
              "agents": list(words("--agent", agents)), "every": every}  # fmt: skip
    params = {name: value for name, value in params.items() if value not in (None, [], False)}
    reader = Reader(existing_store(store))
    emit(reader, "tuning", params, chosen_format(fmt, output), output)
    if not is_there(reader.store):
        return
    table = reader.query("tuning", **params)
    say_unfinished(table.meta)
    if not table.rows and not table.meta["unfinished"]:
        say(f"no config is tuned here: first {_first(table.meta, sweep, scale, agents)}")


def with_tuned(path: Store, selection: Selection) -> Selection:
    """The selection with the tuned configs of the store in it; says where a grid is unfinished.

    Raises `UsageError` where a config that is wanted is not chosen.
    """
    from augury.engine.catalog.tuning import COLUMNS, sweep_for
    from augury.engine.cli.selection import selected_boards
    from augury.engine.service.reader import Reader

    if selection.problem_files:  # before a file's board is looked for in a table of sweeps
        raise UsageError("--config best does not go with --problem.")
    plain = replace(selection, config="default")
    shown = selected_boards(plain)
    for board in shown:
        sweep_for("best", board.sweep)
    if len({(board.scale, board.settings) for board in shown}) > 1:
        raise UsageError("--config best takes one scale and one value of each setting.")
    if len({board.sweep for board in shown}) > 1:
        raise UsageError("--config best takes one sweep at a time.")
    if not shown:
        return selection
    (board,) = shown
    wanted = {"sweep": board.sweep, "scale": board.scale, "settings": board.settings}
    table = Reader(path).query("tuning", **wanted)
    column = COLUMNS[SWEEPS[board.sweep].scenario]
    found = {(r["agent"], r[column]): r["config"] for r in table.dicts()}
    needed = _needed(plain, board.sweep)
    places: dict[str, list[Where]] = {}
    for agent, place in needed:
        if (agent, place) not in found:
            places.setdefault(agent, []).append(place)
    if places:
        lacking = list(places)
        named = lacking if found or selection.subjects else []
        words = command(board.sweep, board.scale, json.loads(board.settings), named)
        each = ", ".join(f"{a} ({place_names(places[a])})" for a in lacking)
        whose = f"{board.sweep} is tuned for {each}" if found else f"{board.sweep} is tuned"
        raise UsageError(
            f"no config of {whose} in this store"
            f"{_why(table.meta['unfinished'], lacking)}: first {hint(*words)}"
        )
    say_unfinished(table.meta, {agent for agent, _ in needed})
    return replace(selection, tuned=tuple((*place, text) for place, text in found.items()))


def say_unfinished(meta: Mapping[str, Any], agents: Collection[str] | None = None) -> None:
    """Say of each grid that lacks cells (of these agents) among how many configs it was chosen."""
    lines = [row for row in _unfinished(meta) if agents is None or row["agent"] in agents]
    for row in lines:
        lacking = row["configs"] - row["complete"]
        ends = "chosen among the others" if row["complete"] else "none is chosen"
        say(
            f"warning: {row['agent']}, {place_names([row['place']])}: {lacking:,} of "
            f"{count(row['configs'], 'config')} {'lacks' if lacking == 1 else 'lack'} cells; {ends}"
        )
    if lines:
        names = dict.fromkeys(row["agent"] for row in lines)
        say(f"to finish: {_first(meta, '', None, tuple(names))}")


def say_of_tuned(meta: Mapping[str, Any]) -> None:
    """Say what a board of tuned configs rests on, and which of them have no row there."""
    say_unfinished(meta)
    told, context = meta.get("tuning") or {}, meta.get("context")
    if context and (names := told.get("unevaluated")):
        words = ["run", context["sweep"], "--config", "best", "--scale", context["scale"]]
        has = "the tuned config is not" if len(names) == 1 else "the tuned configs are not all"
        again = hint(*words, "--agent", ",".join(names))
        say(f"{', '.join(names)}: {has} evaluated here: {again}")


def _needed(plain: Selection, sweep: str) -> list[tuple[str, Where]]:
    """Agents with configs to choose from, and the places that a selection asks for."""
    from augury.engine.catalog.grids import is_tuned
    from augury.engine.catalog.problems import parse
    from augury.engine.catalog.tuning import COLUMNS
    from augury.engine.plan import problem_values

    column = COLUMNS[SWEEPS[sweep].scenario]
    pairs = {
        (cell.subject, problem_values(parse(cell.problem))[column])
        for cell in (planned.cell for planned in expand(plain))
        if is_tuned(sweep, cell.subject)
    }
    return sorted(pairs)  # type: ignore[arg-type]


def _unfinished(meta: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return meta.get("unfinished") or (meta.get("tuning") or {}).get("unfinished") or []


def _why(unfinished: Iterable[Mapping[str, Any]], agents: Collection[str]) -> str:
    some = any(not row["complete"] and row["agent"] in agents for row in unfinished)
    return ", as no config has all of its cells" if some else ""


def _first(
    meta: Mapping[str, Any], sweep: str, scale: str | None, agents: Sequence[str] = ()
) -> str:
    """The command that chooses configs for the context of a table, or for what was asked for."""
    context = meta.get("context") or {}
    name = context.get("sweep") or sweep
    name = reported(name) if name in TUNING.values() else name
    size = scale or context.get("scale") or SWEEPS[name].scale
    return hint(*command(name, size, context.get("settings"), agents))


def print_tuning(path: Store, shown: Iterable[Shown]) -> None:
    """The configs chosen so far, and how to evaluate them."""
    from augury.engine.cli.output import text_of
    from augury.engine.service.reader import Reader

    for board in shown:
        sweep = reported(board.sweep)
        params = {"sweep": sweep, "scale": board.scale, "settings": board.settings}
        click.echo(text_of(Reader(path), "tuning", params, "table"))
        say_unfinished(Reader(path).query("tuning", **params).meta)
        say(f"report them: {hint('run', sweep, '--config', 'best', '--scale', board.scale)}")

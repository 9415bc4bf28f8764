"""`augury tuning`: which config of each agent was chosen for which problems."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from augury.engine.catalog.settings import SCALES
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
from augury.engine.errors import UsageError

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
    if is_there(reader.store) and not reader.query("tuning", **params).rows:
        say(f"no config is tuned here: first {hint('run', sweep, '--config', 'all')}")


def with_tuned(path: Store, selection: Selection) -> Selection:
    """The selection with the tuned configs of the store in it. Raises `UsageError` for none."""
    from augury.engine.catalog.sweeps import SWEEPS
    from augury.engine.catalog.tuning import COLUMNS, sweep_for
    from augury.engine.cli.selection import selected_boards
    from augury.engine.service.reader import Reader

    found: dict[tuple[str, Where], str] = {}
    shown = selected_boards(replace(selection, config="default"))
    for board in shown:
        sweep_for("best", board.sweep)
    if len({(board.scale, board.settings) for board in shown}) > 1:
        raise UsageError("--config best takes one scale and one value of each setting.")
    if len({board.sweep for board in shown}) > 1:
        raise UsageError("--config best takes one sweep at a time.")
    for board in shown:
        wanted = {"sweep": board.sweep, "scale": board.scale, "settings": board.settings}
        rows = Reader(path).query("tuning", **wanted).dicts()
        column = COLUMNS[SWEEPS[board.sweep].scenario]
        found = {(r["agent"], r[column]): r["config"] for r in rows}
    if shown and not found:
        named = ["--agent", ",".join(selection.subjects)] if selection.subjects else []
        again = hint("run", shown[0].sweep, "--config", "all", "--scale", shown[0].scale, *named)
        raise UsageError(f"no config of {shown[0].sweep} is tuned in this store: first {again}")
    return replace(selection, tuned=tuple((*place, text) for place, text in found.items()))


def print_tuning(path: Store, shown: Iterable[Shown]) -> None:
    """The configs chosen so far, and how to evaluate them."""
    from augury.engine.catalog.tuning import reported
    from augury.engine.cli.output import text_of
    from augury.engine.service.reader import Reader

    for board in shown:
        sweep = reported(board.sweep)
        params = {"sweep": sweep, "scale": board.scale, "settings": board.settings}
        click.echo(text_of(Reader(path), "tuning", params, "table"))
        say(f"report them: {hint('run', sweep, '--config', 'best', '--scale', board.scale)}")

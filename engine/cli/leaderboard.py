"""`augury leaderboard`: one scenario's board, sorted and filtered in SQL."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from augury.engine.catalog.names import CONFIGS, SCALES, UNITS
from augury.engine.cli import names
from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.cli.options import (
    absent,
    chosen_format,
    existing_store,
    format_options,
    is_there,
    labels,
    points,
    settings_object,
    sort_words,
    store_option,
    words,
)
from augury.engine.cli.which_board import fitting, place, say_nothing_yet, say_which
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from augury.engine.service.reader import Reader


@click.command(
    cls=Command,
    examples=(
        "augury leaderboard testbed",
        "augury leaderboard coins",
        "augury leaderboard testbed --sort -accuracy --columns agent,accuracy",
        "augury leaderboard testbed --filter 'temperature<0.5 agent~ensemble' --by setting",
        "augury leaderboard testbed --config best",
        "augury leaderboard testbed --by kappa --plot",
        "augury leaderboard real --format csv -o real.csv",
    ),
)
@click.argument("what", shell_complete=names.boards)
@click.option(
    "--sort", multiple=True, metavar="[-]COL", help="Sort column; - reverses; repeatable."
)
@click.option("--filter", "filters", multiple=True, metavar="TERMS",
              help="Keep rows or problems: COL<VALUE, COL~TEXT, a word, ! for not.")  # fmt: skip
@click.option("--columns", multiple=True, metavar="A,B", help="Only these columns, in this order.")
@click.option("--baseline", metavar="SUBJECT", help="Divide by the mean of this one.")
@click.option("--common", is_flag=True,
              help="Rank subjects with missing cells too, on what all have.")  # fmt: skip
@click.option(
    "--by", multiple=True, metavar="setting,split,...", help="Break the rows out further."
)
@click.option("--tau", multiple=True, metavar="1,10,...",
              help="KL at these numbers of test inputs too; ranked by the first.")  # fmt: skip
@click.option("--kappa", multiple=True, metavar="iid,2,...",
              help="Likewise, of inputs that they repeat; iid: none repeats.")  # fmt: skip
@click.option("--config", type=click.Choice(CONFIGS), default="all",
              help="default or tuned configs only; best: one row for each agent.")  # fmt: skip
@click.option(
    "--units", type=click.Choice(UNITS), help="normalised: by the baseline's; rank: places."
)
@click.option("--group", metavar="kind|KEY",
              help="Rows that share it together; kind: the subject, config aside.")  # fmt: skip
@click.option("--rows", multiple=True, metavar="A,B", help="Only these rows, by name.")
@click.option("--values", type=click.Choice(("full", "shown")),
              help="All digits, or rounded to the error as a table shows them.")  # fmt: skip
@click.option("--view", metavar="NAME", shell_complete=names.views,
              help="As saved in the terminal application; other options win over it.")  # fmt: skip
@click.option(
    "--plot", is_flag=True, help="With --by AXIS: curves in the terminal, as augury plot along."
)
@click.option("--sweep", metavar="SWEEP", help="Default: the newest run's, as the next two.")
@click.option("--scale", type=click.Choice(SCALES), help="smoke, quick or full.")
@click.option("--settings", metavar="JSON", help="Those that differ from full scale.")
@click.option("--scenario-version", type=int, metavar="N", help="Of an older scenario's cells.")
@click.option("--run", metavar="RUN", help="Only this run's cells; a unique prefix will do.")
@format_options
@store_option
def leaderboard(what: str, fmt: str | None, output: str | None, **given: Any) -> None:
    """Print the board of WHAT: a scenario (testbed, real, ppc or mi) or a sweep.

    Of a scenario with several boards the newest is printed, unless --sweep, --scale or
    --settings choose another; stderr says which it is and what others there are.

    Every mean has its standard error beside it, every ratio to the baseline a 95 % interval. Ties
    are with the best and with the baseline, at 5 % after Holm's correction. A board never mixes
    sweeps, scales, settings or versions.
    """
    scenario, given["sweep"] = place(what, given["sweep"])
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader
    from augury.engine.store.render import named
    from augury.engine.views import view

    values, saved = given.pop("values") or "", given.pop("view")
    form = named(chosen_format(fmt, output), values)
    store = given.pop("store")
    params = {"scenario": scenario, "filter": " ".join(given.pop("filters")), **given}
    params["sort"] = list(sort_words(params["sort"]))
    plot = params.pop("plot")
    for name, read in (("columns", words), ("by", words), ("tau", points), ("kappa", points)):
        params[name] = list(read(f"--{name}", params[name]))
    params["rows"] = list(labels("--rows", params["rows"]))
    params["settings"] = settings_object(params["settings"])
    chosen = {name: value for name, value in params.items() if value not in (None, "", [], False)}
    if saved:
        chosen = {**view(scenario, saved).params(), **chosen}
    if plot and len(chosen.get("by", ())) != 1:
        raise UsageError("--plot draws along one axis: give --by kappa or --by tau, alone.")
    reader, meta = Reader(existing_store(store)), None
    if plot:
        _plot(reader, chosen)
    else:
        meta = emit(reader, "board", chosen, form, output)
    if is_there(reader.store):
        _say_place(reader, chosen, meta)
    elif plot:
        say(absent(reader.store))
    if is_there(reader.store) and params["config"] == "best":
        _say_tuned(reader, chosen, meta)
    if not plot and ("tau" in chosen or "kappa" in chosen):
        _say_unscored(reader, chosen)


def _say_place(reader: Reader, params: dict[str, Any], meta: Mapping[str, Any] | None) -> None:
    """Which board it is, if there are others, or that there is none; a file's rows do not say."""
    if meta is None:
        run = {"run": params["run"]} if params.get("run") else {}
        rows = reader.query("contexts", scenario=params["scenario"], **run).dicts()
        every = [{**row, "settings": json.loads(row["settings"])} for row in rows]
        if len(fitting(every, params)) == 1:
            return
        meta = reader.query("board", **{**params, "columns": [], "intervals": False}).meta
    say_which(meta, params)
    say_nothing_yet(meta, params)


def _say_tuned(reader: Reader, params: dict[str, Any], meta: Mapping[str, Any] | None) -> None:
    from augury.engine.cli.tuning import say_of_tuned

    given = {name: value for name, value in params.items() if name not in ("columns", "by")}
    say_of_tuned(meta or reader.query("board", **{**given, "intervals": False}).meta)


def _say_unscored(reader: Any, params: dict[str, Any]) -> None:
    """A column of dashes says nothing of where its numbers would come from."""
    table = reader.query("board", **{**params, "columns": [], "intervals": False})
    if table.rows and not any(v is not None for v in table.column(str(table.meta["rank"]))):
        given = [name for name in ("tau", "kappa") if params.get(name)]
        words = [part for name in given for part in (f"--{name}", ",".join(params[name]))]
        say(f"no cell is scored there: {hint('run', str(params['scenario']), *words)}")


def _plot(reader: Reader, params: dict[str, Any]) -> None:
    from augury.engine.charts.plots import along
    from augury.engine.cli.plot import show

    given = dict(params)
    (axis,) = given.pop("by")
    column = next(iter(given.pop("columns", ())), "")
    show(along(reader.query, given.pop("scenario"), axis, column=column, **given))

"""`augury plot`: the charts of the application, in the terminal or in a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from augury.engine.catalog.settings import SCALES
from augury.engine.charts.formats import FORMATS
from augury.engine.cli import names, which_board
from augury.engine.cli.command import Command
from augury.engine.cli.compare import place_options
from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.cli.options import (
    existing_store,
    labels,
    points,
    settings_object,
    store_option,
)
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from augury.engine.charts.chart import Chart, View
    from augury.engine.service.reader import Reader

_HEIGHT = 22


def look_options(command: Any) -> Any:
    """How a chart is looked at, and where it goes."""
    for option in (
        click.option("-o", "--output", metavar="FILE", help="Write there; .svg, .png or .csv."),
        click.option("--format", "fmt", type=click.Choice(list(FORMATS)),
                     help="Default: text, or by FILE's suffix."),
        click.option("--ascii", is_flag=True, help="Text without braille dots."),
        click.option("--part", metavar="FROM,TO", help="Zoom: shares of the x axis, as .5,1."),
        click.option("--smooth", type=click.FloatRange(0, 1, max_open=True), default=0.0,
                     metavar="WEIGHT", help="Exponential mean, 0 to below 1."),
        click.option("--log-y/--no-log-y", default=None, help="Logarithmic or linear y axis."),
        click.option("--log-x/--no-log-x", default=None, help="Logarithmic or linear x axis."),
        store_option,
    ):  # fmt: skip
        command = option(command)
    return command


@click.group()
def plot() -> None:
    """Draw stored numbers: curves of a cell, KL along lambda or kappa, replicates of a check."""


@plot.command(
    cls=Command,
    examples=(
        "augury plot cell 3fa9c1",
        "augury plot cell 3fa9c1 --smooth .9 --format svg -o loss.svg",
    ),
)
@click.argument("cell")
@click.option("--curve", default="", metavar="NAME", help="Default: the loss.")
@look_options
def cell(cell: str, curve: str, **given: Any) -> None:
    """One curve of CELL (the start of an id that `augury cells` lists) by training step."""
    _draw("cell", {"cell": cell, "curve": curve}, given)


@plot.command(
    cls=Command,
    examples=(
        "augury plot along testbed --by ratio",
        "augury plot along testbed --by ratio --over input_dim --agent ensemble+",
        "augury plot along testbed --by kappa -o kappa.svg",
    ),
)
@click.argument("what", shell_complete=names.boards)
@click.option("--by", required=True, metavar="AXIS",
              help="tau, kappa, or a column of problems: input_dim, ratio, ...")  # fmt: skip
@click.option("--over", default="", metavar="COLUMN", help="One curve for each value of this too.")
@click.option("--agent", "subjects", multiple=True, metavar="A,B", help="Rows; default: the best.")
@click.option("--column", default="", metavar="COL", help="Default: the ranked one.")
@click.option("--filter", "filters", multiple=True, metavar="TERMS", help="Only these problems.")
@click.option("--tau", multiple=True, metavar="T,...", help="With --by kappa: at these taus.")
@click.option("--kappa", multiple=True, metavar="K,iid,...", help="With --by tau.")
@click.option("--config", type=click.Choice(("default", "best", "all")), help="As of leaderboard.")
@place_options
@look_options
def along(what: str, by: str, over: str, column: str, **given: Any) -> None:
    """A column of the board of WHAT, a scenario or a sweep, along an axis; six curves at most."""
    scenario, given["sweep"] = which_board.place(what, given["sweep"])
    place = {name: given.pop(name) for name in ("sweep", "scale", "run", "config")}
    place["settings"] = settings_object(given.pop("settings"))
    place |= {name: list(points(f"--{name}", given.pop(name))) for name in ("tau", "kappa")}
    place["filter"] = " ".join(given.pop("filters"))
    chosen = {name: value for name, value in place.items() if value not in (None, "", [])}
    subjects = labels("--agent", given.pop("subjects"))
    asked = {"scenario": scenario, "by": by, "over": over, "column": column, "subjects": subjects}
    _draw("along", {**asked, **chosen}, given)


@plot.command(cls=Command, examples=("augury plot curves testbed --agent mlp,ensemble",))
@click.argument("what", shell_complete=names.boards)
@click.option("--agent", "subjects", multiple=True, metavar="A,B", help="Rows of the board.")
@click.option("--problem", default="", metavar="ID", help="Only cells on this problem.")
@click.option("--curve", default="loss", show_default=True, metavar="NAME")
@place_options
@look_options
def curves(what: str, problem: str, curve: str, **given: Any) -> None:
    """Mean loss by step of rows of the board of WHAT, with standard errors over their cells."""
    scenario, given["sweep"] = which_board.place(what, given["sweep"])
    place = {name: given.pop(name) for name in ("sweep", "scale", "run")}
    place["settings"] = settings_object(given.pop("settings"))
    chosen = {name: value for name, value in place.items() if value is not None}
    subjects = labels("--agent", given.pop("subjects"))
    asked = {"scenario": scenario, "subjects": subjects, "problem": problem, "curve": curve}
    _draw("curves", {**asked, **chosen}, given)


_MODE = click.option("--mode", default="", metavar="MODE",
                     help="As a check's rows are split: bayesian, independent/ece/none, ...; "
                     "default: all there are.")  # fmt: skip


@plot.command(cls=Command, examples=("augury plot replicates 3fa9c1 --mode bayesian",))
@click.argument("cell")
@_MODE
@look_options
def replicates(cell: str, mode: str, **given: Any) -> None:
    """The replicates of a posterior predictive check about the observed value."""
    _draw("replicates", {"cell": cell, "mode": mode}, given)


@plot.command(
    cls=Command, examples=("augury plot severities 3fa9c1 --mode bayesian/accuracy/none",)
)
@click.argument("cell")
@_MODE
@look_options
def severities(cell: str, mode: str, **given: Any) -> None:
    """The same check at every severity of CELL's corruption; without --mode, its first."""
    _draw("severities", {"cell": cell, "mode": mode}, given)


@plot.command(cls=Command, examples=("augury plot steps 3fa9c1 --smooth .9",))
@click.argument("cell")
@look_options
def steps(cell: str, **given: Any) -> None:
    """A mutual information estimate at every step, beside the true value."""
    _draw("steps", {"cell": cell}, given)


@plot.command(
    cls=Command,
    examples=("augury plot transfer", "augury plot transfer --agent epinet -o transfer.svg"),
)
@click.option("--agent", "subjects", multiple=True, metavar="A,B", help="Drawn apart, up to five.")
@click.option("--config", type=click.Choice(("default", "best")), default="default")
@click.option("--testbed-sweep", metavar="SWEEP", help="Default: the newest of the testbed.")
@click.option("--real-sweep", metavar="SWEEP", help="Default: the newest on real data.")
@click.option("--scale", type=click.Choice(SCALES), help="Of both sides; default: the newest.")
@look_options
def transfer(config: str, **given: Any) -> None:
    """Scores on the testbed against those on real data, with their rank correlation."""
    place = {name: given.pop(name) for name in ("testbed_sweep", "real_sweep", "scale")}
    chosen = {name: value for name, value in place.items() if value}
    subjects = labels("--agent", given.pop("subjects"))
    asked = {"subjects": subjects, "config": config if config != "default" else ""}
    _draw("transfer", {**asked, **chosen}, given)


def _draw(kind: str, params: dict[str, Any], given: dict[str, Any]) -> None:
    from augury.engine.charts.chart import View
    from augury.engine.charts.formats import written
    from augury.engine.charts.plots import PLOTS
    from augury.engine.cli.plain_streams import path_as_shown
    from augury.engine.service.reader import Reader

    reader = Reader(existing_store(given["store"]))
    output, fmt = given["output"], _format(given["fmt"], given["output"])
    start, end = _part(given["part"])
    view = View(given["log_x"], given["log_y"], given["smooth"], start, end)
    build: Callable[..., Chart] = PLOTS[kind]
    chart = build(reader.query, **params)
    if chart.is_empty:
        if kind == "transfer":
            raise _no_transfer(reader, params)
        say(chart.nothing)
    if output is None and fmt == "text":
        show(chart, view, ascii=given["ascii"])
        return
    content = written(chart, fmt, view)
    if output is not None:
        say(f"wrote {path_as_shown(reader.write(content, output))}")
    elif fmt == "png" and sys.stdout.isatty():
        raise UsageError("png is binary: give -o FILE.png, or pipe it.")
    else:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()


def _no_transfer(reader: Reader, params: dict[str, Any]) -> UsageError:
    """Why there is nothing to draw, with the commands that bring it."""
    from augury.engine.charts.transfer_plot import lacking

    asked = {name: value for name, value in params.items() if value and name != "subjects"}
    lacks = lacking(reader.query("transfer", **asked).meta)
    why = "; ".join(f"{why}: {hint(*words)}" for why, words in lacks)
    return UsageError(why or "no agent has a score on both sides.")


def show(
    chart: Chart, view: View | None = None, ascii: bool = False, height: int = _HEIGHT
) -> None:
    """Draw on stdout, as wide as the terminal."""
    import shutil

    from augury.engine.charts.text import draw
    from augury.engine.cli.plain_streams import shows_plain

    width = max(shutil.get_terminal_size((80, 24)).columns, 40)
    lines = draw(chart, width, height, view, ascii or shows_plain(sys.stdout)).texts
    text = "\n".join(line.rstrip() for line in lines if line.strip())
    click.echo(text.encode(sys.stdout.encoding or "utf-8", "replace").decode(
        sys.stdout.encoding or "utf-8"))  # fmt: skip


def _format(fmt: str | None, output: str | None) -> str:
    suffix = Path(output or "").suffix.lower().removeprefix(".")
    return fmt or (suffix if suffix in FORMATS else "text")


def _part(given: str | None) -> tuple[float, float]:
    try:
        start, end = map(float, (given or "0,1").split(","))
    except ValueError:
        start, end = 1.0, 0.0
    if not 0 <= start < end <= 1:
        raise UsageError(f"--part takes two shares of the axis such as .5,1, got {given!r}.")
    return start, end

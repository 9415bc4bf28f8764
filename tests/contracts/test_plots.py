"""Every chart of the application is a command too, and every key of checks has its help."""

from __future__ import annotations

from inspect import signature

from augury.engine.charts.plots import PLOTS
from augury.engine.cli.plot import plot
from augury.engine.store.queries import NAMES

# Of a row of a board; the command of what it shows is that of a cell.
_OF_ROWS = {"checked", "stepped"}


def test_every_plot_is_a_command() -> None:
    assert set(PLOTS) - _OF_ROWS == set(plot.commands)


def test_commands_take_what_plots_take() -> None:
    given = {"label"}  # of no command
    for name, command in plot.commands.items():
        own = {parameter.name for parameter in command.params}
        asked = {n for n, p in signature(PLOTS[name]).parameters.items() if p.kind != p.VAR_KEYWORD}
        # `ask` is the store; a scenario is named by a board or a sweep.
        assert asked - {"ask", "scenario"} - given <= own, name


def test_a_cells_checks_are_asked_by_what_its_rows_name() -> None:
    _, accepted = NAMES["checks"]
    assert {"cell", "split", "severities"} == set(accepted)

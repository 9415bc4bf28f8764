"""A chart to a file: the dialog, the command that writes the same, and the writing."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen

from augury.engine.charts.chart import Chart, View
from augury.engine.charts.formats import written
from augury.tui.board_query import file_words
from augury.tui.messages import Exported

if TYPE_CHECKING:
    from augury.tui.screens.export import ExportChoice
    from augury.tui.session import Session

FORMATS = (
    ("svg", "svg", "a drawing that scales, for papers and the web"),
    ("png", "png", "1600 x 960 pixels; needs Pillow"),
    ("csv", "csv", "the points, full precision"),
)


def export(screen: Screen[Any], session: Session, chart: Chart, view: View) -> None:
    """Offer the formats; the chosen one is written as the chart is looked at."""
    from augury.tui.screens.export import ExportDialog

    command = session.same_as(" ".join((chart.command, *options(view))))
    stem = "-".join(shlex.split(chart.command)[2:4]).replace("/", "-") or "chart"

    def write(choice: ExportChoice, told: MessagePump) -> None:
        session.ask("command", told, lambda: _write(session, chart, view, choice))

    screen.app.push_screen(ExportDialog(stem, command, write, screen, FORMATS))


def options(view: View) -> list[str]:
    """The words of a command that look at a chart in the same way."""
    words = [
        f"--{'' if value else 'no-'}log-{axis}"
        for axis, value in (("x", view.log_x), ("y", view.log_y))
        if value is not None
    ]
    words += [f"--smooth {view.smooth:g}"] if view.smooth else []
    zoomed = (view.start, view.end) != (0.0, 1.0)
    return words + ([f"--part {view.start:.6g},{view.end:.6g}"] if zoomed else [])


def _write(session: Session, chart: Chart, view: View, choice: ExportChoice) -> Message:
    path = session.reader().write(written(chart, choice.form, view), choice.path)
    command = session.same_as(" ".join((chart.command, *options(view))))
    told = f"{command} {shlex.join(file_words(choice.form, choice.path))}"
    return Exported(path, told)

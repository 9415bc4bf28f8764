"""What the detail screens ask of the store: each request returns at once, a message brings it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.message_pump import MessagePump

from augury.engine.errors import AuguryError, UsageError
from augury.tui.messages import (
    CellRead,
    ChartRead,
    DifferencesRead,
    DimensionsRead,
    FailureRead,
    Fetched,
    FetchStep,
    HeatRead,
    LevelRead,
    LogRead,
    TableRead,
    TransferRead,
    Verified,
)

if TYPE_CHECKING:
    from augury.engine.charts.chart import Chart
    from augury.engine.datasets import fetch as fetching
    from augury.tui.level_page import Step
    from augury.tui.session import Session


STOPPED = "stopped; f goes on"
_STEP_SECONDS = 0.2
_LOG_BYTES = 1 << 20  # of its end: an engine's log may be four times as long


def cell(session: Session, target: MessagePump, cell_id: str) -> None:
    """A cell's record, with its numbers under `results`, names of curves under `curves`."""

    def read() -> Message:
        found = next(session.query("cell", cell=cell_id).dicts(), {})
        results = list(session.query("results", cell=cell_id).dicts())
        names = dict.fromkeys(session.query("curves", cell=cell_id).column("name"))
        return CellRead(cell_id, {**found, "results": results, "curves": list(names)})

    session.ask("cell", target, read)


def chart(
    session: Session, target: MessagePump, about: str, kind: str, params: Mapping[str, Any]
) -> None:
    """A plot of `engine.charts.plots`; `ChartRead`."""

    def read() -> Message:
        from augury.engine.charts.plots import PLOTS

        build: Callable[..., Chart] = PLOTS[kind]
        return ChartRead(about, build(session.query, **params))

    session.ask("curve", target, read)


def log(session: Session, target: MessagePump, cell_id: str) -> None:
    """What the engine's log says of a cell and its batches; `LogRead`, `about` is the cell."""

    def read() -> Message:
        from augury.engine.service.log import about_cell

        part = session.reader().log(-_LOG_BYTES, _LOG_BYTES)
        lines = part["text"].splitlines() if part else ()
        return LogRead(cell_id, "\n".join(about_cell(lines, cell_id)))

    session.ask("log", target, read)


def table(session: Session, target: MessagePump, words: str) -> None:
    """A person's own table, all of it read; `TableRead`, `about` are the words that name it."""

    def work() -> Message:
        from augury.engine.datasets.own.ask import parse, read

        try:
            return TableRead(words, read(parse(words)))
        except UsageError as error:
            return TableRead(words, error.message)

    session.ask("table", target, work)


def verify(session: Session, target: MessagePump, name: str) -> None:
    """Whether a data set's files are the published ones, byte for byte; `Verified`."""

    def read() -> Message:
        from augury.engine.catalog.datasets import DATASETS
        from augury.engine.datasets import presence

        return Verified(name, presence.verify(name, DATASETS[name]))

    session.ask("data", target, read)


def fetch(session: Session, target: MessagePump, name: str, stop: Event) -> None:
    """Fetch a data set until it is here or `stop` is set; `FetchStep` often, `Fetched` at last."""

    def work() -> Message:
        from augury.engine.catalog.datasets import DATASETS
        from augury.engine.datasets.fetch import StoppedError, fetch

        told = 0.0

        def tell(step: fetching.Step) -> None:
            nonlocal told
            if stop.is_set():
                raise StoppedError
            if (now := monotonic()) - told >= _STEP_SECONDS:
                told = now
                session.tell(target, FetchStep(name, step))

        try:
            fetch(name, DATASETS[name], tell)
        except StoppedError:
            return Fetched(name, STOPPED)
        except AuguryError as error:
            return Fetched(name, error.message)
        return Fetched(name, "")

    session.ask(f"fetch {name}", target, work)


def failure(session: Session, target: MessagePump, cell_id: str) -> None:
    """Why a cell failed; its report is written to a file of its own. `FailureRead`."""

    def read() -> Message:
        from augury.engine.service.log import about_cell
        from augury.tui import failure as words

        found = next(session.query("cell", cell=cell_id).dicts(), {})
        if not words.is_failed(found):
            return FailureRead(cell_id, None)
        part = session.reader().log(-_LOG_BYTES, _LOG_BYTES)
        lines = list(about_cell(part["text"].splitlines() if part else (), cell_id))
        report = words.report(found, lines)
        path = words.save(found, report)
        return FailureRead(cell_id, {"cell": found, "log": lines, "report": report, "path": path})

    session.ask("failure", target, read)


def level(session: Session, target: MessagePump, step: Step) -> None:
    """One level of the drill-down; `LevelRead`."""

    def read() -> Message:
        from augury.tui.level_page import sheet

        return LevelRead(step.command(), sheet(session.query("levels", **step.params()), step))

    session.ask("row", target, read)


def dimensions(
    session: Session, target: MessagePump, scenario: str, context: Mapping[str, Any]
) -> None:
    """Which columns tell problems apart; `DimensionsRead`."""

    def read() -> Message:
        table = session.query("dimensions", scenario=scenario, **context)
        return DimensionsRead(scenario, table.column("dimension"))

    session.ask("dimensions", target, read)


def transfer(session: Session, target: MessagePump, about: str, params: Mapping[str, Any]) -> None:
    """Scores on the testbed and on real data; `TransferRead`."""
    session.ask("row", target, lambda: TransferRead(about, session.query("transfer", **params)))


def config_of(
    session: Session,
    target: MessagePump,
    scenario: str,
    label: str,
    context: Mapping[str, Any],
    lane: str = "",
) -> None:
    """The record of a row's first cell: its config is the row's; `CellRead`, `about` the label.

    Of several that are asked at once each needs a `lane` of its own.
    """

    def read() -> Message:
        rows = session.query("row", scenario=scenario, label=label, limit=1, **context)
        found = next(rows.dicts(), None)
        cell = next(session.query("cell", cell=found["cell_id"]).dicts()) if found else {}
        return CellRead(label, cell)

    session.ask(f"cell {lane}".strip(), target, read)


def heat(
    session: Session, target: MessagePump, params: Mapping[str, Any], dimension: str, column: str
) -> None:
    """A board along a column of problems as a map; `HeatRead`."""

    def read() -> Message:
        from augury.tui.heat_page import heat as pivoted

        table = session.query("board", **params)
        titles: Mapping[str, Any] = table.meta["titles"]
        numbers = [name for name, about in titles.items()
                   if about.get("stderr") or about.get("stat") == "sum"]  # fmt: skip
        name = column or str(table.meta["rank"])
        return HeatRead(dimension, (pivoted(table, dimension, name), numbers, name))

    session.ask("heat", target, read)


def differences(
    session: Session, target: MessagePump, about: str, params: Mapping[str, Any]
) -> None:
    """Two subjects by setting; `DifferencesRead`."""

    def read() -> Message:
        return DifferencesRead(about, session.query("differences", **params))

    session.ask("differences", target, read)

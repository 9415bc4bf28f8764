"""Data: the catalog's data sets, whether they are here, and fetching those that are not."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import DataTable, Static

from augury.engine.datasets.fetch import Step
from augury.engine.datasets.presence import Presence
from augury.tui import data_page, requests
from augury.tui.bindings import bindings
from augury.tui.messages import Fetched, FetchStep, Verified
from augury.tui.screens.confirm import ConfirmDialog
from augury.tui.screens.tab import TabScreen
from augury.tui.widgets.lines_table import LinesTable


class DataScreen(TabScreen):
    """One line for each data set; all of one beside them."""

    PLACE: ClassVar[str] = "data"
    TAB: ClassVar[str] = "data"
    AUTO_FOCUS: ClassVar[str | None] = "DataTable"
    BINDINGS: ClassVar = bindings("data")

    def __init__(self) -> None:
        """Nothing is looked at yet."""
        super().__init__()
        self._found: dict[str, Presence] = {}
        self._verdicts: dict[str, str] = {}
        self._refusals: dict[str, str] = {}  # why the last fetch of a set brought nothing
        self._steps: dict[str, Step] = {}  # of what is being fetched
        self._stops: dict[str, Event] = {}

    def compose_body(self) -> ComposeResult:
        """Table and detail."""
        with Vertical(id="data"):
            yield LinesTable(id="datasets")
            with VerticalScroll(id="about-data", can_focus=False):
                yield Static("", id="about-data-text", markup=False)

    def on_mount(self) -> None:
        """Fill it: a look at a few files."""
        super().on_mount()
        table = self.query_one(DataTable)
        for title in data_page.COLUMNS:
            table.add_column(title, key=title)
        self.reload()

    def reload(self) -> None:
        """Look again which files are there."""
        table, old = self.query_one(DataTable), self._found
        self._found = data_page.found()
        for name, presence in self._found.items():
            if old and old.get(name) != presence:
                self._refusals.pop(name, None)
                self._verdicts.pop(name, None)  # other files than those that were verified
            self._write_line(table, name, presence)
        self.note(data_page.note(self._found))
        self._write_about()

    @property
    def name_shown(self) -> str:
        """The data set under the cursor."""
        names = list(self._found)
        row = self.query_one(DataTable).cursor_row
        return names[row] if 0 <= row < len(names) else ""

    @on(DataTable.RowHighlighted)
    def _another(self) -> None:
        self._write_about()

    @on(DataTable.RowSelected)
    def _open(self) -> None:
        """All that is said of the set under the cursor, from its beginning."""
        self._write_about()
        self.query_one("#about-data").scroll_home(animate=False)

    def action_fetch(self) -> None:
        """Fetch the set under the cursor; much is asked about first."""
        name, store = self.name_shown, self.session.store
        if not name or name in self._steps:
            return
        if self._found[name].state == "here" and not self._verdicts.get(name):
            self.notify(f"{name} is here.")
        elif not isinstance(store, Path):
            self.notify(f"The engine reads those of {store}: there, augury data fetch {name}.")
        elif lacks := data_page.much(self._found[name]):
            words = f"{lacks} will be fetched into the cache."
            dialog = ConfirmDialog(f"Fetch {name}?", words, f"augury data fetch {name}")
            self.app.push_screen(dialog, lambda yes: self._fetch(name) if yes else None)
        else:
            self._fetch(name)

    def _fetch(self, name: str) -> None:
        """In a thread."""
        self._steps[name], self._stops[name] = Step("", 0, 0), Event()
        self._verdicts.pop(name, None)
        self._refusals.pop(name, None)
        requests.fetch(self.session, self, name, self._stops[name])
        self.reload()

    def action_stop(self) -> None:
        """Stop fetching the set under the cursor."""
        if stop := self._stops.get(self.name_shown):
            stop.set()

    @on(FetchStep)
    def _take_step(self, message: FetchStep) -> None:
        if message.about in self._steps:
            self._steps[message.about] = message.value
            self._write_line(self.query_one(DataTable), message.about, self._found[message.about])
            if message.about == self.name_shown:
                self._write_about()

    @on(Fetched)
    def _take_fetched(self, message: Fetched) -> None:
        name, why = message.about, message.value
        self._steps.pop(name, None)
        self._stops.pop(name, None)
        self.reload()  # before the verdict, which is about what is there now
        if not why:
            self._verdicts[name] = ""
        elif why != requests.STOPPED:
            self._refusals[name] = why  # and no verdict on files that nobody has read
        said = why or "fetched, and every file is as it was published"
        failed = bool(why) and why != requests.STOPPED
        self.notify(data_page.notice(name, said), markup=False,
                    severity="error" if failed else "information")  # fmt: skip
        self.reload()

    @on(Verified)
    def _take_verdict(self, message: Verified) -> None:
        self._verdicts[message.about] = message.value
        self._refusals.pop(message.about, None)
        said = message.value or "every file is as it was published"
        self.notify(data_page.notice(message.about, said), markup=False,
                    severity="error" if message.value else "information")  # fmt: skip
        self.reload()

    def action_verify(self) -> None:
        """Read every byte of the set under the cursor."""
        name = self.name_shown
        if name and self._found[name].missing:
            self.notify(f"{name} is not here: {self.augury.key_of('data.fetch')} fetches it.")
        elif name:
            requests.verify(self.session, self, name)

    def action_copy(self) -> None:
        """Copy the folder."""
        name = self.name_shown
        if name and self._found[name].folder:
            self.augury.copy_text(self._found[name].folder)

    def action_scroll(self, step: int) -> None:
        """Scroll what is said of the set."""
        self.query_one("#about-data").scroll_relative(y=step, animate=False)

    def _write_line(self, table: DataTable, name: str, presence: Presence) -> None:
        texts = data_page.line(name, presence, self._verdicts.get(name), self._steps.get(name))
        if name not in table.rows:
            table.add_row(*texts, key=name)
            return
        for title, text in zip(data_page.COLUMNS, texts, strict=True):
            if table.get_cell(name, title) != text:
                table.update_cell(name, title, text, update_width=True)

    def _write_about(self) -> None:
        name, store = self.name_shown, self.session.store
        if not name:
            return
        elsewhere = "" if isinstance(store, Path) else str(store)
        verdict = self._verdicts.get(name) or self._refusals.get(name)
        step = self._steps.get(name)
        lines = data_page.about(name, self._found[name], verdict, step, elsewhere)
        self.query_one("#about-data-text", Static).update(self.augury.spelt("\n".join(lines)))

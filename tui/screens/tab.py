"""What the four tabs share: the lines around them, and how news reaches them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen

from augury.tui.chrome import key_line, status_line, tab_line
from augury.tui.messages import Exported, Failed
from augury.tui.places import footer_places, idle_keys, is_typing
from augury.tui.widgets.line import Line

if TYPE_CHECKING:
    from augury.tui.app import AuguryApp
    from augury.tui.session import Session
    from augury.tui.widgets.chart import ChartView


class TabScreen(Screen[None]):
    """A screen with tab line, body, status line and key line."""

    PLACE: ClassVar[str] = ""  # its name in the table of keys
    TAB: ClassVar[str] = ""  # the tab that is marked while it shows
    AUTO_FOCUS: ClassVar[str | None] = "ScoreTable"

    def __init__(self) -> None:
        """Have nothing to say yet."""
        super().__init__()
        self._note = ""
        self._news = -1  # how many times results were committed when these were read; -1: never

    @property
    def augury(self) -> AuguryApp:
        """The application, by its own type."""
        return cast("AuguryApp", self.app)  # no import: the application imports its screens

    @property
    def session(self) -> Session:
        """The bridge to engine and store."""
        return self.augury.session

    def compose(self) -> ComposeResult:
        """Lay the body between the lines."""
        yield Line(id="tabs")
        yield from self.compose_body()
        yield Line(id="status")
        yield Line(self._key_line, id="keys")

    def compose_body(self) -> ComposeResult:
        """The tab's own widgets."""
        yield from ()

    def on_mount(self) -> None:
        """Fill the lines."""
        self._news = self.augury.news
        self.live_changed()

    def on_screen_resume(self) -> None:
        """Catch up with what happened while another tab was open."""
        self.pause_changed() if self.augury.paused else self.live_changed()
        self.catch_up()

    def catch_up(self) -> None:
        """Read results that were committed since they were read, unless all stands still."""
        if self.augury.paused or self._news in (-1, self.augury.news):
            return
        self._news = self.augury.news
        self.results_changed()

    def pause_changed(self) -> None:
        """What is shown stands still from now on."""
        self._write_status()

    def live_changed(self) -> None:
        """Something about engine or runs differs; called at most once a second."""
        app = self.augury
        store = str(app.session.store)
        self.query_one("#tabs", Line).say(
            lambda width: tab_line(self.TAB, app.live, app.keymap, store, width)
        )
        self._write_status()

    def results_changed(self) -> None:
        """New results were committed; called at most once a second."""

    def reload(self) -> None:
        """Read everything again."""

    def note(self, text: str) -> None:
        """Say something on the status line."""
        self._note = text
        self._write_status()

    def _write_status(self) -> None:
        live, unsent = self.augury.live, self.session.unsent
        paused = "‖ paused, {app.pause} goes on"
        note = self.augury.spelt(paused) if self.augury.paused else self._note
        self.query_one("#status", Line).say(lambda width: status_line(live, note, width, unsent))

    def on_descendant_focus(self) -> None:
        """Tell the keys of what has the focus, where it has keys of its own."""
        self.write_keys()

    def on_chart_view_keys_changed(self) -> None:
        """Another chart, which others of its keys are for."""
        self.write_keys()

    def write_keys(self) -> None:
        """Tell the keys that do something now."""
        self.query_one("#keys", Line).say(self._key_line)

    def _key_line(self, width: int) -> Content:
        places, typing = footer_places(self), is_typing(self)
        without = idle_keys(self)
        return key_line(width, places, self.augury.keymap, typing=typing, without=without)

    def on_chart_view_export_wanted(self, event: ChartView.ExportWanted) -> None:
        """Ask for format and file, then write the chart."""
        from augury.tui.screens.chart_export import export

        export(self, self.session, event.chart, event.view)

    @on(Failed)
    def _show_failure(self, message: Failed) -> None:
        message.stop()
        self.augury.show_error(message)

    @on(Exported)
    def _tell_export(self, message: Exported) -> None:
        self.augury.tell_written(message)

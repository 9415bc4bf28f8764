"""Launch: choose what to evaluate, see what it costs, start it detached."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static

from augury.engine.canonical import canonical
from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.sweeps import COLLECTIONS, DEFAULT_SWEEPS, SWEEPS
from augury.engine.errors import UsageError
from augury.engine.plan import Selection
from augury.tui import choice
from augury.tui.bindings import bindings
from augury.tui.messages import Failed, Previewed, Submitted
from augury.tui.pace import Pace
from augury.tui.screens.tab import TabScreen
from augury.tui.widgets.chooser import Chooser

_OWN = "default"


class LaunchScreen(TabScreen):
    """A form, the number of new cells, and the command that does the same."""

    PLACE: ClassVar[str] = "launch"
    TAB: ClassVar[str] = "launch"
    AUTO_FOCUS: ClassVar[str | None] = "#what"
    BINDINGS: ClassVar = bindings("launch")

    def __init__(self) -> None:
        """Have chosen nothing yet."""
        super().__init__()
        self._chosen: Selection | None = None
        self._new = 0
        self._starting = False
        self._pace = Pace(self, 0.2, self._choose)

    def compose_body(self) -> ComposeResult:
        """Fields, subjects, preview, button."""
        # A scenario's own name runs its default sweep, which mostly bears the same name.
        names = [*COLLECTIONS, *dict.fromkeys([*DEFAULT_SWEEPS, *SWEEPS])]
        scales = [(n, n) for n in (_OWN, *SCALES)]
        with VerticalScroll(id="form"):
            with Horizontal(classes="field"):
                yield Label("What")
                yield Select(
                    [(n, n) for n in names],
                    value=names[0],
                    allow_blank=False,
                    id="what",
                    compact=True,
                )
            yield Static("", id="summary", classes="info", markup=False)
            with Horizontal(classes="field"):
                yield Label("Scale")
                yield Select(scales, value=_OWN, allow_blank=False, id="scale", compact=True)
                yield Label("", classes="gap")
                yield Label("Seeds")
                yield Input(placeholder="the sweep's own; or 0-4, or 0,2", id="seeds", compact=True)
            yield Static("Subjects", classes="title")
            yield Chooser(id="subjects")
        yield Static("", id="preview", markup=False)
        yield Static("", id="command", markup=False)
        yield Button("Start detached (ctrl+s)", id="start", compact=True, variant="primary")

    def on_mount(self) -> None:
        """Offer the first choice."""
        super().on_mount()
        self._offer(str(self.query_one("#what", Select).value))

    def results_changed(self) -> None:
        """What is stored has changed, and so has what is new."""
        self._pace()

    def reload(self) -> None:
        """Count again."""
        self._pace()

    @on(Select.Changed, "#what")
    def _another_sweep(self, event: Select.Changed) -> None:
        self._offer(str(event.value))

    @on(Select.Changed, "#scale")
    @on(Input.Changed, "#seeds")
    @on(Chooser.Changed)
    def _changed(self) -> None:
        self._pace()

    @on(Previewed)
    def _take_preview(self, message: Previewed) -> None:
        if self._chosen is None or message.about != canonical(self._chosen.to_json()):
            return
        count: dict[str, Any] = message.value
        self._new = count["new"]
        words = f"{count['total']} cells, {count['stored']} already stored → {count['new']} new"
        number = count["batches"]
        batches = f" in {number} {'batch' if number == 1 else 'batches'}"
        words += batches if count["new"] else ": nothing to do"
        self.query_one("#preview", Static).update(words)

    @on(Failed)
    def _not_counted(self, message: Failed) -> None:
        self._starting = self._starting and message.about == "preview"
        text = f"✖ {message.text}" if message.about == "preview" else "not started"
        self.query_one("#preview", Static).update(text)
        if message.about == "preview":  # a dialog at every change of a field would be too much
            message.stop()
            message.prevent_default()

    @on(Submitted)
    def _take_submission(self, message: Submitted) -> None:
        self._starting = False
        self.augury.run_started(message.value)

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.action_start()

    def action_start(self) -> None:
        """Submit; the engine works on without this window."""
        if self._chosen is None:
            self.notify("Nothing to start: see the line above the button.", severity="error")
            return
        if self._starting:
            return  # a key held down is one run
        self._starting = True
        self.query_one("#preview", Static).update("starting …")
        self.session.submit(self, self._chosen)

    def action_copy(self) -> None:
        """Copy the command."""
        if self._chosen is not None:
            self.augury.copy_text(self.session.same_as(choice.command(self._chosen)))

    def _offer(self, what: str) -> None:
        self.query_one("#summary", Static).update(choice.summary(what))
        self.query_one(Chooser).offer(choice.subjects_of(what), choice.default_subjects(what))
        self._pace()

    def _choose(self) -> None:
        preview, same = self.query_one("#preview", Static), self.query_one("#command", Static)
        subjects = self.query_one(Chooser).chosen
        what = str(self.query_one("#what", Select).value)
        scale = str(self.query_one("#scale", Select).value)
        try:
            self._chosen = choice.selection(
                what, subjects, self.query_one("#seeds", Input).value, scale
            )
        except UsageError as error:
            self._chosen = None
            preview.update(f"✖ {error.message}")
            same.update("")
            return
        preview.update("counting …")
        same.update(f"same as: {self.session.same_as(choice.command(self._chosen))}")
        self.session.ask_preview(self, self._chosen)

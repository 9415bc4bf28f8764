"""Launch: choose what to evaluate, see what is done and what it costs, start it detached."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Label, Select, Static

from augury.engine.canonical import canonical
from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.sweeps import COLLECTIONS, DEFAULT_SWEEPS, SWEEPS
from augury.engine.plan import Selection
from augury.engine.preview_words import costs, said
from augury.engine.wording import count
from augury.tui import choice, file_names, launch_grid, requests
from augury.tui.bindings import bindings
from augury.tui.messages import Failed, Previewed, Submitted, TableRead
from augury.tui.pace import Pace
from augury.tui.screens.launch_form import Entry, Form, SubjectPane
from augury.tui.screens.tab import TabScreen
from augury.tui.widgets.chooser import Chooser
from augury.tui.widgets.fitted import Fitted

if TYPE_CHECKING:
    from augury.engine.datasets.own.ask import Read

_OWN = "default"


class LaunchScreen(TabScreen):
    """A form, how its cells stand, what they cost, and the command that does the same."""

    PLACE: ClassVar[str] = "launch"
    TAB: ClassVar[str] = "launch"
    AUTO_FOCUS: ClassVar[str | None] = "#what"
    BINDINGS: ClassVar = bindings("launch")

    def __init__(self) -> None:
        """Have chosen nothing yet."""
        super().__init__()
        self._chosen: Selection | None = None
        self._told: dict[str, Any] | None = None
        self._starting = False
        self._table = ""  # the words of a person's table that were asked about last
        self._read: Read | str | None = None  # what they gave
        self._pace = Pace(self, 0.2, self._choose)
        self._results_pace = Pace(self, 5.0, self._ask)

    def compose_body(self) -> ComposeResult:
        """Fields, subjects beside the grid, what it costs, buttons."""
        # A scenario's own name runs its default sweep, which mostly bears the same name.
        names = [*COLLECTIONS, *dict.fromkeys([*DEFAULT_SWEEPS, *SWEEPS])]
        scales = [(n, n) for n in (_OWN, *SCALES)]
        with Vertical(id="form"):
            with Horizontal(classes="field"):
                yield Label("What")
                whats = [(n, n) for n in names]
                yield Select(whats, value=names[0], allow_blank=False, id="what", compact=True)
                yield Label("", classes="gap")
                yield Label("Scale")
                yield Select(scales, value=_OWN, allow_blank=False, id="scale", compact=True)
            yield Static("", id="summary", classes="info", markup=False)
            yield Entry("Table", "your own, not these sets: FILE --target COLUMN", id="table")
            yield Entry("Seeds", "the sweep's own; or 0-4, or 0,2", id="seeds")
            yield Entry("Problems", "", id="problems")
            yield Entry("Set", "ensemble.num_ensemble=30 ...", id="set")
            with Horizontal(id="pick"):
                yield SubjectPane(id="subject-pane")
                yield Fitted(id="grid")
        yield Static("", id="preview", markup=False)
        yield Static("", id="command", markup=False)
        with Horizontal(id="buttons"):
            dry, start = map(self.augury.key_of, ("launch.dry_run", "launch.start"))
            yield Button(f"Dry run ({dry})", id="dry-run", compact=True)
            yield Button(f"Start detached ({start})", id="start", compact=True, variant="primary")

    def on_mount(self) -> None:
        """Offer the first choice."""
        super().on_mount()
        self.query_one("#set", Entry).complete_by(lambda text: self._form.complete(text))
        self.query_one("#table", Entry).complete_by(file_names.complete)
        self._offer()

    def results_changed(self) -> None:
        """What is stored has changed, and so has what is new."""
        self._results_pace()

    def reload(self) -> None:
        """Read the table and count again."""
        self._table = ""
        self._pace()

    @on(Select.Changed, "#what")
    def _another_sweep(self) -> None:
        self._offer()

    @on(Select.Changed, "#scale")
    @on(Entry.Changed)
    @on(SubjectPane.Changed)
    def _changed(self) -> None:
        self._pace()

    @on(Previewed)
    def _take_preview(self, message: Previewed) -> None:
        if self._chosen is None or message.about != canonical(self._chosen.to_json()):
            return
        told = self._told = message.value
        words = f"{count(told['total'], 'cell')}, {told['stored']:,} already stored"
        words += f" → {told['new']:,} new"
        words += f" in {count(told['batches'], 'batch')}" if told["new"] else ": nothing to do"
        self.query_one("#preview", Static).update("; ".join([words, *costs(told)]))
        self._draw_grid()

    @on(TableRead)
    def _take_table(self, message: TableRead) -> None:
        if message.about == self._table:
            self._read = message.value
            self._choose()

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

    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        """Submit; the engine works on without this window."""
        self._choose()  # what was typed a moment ago counts too
        if self._chosen is None:
            self._tell_why("Nothing to start")
            return
        if self._starting:
            return  # a key held down is one run
        self._starting = True
        self.query_one("#preview", Static).update("starting …")
        self.session.submit(self, self._chosen)

    @on(Button.Pressed, "#dry-run")
    def action_dry_run(self) -> None:
        """Show what the command with --dry-run prints."""
        if self._chosen is None or self._told is None:
            self._tell_why("Nothing is counted yet")
            return
        from augury.tui.screens.dry_run import DryRunDialog

        def answer(start: bool | None) -> None:
            if start:
                self.action_start()

        command = self.session.same_as(choice.command(self._chosen, "--dry-run"))
        self.app.push_screen(DryRunDialog(said(self._told), command), answer)

    def action_copy(self) -> None:
        """Copy the command."""
        if self._chosen is not None:
            self.augury.copy_text(self.session.same_as(choice.command(self._chosen)))

    def action_problems(self) -> None:
        """Go to the filter of problems."""
        self.query_one("#problems Input").focus()

    def action_leave_field(self) -> None:
        """Out of a field in which keys are letters."""
        self.query_one(Chooser).focus()

    @property
    def _form(self) -> Form:
        what = str(self.query_one("#what", Select).value)
        return Form(
            what,
            str(self.query_one("#scale", Select).value),
            self.query_one("#seeds", Entry).value,
            self.query_one("#problems", Entry).value,
            self.query_one("#set", Entry).value,
            self.query_one(SubjectPane).chosen,
            *self._table_of(what),
        )

    def _table_of(self, what: str) -> tuple[str, Read | str | None]:
        """The words of the field, if there is one for this choice, and what they gave."""
        words = self.query_one("#table", Entry).value.strip() if choice.takes_tables(what) else ""
        return words, (self._read if words and words == self._table else None)

    def _offer(self) -> None:
        what = self._form.what
        self.query_one("#table", Entry).display = choice.takes_tables(what)
        self.query_one("#summary", Static).update(choice.summary(what))
        self.query_one(SubjectPane).offer(choice.subjects_of(what), choice.default_subjects(what))
        self.query_one("#problems", Entry).suggest(self._form.example)
        self._pace()

    def _choose(self) -> None:
        form = self._form
        if form.table != self._table:
            self._ask_table(form)
            form = self._form
        for name, text in form.hints().items():
            self.query_one(f"#{name}", Entry).say(text)
        wrong = form.errors()
        for name in ("table", "seeds", "problems", "set"):
            if name in wrong and not (name == "set" and form.is_unfinished):
                self.query_one(f"#{name}", Entry).say(f"✖ {wrong[name]}", wrong=True)
        self.query_one(SubjectPane).say(wrong.get("subjects", ""))
        waits = bool(form.table) and form.read is None and not wrong
        self._chosen = None if wrong or waits else form.selection()
        self._show_choice("reading the table …" if waits else "")

    def _tell_why(self, what: str) -> None:
        waits = not self._form.errors() and self._form.table and self._read is None
        why = "the table is still being read" if waits else "see the fields marked ✖"
        self.notify(f"{what}: {why}.", severity="error")

    def _ask_table(self, form: Form) -> None:
        self._table, self._read = form.table, None
        if form.table and not isinstance(self.session.store, Path):
            self._read = "files of yours cannot be used from afar: copy them there and run there."
        elif form.table and "table" not in form.errors():
            requests.table(self.session, self, form.table)

    def _show_choice(self, waits: str = "") -> None:
        preview, same = self.query_one("#preview", Static), self.query_one("#command", Static)
        if self._chosen is None:
            self._told = None
            preview.update(waits or "✖ nothing to count: see the fields marked ✖")
            same.update("")
            self._draw_grid()
            return
        if self._told is None:
            preview.update("counting …")
        same.update(self.augury.same_as(self.session.same_as(choice.command(self._chosen))))
        self._ask()

    def _ask(self) -> None:
        if self._chosen is not None:
            self.session.ask_preview(self, self._chosen)

    def _draw_grid(self) -> None:
        grid = self._told["grid"] if self._told is not None else ()
        self.query_one(Fitted).say(lambda width, height: launch_grid.drawn(grid, width, height))

"""Leaderboard: one board for each scenario that has results; sort, filter, drill down, export."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from augury.engine.text_width import cut
from augury.tui.bindings import bindings
from augury.tui.messages import (
    BoardRead,
    ContextsRead,
    Exported,
    Failed,
    ScenariosRead,
    Submitted,
)
from augury.tui.screens.tab import TabScreen
from augury.tui.session import board_command, board_params
from augury.tui.state import BoardState
from augury.tui.widgets.line import Line
from augury.tui.widgets.score_table import ScoreTable

if TYPE_CHECKING:
    from augury.tui.board_page import BoardPage

_WELCOME = """\
No results in this store yet.

› enter   Run the quick evaluation: a few small problems of each scenario.
          It runs on its own: you may quit or lose the connection.
  3       Choose scenario, subjects and seeds yourself.
"""


class LeaderboardScreen(TabScreen):
    """Home. While the store is empty it offers the quick run and shows the published board."""

    PLACE: ClassVar[str] = "leaderboard"
    TAB: ClassVar[str] = "leaderboard"
    BINDINGS: ClassVar = bindings("leaderboard")

    def __init__(self) -> None:
        """Know no scenario yet."""
        super().__init__()
        self.scenarios: tuple[str, ...] = ()
        self.with_results: tuple[str, ...] | None = None
        self.page: BoardPage | None = None
        self._applied = BoardState()
        self._again = False  # whether the board is to be read again too

    def compose_body(self) -> ComposeResult:
        """Scenario line, filter, table, what the board is."""
        yield Line(id="scenarios")
        yield Static(_WELCOME, id="welcome", markup=False)
        yield Input(id="filter", placeholder="agent~ens kl_t1<0.5 !failed, or a word")
        yield ScoreTable(id="board")
        yield Line(id="legend")
        yield Line(id="context")

    def on_mount(self) -> None:
        """Ask for the scenarios, and the board with them."""
        super().on_mount()
        self.query_one("#context", Line).say(" reading the store …")
        # The board of last time first: which others there are can wait until it is on screen.
        wanted = self.augury.view.scenario
        looks = self.augury.view.board(wanted) if wanted else BoardState()
        self.augury.when_shown(partial(self.session.ask_board, self, wanted, looks))

    @property
    def scenario(self) -> str:
        """The scenario that is shown."""
        if not self.scenarios:  # the board that was there first can be used all the same
            return self.page.scenario if self.page is not None else ""
        wanted = self.augury.view.scenario
        return wanted if wanted in self.scenarios else self.scenarios[0]

    def reload(self) -> None:
        """Read which scenarios have results; the board follows."""
        self._again = True
        self.session.ask_scenarios(self)

    def results_changed(self) -> None:
        """Read again: new cells were committed."""
        self.reload()

    @on(ScenariosRead)
    def _take_scenarios(self, message: ScenariosRead) -> None:
        self.with_results, everything = message.value
        first = len(self.scenarios) == 0
        self.scenarios = self.with_results or everything
        self.set_class(not self.with_results, "-empty")
        self._write_scenarios()
        shown = self.page.scenario if self.page is not None else ""
        if self._again or not (first and shown == self.scenario and self.with_results):
            self._again = False
            self._ask()

    @on(BoardRead)
    def _take_board(self, message: BoardRead) -> None:
        page: BoardPage | None = message.value
        if not self.scenarios:
            self.session.ask_scenarios(self)
            if page is None or not page.sheet.total:
                return  # nothing, or the filter of last time hides all of it
        elif message.about != self.scenario:
            return
        if page is None:
            self.query_one("#context", Line).say("No published board comes with this release.")
            return
        moved = self.page is None or self.page.scenario != page.scenario
        self.page = page
        self.augury.view.scenario = page.scenario
        self._applied = replace(self.augury.view.board(page.scenario))
        if self.query_one("#filter").has_focus:
            self._close_filter()
        self.query_one(ScoreTable).show(page.sheet, follow=not moved)
        self._write_context()

    @on(Failed)
    def _take_back(self, message: Failed) -> None:
        if self.page is None and message.about == "board":
            self.query_one("#context", Line).say(" the store could not be read; r tries again")
        # What the store refused is not the view; the filter line stays open for another try.
        wanted = self.scenario or self.augury.view.scenario
        looks = self.augury.view.boards.get(wanted)
        if looks is not None and looks != self._applied:
            self.augury.view.boards[wanted] = replace(self._applied)
            if not self.scenarios:
                self.reload()  # the looks of last time do not fit this store any more

    @on(Submitted)
    def _take_submission(self, message: Submitted) -> None:
        self.augury.run_started(message.value)

    @on(Exported)
    def _tell_export(self, message: Exported) -> None:
        self.notify(f"{message.path}\nsame as: {message.command}", title="Written", markup=False)

    @on(ScoreTable.Opened)
    def _open_row(self, event: ScoreTable.Opened) -> None:
        if self.page is None or self.page.published:
            self.action_quick()
        else:
            from augury.tui.screens.row import RowScreen

            self.app.push_screen(RowScreen(self.page, event.row))

    @on(ScoreTable.HeaderClicked)
    def _sort_by_title(self, event: ScoreTable.HeaderClicked) -> None:
        self._sort_by(event.column.name)

    @on(Input.Submitted, "#filter")
    def _filter_entered(self, event: Input.Submitted) -> None:
        self._state().filter = event.value.strip()
        self._ask()

    def action_quick(self) -> None:
        """Start the quick run where there is nothing to open."""
        if self.with_results == ():
            from augury.tui.choice import QUICK

            self.session.submit(self, QUICK)

    def action_filter(self) -> None:
        """Open the filter line."""
        field = self.query_one("#filter", Input)
        field.value = self._state().filter
        field.add_class("-open")
        field.focus()

    def action_clear(self) -> None:
        """Close the filter line, or take the filter off."""
        if self.query_one("#filter").has_class("-open"):
            self._close_filter()
        elif self._state().filter:
            self._state().filter = ""
            self._ask()

    def action_sort(self) -> None:
        """Choose the column to sort by."""
        if self.page is None or self.page.published:
            return
        from augury.tui.screens.sort import SortDialog

        sheet = self.page.sheet
        self.app.push_screen(SortDialog(sheet.columns, sheet.sort), self._sort_by)

    def action_boards(self) -> None:
        """Choose among the boards of the scenario."""
        if self.page is not None and not self.page.published:
            self.session.ask_contexts(self, self.page.scenario)

    @on(ContextsRead)
    def _offer_boards(self, message: ContextsRead) -> None:
        if message.about != self.scenario or self.app.screen is not self:
            return
        from augury.tui.screens.boards import BoardsDialog

        contexts = list(message.value.dicts())
        self.app.push_screen(BoardsDialog(contexts, self._state().context), self._show_context)

    def _show_context(self, context: dict[str, Any] | None) -> None:
        if context is not None:
            self._state().context = context
            self._ask()

    def action_reverse(self) -> None:
        """Sort the other way round."""
        state = self._state()
        state.descending = not state.descending
        self._ask()

    def action_scenario(self, step: int) -> None:
        """Show the next or previous scenario."""
        if self.scenarios:
            place = (self.scenarios.index(self.scenario) + step) % len(self.scenarios)
            self.action_show(self.scenarios[place])

    def action_show(self, scenario: str) -> None:
        """Show one scenario."""
        self.augury.view.scenario = scenario
        self._applied = BoardState()
        self.query_one(ScoreTable).scroll_to(0, 0, animate=False)
        self._write_scenarios()
        self._ask()

    def action_copy(self) -> None:
        """Copy the row under the cursor."""
        table = self.query_one(ScoreTable)
        if table.current is not None:
            from augury.tui.board_page import text_of

            self.augury.copy_text(text_of(table.sheet, table.current))

    def action_export(self) -> None:
        """Ask for format and file, then write the view."""
        if self.page is None or self.page.published:
            self.notify("There are no results of yours to export yet.")
            return
        from augury.tui.screens.export import ExportChoice, ExportDialog

        scenario = self.page.scenario
        state = self.augury.view.board(scenario)
        command = self.session.same_as(board_command(scenario, state))
        params = board_params(scenario, state)

        def write(choice: ExportChoice | None) -> None:
            if choice is not None:
                self.session.export(self, "board", params, choice.form, choice.path, command)

        self.app.push_screen(ExportDialog(scenario, command), write)

    def _state(self) -> BoardState:
        return self.augury.view.board(self.scenario)

    def _ask(self) -> None:
        if not self.scenario:
            return
        if self.with_results == ():
            self.session.ask_published(self, self.scenario)
        else:
            self.session.ask_board(self, self.scenario, self._state())

    def _sort_by(self, name: str | None) -> None:
        if not name:
            return
        state = self._state()
        state.descending = not state.descending if (state.sort or "rank") == name else False
        state.sort = "" if name == "rank" else name  # a board's own order is by rank
        self._ask()

    def _close_filter(self) -> None:
        self.query_one("#filter").remove_class("-open")
        self.query_one(ScoreTable).focus()

    def _write_scenarios(self) -> None:
        self.query_one("#scenarios", Line).say(self._scenario_line)

    def _scenario_line(self, width: int) -> Content:
        parts: list[Content] = [Content(" ")]
        for name in self.scenarios:
            chosen = name == self.scenario
            shown = Content.styled(f"[{name}]" if chosen else f" {name} ", "bold" if chosen else "")
            parts += [shown.stylize(f"@click=screen.show('{name}')"), Content(" ")]
        line = Content("").join(parts)
        return (
            Content.assemble(line, ("  [ ] other scenarios", "$secondary"))
            if (len(self.scenarios) > 1 and width > line.cell_length + 22)
            else line
        )

    def _write_context(self) -> None:
        page = self.page
        if page is None:
            return
        state = self.augury.view.board(page.scenario)
        self.set_class(bool(page.legend), "-limited")
        self.query_one("#legend", Line).say(f" {page.legend}")
        self.note(page.context)
        if page.published:
            self.query_one("#context", Line).say(" published, not yours: " + page.title)
            return
        total = page.sheet.total
        rows = f"{total} row" if total == 1 else f"{total} rows"
        said = cut(state.filter, 40)
        filtered = f"filter: {said} ({rows}; esc takes it off)" if said else rows
        words = "   ".join(filter(None, (filtered, page.place, page.direction)))
        self.query_one("#context", Line).say(f" {words}")

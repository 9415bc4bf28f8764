"""Shows one board of one scenario: asks for it, and arranges its rows as they are looked at."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.timer import Timer
from textual.widgets import Static

from augury.engine.errors import UsageError
from augury.tui import board_lines
from augury.tui.messages import BoardRead, Failed, ScenariosRead
from augury.tui.pace import Pace
from augury.tui.screens.tab import TabScreen
from augury.tui.state import BoardState
from augury.tui.widgets.line import Line
from augury.tui.widgets.score_table import ScoreTable

if TYPE_CHECKING:
    from augury.engine.terms import FilterError
    from augury.tui.board_page import BoardPage

_WELCOME = """\
No results in this store yet.

› enter   Run the quick evaluation: a few small problems of each scenario.
          It runs on its own: you may quit or lose the connection.
  3       Choose scenario, subjects and seeds yourself.
"""
_TIES_SECONDS = 0.3
_ASK_SECONDS = 0.25  # a filter that the store must answer is asked when the typing stops


class BoardScreen(TabScreen):
    """What is on screen, and what the store is asked for it."""

    TAB: ClassVar[str] = "leaderboard"

    def __init__(self) -> None:
        """Know no scenario yet."""
        super().__init__()
        self.scenarios: tuple[str, ...] = ()
        self.with_results: tuple[str, ...] | None = None
        self.page: BoardPage | None = None
        self.applied = BoardState()  # the looks that are on screen
        self._again = False  # whether the board is to be read again too
        self._reading = True  # a board is asked for and not here yet
        self._stale = False  # there was news since
        self._marks: dict[str, set[str]] = {}  # by scenario
        self.typing = Pace(self, 0.1, self.looks_changed)
        self._waiting: Timer | None = None

    def compose_body(self) -> ComposeResult:
        """Scenario line, filter, table, what the board is."""
        yield Line(id="scenarios")
        yield Static(_WELCOME, id="welcome", markup=False)
        yield ScoreTable(id="board", marks=True)
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
    def table(self) -> ScoreTable:
        """The table."""
        return self.query_one(ScoreTable)

    @property
    def looks(self) -> BoardState:
        """How the board is looked at."""
        return self.augury.view.board(self.scenario)

    @property
    def scenario(self) -> str:
        """The scenario that is shown."""
        wanted = self.augury.view.scenario
        known = wanted in self.scenarios or not self.scenarios  # not read yet
        return wanted if known else self.scenarios[0]

    def reload(self) -> None:
        """Read which scenarios have results; the board follows.

        Once what is being read is here: news that come faster would else keep it away for good.
        """
        if self._reading:
            self._stale = True
            return
        self._again = True
        self.session.ask_scenarios(self)

    def results_changed(self) -> None:
        """Read again: new cells were committed."""
        self.reload()

    def show_scenario(self, scenario: str) -> None:
        """Show another one."""
        self.augury.view.scenario = scenario
        self.applied = BoardState()
        self.table.scroll_to(0, 0, animate=False)
        self._write_scenarios()
        self.ask()

    def ask(self) -> None:
        """Ask for the board as it is looked at now."""
        self._stop_waiting()
        if not self.scenario:
            return
        self._reading = True
        if self.with_results != ():
            # With ties at once where they are on screen: they must not come and go.
            again = self.page is not None and self.page.scenario == self.scenario
            ties = again and self.page is not None and self.page.has_ties
            self.session.ask_board(self, self.scenario, self.looks, intervals=ties)
        else:
            self.session.ask_published(self, self.scenario)

    def looks_changed(self) -> None:
        """Arrange the rows anew; ask the store first where the numbers are others."""
        page = self.page
        if page is None or page.scenario != self.scenario:
            self.ask()
            return
        from augury.engine.store.arrange import split
        from augury.engine.terms import FilterError

        try:
            split(self.looks.filter, page.places, page.problems)
            if self._is_asked(page):
                self._stop_waiting()
                self._arrange()
            elif self.is_typing:
                self._stop_waiting()
                self._waiting = self.set_timer(_ASK_SECONDS, self.ask)
            else:
                self.ask()
            self.filter_tried(None)
        except FilterError as error:
            self.filter_tried(error)
        except UsageError as error:
            self._refuse(error)

    @property
    def is_typing(self) -> bool:
        """Whether a filter is being typed."""
        return False

    def filter_tried(self, error: FilterError | None) -> None:
        """A filter was taken, or cannot be meant."""
        if error is not None:
            self._refuse(error)

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
            self.ask()

    @on(BoardRead)
    def _take_board(self, message: BoardRead) -> None:
        page: BoardPage | None = message.value
        self._has_read()
        if not self.scenarios:
            self.session.ask_scenarios(self)
            if page is None or not page.sheet.total:
                return  # nothing, or the filter of last time hides all of it
        elif message.about != self.scenario:
            return
        if page is None:
            self.query_one("#context", Line).say("No published board comes with this release.")
            return
        if not self._is_asked(page):
            return  # the looks have changed again: their own answer is on its way
        first = self.page is None
        moved = self.page is None or self.page.scenario != page.scenario
        self.page = page
        self.augury.view.scenario = page.scenario
        self.table.mark(self._marks.setdefault(page.scenario, set()))
        quick = not page.published and page.has_intervals and not page.has_ties
        looks = self.augury.view.board(page.scenario)
        try:
            self._arrange(follow=not moved)
        except UsageError as error:
            if not quick:  # else the columns that it names may be among those that come yet
                self._refuse(error)
        if quick:  # what takes longer comes when the rest is on screen
            ask = partial(self.session.ask_board, self, page.scenario, looks, intervals=True)
            self.set_timer(_TIES_SECONDS, ask)
        if first:
            self.first_board()

    def first_board(self) -> None:
        """There is a board to arrange now."""

    def _has_read(self) -> None:
        self._reading = False
        if self._stale:
            self._stale = False
            self.call_later(self.reload)

    def _is_asked(self, page: BoardPage) -> bool:
        """Whether a page has the numbers that are looked at now."""
        from augury.engine.store.arrange import split
        from augury.engine.terms import FilterError
        from augury.tui.board_query import source

        looks = self.augury.view.board(page.scenario)
        try:
            inside = split(looks.filter, page.places, page.problems).problem_text
        except FilterError:
            return True  # what is wrong with it is said when it is arranged
        return page.published or source(page.scenario, looks, inside) == page.asked

    @on(Failed)
    def _take_back(self, message: Failed) -> None:
        if message.about in ("board", "ties"):
            self._has_read()
        if self.page is None and message.about == "board":
            self.query_one("#context", Line).say(" the store could not be read; r tries again")
        # What the store refused is not the view.
        wanted = self.scenario or self.augury.view.scenario
        looks = self.augury.view.boards.get(wanted)
        if looks is not None and looks != self.applied:
            self.augury.view.boards[wanted] = replace(self.applied)
            if not self.scenarios:
                self.reload()  # the looks of last time do not fit this store any more
            elif self.page is not None and self.page.scenario == wanted:
                self._arrange()

    def _refuse(self, error: UsageError) -> None:
        """Say what cannot be meant, and look at the board as before."""
        self.post_message(Failed("This cannot be meant", error.message, "looks", error))

    def _arrange(self, *, follow: bool = True) -> None:
        from augury.tui.board_looks import arranged  # not before the first frame

        page = self.page
        if page is None:
            return
        looks = self.augury.view.board(page.scenario)
        self.table.show(arranged(page, looks), follow=follow)
        self.applied = replace(looks)
        self._write_context()
        self.write_note()

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None

    @on(ScoreTable.Marked)
    def _marks_changed(self) -> None:
        if self.page is not None:
            self._marks[self.page.scenario] = set(self.table.marks)
        self.write_note()

    def write_note(self) -> None:
        """Marks, ties and units, on the status line."""
        from augury.tui.board_looks import tied

        page = self.page
        if page is None:
            return
        marks = len(self._marks.get(page.scenario, ()))
        looks = self.augury.view.board(page.scenario)
        self.note(board_lines.note(page, looks, marks, tied(page)))

    def _write_scenarios(self) -> None:
        self.query_one("#scenarios", Line).say(
            lambda width: board_lines.scenario_line(self.scenarios, self.scenario, width)
        )

    def _write_context(self) -> None:
        page = self.page
        if page is None:
            return
        from augury.tui.board_looks import legend

        looks = self.augury.view.board(page.scenario)
        marks = legend(page, self.table.sheet)
        self.set_class(bool(marks), "-limited")
        self.query_one("#legend", Line).say(f" {marks}")
        words = board_lines.context(page, looks, self.table.sheet.count)
        self.query_one("#context", Line).say(words)

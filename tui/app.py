"""The terminal application: tabs, the newest status, and what every screen may ask of it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, SystemCommand
from textual.events import DescendantFocus
from textual.screen import Screen

from augury.engine.errors import StoreError, StoreLockedError
from augury.engine.paths import ASSETS
from augury.engine.preferences import Preferences, is_plain
from augury.engine.wording import count
from augury.tui import state, themes
from augury.tui.bindings import KEYS, bindings
from augury.tui.clipboard import copy
from augury.tui.follower import GONE, GONE_TITLE
from augury.tui.hangup import watch
from augury.tui.key import Keymap
from augury.tui.live import Live
from augury.tui.messages import EngineGone, EngineSpoke, Failed, LinkChanged, StatusRead, StoreGone
from augury.tui.pace import Pace
from augury.tui.places import places
from augury.tui.session import Session
from augury.tui.stylesheet import SteadyStylesheet
from augury.tui.tabs import MODES
from augury.tui.terminal_app import TerminalApp

if TYPE_CHECKING:
    from textual.filter import LineFilter

    from augury.engine.service.link import Store

_NONE = Preferences()


def _checked(keys: Keymap) -> Keymap:
    if not keys:
        return {}
    from augury.tui.keymap import checked  # most people keep the keys

    return checked(keys)


class AuguryApp(TerminalApp):
    """Shows one store; everything slow happens in the session's threads."""

    TITLE = "augury"
    CSS_PATH: ClassVar = str(ASSETS / "tcss" / "augury.tcss")
    MODES: ClassVar[dict[str, str | Callable[[], Screen]]] = dict(MODES)
    DEFAULT_MODE: ClassVar[str] = "leaderboard"
    BINDINGS: ClassVar = bindings("app")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (14, "-low"), (22, "-tall"), (36, "-high"), (68, "-vast")]

    def __init__(
        self,
        store: Store,
        session: Session | None = None,
        preferences: Preferences = _NONE,
    ) -> None:
        """Show the store in this directory."""
        # Without this Textual answers NO_COLOR with greys of its own, sent as 24-bit colours.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.animation_level = "none"
        self.ascii_only = is_plain(preferences.ascii)  # charts and maps ask for it too
        self.live = Live()
        self.session = session or Session(store)
        self.view = state.load(store)
        self.paused = False
        self._unasked: list[Callable[[], object]] | None = []
        self.refusal: StoreError | StoreLockedError | None = None
        self.news = 0  # how many times results were committed since the start
        self._live_pace = Pace(self, 1.0, self._tell_live)
        self._results_pace = Pace(self, 1.0, self._tell_results)
        for theme in themes.THEMES:
            self.register_theme(theme)
        theme = themes.start_theme(
            self.view.theme, os.environ, self.no_color, themes.NAMES.get(preferences.theme or "")
        )
        self.set_reactive(App.theme, theme)
        # What Textual does only when one theme follows another.
        self._refresh_truecolor_filter(self.ansi_theme)
        dark = self.current_theme.dark
        self.set_class(dark, "-dark-mode", update=False)
        self.set_class(not dark, "-light-mode", update=False)
        self.keymap = _checked(preferences.keys)
        self.set_keymap(self.keymap)
        self.stylesheet = SteadyStylesheet(variables=self.get_css_variables())

    def get_css_variables(self) -> dict[str, str]:
        """The theme's, and the colours of curves."""
        return {**super().get_css_variables(), **themes.series(self.theme)}

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's, and the one that writes ASCII where nothing else can be shown."""
        filters = super().get_line_filters()
        if not self.ascii_only:
            return filters
        from augury.tui.glyphs import PLAIN_FILTER

        return [*filters, PLAIN_FILTER]

    def on_mount(self) -> None:
        """Ask for news once something is on screen."""
        if not self.is_headless:
            watch(asyncio.get_running_loop(), self._leave_at_once)
        self._link_clock = self.set_interval(1.0, self._tell_live, pause=True)
        self.call_after_refresh(self._frame_shown)

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """A blinking cursor would send bytes twice a second for as long as one thinks."""
        if hasattr(event.widget, "cursor_blink"):
            event.widget.cursor_blink = False  # type: ignore[attr-defined]

    def when_shown(self, ask: Callable[[], object]) -> None:
        """Call `ask` once the first frame is on screen: reading must not delay it."""
        if self._unasked is None:
            ask()
        else:
            self._unasked.append(ask)

    def on_status_read(self, message: StatusRead) -> None:
        """Take a whole status."""
        self.session.has_read = True
        new_engine = self.live.engine is None and message.status.get("engine") is not None
        self.live.take_status(message.status)
        self._live_pace()
        if new_engine:
            self._results_changed()

    def on_engine_spoke(self, message: EngineSpoke) -> None:
        """Take one event."""
        if self.live.take(message.event):
            self._live_pace()
        if message.event.get("event") == "cells":
            self._results_changed()

    def on_engine_gone(self, message: EngineGone) -> None:
        """Say so; reading goes on without the engine."""
        self.live.engine_gone()
        self._live_pace()

    def on_link_changed(self, message: LinkChanged) -> None:
        """Say how the link is, each second while it is not well; read again once it is back."""
        before = self.live.link
        if message.advice and before is None:
            self.notify(message.advice, severity="warning", timeout=15, markup=False)
        if self.live.take_link(message.state):
            self._results_changed()
        elif message.state.why and before is not None and before.kind == "down":
            # Not when it has just broken: mostly it comes back before this is read.
            self.notify(message.state.why, title="Link", severity="warning", markup=False)
        (self._link_clock.pause if message.state.kind == "up" else self._link_clock.resume)()
        self._tell_live()

    def on_store_gone(self, message: StoreGone) -> None:
        """Say so, unless a request did already; an empty store would look the same."""
        if not self.live.store_gone:
            self.show_error(Failed(GONE_TITLE, GONE.format(self.session.store)))

    def on_failed(self, message: Failed) -> None:
        """Show what went wrong outside any tab."""
        self.show_error(message)

    def show_error(self, message: Failed) -> None:
        """A dialog; a note at the edge while another one is open.

        A store that cannot be read at the start is none to show: the command ends with its error.
        """
        if isinstance(message.error, (StoreError, StoreLockedError)) and not self.session.has_read:
            self.refusal = message.error
            self.exit()
            return
        if message.title == GONE_TITLE:
            if self.live.store_gone and message.about == "ties":
                return  # nobody asked for these, and it was said
            self.live.gone()
            self._live_pace()
        from augury.tui.screens.error import ErrorDialog

        if isinstance(self.screen, ErrorDialog):
            self.notify(message.text, title=message.title, severity="error", markup=False)
        else:
            self.push_screen(ErrorDialog(message.title, message.text))

    def copy_text(self, text: str) -> None:
        """Copy, and say where it went."""
        self.notify(f"Copied to {copy(text, self.copy_to_clipboard)}.", markup=False)

    def action_tab(self, name: str) -> None:
        """Open a tab."""
        if not self.screen.is_modal:
            self.switch_mode(name)

    def action_help(self) -> None:
        """Every key, those of what has the focus first."""
        from augury.tui.screens.help import HelpDialog

        if not isinstance(self.screen, HelpDialog):
            self.push_screen(HelpDialog(tuple(places(self.screen)), self.keymap))

    def action_press(self, key: str) -> None:
        """As if the key were pressed: what a click on one in the last line means."""
        self.simulate_key(key)

    def action_refresh(self) -> None:
        """Read again."""
        from augury.tui.screens.tab import TabScreen

        self.session.hurry()
        self.session.ask_status(self)
        if isinstance(self.screen, TabScreen):
            self.screen.reload()

    def action_pause(self) -> None:
        """Hold what is shown still, or go on."""
        self.paused = not self.paused
        self._tell_live()
        self._tell_results()

    def action_next_theme(self) -> None:
        """Take the next theme."""
        self.theme = self.view.theme = themes.following(self.theme, os.environ)

    def action_command_palette(self) -> None:
        """Every action by name."""
        from augury.tui.screens.palette import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def get_system_commands(self, screen: Screen) -> Iterable[SystemCommand]:
        """The command palette: every action of this place and of the whole application."""
        for place, node in places(screen).items():
            for key in KEYS:
                if key.where == place and key.action and key.action != "app.command_palette":
                    run = partial(self.run_action, key.action, node)
                    yield SystemCommand(key.help, f"key {key.reads(self.keymap)}", run)

    def action_leave(self) -> None:
        """Quit; whatever runs goes on. What waits for a lost link is dropped, and that is said."""
        active, unsent = len(self.live.active), self.session.unsent
        told = []
        if unsent:
            what = "command was" if unsent == 1 else "commands were"
            told.append(f"{unsent} {what} not answered: the link was down.")
        if active:
            runs = "run goes" if active == 1 else "runs go"
            again = self.session.same_as("augury")
            told.append(f"{active} {runs} on without this window; `{again}` shows it again.")
        self.exit(message="\n".join(told) or None)

    def run_started(self, said: Mapping[str, Any]) -> None:
        """Show a run that was just submitted."""
        if said["new"]:
            cells = count(said["new"], "new cell")
            self.notify(f"Run {said['run_id']}: {cells}. Safe to quit: it goes on.", markup=False)
            self.action_tab("runs")
        else:
            self.notify("Nothing new: all of its cells are stored already.", markup=False)

    def wind_up(self) -> None:
        """Remember the view and let go of the engine's connection."""
        state.save(self.session.store, self.view)
        self.session.close()

    def _frame_shown(self) -> None:
        waiting, self._unasked = self._unasked or (), None
        for ask in waiting:
            ask()
        self.session.start(self)

    def _leave_at_once(self, code: int) -> None:
        state.save(self.session.store, self.view)
        self.exit(return_code=code)

    def _tell_live(self) -> None:
        from augury.tui.screens.tab import TabScreen

        for screen in self.screen_stack:
            if not isinstance(screen, TabScreen) or not screen.query("#keys"):
                continue  # it is being made, and reads all of this when it is there
            screen.pause_changed() if self.paused else screen.live_changed()

    def _results_changed(self) -> None:
        self.news += 1
        self._results_pace()

    def _tell_results(self) -> None:
        """The screen that one sees, a dialog over it or not; others catch up when they are seen."""
        from augury.tui.screens.tab import TabScreen

        for screen in reversed(self.screen_stack):
            if isinstance(screen, TabScreen):
                screen.catch_up()
                return

"""Every key of the application, once: bindings, footer and help are made from this table."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType


@dataclass(frozen=True, slots=True)
class Key:
    """One action and the keys that reach it."""

    where: str
    keys: str  # as Textual names them, separated by commas
    shown: str  # as a person reads them
    action: str
    label: str  # in the footer
    help: str
    footer: bool = True
    first: bool = False  # before the focused widget's own use of the key


KEYS: tuple[Key, ...] = (
    Key("app", "1", "1", "app.tab('leaderboard')", "board", "Leaderboard tab", False),
    Key("app", "2", "2", "app.tab('runs')", "runs", "Runs tab", False),
    Key("app", "3", "3", "app.tab('launch')", "launch", "Launch tab", False),
    Key("app", "4", "4", "app.tab('data')", "data", "Data tab", False),
    Key("app", "question_mark", "?", "app.help", "help", "This page"),
    Key("app", "q", "q", "app.leave", "quit", "Quit; engines and their runs go on"),
    Key("app", "colon,ctrl+p", ":", "app.command_palette", "command", "Command palette; ctrl+p too",
        False),
    Key("app", "r", "r", "app.refresh", "refresh", "Read again now", False),
    Key("app", "t", "t", "app.next_theme", "theme", "Next theme", False),
    Key("table", "", "j k, arrows", "", "move", "Move the cursor", False),
    Key("table", "", "g G", "", "ends", "First and last row", False),
    Key("table", "", "h l, arrows", "", "scroll", "Scroll columns", False),
    Key("leaderboard", "enter", "enter", "screen.quick", "open",
        "Config, cells and loss curve of a row; starts the quick run in an empty store"),
    Key("leaderboard", "slash", "/", "screen.filter", "filter", "Filter rows; esc takes it off"),
    Key("leaderboard", "s", "s", "screen.sort", "sort", "Choose the column to sort by"),
    Key("leaderboard", "o", "o", "screen.boards", "boards",
        "Other boards of the scenario: older sweeps, scales, settings"),
    Key("leaderboard", "S", "S", "screen.reverse", "reverse", "Reverse the order", False),
    Key("leaderboard", "right_square_bracket", "]", "screen.scenario(1)", "next",
        "Next scenario", False),
    Key("leaderboard", "left_square_bracket", "[", "screen.scenario(-1)", "previous",
        "Previous scenario", False),
    Key("leaderboard", "e", "e", "screen.export", "export", "Write the view to a file"),
    Key("leaderboard", "y", "y", "screen.copy", "copy", "Copy the row as tab-separated text",
        False),
    Key("leaderboard", "escape", "esc", "screen.clear", "clear", "Take the filter off", False),
    Key("row", "escape", "esc", "screen.back", "back", "Back to the board"),
    Key("row", "", "tab", "", "config", "From the cells to the config, which scrolls, and back"),
    Key("row", "L", "L", "screen.log", "log y", "Logarithmic or linear y axis"),
    Key("row", "e", "e", "screen.export", "export", "Write all cells of the scenario"),
    Key("row", "y", "y", "screen.copy", "copy", "Copy the row as tab-separated text", False),
    Key("runs", "enter", "enter", "", "cells", "From the runs to the cells of one, and back"),
    Key("runs", "d", "d", "screen.details", "details",
        "The run in full: its whole command and its counts"),
    Key("runs", "x", "x", "screen.cancel", "cancel", "Cancel the run; asks first"),
    Key("runs", "R", "R", "screen.retry", "retry",
        "Try failed cells again; resume a run that stands still"),
    Key("runs", "l", "l", "screen.toggle_log", "log", "Engine's log in place of the curve",
        first=True),
    Key("runs", "L", "L", "screen.log", "log y", "Logarithmic or linear y axis", False),
    Key("data", "", "h l", "", "scroll", "Columns that have no room, such as licence and source"),
    Key("launch", "tab", "tab", "", "next field", "Next field; shift+tab goes back"),
    Key("launch", "", "space", "", "choose", "Choose or drop a subject; a all, A none"),
    Key("launch", "ctrl+s", "ctrl+s", "screen.start", "start", "Start the run, detached"),
    Key("launch", "y", "y", "screen.copy", "copy command", "Copy the equivalent command"),
)  # fmt: skip

TITLES = {
    "app": "Everywhere",
    "table": "Tables",
    "leaderboard": "Leaderboard",
    "row": "One row of the board",
    "runs": "Runs",
    "launch": "Launch",
    "data": "Data",
}


def bindings(where: str) -> list[BindingType]:
    """The Textual bindings of one place."""
    return [
        Binding(key.keys, key.action, key.help, show=False, priority=key.first)
        for key in KEYS
        if key.where == where and key.keys and key.action
    ]


def footer(where: str, width: int) -> list[Key]:
    """The keys a footer of `width` columns has room for; help and quit always."""
    always = [k for k in KEYS if k.where == "app" and k.footer]
    left = width - 1 - sum(len(k.shown) + len(k.label) + 3 for k in always)
    found = []
    for key in KEYS:
        cost = len(key.shown) + len(key.label) + 3
        if key.where == where and key.footer and cost <= left:
            found.append(key)
            left -= cost
    return found + always

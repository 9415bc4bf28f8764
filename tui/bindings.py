"""Every key of the application, once: bindings, footer and help are made from this table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from textual.binding import Binding, BindingType

from augury.tui.dialog_keys import DIALOG_KEYS
from augury.tui.key import Key, Keymap
from augury.tui.widget_keys import WIDGET_KEYS

KEYS: tuple[Key, ...] = (
    Key("app", "1", "1", "app.tab('leaderboard')", "board", "Leaderboard tab", False),
    Key("app", "2", "2", "app.tab('runs')", "runs", "Runs tab", False),
    Key("app", "3", "3", "app.tab('launch')", "launch", "Launch tab", False),
    Key("app", "4", "4", "app.tab('data')", "data", "Data tab", False),
    Key("app", "question_mark", "?", "app.help", "help", "This page"),
    Key("app", "q", "q", "app.leave", "quit", "Quit; engines and their runs go on"),
    Key("app", "colon,ctrl+p", ": ctrl+p", "app.command_palette", "command", "Command palette",
        False),
    Key("app", "p", "p", "app.pause", "pause", "Pause live updates; again: go on", False),
    Key("app", "r", "r", "app.refresh", "refresh", "Read again now", False),
    Key("app", "t", "t", "app.next_theme", "theme", "Next theme", False),
    Key("leaderboard", "slash", "/", "screen.filter", "filter",
        "Filter rows while you type; {filter.keep} keeps it, {leaderboard.clear} takes it off"),
    Key("leaderboard", "s", "s", "screen.sort", "sort",
        "Choose the column to sort by, and a second one between equals; a click on a title too"),
    Key("leaderboard", "c", "c", "screen.columns", "columns", "Choose columns and their order"),
    Key("leaderboard", "", "space", "", "mark",
        "Mark a row; {table.mark_all} all, {table.mark_none} none", of="table.mark"),
    Key("leaderboard", "equals_sign", "=", "screen.compare", "compare",
        "Compare marked rows, two to four; without marks: the row with another"),
    Key("leaderboard", "e", "e", "screen.export", "export", "Write rows to a file or copy them"),
    Key("leaderboard", "enter", "enter", "screen.quick", "open",
        "Config, cells and loss curve of a row; starts the quick run in an empty store"),
    Key("leaderboard", "o", "o", "screen.boards", "boards",
        "Other boards of the scenario: older sweeps, scales, settings"),
    Key("leaderboard", "u", "u", "screen.units", "units",
        "Raw numbers, divided by the baseline's, or places"),
    Key("leaderboard", "b", "b", "screen.baseline", "baseline",
        "Divide by the row under the cursor; again: by the board's own baseline"),
    Key("leaderboard", "v", "v", "screen.views", "views", "Look at the board as saved"),
    Key("leaderboard", "z", "z", "screen.group", "group",
        "Group rows by subject or by what else tells them apart"),
    Key("leaderboard", "V", "V", "screen.save_view", "save view",
        "Save sort, filter, columns and units under a name", False),
    Key("leaderboard", "F", "F", "screen.filter_help", "filter help",
        "What a filter may say; {filter.words} in the filter line too", False),
    Key("leaderboard", "S", "S", "screen.reverse", "reverse", "Reverse the order", False),
    Key("leaderboard", "E", "E", "screen.show_part('errors')", "errors",
        "Show or hide standard errors", False),
    Key("leaderboard", "C", "C", "screen.show_part('colours')", "colours",
        "Colour each column from best to worst, or not", False),
    Key("leaderboard", "B", "B", "screen.show_part('bars')", "bars",
        "Show or hide bars of the ranked number", False),
    Key("leaderboard", "right_square_bracket", "]", "screen.scenario(1)", "next",
        "Next scenario", False),
    Key("leaderboard", "left_square_bracket", "[", "screen.scenario(-1)", "previous",
        "Previous scenario", False),
    Key("leaderboard", "y", "y", "screen.copy('cell')", "copy",
        "Copy the cell; {table.left} and {table.right} choose it", False),
    Key("leaderboard", "Y", "Y", "screen.copy('row')", "copy row",
        "Copy the row as tab-separated text", False),
    Key("leaderboard", "ctrl+y", "ctrl+y", "screen.copy('table')", "copy table",
        "Copy the table as Markdown", False),
    Key("leaderboard", "escape", "esc", "screen.clear", "clear", "Take the filter off", False),
    Key("leaderboard", "H", "H", "screen.heat", "map",
        "Heat map: rows against temperature, dimension, rows of data, ...", False),
    Key("leaderboard", "m", "m", "screen.next_check", "next check",
        "Checks and estimates: the chart of the next problem behind the row", False),
    Key("leaderboard", "M", "M", "screen.enlarge", "enlarge",
        "Checks and estimates: their chart in all the room; esc: the table again", False),
    Key("leaderboard", "D", "D", "screen.drill", "drill down",
        "All agents, then configs, problems, seeds", False),
    Key("leaderboard", "T", "T", "screen.transfer", "transfer",
        "Does the testbed predict real data? Scores on both, and how their ranks agree", False),
    Key("row", "escape", "esc", "screen.back", "up", "One level up; from the first to the board"),
    Key("row", "", "enter", "", "down", "Agent, config, problem, seed: one level down",
        of="table.open"),
    Key("row", "a", "a", "screen.cells", "all cells", "All cells of the row, or its problems"),
    Key("row", "m", "m", "screen.plot", "plot",
        "Next plot: replicates of a check, mean loss, or a number along an axis"),
    Key("row", "tab", "tab", "screen.turn", "chart",
        "To the chart, to the config, which scrolls, and back", first=True),
    Key("row", "L", "L", "screen.log", "log y", "Logarithmic or linear y axis", False),
    Key("row", "e", "e", "screen.export", "export", "Write what the table shows"),
    Key("row", "y", "y", "screen.copy", "copy", "Copy the row as tab-separated text", False),
    Key("compare", "escape", "esc", "screen.back", "board", "Back to the board"),
    Key("compare", "s", "s", "screen.swap", "swap", "Swap A and B"),
    Key("compare", "n", "n", "screen.next_pair", "next pair", "The next two of three or four"),
    Key("compare", "b", "b", "screen.by", "by problem", "By problem, or by setting"),
    Key("compare", "d", "d", "screen.differing", "all fields",
        "All fields of both configs, or only those that differ"),
    Key("compare", "m", "m", "screen.plot", "plot", "Mean losses, or the number along an axis"),
    Key("compare", "tab", "tab", "screen.turn", "chart", "To the chart and back", first=True),
    Key("compare", "e", "e", "screen.export", "export", "Write the differences"),
    Key("compare", "y", "y", "screen.copy", "copy", "Copy the line under the cursor", False),
    Key("transfer", "escape", "esc", "screen.back", "board", "Back to the board"),
    Key("transfer", "b", "b", "screen.config", "best", "Tuned configs, or default ones"),
    Key("transfer", "tab", "tab", "screen.turn", "chart", "To the chart and back", first=True),
    Key("transfer", "e", "e", "screen.export", "export", "Write both scores of each agent"),
    Key("transfer", "y", "y", "screen.copy", "copy", "Copy the row under the cursor", False),
    Key("heat", "escape", "esc", "screen.back", "board", "Back to the board"),
    Key("heat", "right_square_bracket", "]", "screen.dimension(1)", "next axis",
        "Along the next column of problems"),
    Key("heat", "left_square_bracket", "[", "screen.dimension(-1)", "previous",
        "Along the previous column of problems", False),
    Key("heat", "n", "n", "screen.number(1)", "number", "The board's next number"),
    Key("heat", "N", "N", "screen.number(-1)", "number before", "The board's previous number",
        False),
    Key("heat", "", "enter", "", "open", "The row under the cursor, level by level",
        of="map.open"),
    Key("heat", "e", "e", "screen.export", "export", "Write the rows that the map is made of"),
    Key("heat", "y", "y", "screen.copy", "copy", "Copy the map as tab-separated text", False),
    Key("cell", "escape", "esc", "screen.back", "back", "Back to where you came from"),
    Key("cell", "tab", "tab", "screen.turn(1)", "next tab", "Curves, Config, Scores, Log",
        first=True),
    Key("cell", "shift+tab", "shift+tab", "screen.turn(-1)", "previous", "The tab before", False,
        first=True),
    Key("cell", "m", "m", "screen.plot", "plot", "Curves: the cell's next curve or plot"),
    Key("cell", "d", "d", "screen.changed", "changed", "Config: only fields that are not default"),
    Key("cell", "e", "e", "screen.export", "export", "Write the chart, or all numbers of the cell"),
    Key("cell", "y", "y", "screen.copy", "copy", "Copy the line; in Log all of it", False),
    Key("chart", "L", "L", "log('y')", "log y", "Logarithmic or linear y axis"),
    Key("chart", "X", "X", "log('x')", "log x", "Logarithmic or linear x axis", False),
    Key("chart", "plus,equals_sign", "+", "zoom(1)", "zoom",
        "Zoom in; {chart.back} {chart.along} move along"),
    Key("chart", "minus", "-", "zoom(-1)", "out", "Zoom out", False),
    Key("chart", "0", "0", "zoom(0)", "all", "All of the x axis", False),
    Key("chart", "left,h", "←", "pan(-1)", "back", "Back along the x axis while zoomed", False),
    Key("chart", "right,l", "→", "pan(1)", "along", "Along the x axis while zoomed", False),
    Key("chart", "s", "s", "smooth", "smooth", "Smooth lines: .6, .9, .97 or not"),
    Key("chart", "e", "e", "export", "export", "Write the chart: SVG, PNG, or CSV of its points"),
    Key("runs", "", "enter", "", "open", "From the runs to the cells of one, and to a cell",
        of="table.open"),
    Key("runs", "escape", "esc", "screen.to_runs", "runs", "From the cells to the runs", False),
    Key("runs", "d", "d", "screen.details", "details",
        "The run in full: its whole command and its counts", False),
    Key("runs", "x", "x", "screen.cancel", "cancel", "Cancel the run; asks first"),
    Key("runs", "R", "R", "screen.retry", "retry",
        "Try failed cells again; resume a run that stands still"),
    Key("runs", "exclamation_mark", "!", "screen.why", "why",
        "Why the cell failed, what to do, and its traceback in a file"),
    Key("runs", "plus,equals_sign", "+ -", "screen.priority(1)", "priority",
        "Raise the run's priority, or lower it with {runs.later}: it is fed before those below"),
    Key("runs", "minus", "-", "screen.priority(-1)", "later",
        "Lower the run's priority: it is fed after those above", False),
    Key("runs", "l", "l", "screen.toggle_log", "log", "Engine's log in place of the curve",
        first=True),
    Key("runs", "f", "f", "screen.follow", "follow", "Log: stay at its end, or stand still", False),
    Key("runs", "w", "w", "screen.whose_log", "whose",
        "Log: all lines, those of the run, those of the cell and its batches", False),
    Key("runs", "L", "L", "screen.log", "log y", "Logarithmic or linear y axis", False),
    Key("launch", "ctrl+s", "ctrl+s", "screen.start", "start", "Start the run, detached"),
    Key("launch", "ctrl+r", "ctrl+r", "screen.dry_run", "dry run",
        "What the run would do; nothing starts"),
    Key("launch", "slash", "/", "screen.problems", "problems",
        "Filter problems: input_dim=10,100 ratio<=10 !environment=0"),
    Key("launch", "y", "y", "screen.copy", "copy", "Copy the equivalent command"),
    Key("launch", "tab", "tab", "", "next", "Next field; shift+tab goes back"),
    Key("launch", "", "space", "", "choose",
        "Choose or drop a subject; {list.all} all, {list.none} none", False),
    Key("launch", "", "→", "", "complete", "Take what a field offers to complete", False),
    Key("launch", "escape", "esc", "screen.leave_field", "leave field",
        "Out of a field, so that keys are commands again", False),
    Key("data", "f", "f", "screen.fetch", "fetch",
        "Fetch the set, or go on with it; more than 50 MB are asked about first"),
    Key("data", "x", "x", "screen.stop", "stop", "Stop fetching it: what is there is kept"),
    Key("data", "v", "v", "screen.verify", "verify", "Read every byte: is it as published?"),
    Key("data", "y", "y", "screen.copy", "copy folder", "Copy the folder where its files belong"),
    Key("data", "right_square_bracket", "]", "screen.scroll(3)", "down",
        "Scroll what is said of the set", False),
    Key("data", "left_square_bracket", "[", "screen.scroll(-3)", "up", "Scroll it back", False),
    *WIDGET_KEYS,
    *DIALOG_KEYS,
)  # fmt: skip

_NAMED = re.compile(r"\{(\w+\.\w+)\}")

TITLES = {
    "app": "Everywhere",
    "leaderboard": "Leaderboard",
    "row": "One row of the board",
    "compare": "Comparison",
    "transfer": "Testbed against real data",
    "heat": "Heat map",
    "cell": "One cell",
    "runs": "Runs",
    "launch": "Launch",
    "data": "Data",
    "table": "Tables",
    "lines": "A table of lines",
    "chart": "A chart (tab goes to it)",
    "map": "The map",
    "log": "A log",
    "list": "A list",
    "choice": "A line of choices",
    "filter": "The filter line",
    "dialog": "Dialogs",
    "sort": "Order",
    "columns": "Columns",
    "boards": "Boards",
    "views": "Views",
    "save": "Saving a view",
    "second": "Whom to compare with",
    "write": "Writing a file",
    "export": "Export",
    "confirm": "A question",
    "error": "An error",
    "failure": "A cell that failed",
    "details": "A run in full",
    "dry_run": "Dry run",
    "filter_help": "Help on filters",
    "help": "Help",
}
DIALOGS = tuple(dict.fromkeys(key.where for key in DIALOG_KEYS))


def key_of(action: str, keymap: Keymap) -> str:
    """The keys of an action by its id, `leaderboard.sort`, as a person reads them."""
    return next(key for key in KEYS if key.id == action).reads(keymap)


def spelt(sentence: str, keymap: Keymap) -> str:
    """A sentence that names keys by their actions, `{runs.retry} resumes`, with the keys."""
    known = {key.id: key for key in KEYS} if "{" in sentence else {}
    return _NAMED.sub(lambda m: known[m[1]].reads(keymap) if m[1] in known else m[0], sentence)


def bindings(where: str) -> list[BindingType]:
    """The Textual bindings of one place; by their ids other keys are given to them."""
    return [
        Binding(key.keys, key.action, key.label, show=False, priority=key.first, id=key.id)
        for key in KEYS
        if key.where == where and key.keys and key.action
    ]


def footer(
    width: int,
    places: Sequence[str],
    keymap: Keymap,
    *,
    typing: bool = False,
    without: Collection[str] = (),
) -> list[Key]:
    """The keys a footer of `width` columns has room for; the way back, help and quit always.

    Those whose ids are in `without` have nothing to act on now.

    A key of an earlier place hides the same key of a later one. In a dialog the way back is enough.
    While one types into a field, only keys that do not go into it.
    """
    base = {"filter": "filter"}.get(places[-1], "dialog" if places[-1] in DIALOGS else "app")
    always = [k for k in KEYS if k.where in (base, places[-1]) and (k.footer or typing)
              and (k.footer and k.where == base or k.keys == "escape")]  # fmt: skip
    always.sort(key=lambda k: k.where == base)

    of_places = [k for place in places for k in KEYS
                 if k.where == place and k.footer and k.id not in without]  # fmt: skip
    if typing:
        always = _beside_typing(always, keymap, places)
        of_places, keymap = _beside_typing(of_places, keymap, places), {}

    def cost(key: Key) -> int:
        return len(key.reads(keymap)) + len(key.label) + 3

    left = width - 1 - sum(map(cost, always))
    found: dict[str, Key] = {}
    for key in of_places:
        if cost(key) <= left and key.reads(keymap) not in found and key not in always:
            found[key.reads(keymap)] = key
            left -= cost(key)
    return [*found.values(), *always]


def _beside_typing(keys: Iterable[Key], keymap: Keymap, places: Sequence[str]) -> list[Key]:
    return [own for key in keys if (own := key.beside_typing(keymap, places)) is not None]


def pressed(key: Key, keymap: Keymap) -> str:
    """The key, as Textual names it, that a click on a key of the footer stands for."""
    own = next((k for k in KEYS if k.id == key.of), key)
    keys = keymap.get(own.id) or own.keys or own.shown
    return keys.split(",")[0].split(" ")[0]

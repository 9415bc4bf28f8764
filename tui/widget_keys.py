"""The keys of what a screen is made of: tables, maps, logs, lists, choices, the filter line."""

from __future__ import annotations

from augury.tui.key import Key

WIDGET_KEYS: tuple[Key, ...] = (
    Key("table", "down,j", "j ↓", "move(1)", "down", "Next row", False),
    Key("table", "up,k", "k ↑", "move(-1)", "up", "Row before", False),
    Key("table", "pagedown,ctrl+d", "pgdn ctrl+d", "page(1)", "page down", "A screen down", False),
    Key("table", "pageup,ctrl+u", "pgup ctrl+u", "page(-1)", "page up", "A screen up", False),
    Key("table", "home,g", "g home", "end(-1)", "first", "First row", False),
    Key("table", "end,G", "G end", "end(1)", "last", "Last row", False),
    Key("table", "left,h", "h ←", "column(-1)", "left", "Column to the left", False),
    Key("table", "right,l", "l →", "column(1)", "right", "Column to the right", False),
    Key("table", "enter", "enter", "open", "open", "Open the row; a second click too", False),
    Key("table", "space", "space", "mark", "mark", "Mark the row, or take its mark off", False),
    Key("table", "a", "a", "mark_all(True)", "mark all", "Mark all rows", False),
    Key("table", "A", "A", "mark_all(False)", "mark none", "Take all marks off", False),
    Key("map", "down,j", "j ↓", "move(1, 0)", "down", "Next row", False),
    Key("map", "up,k", "k ↑", "move(-1, 0)", "up", "Row before", False),
    Key("map", "left,h", "h ←", "move(0, -1)", "left", "Column to the left", False),
    Key("map", "right,l", "l →", "move(0, 1)", "right", "Column to the right", False),
    Key("map", "home,g", "g home", "move(-9999, 0)", "first", "First row", False),
    Key("map", "end,G", "G end", "move(9999, 0)", "last", "Last row", False),
    Key("map", "enter", "enter", "open", "open", "The row under the cursor, level by level", False),
    Key("log", "j", "j ↓", "scroll_down", "down", "A line down", False),
    Key("log", "k", "k ↑", "scroll_up", "up", "A line up", False),
    Key("log", "g", "g home", "scroll_home", "first", "The beginning", False),
    Key("log", "G", "G end", "scroll_end", "last", "The end", False),
    Key("log", "h", "h ←", "scroll_left", "left", "To the left", False),
    Key("log", "right", "→", "scroll_right", "right", "To the right", False),
    Key("list", "j", "j ↓", "cursor_down", "down", "Next line", False),
    Key("list", "k", "k ↑", "cursor_up", "up", "Line before", False),
    Key("list", "space", "space", "select", "choose", "Choose the line, or drop it", False),
    Key("list", "a", "a", "all(True)", "all", "Choose all", False),
    Key("list", "A", "A", "all(False)", "none", "Choose none", False),
    Key("choice", "left,h", "h ←", "step(-1)", "previous", "The choice before", False),
    Key("choice", "right,l,space", "l →", "step(1)", "next", "The next choice", False),
    Key("filter", "", "enter", "", "keep", "Keep the filter", False),
    Key("filter", "escape", "esc", "leave", "leave", "The filter as it was before", False),
    Key("filter", "", "?", "", "words", "What may be typed here", False),
)

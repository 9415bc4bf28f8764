"""The three lines around every tab: where one is, how the engine fares, which keys there are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from time import monotonic

from textual.content import Content

from augury.engine import text_width
from augury.tui.bindings import KEYS, footer, key_of, pressed
from augury.tui.key import Keymap
from augury.tui.live import Live

TABS = (  # name, title, title where there is little room
    ("leaderboard", "Leaderboard", "Board"),
    ("runs", "Runs", "Runs"),
    ("launch", "Launch", "Launch"),
    ("data", "Data", "Data"),
)
_KEYS = {name: next(k.id for k in KEYS if k.action == f"app.tab('{name}')") for name, *_ in TABS}


def tab_line(current: str, live: Live, keymap: Keymap, store: str, width: int) -> Content:
    """Name, tabs (the open one in brackets) and the store's path, if there is room."""
    narrow = width < 66
    parts = [Content.styled(" augury " if width >= 56 else " ", "bold")]
    for name, title, short in TABS:
        active = f" {len(live.active)}▶" if name == "runs" and live.active else ""
        key = key_of(_KEYS[name], keymap)
        text = f"{key} {short if narrow else title}{active}"
        shown = f"[{text}]" if name == current else f" {text} "
        style = "bold $primary" if name == current else ""
        parts.append(Content.styled(shown, style).stylize(f"@click=app.tab('{name}')"))
    left = Content("").join(parts)
    room = width - left.cell_length - 2
    path = text_width.cut_left(_short(store), room) if room >= 12 else ""
    return Content.assemble(left, text_width.right(path, width - left.cell_length - 1))


def status_line(live: Live, note: str, width: int, unsent: int = 0) -> Content:
    """The screen's own note on the left, the engine on the right, what waits for the link."""
    engine = engine_text(live) + (f", {unsent} waiting" if unsent else "")
    room = width - len(engine) - 3
    said = text_width.cut_words(note, room) if room >= 10 else ""
    return Content(f" {text_width.left(said, room)} {engine}"[:width])


def engine_text(live: Live) -> str:
    """Whether an engine lives, and what it does; or why that is not known."""
    if live.link is not None and live.link.kind != "up":
        seconds = int(monotonic() - live.link.since)
        if live.link.kind == "stalled":
            return f"◌ link: no answer for {seconds} s"
        return f"✖ link lost, reconnecting {seconds} s"
    if not live.heard:
        return ""
    if live.store_gone:
        return "✖ the store is gone"
    if live.engine is None:
        unfinished = len(live.stopped)
        if unfinished:
            return f"■ engine stopped, {unfinished} unfinished"
        return "■ engine stopped" if live.was_there else "no engine: starts when needed"
    running = len(live.active)
    return f"▶ engine, {running} running, safe to quit" if running else "● engine idle"


def key_line(
    width: int,
    places: Sequence[str],
    keymap: Keymap,
    *,
    typing: bool = False,
    without: Collection[str] = (),
) -> Content:
    """The keys of these places, as many as there is room for; a click on one is its press."""
    parts = [Content(" ")]
    keys = footer(width, places, keymap, typing=typing, without=without)
    keymap = {} if typing else keymap  # they come with the keys that are left of them
    for key in keys:
        said = Content.assemble((key.reads(keymap), "bold $accent"), f" {key.label}")
        parts += [said.stylize(f"@click=app.press('{pressed(key, keymap)}')"), Content("  ")]
    return Content("").join(parts)


def _short(path: str) -> str:
    home = str(Path.home())
    return "~" + path[len(home) :] if path.startswith(home + "/") else path

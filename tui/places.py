"""Which parts of the table of keys hold on a screen, and who carries their actions out."""

from __future__ import annotations

from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from augury.tui.bindings import DIALOGS

_MOVEMENT = ("table", "lines", "map", "log", "list")


def places(screen: Screen) -> dict[str, DOMNode]:
    """Place -> the node that its actions are of: what has the focus, the screen, other widgets.

    What moves alike everywhere comes after the screen's own actions, focus or not.
    """
    found: dict[str, DOMNode] = {}
    near = [n for n in _around(screen.focused) if getattr(n, "PLACE", "") not in _MOVEMENT]
    for node in (*near, screen, *_around(screen.focused), *screen.walk_children(Widget)):
        place = getattr(node, "PLACE", "")
        if place and node.display:
            found.setdefault(place, node)
    if is_dialog(screen):
        found.setdefault("dialog", screen)
    else:
        found.setdefault("app", screen.app)
    return found


def footer_places(screen: Screen) -> list[str]:
    """The places whose keys the last line shows: of what has the focus, then of the screen.

    Where one types, letters are no commands: nothing but that line's own.
    """
    own = str(getattr(screen, "PLACE", ""))
    near = [str(getattr(node, "PLACE", "")) for node in _around(screen.focused)]
    if "filter" in near:
        return ["filter"]
    found = [*filter(None, near), own]
    return [*dict.fromkeys(place for place in found if place != own), own]


def idle_keys(screen: Screen) -> set[str]:
    """Ids of keys that would do nothing now, as what is around the focus says (`idle_keys`)."""
    nodes = (*_around(screen.focused), screen)
    return {name for node in nodes for name in getattr(node, "idle_keys", ())}


def is_typing(screen: Screen) -> bool:
    """Whether letters go into a field; the filter line tells its own keys."""
    return isinstance(screen.focused, Input) and "filter" not in footer_places(screen)


def is_dialog(screen: Screen) -> bool:
    """Whether it covers others and keeps their keys off."""
    return getattr(screen, "PLACE", "") in DIALOGS


def _around(node: Widget | None) -> list[DOMNode]:
    """A widget and those it is in, without its screen."""
    own = [] if node is None else node.ancestors_with_self
    return [n for n in own if isinstance(n, Widget) and not isinstance(n, Screen)]

"""The log on screen: what has no room carries a mark, and no number is shown in part."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from augury.tui.log_tail import LogText
from augury.tui.widgets.log_view import LogView

_LINE = "2026-11-30T12:05:44.439Z INFO engine starts on cpu0, pid 2481 of 3078"


class _App(App[None]):
    CSS = "LogView { padding: 0 1; scrollbar-size: 0 1; }"

    def compose(self) -> ComposeResult:
        yield LogView()


@pytest.mark.parametrize("width", [40, 58, 60, 63, 64, 65, 66, 67, 70, 72, 73, 74])
async def test_what_is_cut_at_the_edge_carries_a_mark(width: int) -> None:
    app = _App()
    async with app.run_test(size=(width, 6)) as pilot:
        view = app.query_one(LogView)
        view.show(LogText((_LINE,)))
        await pilot.pause()
        room = view.scrollable_content_region.width
        assert room == width - 3  # the scroll bar has its place
        shown = view.render_line(0).text.rstrip()
        if len(_LINE) <= room:
            assert shown == _LINE
        else:
            assert len(shown) <= room and shown[-1] == "…" and _LINE.startswith(shown[:-1])
            assert _LINE[len(shown) - 1] == " " or shown[-2] == " "  # no word in part


async def test_what_is_scrolled_out_carries_one_too_and_all_can_be_read() -> None:
    app = _App()
    async with app.run_test(size=(50, 6)) as pilot:
        view = app.query_one(LogView)
        view.show(LogText((_LINE, "short")))
        await pilot.pause()
        seen = set()
        for x in range(view.max_scroll_x + 1):
            view.scroll_to(x=x, animate=False, force=True)
            shown = view.render_line(0).text.split()
            words = [word.removesuffix("…") for word in shown if word != "…"]
            assert set(words) <= set(_LINE.split()), shown
            assert not x or shown[0] == "…"
            seen |= set(words)
        assert seen == set(_LINE.split())

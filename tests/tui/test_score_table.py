"""The virtual table, alone in an application."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.message import Message

from augury.tui.widgets.columns import Columns
from augury.tui.widgets.placing import placed
from augury.tui.widgets.score_table import ScoreTable
from augury.tui.widgets.sheet import Column, Group, Sheet

COLUMNS = (
    Column("agent", "agent", "left"),
    Column("kl", "KL", show=lambda v: f"{v:.3f}", tone=lambda v: "bad" if v > 1 else ""),
    Column("note", "note", "left", most=10),
    *(Column(f"x{n}", f"column {n}") for n in range(8)),
)


def _row(index: int) -> tuple[Any, ...]:
    return (f"agent-{index:06d}", index / 100, "a long note that is cut", *range(8))


def _sheet(total: int, offset: int = 0, most: int = 200, **looks: Any) -> Sheet:
    rows = tuple(_row(n) for n in range(offset, min(offset + most, total)))
    return Sheet(COLUMNS, rows, total, offset, **looks)


class _App(App[None]):
    def __init__(self, total: int) -> None:
        super().__init__()
        self.total, self.heard = total, list[Message]()

    def compose(self) -> ComposeResult:
        yield ScoreTable()

    def on_mount(self) -> None:
        self.query_one(ScoreTable).show(_sheet(self.total))
        self.query_one(ScoreTable).focus()

    def on_score_table_window_needed(self, event: ScoreTable.WindowNeeded) -> None:
        self.heard.append(event)
        self.query_one(ScoreTable).show(_sheet(self.total, max(event.first - 100, 0)))

    def on_score_table_highlighted(self, event: ScoreTable.Highlighted) -> None:
        self.heard.append(event)

    def on_score_table_opened(self, event: ScoreTable.Opened) -> None:
        self.heard.append(event)

    def on_score_table_header_clicked(self, event: ScoreTable.HeaderClicked) -> None:
        self.heard.append(event)


def _lines(table: ScoreTable) -> list[str]:
    return [table.render_line(y).text.rstrip() for y in range(table.size.height)]


async def _wait(pilot: Any, met: Any) -> None:
    for _ in range(3000):
        await pilot.pause(0.02)
        if met():
            return
    raise AssertionError("never came true")


async def _quiet(pilot: Any, painted: list[int]) -> None:
    """Until a while passes in which nothing is painted."""
    before = -1
    while before != len(painted):
        before = len(painted)
        await pilot.pause(0.1)


async def test_header_rows_and_cursor() -> None:
    app = _App(100_000)
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.query_one(ScoreTable)
        lines = _lines(table)
        assert lines[0].startswith(" agent ") and lines[1].startswith("›agent-000000")
        assert lines[11].startswith(" agent-000010") and "a long no…" in lines[1]
        await pilot.press("j", "j", "k")
        await _wait(pilot, lambda: _lines(table)[2].startswith("›agent-000001"))


async def test_the_end_of_a_hundred_thousand_rows_is_one_window_away() -> None:
    app = _App(100_000)
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.query_one(ScoreTable)
        await pilot.press("G")
        await _wait(pilot, lambda: _lines(table)[11].startswith("›agent-099999"))
        asked = [m.first for m in app.heard if isinstance(m, ScoreTable.WindowNeeded)]
        assert len(asked) == 1 and len(table.sheet.rows) <= 200
        await pilot.press("g")
        await _wait(pilot, lambda: _lines(table)[1].startswith("›agent-000000"))


async def test_first_column_stays_while_others_scroll() -> None:
    app = _App(50)
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.query_one(ScoreTable)
        assert "›" in _lines(table)[0] and "‹" not in _lines(table)[0]
        await pilot.press(*"llllll")
        await _wait(pilot, lambda: table.scroll_x > 0)
        lines = _lines(table)
        assert lines[1].startswith("›agent-000000") and "‹" in lines[0]
        assert "KL" not in lines[0] and "column 3" in lines[0]
        await pilot.press(*"hhhhhh")
        await _wait(pilot, lambda: table.scroll_x == 0)
        assert table.place == 0


async def test_marks_stay_with_their_rows() -> None:
    app = _App(50)
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.query_one(ScoreTable)
        table._markable = True
        await pilot.press("space", "j", "space")
        await _wait(pilot, lambda: table.marks == {"agent-000000", "agent-000002"})
        assert _lines(table)[1].startswith("*agent-000000")
        table.show(Sheet(COLUMNS, tuple(reversed(table.sheet.rows)), 50))
        assert [row[0] for row in table.marked] == ["agent-000002", "agent-000000"]
        await pilot.press("a")
        assert len(table.marks) == 50
        await pilot.press("A")
        assert not table.marks


async def test_the_cursor_steps_over_the_titles_of_groups() -> None:
    app = _App(0)
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.query_one(ScoreTable)
        rows = (Group("first"), _row(0), _row(1), Group("second"), _row(2))
        table.show(Sheet(COLUMNS, rows, 5))
        assert table.cursor == 1 and _lines(table)[1] == " first"
        await pilot.press("j", "j")
        assert table.current == _row(2)
        await pilot.press("k", "k", "k")
        assert table.current == _row(0)


async def test_opening_sorting_and_highlighting_are_messages() -> None:
    app = _App(50)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("j", "enter")
        await _wait(pilot, lambda: any(isinstance(m, ScoreTable.Opened) for m in app.heard))
        opened = next(m for m in app.heard if isinstance(m, ScoreTable.Opened))
        assert opened.row == _row(1)
        await pilot.click(ScoreTable, offset=(16, 0))
        clicked = next(m for m in app.heard if isinstance(m, ScoreTable.HeaderClicked))
        assert clicked.column.name == "kl"
        await pilot.click(ScoreTable, offset=(3, 6))
        await _wait(pilot, lambda: app.query_one(ScoreTable).cursor == 5)


async def test_an_empty_table_opens_nothing() -> None:
    app = _App(0)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("enter", "j", "G")
        assert app.query_one(ScoreTable).current is None and app.heard == []


async def test_the_cursor_follows_its_row_to_another_place() -> None:
    app = _App(50)
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.query_one(ScoreTable)
        await pilot.press("j")
        rows = tuple(reversed(table.sheet.rows))
        table.show(Sheet(COLUMNS, rows, 50, sort="kl", descending=True))
        assert table.cursor == 48 and table.current == _row(1)
        await _wait(pilot, lambda: "KL▼" in _lines(table)[0])


async def test_nothing_repaints_when_nothing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    app = _App(50)
    async with app.run_test(size=(60, 12)) as pilot:
        table = app.query_one(ScoreTable)
        painted: list[int] = []
        draw = table.render_line

        def counting(y: int) -> Any:
            painted.append(y)
            return draw(y)

        monkeypatch.setattr(table, "render_line", counting)
        table.refresh()
        await _wait(pilot, lambda: len(set(painted)) == table.size.height)
        await _quiet(pilot, painted)
        painted.clear()
        table.show(_sheet(50))  # nothing of it may be painted with what comes next
        rows = _sheet(50).records
        rows[4] = (rows[4][0], 0.777, *rows[4][2:])
        table.show(Sheet(COLUMNS, tuple(rows), 50))
        await _wait(pilot, lambda: painted)
        await _quiet(pilot, painted)
        assert set(painted) == {5}


async def test_names_in_wide_characters_keep_the_columns_in_line() -> None:
    app = _App(0)
    async with app.run_test(size=(60, 8)) as pilot:
        table = app.query_one(ScoreTable)
        rows = tuple((name, 0.5, "模型模型模型模型") for name in ("plain", "模型.make", "m型.x"))
        table.show(Sheet(COLUMNS[:3], rows, 3))
        await pilot.pause()
        lines = [table.render_line(y) for y in range(4)]
        ends = {cell_len(line.text.split("0.500")[0]) for line in lines[1:]}
        assert len(ends) == 1
        assert {line.cell_length for line in lines} == {table.size.width}
        assert all("模型模型…" in line.text for line in lines[1:])


@pytest.mark.parametrize("width", range(26, 70))
async def test_no_number_is_cut_at_the_edge(width: int) -> None:
    """Cut, 2.999 reads as 2.9, and a bar as a shorter one; words are cut with a mark."""
    columns = (
        Column("agent", "agent", "left"),
        Column("kl", "a long title of it", show=lambda v: f"{v:.3f}"),
        Column("note", "note", "left"),
        Column("bar", "bar", "left", width=8, unlike=True, draw=lambda row: "█" * 8),
        Column("x", "x", show=lambda v: f"{v:.3f}"),
    )
    rows = (("mlp", 2.999, "some words of more", 0, 12345.678),)
    app = _App(1)
    async with app.run_test(size=(width, 4)):
        table = app.query_one(ScoreTable)
        table.show(Sheet(columns, rows, 1, frozen=1, places=(0, 1, 2, 0, 4)))
        _, *said = table.render_line(1).text.split()
        whole = ("2.999", "some", "words", "of", "more", "████████", "12345.678")
        for shown, word in zip(said, whole, strict=False):
            words = word in ("some", "words", "of", "more") and shown[-1] == "…"
            assert shown == word or (words and word.startswith(shown[:-1]))
        assert said[0] == "2.999" and (len(said) == 7) == (width >= 67)


_LONG = "sgmcmc[burn_in=4000, num_steps=20000, save_every={}]"
_WIDE = (
    Column("rank", "#"),
    Column("agent", "agent", "left", most=60, names=True),
    Column("plain", "KL", show=lambda v: f"{v:.3f}"),
    Column("ranked", "KL τ=10 dyadic / baseline", show=lambda v: f"{v:.2f}"),
    Column("error", "±SE", show=lambda v: f"{v:.2f}"),
    Column("bar", "bar", "left", width=8, unlike=True, draw=lambda row: "█" * 8),
    Column("coverage", "covers", "left"),
    Column("seconds", "s/cell", show=lambda v: f"{v:.2f}"),
)
_RANKED = ("ranked", "error", "bar")


def _wide(first: tuple[str, ...] = _RANKED) -> Sheet:
    rows = tuple(
        (n, _LONG.format(every), 2.999, 0.71, 0.07, 0, "36/36", 41.25)
        for n, every in enumerate((400, 500), 1)
    )
    return Sheet(_WIDE, rows, 2, frozen=2, key=(1,), first=first)


@pytest.mark.parametrize("width", [44, 60, 64, 67, 70, 76, 80, 86, 100, 118, 119, 120, 140])
async def test_a_long_name_leaves_room_for_numbers_and_every_column_can_be_reached(
    width: int,
) -> None:
    app = _App(1)
    async with app.run_test(size=(width, 6)):
        table = app.query_one(ScoreTable)
        table.show(_wide())
        shown = _lines(table)
        ranked = shown[1].split("]", 1)[1].split()
        assert {"0.71", *["0.07"] * (width >= 60)} <= set(ranked), shown  # 60x16 is the least
        names = [line[4:].split("]")[0] for line in shown[1:3]]
        assert names[0] != names[1] and all("…" in n or "burn_in=4000, num" in n for n in names)
        seen: set[str] = set()
        for _ in table.sheet.columns:
            table.action_column(1)
            seen |= set(table.render_line(1).text.split("]", 1)[1].split())
        assert seen == {"2.999", "0.71", "0.07", "████████", "36/36", "41.25"}, seen


async def test_what_ranks_keeps_its_place_where_it_is_in_view() -> None:
    app = _App(1)
    async with app.run_test(size=(140, 6)) as pilot:
        table = app.query_one(ScoreTable)
        table.show(_wide())
        assert _lines(table)[0].index("KL ") < _lines(table)[0].index("dyadic")
        await pilot.resize_terminal(60, 6)
        await _wait(pilot, lambda: "dyadic" in _lines(table)[0] and "KL  " not in _lines(table)[0])
        assert [c.name for c in table.sheet.columns] == [c.name for c in _WIDE]  # as exports go
        await pilot.press("l")
        assert table.sheet.columns[table.place].name == "ranked"
        await pilot.resize_terminal(140, 6)
        await _wait(pilot, lambda: _LONG.format(400) in _lines(table)[1])
        assert _lines(table)[0].index("KL ") < _lines(table)[0].index("dyadic")


def test_columns_out_of_view_come_in_the_order_that_is_asked_for() -> None:
    sheet = _wide(("ranked", "error", "coverage", "bar"))
    columns = Columns((4, 54, 5, 24, 4, 8, 6, 6), frozen=2)
    drawn, _ = placed(sheet, columns, 60)
    names = " ".join(column.name for column in drawn.columns)
    assert names == "rank agent ranked error coverage bar plain seconds"
    assert placed(sheet, columns, 200)[0] is sheet


async def test_a_value_wider_than_its_room_is_cut_with_a_mark() -> None:
    columns = (Column("agent", "agent", "left"), Column("note", "note", "left", most=60))
    app = _App(1)
    async with app.run_test(size=(30, 4)) as pilot:
        table = app.query_one(ScoreTable)
        table.show(Sheet(columns, (("mlp", "a note of more words than there is room for"),), 1))
        await pilot.press("l")
        assert _lines(table)[1] == "›mlp    a note of more words …"


async def test_words_are_not_scrolled_to_their_middle() -> None:
    """A wheel that turns sideways goes on by whole columns."""
    app = _App(50)
    async with app.run_test(size=(60, 12)):
        table = app.query_one(ScoreTable)
        for x in range(1, 60):
            table.scroll_to(x=x, animate=False, force=True)
            first = _lines(table)[1].removeprefix("›agent-000000").split()[0]
            assert first in ("0.000", "a", *"01234567"), (x, first)

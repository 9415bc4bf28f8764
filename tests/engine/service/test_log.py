"""Which lines of a log concern a cell."""

from __future__ import annotations

from augury.engine.service.log import about_cell

_AT = "2026-11-30T02:56:16.625Z "
_LOG = f"""\
{_AT}INFO engine 0.1.0 starts for /store, pid 1
{_AT}INFO batch b1 begins on cpu0: cells aaaaaaaaaaaa bbbbbbbbbbbb
{_AT}INFO batch b2 begins on cpu1: cells cccccccccccc
{_AT}WARNING batch b1 raised ValueError: made up
Traceback (most recent call last):
  line
{_AT}WARNING batch b2 lost its worker: killed
no part of b1
{_AT}INFO batch b10 begins on cpu1: cells cccccccccccc
{_AT}INFO batch b1 begins on cpu0: cells dddddddddddd
{_AT}INFO batch b1 is recorded
""".splitlines()


def test_lines_of_a_cell_and_of_its_batches_only() -> None:
    found = list(about_cell(_LOG, "bbbbbbbbbbbb0123"))
    assert found == [_LOG[1], *_LOG[3:6]]
    assert list(about_cell(_LOG, "cccccccccccc")) == [_LOG[2], *_LOG[6:9]]
    assert list(about_cell(_LOG, "dddddddddddd")) == _LOG[9:]
    assert list(about_cell(_LOG, "eeeeeeeeeeee")) == []

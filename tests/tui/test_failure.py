"""Failures in words."""

from __future__ import annotations

from augury.tui.failure import advice, report, tail, what_happened

_CELL = {
    "cell_id": "a" * 32, "label": "mlp", "problem": "testbed/d2-l10-t0.1/e0", "seed": 0,
    "error_kind": "WorkerLost", "error_message": "signal 9", "attempts": 2,
    "error_traceback": "Traceback\n  line 3\nWorkerLost: signal 9\n", "config": "{}",
}  # fmt: skip


def test_what_happened_and_what_to_do() -> None:
    assert what_happened(_CELL) == "WorkerLost: signal 9 (attempt 2)"
    assert "memory" in advice("WorkerLost") and "traceback" in advice("ZeroDivisionError")
    assert "launch the run again" in advice("ChangedError")
    assert what_happened({"error_kind": "X", "error_message": None}) == "X: no message"


def test_a_report_has_all_that_helps() -> None:
    text = report(_CELL, ["2026-11-30 batch b1 begins", "  line 3"])
    for words in ("cell_id: aaaa", "problem: testbed", "  line 3", "batch b1 begins"):
        assert words in text


def test_the_log_is_cut_to_its_last_lines() -> None:
    log = [f"2026 line {n}" for n in range(20)] + ["Traceback", "  of no use"]
    assert tail(log).splitlines() == [f"2026 line {n}" for n in range(14, 20)]
    assert "older" in tail([])

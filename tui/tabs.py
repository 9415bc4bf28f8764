"""The four tabs; each is imported and built when it is first opened: a first frame needs one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from textual.screen import Screen


def _leaderboard() -> Screen[None]:
    from augury.tui.screens.leaderboard import LeaderboardScreen

    return LeaderboardScreen()


def _runs() -> Screen[None]:
    from augury.tui.screens.runs import RunsScreen

    return RunsScreen()


def _launch() -> Screen[None]:
    from augury.tui.screens.launch import LaunchScreen

    return LaunchScreen()


def _data() -> Screen[None]:
    from augury.tui.screens.data import DataScreen

    return DataScreen()


MODES: Mapping[str, Callable[[], Screen[None]]] = {
    "leaderboard": _leaderboard,
    "runs": _runs,
    "launch": _launch,
    "data": _data,
}

"""The lines around a board."""

from __future__ import annotations

from augury.tui.board_lines import scenario_line


def test_scenarios_say_how_to_get_to_others_where_there_is_room() -> None:
    assert scenario_line(("testbed",), "testbed", 80).plain == " [testbed] "
    line = scenario_line(("testbed", "ppc"), "ppc", 80).plain
    assert line == "  testbed  [ppc]   [ ] other scenarios"
    assert "other" not in scenario_line(("testbed", "ppc"), "ppc", 30).plain

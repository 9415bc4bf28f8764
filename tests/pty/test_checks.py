"""A board of checks on real terminals: replicates below it, large, and in a file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.pty.terminal import Terminal
from tests.pty.test_terminals import ANY

Opened = Callable[..., Terminal]
SEEDED = Path(__file__).resolve().parents[1] / "bench" / "seeded_checks.py"


def test_replicates_in_a_terminal_and_a_file(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, "-P", str(SEEDED), str(tmp_path / "checked")], check=True)
    terminal = opened(tmp_path / "checked", env={"NO_COLOR": "1"})
    terminal.wait_for("s5 ", 60.0)
    text = terminal.screen.text()
    assert "severities pass" in text and "┃ observed" in text and "1 of 2: fashion_mnist" in text
    assert not ANY.search(terminal.raw)  # words alone tell what passes
    terminal.send("m")
    terminal.wait_for("2 of 2: fashion_mnist")
    terminal.send("M")
    terminal.wait_for("zoom  ")  # the chart's own keys: it has the focus
    terminal.send("e")
    terminal.wait_for("a drawing that scales")
    terminal.send("\r")
    terminal.wait_for("Written")
    written = next(tmp_path.glob("*.svg"))
    root = ElementTree.fromstring(written.read_text("utf-8"))
    words = [node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert sum(word.startswith(("s1 ", "s2 ", "s3 ", "s4 ", "s5 ")) for word in words) == 5
    terminal.send("\x1b")
    terminal.wait_for("› 1  mlp-dropout")
    terminal.send("q")
    assert terminal.wait() == 0

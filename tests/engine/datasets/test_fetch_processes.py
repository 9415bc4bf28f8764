"""Fetching beside other processes, under limits, and killed: in processes of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from augury.engine.catalog.datasets import DatasetCard
from augury.engine.datasets.fetch import fetch
from augury.engine.datasets.files import read
from augury.engine.datasets.presence import look
from tests.engine.datasets.web import CONTENT, Web, card_of, file_of

# Fetch one file as `augury data fetch` does; what went wrong is said on stderr.
PROGRAM = """
import resource, sys
from augury.engine.catalog.datasets import DataFile, DatasetCard
from augury.engine.datasets.fetch import fetch
from augury.engine.errors import AuguryError
size, sha256, url, limit = sys.argv[1:]
if limit.isdigit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), resource.RLIM_INFINITY))
file = DataFile("a.bin", int(size), sha256, (url,))
card = DatasetCard(4, 3, 120, 30, "structured", "", (file,), "none", "made up", bundled=False)
def tell(step):
    print("waits" if step.is_waiting else step.done, flush=True)
try:
    fetch("numbers", card, tell)
except AuguryError as error:
    sys.exit(error.message)
"""
# A superuser may write anywhere but in a program that was denied it: capabilities 1 and 2.
UNPRIVILEGED = """
import ctypes, os, sys
if os.geteuid() == 0:
    for capability in (1, 2):
        assert ctypes.CDLL(None, use_errno=True).prctl(24, capability, 0, 0, 0) == 0
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.fixture
def card(web: Web) -> DatasetCard:
    return card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))


def start(card: DatasetCard, *before: str, limit: str = "") -> subprocess.Popen[str]:
    file = card.files[0]
    arguments = [str(file.size), file.sha256, file.url, limit]
    command = [sys.executable, *before, "-P", "-c", PROGRAM, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_at_once_fetch_once(web: Web, card: DatasetCard) -> None:
    web.hold.clear()
    first = start(card)
    assert first.stdout is not None
    first.stdout.readline()
    second = start(card)
    assert second.stdout is not None and second.stdout.readline() == "waits\n"
    web.hold.set()
    said = [process.communicate(timeout=60)[1] for process in (first, second)]
    assert (first.returncode, second.returncode, said) == (0, 0, ["", ""])
    assert len(web.asked) == 1 and read("numbers", card) == {"a.bin": CONTENT}


def test_who_waits_takes_over_from_who_is_killed(web: Web, card: DatasetCard, home: Path) -> None:
    web.hold.clear()
    first = start(card)
    assert first.stdout is not None
    while int(first.stdout.readline()) < 1 << 20:
        pass
    second = start(card)
    assert second.stdout is not None and second.stdout.readline() == "waits\n"
    first.send_signal(signal.SIGKILL)
    first.communicate()
    assert not (home / "a.bin").exists() and look("numbers", card).state == "part"
    web.hold.set()
    out, said = second.communicate(timeout=60)
    assert (second.returncode, said) == (0, "")
    done = [int(line) for line in out.split() if line != "waits"]
    assert done[0] >= 1 << 20 and web.asked[-1][1].startswith(f"bytes={done[0]}-")
    assert read("numbers", card) == {"a.bin": CONTENT}


def test_a_disk_that_fills_up_on_the_way(card: DatasetCard, home: Path) -> None:
    process = start(card, limit=str(1 << 20))
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"no room for a.bin ({len(CONTENT):,} bytes) in {home}" in said
    assert said.count("\n") == 1
    left = sorted(path.name for path in home.parent.rglob("*") if path.is_file())
    assert left == ["lock"]  # what was there is gone: the room is somebody else's


def test_a_cache_that_may_only_be_read(web: Web, card: DatasetCard, home: Path) -> None:
    fetch("numbers", card, lambda step: None)
    other = card_of(file_of("a.bin", CONTENT[1:], web.put("b.bin", CONTENT[1:])))
    home.chmod(0o500)
    (home.parent / ".partial" / "numbers").chmod(0o500)
    try:
        for wanted in (card, other):
            process = start(wanted, "-P", "-c", UNPRIVILEGED)
            _, said = process.communicate(timeout=60)
            if wanted is card:
                assert (process.returncode, said) == (0, "")  # what is here is not written again
                continue
            assert process.returncode == 1 and said.count("\n") == 1
            assert "cannot be written (Permission denied)" in said and str(home.parent) in said
            assert "--to DIR" in said
    finally:
        home.chmod(0o700)
        (home.parent / ".partial" / "numbers").chmod(0o700)
    assert read("numbers", card) == {"a.bin": CONTENT}

"""Whatever reads a file that a person named refuses a pipe, whose end nobody may ever write."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from augury.engine import regular_file
from augury.engine.agents.outside import make_agent
from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.outside import resolve
from augury.engine.datasets import files
from augury.engine.errors import AuguryError
from augury.engine.preferences import choose
from augury.engine.problems.environment_file import describe

PLACED = replace(DATASETS["iris"], bundled=False)
# name of the file below AUGURY_DATA -> what reads it
READERS: dict[str, Callable[[Path], object]] = {
    "agent.py": lambda path: resolve(f"{path}:make_agent"),
    "planned.py": lambda path: make_agent(f"{path}:make_agent", "0" * 64),
    "env.npz": describe,
    "iris/iris.data": lambda _: files.read("iris", PLACED),
    "augury/config.toml": lambda _: choose({}),
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.timeout(30)
def test_a_pipe_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(AuguryError, match="not a regular file") as caught:
        READERS[name](tmp_path / name)
    assert name in str(caught.value)


def test_a_regular_file_is_read_whole_or_in_part(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "file").write_bytes(b"12345")
    assert regular_file.read(tmp_path / "link") == b"12345"
    assert regular_file.read(tmp_path / "file", 2) == b"12"

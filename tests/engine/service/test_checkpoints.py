"""What is left of a batch that was cut short."""

from __future__ import annotations

import os
from pathlib import Path

from augury.engine.service import checkpoints


def test_when_the_carry_was_kept(tmp_path: Path) -> None:
    assert checkpoints.saved_at(tmp_path, ["a"]) is None
    folder = checkpoints.prepare(tmp_path, ["a"])
    assert checkpoints.saved_at(tmp_path, ["a"]) is None  # the batch's own list is no carry
    (folder / "carry").write_text("half way")
    os.utime(folder / "carry", (1000.0, 1000.0))
    for name in "abcxyz":  # listed, and gone when looked at
        (folder / name).symlink_to("renamed")
    assert checkpoints.saved_at(tmp_path, ["a"]) == 1000.0
    checkpoints.discard(tmp_path, ["a"])
    assert checkpoints.saved_at(tmp_path, ["a"]) is None

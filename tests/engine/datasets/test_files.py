"""Bytes are verified; errors say which file and what to do."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from augury.engine.catalog.datasets import DATASETS, Archive
from augury.engine.datasets.files import read
from augury.engine.datasets.presence import look, verify
from augury.engine.errors import AuguryError
from tests.engine.datasets.web import card_of, file_of

PLACED = replace(DATASETS["iris"], bundled=False)
CONTENT = read("iris", DATASETS["iris"])["iris.data"]


def place(monkeypatch: pytest.MonkeyPatch, root: Path, content: bytes) -> Path:
    monkeypatch.setenv("AUGURY_DATA", str(root))
    (root / "iris").mkdir()
    (root / "iris" / "iris.data").write_bytes(content)
    return root / "iris" / "iris.data"


def test_a_set_placed_by_hand_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place(monkeypatch, tmp_path, CONTENT)
    assert read("iris", PLACED) == {"iris.data": CONTENT}


def test_a_damaged_file_is_named_with_the_checksum_it_should_have(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = place(monkeypatch, tmp_path, CONTENT.replace(b"5.1", b"5.2", 1))
    message = verify("iris", PLACED)
    assert f"data file {path} is damaged" in message and PLACED.files[0].sha256 in message
    assert "`augury data fetch iris`" in message and "\n" not in message


@pytest.mark.parametrize("own", [True, False])
def test_a_missing_file_says_all_that_is_needed_to_get_it(
    own: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if own:
        monkeypatch.setenv("AUGURY_DATA", str(tmp_path / "own"))
    root = tmp_path / "own" if own else tmp_path / "cache" / "augury" / "data"
    with pytest.raises(AuguryError) as caught:
        read("iris", PLACED)
    file = PLACED.files[0]
    assert caught.value.message == (
        "data set iris is not here: `augury data fetch iris`, or put iris.data (4,551 bytes, "
        f"sha256 {file.sha256}) from {file.url} into {root}/iris."
    )


def test_what_is_shipped_and_gone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("augury.engine.datasets.places.ASSETS", tmp_path)
    assert "iris.data is shipped, but gone: install Augury again" in verify(
        "iris", DATASETS["iris"]
    )


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = place(monkeypatch, tmp_path, CONTENT)

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("augury.engine.regular_file.read", refuse)
    assert verify("iris", PLACED) == f"data file {path} cannot be read: Permission denied."


def tarred(**members: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(f"in/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


@pytest.mark.parametrize("layout", ["archive", "loose", "unpacked"])
def test_members_of_an_archive_lie_in_it_or_beside_it(
    layout: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content = tarred(c=b"three", a=b"one", b=b"two")
    card = card_of(
        file_of("a", b"one", member="in/a"), file_of("b", b"two", member="in/b"),
        archive=Archive("all.tar.gz", len(content), sha256(content).hexdigest(), ("http://x/y",)),
    )  # fmt: skip
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    home = tmp_path / "numbers"
    (home / "in").mkdir(parents=True)
    assert look("numbers", card).missing == ("a", "b")
    if layout == "archive":
        (home / "all.tar.gz").write_bytes(content)
    for name, part in (("a", b"one"), ("b", b"two")) if layout != "archive" else ():
        (home / ("in" if layout == "unpacked" else "") / name).write_bytes(part)
    assert read("numbers", card) == {"a": b"one", "b": b"two"}
    assert look("numbers", card).state == "here"
    if layout == "archive":
        for broken in (content[:60], b"no archive", tarred(a=b"one")):
            (home / "all.tar.gz").write_bytes(broken)
            assert f"{home / 'all.tar.gz'} is damaged" in verify("numbers", card)
        (home / "all.tar.gz").write_bytes(tarred(a=b"one", b=b"other"))
        assert "of b in it, found" in verify("numbers", card)

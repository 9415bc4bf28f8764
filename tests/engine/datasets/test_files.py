"""Bytes are verified; errors say which file and what to do."""

from dataclasses import replace

import pytest

from augury.engine.catalog.datasets import DATASETS
from augury.engine.datasets.files import read
from augury.engine.errors import AuguryError

PLACED = replace(DATASETS["iris"], bundled=False)


def place(monkeypatch, tmp_path, content):
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    (tmp_path / "iris").mkdir()
    (tmp_path / "iris" / "iris.data").write_bytes(content)


def test_a_set_placed_by_hand_is_found(monkeypatch, tmp_path):
    content = read("iris", DATASETS["iris"])["iris.data"]
    place(monkeypatch, tmp_path, content)
    assert read("iris", PLACED) == {"iris.data": content}


def test_a_damaged_file_is_named_with_the_checksum_it_should_have(monkeypatch, tmp_path):
    content = read("iris", DATASETS["iris"])["iris.data"]
    place(monkeypatch, tmp_path, content.replace(b"5.1", b"5.2", 1))
    with pytest.raises(AuguryError) as caught:
        read("iris", PLACED)
    message = str(caught.value)
    assert str(tmp_path / "iris" / "iris.data") in message
    assert PLACED.files[0].sha256 in message
    assert "\n" not in message


def test_a_missing_file_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    with pytest.raises(AuguryError, match=r"iris\.data cannot be read .*: fetch it from http"):
        read("iris", PLACED)


def test_without_a_place_the_error_names_the_variable(monkeypatch):
    monkeypatch.delenv("AUGURY_DATA", raising=False)
    with pytest.raises(AuguryError, match="set AUGURY_DATA to the directory that holds iris/"):
        read("iris", PLACED)

"""Fetching: whole and right files, or one line that says what to do; never half a file."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from augury.engine.catalog.datasets import DatasetCard
from augury.engine.datasets import fetch as fetching
from augury.engine.datasets.fetch import Step, fetch
from augury.engine.datasets.files import read
from augury.engine.datasets.presence import look, verify
from augury.engine.errors import AuguryError
from tests.engine.datasets.web import CONTENT, Web, card_of, file_of


class Enough(Exception):
    """What a person who stops a fetch raises."""


def quiet(step: Step) -> None:
    """Nobody watches."""


def stop_after(number: int):
    def tell(step: Step) -> None:
        if step.done >= number:
            raise Enough

    return tell


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def refusal(card: DatasetCard) -> str:
    with pytest.raises(AuguryError) as caught:
        fetch("numbers", card, quiet)
    assert "\n" not in caught.value.message
    return caught.value.message


def test_a_fetched_file_is_whole_and_not_asked_for_again(web: Web, home: Path) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    steps: list[Step] = []
    assert fetch("numbers", card, steps.append)
    assert read("numbers", card) == {"a.bin": CONTENT}
    assert verify("numbers", card) == "" and look("numbers", card).state == "here"
    done = [step.done for step in steps]
    assert done == sorted(done) and done[0] == 0 and done[-1] == len(CONTENT) and len(done) > 5
    assert files(home) == ["a.bin"] and files(home.parent / ".partial" / "numbers") == ["lock"]
    assert (home / "a.bin").stat().st_mode & 0o444 == 0o444  # others may read it as well
    assert not fetch("numbers", card, quiet) and len(web.asked) == 1


def test_stored_bytes_are_taken_as_they_are(web: Web) -> None:
    url = web.put("a.gz", CONTENT, encoding="gzip")
    card = card_of(file_of("a.gz", CONTENT, url))
    fetch("numbers", card, quiet)
    assert read("numbers", card) == {"a.gz": CONTENT}


def test_wrong_bytes_leave_nothing_behind(web: Web, home: Path) -> None:
    url = web.put("a.bin", CONTENT[::-1])
    card = card_of(file_of("a.bin", CONTENT, url))
    told = refusal(card)
    assert "a.bin could not be fetched" in told and f"{url} has other bytes" in told
    assert card.files[0].sha256 in told and f"into {home}" in told and url in told
    assert files(home) == [] and files(home.parent / ".partial" / "numbers") == ["lock"]
    assert look("numbers", card).state == "absent"


@pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT + b"!", b"<html>moved</html>"])
def test_a_file_of_another_size_is_not_even_begun(web: Web, home: Path, content: bytes) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", content)))
    assert f"it has {len(content):,} bytes, not {len(CONTENT):,}" in refusal(card)
    assert files(home) == [] and files(home.parent / ".partial" / "numbers") == ["lock"]


def test_a_page_in_place_of_a_file_leaves_nothing_behind(web: Web, home: Path) -> None:
    url = web.put("a.bin", b"<html>" * 1_000, kind="text/html; charset=utf-8", sized=False)
    assert f"{url} it gives a web page instead" in refusal(card_of(file_of("a.bin", CONTENT, url)))
    assert files(home.parent / ".partial" / "numbers") == ["lock"]


def test_a_server_that_does_not_say_how_much_it_has(web: Web, home: Path) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT, sized=False)))
    fetch("numbers", card, quiet)
    (home / "a.bin").unlink()
    web.put("a.bin", CONTENT + b"!", sized=False)
    assert f"it has more than {len(CONTENT):,} bytes" in refusal(card)
    web.put("a.bin", CONTENT[:-1], sized=False)
    assert f"it has fewer than {len(CONTENT):,} bytes" in refusal(card)
    assert files(home) == []


def test_a_server_that_always_hangs_up_is_given_up(web: Web, home: Path) -> None:
    url = web.put("a.bin", CONTENT, cuts=[1000] * 50)
    card = card_of(file_of("a.bin", CONTENT, url))
    assert f"{url} it hangs up in the middle" in refusal(card)
    assert files(home) == [] and len(web.asked) == 5
    url = web.put("b.bin", CONTENT, cuts=[2 << 20] * 50, ranges=False)  # from its start each time
    card = card_of(file_of("b.bin", CONTENT, url))
    assert f"{url} it hangs up in the middle" in refusal(card)
    assert files(home) == []


def test_a_server_that_hangs_up_once_is_asked_for_the_rest(web: Web) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT, cuts=[100_000])))
    fetch("numbers", card, quiet)
    assert read("numbers", card) == {"a.bin": CONTENT}
    assert web.asked == [("a.bin", ""), ("a.bin", f"bytes=100000-{len(CONTENT) - 1}")]


def test_mirrors_are_tried_in_order(web: Web, dead: str) -> None:
    web.put("broken/a.bin", CONTENT, status=503)
    urls = (
        dead + "a.bin", web.url("nowhere/a.bin"), web.url("broken/a.bin"),
        web.put("wrong/a.bin", CONTENT[::-1]), web.put("right/a.bin", CONTENT),
        web.put("spare/a.bin", CONTENT),
    )  # fmt: skip
    card = card_of(file_of("a.bin", CONTENT, *urls))
    fetch("numbers", card, quiet)
    assert read("numbers", card) == {"a.bin": CONTENT}
    assert [path for path, _ in web.asked] == [
        "nowhere/a.bin", "broken/a.bin", "wrong/a.bin", "right/a.bin",
    ]  # fmt: skip


def test_every_mirror_says_why_it_failed(web: Web, dead: str) -> None:
    card = card_of(file_of("a.bin", CONTENT, dead + "a.bin", web.url("a.bin")))
    told = refusal(card)
    assert f"{dead}a.bin cannot be reached; {web.url('a.bin')} HTTP 404 Not Found." in told


def test_a_stopped_fetch_goes_on_where_it_was(web: Web, home: Path) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    with pytest.raises(Enough):
        fetch("numbers", card, stop_after(1 << 20))
    assert files(home) == []
    found = look("numbers", card)
    assert found.state == "part" and 1 << 20 <= found.size < found.total == len(CONTENT)
    with pytest.raises(AuguryError, match=r"numbers is not here: `augury data fetch numbers`"):
        read("numbers", card)
    steps: list[Step] = []
    assert fetch("numbers", card, steps.append)
    assert steps[0].done == found.size and read("numbers", card) == {"a.bin": CONTENT}
    assert web.asked[1] == ("a.bin", f"bytes={found.size}-{len(CONTENT) - 1}")


def test_a_beginning_of_other_bytes_costs_one_more_try(web: Web, home: Path) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    scratch = home.parent / ".partial" / "numbers"
    scratch.mkdir(parents=True)
    for begun in (b"other", CONTENT + b"longer"):
        (scratch / "a.bin.part").write_bytes(begun)
        fetch("numbers", card, quiet)
        assert read("numbers", card) == {"a.bin": CONTENT}
        (home / "a.bin").unlink()


def test_several_files_are_fetched_one_by_one(web: Web, home: Path) -> None:
    card = card_of(
        file_of("a.bin", b"one", web.put("a.bin", b"one")), file_of("b.bin", b"two", web.url("b"))
    )
    assert "b.bin could not be fetched" in refusal(card)
    found = look("numbers", card)
    assert (found.state, found.missing, files(home)) == ("part", ("b.bin",), ["a.bin"])
    web.put("b", b"two")
    fetch("numbers", card, quiet)
    assert read("numbers", card) == {"a.bin": b"one", "b.bin": b"two"}
    assert [path for path, _ in web.asked] == ["a.bin", "b", "b"]


def test_a_damaged_file_of_the_cache_is_replaced(web: Web, home: Path) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    fetch("numbers", card, quiet)
    (home / "a.bin").write_bytes(CONTENT[::-1])
    assert "is damaged" in verify("numbers", card)
    assert fetch("numbers", card, quiet) and verify("numbers", card) == ""


def test_a_persons_own_damaged_file_is_left_to_them(
    web: Web, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path / "own"))
    (tmp_path / "own" / "numbers").mkdir(parents=True)
    own = tmp_path / "own" / "numbers" / "a.bin"
    own.write_bytes(CONTENT[::-1])
    assert f"{own} is damaged" in refusal(card)
    own.write_bytes(CONTENT)
    assert not fetch("numbers", card, quiet)
    assert web.asked == [] and files(home) == []
    own.unlink()
    assert fetch("numbers", card, quiet) and files(home) == ["a.bin"] and not own.exists()


def test_another_place_becomes_what_augury_data_points_to(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    assert fetch("numbers", card, quiet, tmp_path / "there")
    assert look("numbers", card).state == "absent"
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path / "there"))
    assert read("numbers", card) == {"a.bin": CONTENT}
    assert not fetch("numbers", card, quiet, tmp_path / "there")


def test_a_disk_with_too_little_room_is_seen_before(
    web: Web, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10, 10, len(CONTENT) - 1))
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    told = refusal(card)
    assert f"no room for a.bin ({len(CONTENT):,} bytes)" in told and "--to DIR" in told
    assert web.asked == [] and files(home) == []


def test_a_place_that_is_no_folder_is_named(web: Web, home: Path) -> None:
    home.parent.parent.parent.mkdir()
    home.parent.parent.write_text("a file")
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    told = refusal(card)
    assert "cannot be written (Not a directory)" in told and str(home.parent.parent) in told


def test_what_a_killed_fetch_left_is_cleared(web: Web, home: Path) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    scratch = home.parent / ".partial" / "numbers"
    scratch.mkdir(parents=True)
    (scratch / "tmpx1y2").touch()
    fetch("numbers", card, quiet)
    assert files(scratch) == ["lock"]


def test_shipped_sets_need_no_fetch() -> None:
    assert not fetch("iris", card_of(bundled=True), quiet)
    assert fetching.__doc__

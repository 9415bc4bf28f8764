"""Members of a zip on a web server: by byte ranges, or the whole zip where a server has none."""

from __future__ import annotations

import io
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from augury.engine.catalog.datasets import Archive, DatasetCard
from augury.engine.datasets.fetch import Step, fetch
from augury.engine.datasets.files import read
from augury.engine.datasets.presence import look, verify
from augury.engine.errors import AuguryError
from tests.engine.datasets.web import CONTENT, Web, card_of, file_of

SMALL = b"small " * 20_000  # packs well
PADDING = np.random.default_rng(1).bytes(2 << 20)


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("in/first", PADDING)
        archive.writestr("in/large", members.get("large", CONTENT), zipfile.ZIP_STORED)
        archive.writestr("in/small", SMALL)
        archive.writestr("in/last", PADDING)
    return out.getvalue()


WHOLE = zipped()


def card_in(*urls: str, ranges: bool = True) -> DatasetCard:
    archive = Archive("all.zip", len(WHOLE), sha256(WHOLE).hexdigest(), urls, ranges=ranges)
    return card_of(
        file_of("large", CONTENT, member="in/large"),
        file_of("small", SMALL, member="in/small"),
        archive=archive,
    )


def fetched(card: DatasetCard) -> list[Step]:
    steps: list[Step] = []
    assert fetch("numbers", card, steps.append)
    assert read("numbers", card) == {"large": CONTENT, "small": SMALL}
    return steps


def asked(web: Web) -> int:
    """Bytes that were asked for by ranges."""
    spans = [span.removeprefix("bytes=").split("-") for _, span in web.asked if span]
    return sum(int(last) - int(first) + 1 for first, last in spans)


def test_only_the_wanted_members_travel(web: Web, home: Path) -> None:
    card = card_in(web.put("all.zip", WHOLE))
    steps = fetched(card)
    assert {step.file for step in steps} == {"large", "small"}
    assert all(span for _, span in web.asked)
    assert len(CONTENT) < asked(web) < len(CONTENT) + (1 << 19) < len(WHOLE)
    assert sorted(p.name for p in home.iterdir()) == ["large", "small"]
    assert [p.name for p in (home.parent / ".partial" / "numbers").iterdir()] == ["lock"]
    assert look("numbers", card).total == len(CONTENT) + len(SMALL)


def test_a_member_is_gone_on_with(web: Web) -> None:
    card = card_in(web.put("all.zip", WHOLE))

    def tell(step: Step) -> None:
        if step.done >= 1 << 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("numbers", card, tell)
    before = asked(web)
    begun = look("numbers", card).size
    assert 1 << 20 <= begun < len(CONTENT)
    assert fetched(card)[0].done == begun
    assert asked(web) - before < len(CONTENT) - begun + (1 << 19)


def test_a_server_without_ranges_gives_the_whole_archive(web: Web, home: Path) -> None:
    card = card_in(web.put("all.zip", WHOLE, ranges=False))
    assert {step.file for step in fetched(card)} == {"all.zip"}
    assert [p.name for p in home.iterdir()] == ["all.zip"]
    assert look("numbers", card).state == "here" and verify("numbers", card) == ""
    assert not fetch("numbers", card, lambda step: None)
    (home / "all.zip").write_bytes(WHOLE[::-1])
    assert "is damaged" in verify("numbers", card)
    fetched(card)


def test_the_next_mirror_where_the_first_has_something_else(web: Web) -> None:
    urls = (
        web.put("page", b"<html>moved</html>"), web.put("text", b"x" * len(WHOLE)),
        web.put("other", zipped(large=CONTENT[::-1])), web.put("right", WHOLE),
    )  # fmt: skip
    fetched(card_in(*urls))


def test_no_mirror_at_all(web: Web, dead: str, home: Path) -> None:
    urls = (
        dead, web.url("none"), web.put("text", b"x" * len(WHOLE)),
        web.put("other", zipped(large=CONTENT[::-1])),
    )  # fmt: skip
    card = card_in(*urls)
    with pytest.raises(AuguryError) as caught:
        fetch("numbers", card, lambda step: None)
    told = caught.value.message
    for why in (
        "cannot be reached", "HTTP 404", "it is no zip that holds in/large",
        "has other bytes: their sha256 is wrong", "Put large (3,145,728 bytes, sha256",
        ", in all.zip) into ", f"{home}.",
    ):  # fmt: skip
        assert why in told
    assert "\n" not in told and list(home.iterdir()) == []


def test_an_archive_without_ranges_is_fetched_and_kept(web: Web, home: Path) -> None:
    card = card_in(web.put("all.zip", WHOLE), ranges=False)
    assert {step.file for step in fetched(card)} == {"all.zip"}
    assert look("numbers", card).total == len(WHOLE) == look("numbers", card).size
    assert len(web.asked) == 1

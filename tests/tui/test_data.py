"""The Data tab: what is here, what is absent and where it belongs; fetched and verified."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from augury.engine.catalog.datasets import DATASETS
from augury.engine.datasets.places import scratch
from augury.tui.screens.data import DataScreen
from tests.engine.datasets.web import CONTENT, Web, card_of, file_of, serving


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as server:
        yield server


async def test_every_set_has_its_line_and_its_card(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path) as watch:
        await watch.press("4")
        await watch.opens(DataScreen)
        await watch.until(watch.shows("10 data sets, 4 here"))
        text = watch.text()
        assert all(name in text for name in DATASETS)
        assert (text.count("✔ here"), text.count("○ absent")) == (4, 6)
        await watch.until(watch.shows(f"sha256   {DATASETS['iris'].files[0].sha256}"))
        await watch.press("down")
        await watch.until(watch.shows("winequality-white.csv"))
        await watch.press("v")
        await watch.until(watch.shows("✔ right"))
        await watch.press("f")
        await watch.until(lambda: any("is here" in n.message for n in watch.app._notifications))
        await watch.press(*["down"] * 5)
        await watch.until(watch.shows("letters A to R"))  # what its reader must know


async def test_an_absent_set_says_where_to_put_it(
    tmp_path: Path, watching: Any, monkeypatch: Any
) -> None:
    monkeypatch.setitem(DATASETS, "iris", replace(DATASETS["iris"], bundled=False))
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path / "data"))
    async with watching(tmp_path) as watch:
        await watch.press("4")
        await watch.until(watch.shows("○ absent"))
        await watch.until(watch.shows("Put iris.data into"))
        await watch.press("v")
        await watch.until(lambda: any("not here" in n.message for n in watch.app._notifications))
        folder = tmp_path / "data" / "iris"
        folder.mkdir(parents=True)
        (folder / "iris.data").write_text("wrong")
        await watch.press("r")
        await watch.until(watch.shows("✖ damaged"))
        await watch.press("v")
        await watch.until(watch.shows("✖ wrong"))
        await watch.until(watch.shows("is damaged"))


async def test_a_set_is_fetched_stopped_and_gone_on_with(
    tmp_path: Path, watching: Any, monkeypatch: Any, web: Web
) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    monkeypatch.setitem(DATASETS, "iris", card)
    monkeypatch.setattr("augury.tui.requests._STEP_SECONDS", 0.0)
    web.hold.clear()
    async with watching(tmp_path) as watch:
        await watch.press("4")
        await watch.until(watch.shows("f fetches 3.1 MB"))
        await watch.press("enter")  # shows what is said of the set, and fetches nothing
        await watch.press("f")
        await watch.until(lambda: len(web.asked) == 1)
        await watch.until(watch.shows("▼ 5"))  # half of it, before the server goes on
        await watch.until(watch.shows("a.bin: 1.6 MB of 3.1 MB"))
        await watch.press("x")
        web.hold.set()
        await watch.until(watch.shows("◌ part"))
        assert "stopped" in [n.message for n in watch.app._notifications][-1]
        await watch.press("f")
        await watch.until(watch.shows("✔ right"))
        await watch.until(watch.shows("10 data sets, 4 here"))
        assert web.asked[1][1].startswith("bytes=")


async def test_a_wait_for_another_process_can_be_stopped(
    tmp_path: Path, watching: Any, monkeypatch: Any, web: Web
) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    monkeypatch.setitem(DATASETS, "iris", card)
    place = scratch("iris", card)
    place.mkdir(parents=True)
    with (place / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        async with watching(tmp_path) as watch:
            await watch.press("4")
            await watch.until(watch.shows("f fetches 3.1 MB"))
            await watch.press("f")
            await watch.until(watch.shows("Another process is fetching it; waiting. x stops."))
            await watch.press("x")
            await watch.until(lambda: any("stopped" in n.message for n in watch.app._notifications))
            await watch.until(watch.shows("○ absent"))
    assert web.asked == []


async def test_what_cannot_be_fetched_is_said_beside_the_set(
    tmp_path: Path, watching: Any, monkeypatch: Any, web: Web
) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.url("a.bin")))
    monkeypatch.setitem(DATASETS, "iris", card)
    async with watching(tmp_path) as watch:
        await watch.press("4")
        await watch.until(watch.shows("○ absent"))
        await watch.press("f")
        await watch.until(watch.shows("could not be fetched"))
        assert "HTTP 404" in " ".join(watch.text().split())
        assert "✖ wrong" not in watch.text()  # of files that are absent nothing is known
        (said,) = [n.message for n in watch.app._notifications]
        assert said.count("iris") == said.count("data set iris") + said.count("data/iris") == 2
        assert not said.endswith("..")


async def test_much_is_not_fetched_unasked(
    tmp_path: Path, watching: Any, monkeypatch: Any, web: Web
) -> None:
    card = card_of(file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)))
    monkeypatch.setitem(DATASETS, "iris", card)
    monkeypatch.setattr("augury.tui.data_page.UNASKED", 1_000_000)
    async with watching(tmp_path) as watch:
        await watch.press("4")
        await watch.until(watch.shows("○ absent"))
        await watch.press("enter", "f")
        await watch.until(watch.shows("Fetch iris?"))
        await watch.until(watch.shows("3.1 MB will be fetched"))
        await watch.press("escape")
        await watch.until(watch.shows("○ absent"))
        assert web.asked == []
        await watch.press("f")
        await watch.until(watch.shows("Fetch iris?"))
        await watch.press("y")
        await watch.until(watch.shows("✔ right"))

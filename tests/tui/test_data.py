"""The Data tab: what is here, what is absent and where it belongs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from augury.engine.catalog.datasets import DATASETS
from augury.tui.screens.data import DataScreen


async def test_every_set_has_its_line_and_its_card(tmp_path: Path, watching: Any) -> None:
    async with watching(tmp_path) as watch:
        await watch.press("4")
        await watch.opens(DataScreen)
        await watch.until(watch.shows("7 data sets, 4 here"))
        text = watch.text()
        assert all(name in text for name in DATASETS) and text.count("✔ here") == 4
        await watch.until(watch.shows(f"sha256   {DATASETS['iris'].files[0].sha256}"))
        await watch.press("down")
        await watch.until(watch.shows("winequality-white.csv"))
        await watch.press("v")
        await watch.until(watch.shows("✔ right"))


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
        await watch.until(watch.shows("7 data sets, 4 here"))
        await watch.press("v")
        await watch.until(watch.shows("✖ wrong"))
        await watch.until(watch.shows("is damaged"))

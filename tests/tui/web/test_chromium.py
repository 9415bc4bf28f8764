"""The application in headless Chromium; run with `./test -m browser`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.web.chromium import chromium
from tests.tui.web.served import Served

pytestmark = pytest.mark.browser


async def test_it_loads_takes_a_key_and_asks_nobody_else(served: Served, tmp_path: Path) -> None:
    async with chromium(tmp_path / "profile") as page:
        await page.open(served.address)
        await page.shows("[1 Leaderboard]")
        await page.shows("ensemble+")
        await page.press("2")
        await page.shows("[2 Runs")
        assert "token" not in await page.value("location.href")
        asked = list(page.asked)
        assert page.complaints == []
    here = (f"http://127.0.0.1:{served.port}/", f"ws://127.0.0.1:{served.port}/", "data:")
    assert len(asked) >= 5 and [url for url in asked if not url.startswith(here)] == []


async def test_a_copy_reaches_the_browser_s_clipboard(served: Served, tmp_path: Path) -> None:
    async with chromium(tmp_path / "profile") as page:
        wanted = ["clipboardReadWrite", "clipboardSanitizedWrite"]
        await page.call("Browser.grantPermissions", permissions=wanted)
        await page.open(served.address)
        await page.shows("ensemble+")
        await page.press("y")
        await page.shows("Copied")
        await page.call("Page.bringToFront")
        assert await page.value("navigator.clipboard.readText()") == "ensemble+"


async def test_a_wrong_token_is_told_and_shows_nothing(served: Served, tmp_path: Path) -> None:
    async with chromium(tmp_path / "profile") as page:
        address = f"http://127.0.0.1:{served.port}/?token=wrong"
        await page.open(address)
        await page.until(lambda: (address, 403) in page.answered)
        await page.reads("open the address that `augury serve` printed")
        assert len(page.asked) <= 2 and not any(url.startswith("ws") for url in page.asked)


async def test_a_page_of_another_name_gets_nothing(served: Served, tmp_path: Path) -> None:
    # As a name of somebody else's that leads to this machine: the browser sends it as the host.
    async with chromium(tmp_path / "profile", "--host-resolver-rules=MAP * 127.0.0.1") as page:
        await page.open(served.address)
        await page.shows("ensemble+")
        address = served.address.replace("127.0.0.1", "evil.example")
        await page.open(address)
        await page.until(lambda: (address, 403) in page.answered)
        await page.reads("open the address that `augury serve` printed")
        socket = f"new WebSocket('ws://127.0.0.1:{served.port}/ws')"
        opened = (
            f"new Promise(d => {{ s = {socket}; s.onopen = () => d(1); s.onerror = () => d(0) }})"
        )
        assert await page.value(opened) == 0


async def test_a_tab_that_is_closed_ends_its_application(served: Served, tmp_path: Path) -> None:
    async with chromium(tmp_path / "profile") as page:
        await page.open(served.address)
        await page.shows("ensemble+")
        (child,) = served.applications()
        await page.call("Page.navigate", url="about:blank")
        await page.until(lambda: not Path(f"/proc/{child}").exists(), 10)
        await page.open(served.address)
        await page.shows("ensemble+")
        await page.press("q")
        await page.until(lambda: not served.applications(), 30)
        await page.until(lambda: page.closed_sockets)
        assert "-closed" in await page.value("document.body.className")


async def test_a_page_says_why_it_ended(served: Served, store: Path, tmp_path: Path) -> None:
    (store / "results.duckdb").write_bytes(b"not a database" * 1000)
    async with chromium(tmp_path / "profile") as page:
        await page.open(served.address)
        await page.reads("Open it again")
        assert str(store)[:20] in await page.value("document.getElementById('why').textContent")

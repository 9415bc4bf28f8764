"""Pictures of the five main screens for the README, taken by the application itself of a store.

`PYTHONPATH=.dev:. python -m tests.screenshots STORE assets` after `augury run quick` and, so that
Runs has something to show, with a run at work there. `--size 80x24` for a small terminal.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.pop("NO_COLOR", None)
# A good terminal, and somebody who never looked before.
os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "XDG_STATE_HOME": os.devnull}

from augury.tui.app import AuguryApp  # noqa: E402  it reads the environment

SECONDS = 60.0  # that a screen has to fill
SETTLE = 1.5  # seconds in which what comes with the words waited for comes too


@dataclass(frozen=True, slots=True)
class Picture:
    """Keys that lead to a screen from the one before, and what it says when it is there."""

    name: str
    keys: Sequence[str]
    shows: Sequence[str]


PICTURES = (
    Picture("leaderboard", (), ("ensemble+", "ranked by")),
    Picture("compare", ("space", "space", "equals_sign"), ("› compare", "configs", "step")),
    Picture("runs", ("escape", "2"), ("loss",)),
    Picture("launch", ("3",), ("same as",)),
    Picture("data", ("4",), ("iris", "licence")),
)
# The name of a font is enough: a picture fetches nothing.
FONT_FACE = re.compile(r"@font-face\s*{.*?}", re.DOTALL)
FONT = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"


async def take(store: Path, into: Path, size: tuple[int, int]) -> None:
    """Write NAME.svg of every picture."""
    app = AuguryApp(store)
    async with app.run_test(size=size, notifications=False) as pilot:
        for picture in PICTURES:
            await pilot.press(*picture.keys)
            deadline = time.monotonic() + SECONDS
            while not all(words in (text := _text(app)) for words in picture.shows):
                if time.monotonic() > deadline:
                    raise SystemExit(f"{picture.name}: {picture.shows} never showed:\n{text}")
                await pilot.pause(0.1)
            await asyncio.sleep(SETTLE)
            await pilot.pause()
            path = into / f"{picture.name}.svg"
            path.write_text(tidy(app.export_screenshot(title=f"augury: {picture.name}")), "utf-8")
            print(path)
    app.wind_up()


def _text(app: AuguryApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def tidy(svg: str) -> str:
    """Without fonts from elsewhere, and the same for the same screen."""
    svg = FONT_FACE.sub("", svg).replace("Fira Code, monospace", FONT)
    return re.sub(r"terminal-\d+", "terminal", svg)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path)
    parser.add_argument("into", type=Path)
    parser.add_argument("--size", default="120x40", metavar="COLSxROWS")
    given = parser.parse_args()
    cols, rows = (int(word) for word in given.size.split("x"))
    asyncio.run(take(given.store, given.into, (cols, rows)))

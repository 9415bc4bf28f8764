"""What a preview says in words: the same on the command line and in the application. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from augury.engine.wording import count, duration


def said(preview: Mapping[str, Any]) -> list[str]:
    """What `run --dry-run` prints: cells, those stored, those new, and what they cost."""
    return [
        count(preview["total"], "cell"),
        f"{preview['stored']:,} already stored",
        f"{count(preview['new'], 'new cell')} in {count(preview['batches'], 'batch')}",
        *costs(preview),
    ]


def costs(preview: Mapping[str, Any]) -> list[str]:
    """How long it will take, what of it is a guess, which cells it leaves alone, what it lacks."""
    found = [_time(preview)] if preview["new"] > preview["failed"] else []
    if preview["failed"]:
        found.append(
            f"{preview['failed']:,} of them failed before: `augury retry --failed` tries again"
        )
    if lacking := preview.get("lacking"):
        found.append(lacking)
    return found


def _time(preview: Mapping[str, Any]) -> str:
    strange = preview["guessed_cells"]
    kinds = f"{count(strange, 'cell')} of kinds never timed here"
    if preview["seconds"] is None:
        return f"time unknown: {kinds}"
    about = f"about {duration(preview['seconds'])}"
    if not strange:
        return about
    return f"{about}, {duration(preview['guessed_seconds'])} of it a guess: {kinds}"

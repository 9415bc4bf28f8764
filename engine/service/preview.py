"""What a selection would do: how many cells, and how many of them are new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from augury.engine.plan import PlannedCell
from augury.engine.service.ledger import units
from augury.engine.service.scheduler import count_batches
from augury.engine.types import JSON, Cell


def preview(planned: Sequence[PlannedCell], stored: Set[str]) -> dict[str, JSON]:
    """Cells in all, stored, new, and about how many batches the new ones make."""
    new: list[Cell] = [p.cell for p in planned if p.cell.cell_id not in stored]
    by_key = Counter(key for key, _, _ in units(new))
    return {
        "total": len(planned),
        "stored": len(planned) - len(new),
        "new": len(new),
        "batches": count_batches(by_key),
    }

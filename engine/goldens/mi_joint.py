"""Joint critics against runs of the published code: `python -m augury.engine.goldens.mi_joint`.

Code of Lee and Rhee 2024 (PyTorch, one thread) on 10 Gaussian sources of 4 bits: width 256, depth
2, batches of 64, Adam at 5e-4. Four bounds of 1,500 steps, two of them of 4,000. Other draws and
other initial weights: two such ratios are a hundredth apart.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from augury.engine.goldens.mi import ONCE, ratio, trained
from augury.engine.goldens.mi_exact import known
from augury.engine.goldens.table import Row, leave, show
from augury.engine.types import Cell, CellFinished

_RUN = "gaussian|ds=10|MI=4|joint|w256|d2|K=64|lr5e-4|{}"
BITS = 4.0
SHORT, LONG = 1_500, 4_000
FINAL = {SHORT: 500, LONG: 1_000}  # steps at the end that are averaged
STEPS = {"dv": LONG, "smile-5": LONG, "infonce": SHORT, "nwj": SHORT}
NEAR = 0.03


def rows() -> Iterator[Row]:
    """Ratios to the truth; 11,000 steps in all, about 500 CPU seconds."""
    golden = known()["reference_run"]
    for name, steps in STEPS.items():
        settings = {"num_final": FINAL[steps], **ONCE}
        cell = Cell("mi", f"mi/gaussian-ds10-{BITS:g}bits", name, {"num_steps": steps}, settings)
        found = trained(cell)
        if steps == LONG:
            yield _row(name, SHORT, golden[_RUN.format(name)]["ratio_last500"], _early(found))
            whole = golden[_RUN.format(name) + f"|{LONG}steps"]["ratio"]
            yield _row(name, LONG, whole, ratio(found))
        else:
            yield _row(name, SHORT, golden[_RUN.format(name)]["ratio_last500"], ratio(found))


def _row(name: str, steps: int, golden: float, ours: float) -> Row:
    return Row(f"{name} ratio, joint critic, {steps:,} steps", golden, ours, NEAR)


def _early(found: CellFinished) -> float:
    """The ratio at `SHORT` of a training that goes on: the curve has means of 20 steps each."""
    ends, means = np.array(found.curves["mi"]).T
    last = (ends > SHORT - FINAL[SHORT]) & (ends <= SHORT)
    assert last.sum() * (ends[1] - ends[0]) == FINAL[SHORT]
    return float(means[last].mean()) / BITS


def main() -> int:
    """Print the table as it is computed; 1 if a number is out of tolerance."""
    return show(rows(), width=50)


if __name__ == "__main__":
    leave(main)

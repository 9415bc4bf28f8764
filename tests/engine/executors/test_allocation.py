from __future__ import annotations

import subprocess
import sys

import pytest

# Page faults of the second of two arrays of 64 MiB that live one after another.
FAULTS = """
import resource, sys
import numpy as np
from augury.engine.executors.allocation import keep_freed_memory
if sys.argv[1] == "kept":
    assert keep_freed_memory()
np.ones(2**23)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
np.ones(2**23)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc is Linux's")
def test_freed_memory_serves_the_next_array() -> None:
    fresh, kept = (
        int(subprocess.check_output([sys.executable, "-P", "-c", FAULTS, how], text=True))
        for how in ("fresh", "kept")
    )
    assert kept < fresh / 10

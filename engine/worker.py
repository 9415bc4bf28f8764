"""The worker: the only process that computes. It takes batches and never opens the store.

Started by an executor as `python -P -m augury.engine.worker ENGINE_PID`. Batches come on
standard input and answers leave on what was standard output, one JSON object a line.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys


def main() -> None:
    """Tie this process to its engine, then serve."""
    # Before the costly imports: an orphan that is still importing would outlive its engine.
    _die_with(int(sys.argv[1]))
    from augury.engine.executors.allocation import keep_freed_memory
    from augury.engine.executors.serve import serve

    keep_freed_memory()
    serve()


def _die_with(parent: int) -> None:
    """Let the kernel kill this process when its engine dies."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None, use_errno=True).prctl(set_parent_death_signal, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before the kernel was told
        os._exit(0)


if __name__ == "__main__":
    main()

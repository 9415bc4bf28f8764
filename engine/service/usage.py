"""What a GPU or a process uses: read from `nvidia-smi` and from /proc, without a dependency."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TOOL = "nvidia-smi"
QUERY = (
    "--query-gpu=uuid,utilization.gpu,memory.used,memory.total,temperature.gpu",
    "--format=csv,noheader,nounits",
)
DYING_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Use:
    """Whole per cent, MiB and degrees; None where it cannot be told."""

    percent: int | None = None
    memory: int | None = None
    total: int | None = None
    celsius: int | None = None

    def to_json(self) -> dict[str, int | None]:
        """A JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


def parse_gpus(text: str) -> dict[str, Use]:
    """What `nvidia-smi` says of each GPU by uuid; what says nothing is passed over."""
    found = {}
    for line in text.splitlines():
        uuid, *fields = (word.strip() for word in line.split(","))
        if uuid.startswith(("GPU-", "MIG-")) and len(fields) == 4:
            found[uuid] = Use(*map(_whole, fields))
    return found


async def ask_gpus(seconds: float, command: Sequence[str] = (TOOL, *QUERY)) -> dict[str, Use]:
    """Ask the tool. Raises `OSError` without one, `TimeoutError` when it hangs."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(), seconds)
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            # Not for long: a tool that hangs in its driver does not die of this either.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), DYING_SECONDS)
    return parse_gpus(said.decode(errors="replace"))


@dataclass(slots=True)
class Processes:
    """CPU use of processes since they were last looked at; memory they hold."""

    root: Path = Path("/proc")
    _seen: dict[int, tuple[float, float]] = field(default_factory=dict)  # pid -> clock, spent

    def look(self, pids: Sequence[int]) -> Mapping[int, Use]:
        """Those that are there, on systems that have /proc."""
        found: dict[int, Use] = {}
        for pid in pids:
            with contextlib.suppress(OSError, ValueError, IndexError):
                found[pid] = self._look(pid)
        self._seen = {pid: seen for pid, seen in self._seen.items() if pid in found}
        return found

    def _look(self, pid: int) -> Use:
        fields = (self.root / str(pid) / "stat").read_text().rsplit(") ", 1)[1].split()
        ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
        spent = (int(fields[11]) + int(fields[12])) / ticks
        memory = int((self.root / str(pid) / "statm").read_text().split()[1]) * page >> 20
        now = time.monotonic()
        before, self._seen[pid] = self._seen.get(pid), (now, spent)
        if before is None or now <= before[0]:
            return Use(None, memory)
        return Use(round(100 * (spent - before[1]) / (now - before[0])), memory)


def _whole(text: str) -> int | None:
    try:
        return round(float(text))
    except (ValueError, OverflowError):
        return None  # "[N/A]", "[Not Supported]", "[Unknown Error]"

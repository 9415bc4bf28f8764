"""Recording outcomes, whatever the disk does: nothing finished is thrown away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from augury.engine.errors import AuguryError
from augury.engine.service.flights import Failure, Outcome
from augury.engine.store import write
from augury.engine.store.records import FailedCell, FinishedCell, Provenance

if TYPE_CHECKING:
    import duckdb

    from augury.engine.service.writer import Writer

T = TypeVar("T")
LONGEST_WAIT = 30.0
# Families of DuckDB's errors that come from the data, not from the disk.
_OF_DATA = frozenset({"DataError", "IntegrityError", "ProgrammingError"})


class Recorder:
    """Commits through a writer; on trouble it waits and tries again, and says so."""

    def __init__(self, writer: Writer, trouble: Callable[[str], None]) -> None:
        """`trouble` hears why nothing can be written, and "" when it works again."""
        self._writer, self._trouble = writer, trouble
        self._waiting = 0
        self._wake = asyncio.Event()
        self._answers: list[asyncio.Future[str]] = []

    @property
    def blocked(self) -> bool:
        """Whether outcomes wait for the disk."""
        return self._waiting > 0

    async def commit(
        self, outcome: Outcome, who: Provenance
    ) -> tuple[list[str], list[tuple[str, Failure]]]:
        """Record a batch in one transaction: ids that are done, ids that failed and why.

        A cell whose numbers the store refuses (two rows of one key, say) fails alone.
        """
        finished = [FinishedCell(cell, result) for cell, result in outcome.finished]
        told = tuple(outcome.flight.told)
        failed = [(FailedCell(c, w.kind, w.message, w.traceback, told), w)
                  for c, w in outcome.failed]  # fmt: skip
        losers = [one for one, _ in failed]
        bad = await self._try(lambda con: write.commit_batch(con, finished, losers, who))
        convicted: list[tuple[str, Failure]] = []
        if bad:
            for loser in losers:
                await self._try(lambda con, f=loser: write.commit_batch(con, [], [f], who))
            for one in finished:
                why = await self._try(lambda con, f=one: write.commit_batch(con, [f], [], who))
                if why:
                    fault = FailedCell(one.cell, why.kind, why.message)
                    await self._try(lambda con, f=fault: write.commit_batch(con, [], [f], who))
                    convicted.append((one.result.cell_id, why))
        lost = {cell_id for cell_id, _ in convicted}
        done = [f.result.cell_id for f in finished if f.result.cell_id not in lost]
        return done, [*((one.cell.cell_id, why) for one, why in failed), *convicted]

    async def change(self, change: Callable[[duckdb.DuckDBPyConnection], T]) -> None:
        """Another change of the store, with the same patience."""
        await self._try(change)

    async def hurry(self) -> str:
        """Try at once what waits for the disk: why it still waits, or "" when it works."""
        if not self.blocked:
            return ""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._answers.append(answer)
        self._wake.set()
        return await answer

    def _say(self, message: str) -> None:
        self._trouble(message)
        answers, self._answers = self._answers, []
        for answer in answers:
            if not answer.done():
                answer.set_result(message)

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._wake.wait(), seconds)
        except TimeoutError:
            pass
        self._wake.clear()

    async def _try(self, change: Callable[[duckdb.DuckDBPyConnection], T]) -> Failure | None:
        """Until it is written; a failure that lies in the data is returned."""
        wait, waited = 0.25, False
        try:
            while True:
                try:
                    await self._writer.write(change)
                    return None
                except (AuguryError, ValueError, TypeError, KeyError) as error:
                    if _of_data(error):
                        return Failure(type(error.__cause__ or error).__name__, str(error))
                    if not waited:
                        waited, self._waiting = True, self._waiting + 1
                    self._say(str(error))
                await self._pause(wait)
                wait = min(2 * wait, LONGEST_WAIT)
                try:
                    await self._writer.reopen()
                except AuguryError as error:
                    self._say(str(error))
        finally:
            if waited:
                self._waiting -= 1
                if not self.blocked:
                    self._say("")


def _of_data(error: Exception) -> bool:
    cause = error.__cause__
    if cause is None:
        return True  # our own check of the data, not DuckDB's of the disk
    return any(kind.__name__ in _OF_DATA for kind in type(cause).__mro__)

"""What may be asked of the engine: method name -> function."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from augury.engine.datasets import needs
from augury.engine.errors import DiskFullError, EngineError, StoreError, UsageError, unknown
from augury.engine.plan import Selection, expand
from augury.engine.service import data_place, under_way
from augury.engine.service.description import describe
from augury.engine.service.engine import Engine
from augury.engine.service.ledger import RunState
from augury.engine.service.log import log_path
from augury.engine.service.preview import NUMBERS, preview
from augury.engine.service.protocol import now
from augury.engine.store import export, queries, write
from augury.engine.store.records import RunRecord
from augury.engine.types import JSON

LOG = logging.getLogger("augury.engine")
Method: TypeAlias = Callable[[Engine, Mapping[str, Any]], Awaitable[JSON]]
MOST_PRIORITY = 99
_NOT_RECORDED = (
    "the run was not recorded: the disk of the store is full (no earlier result is lost). "
    "Free some space, then run it again."
)
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: they are misread


async def call(engine: Engine, method: str, params: Mapping[str, Any]) -> JSON:
    """Answer one request. Raises an `AuguryError` that the client shows."""
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    with engine.answering():
        return await METHODS[method](engine, params)


async def _status(engine: Engine, params: Mapping[str, Any]) -> JSON:
    return {
        "engine": await describe(engine),
        "runs": [engine.teller.describe(run) for run in reversed(await _known(engine))],
    }


async def _known(engine: Engine) -> list[RunState]:
    """All runs, newest last, as `status` shows them: the engine knows more than the store."""
    try:
        runs = {run.run_id: run for run in await engine.stored_runs()}
    except StoreError:  # a full disk may have shut it; what this engine runs is known all the same
        runs = {}
    return list((runs | engine.ledger.runs).values())


async def _submit(engine: Engine, params: Mapping[str, Any]) -> JSON:
    if engine.draining:
        raise EngineError("the engine is about to stop; try again in a moment.")
    selection, planned, states, told = await _plan(engine, params)
    new = [p.cell for p in planned if states.get(p.cell.cell_id) != "done"]
    await _same_data(engine, params, lambda: {cell.problem for cell in new})
    await asyncio.to_thread(needs.check, new)
    told = {name: told[name] for name in NUMBERS}
    run_id = _run_id(str(params.get("token") or secrets.token_hex(16)))
    command = str(params.get("command") or "augury run " + " ".join(selection.what))
    version = engine.hello["version"]
    record = RunRecord(run_id, command, selection.to_json(), code_version=version)
    async with engine.submitting:
        for run in await _known(engine):
            if run.run_id == run_id:  # asked again, as the answer was lost: it is one run
                return {"run_id": run_id, **told, "failed": run.failed}
        try:
            await engine.writer.write(lambda con: write.add_run(con, record, planned))
        except DiskFullError:  # there is no run yet that could be resumed
            raise DiskFullError(_NOT_RECORDED) from None
        failed = (await engine.take_up(run_id)).failed
    LOG.info("run %s: %s: %s", run_id, command, told)
    return {"run_id": run_id, **told, "failed": failed}


def _run_id(token: str) -> str:
    """The name of a run: one for each token."""
    digest = blake2b(token.encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "big")
    return "r" + "".join(_LETTERS[(number >> 5 * place) % 32] for place in range(6))


async def _preview(engine: Engine, params: Mapping[str, Any]) -> JSON:
    *_, told = await _plan(engine, params)
    return told


async def _plan(engine: Engine, params: Mapping[str, Any]) -> tuple[Selection, Any, Any, JSON]:
    """The selection, its cells, the states of those that are stored, and what is told of them."""
    try:
        selection = Selection.from_json(params["selection"])
        planned = await asyncio.to_thread(expand, selection)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"not a selection: {error}") from None
    ids = [p.cell.cell_id for p in planned]
    states = await engine.writer.read(lambda con: write.states(con, ids))
    workers = engine.executor.capacity()
    told = await asyncio.to_thread(preview, planned, states, engine.timing.copy(), workers)
    told["elsewhere"] = 0
    if not told["new"]:
        told["elsewhere"] = await engine.writer.read(lambda con: write.elsewhere(con, planned))
    return selection, planned, states, told


async def _cancel(engine: Engine, params: Mapping[str, Any]) -> JSON:
    run_id = await _find(engine, params)
    run = engine.ledger.runs.get(run_id) or await _stored(engine, run_id)
    if run.state == "cancelled" and params.get("again"):
        return {"run_id": run_id}  # the answer was lost with a link
    if run.state in ("finished", "cancelled"):
        raise EngineError(f"run {run_id} is {run.state} already.")
    engine.ledger.runs.setdefault(run_id, run)
    await engine.stop_run(run, "cancelled")
    return {"run_id": run_id}


async def _resume(engine: Engine, params: Mapping[str, Any]) -> JSON:
    """Without a run: all that are paused; cancelled ones only by name.

    What waits for the disk is tried at once. Raises `StoreError` if it must go on waiting.
    """
    chosen = await _chosen(engine, params, lambda run: run.state == "paused" or run.blocked)
    chosen = [run for run in chosen if run.state != "running" or run.blocked]
    await _same_data_of_runs(engine, params, chosen)
    engine.executor.retry_starts()
    if engine.recorder.blocked and (why := await engine.recorder.hurry()):
        raise StoreError(why)
    for run in chosen:
        if run.state != "running":
            await _again(engine, run.run_id)
    return {"cells": sum(r.total - r.done - r.failed for r in chosen), "runs": _ids(chosen)}


async def _prioritise(engine: Engine, params: Mapping[str, Any]) -> JSON:
    """Runs of a higher priority are fed first; batches under way are left alone."""
    priority = params.get("priority")
    if isinstance(priority, bool) or not isinstance(priority, int):
        raise UsageError(f"a priority is a whole number, got {priority!r}.")
    if abs(priority) > MOST_PRIORITY:
        raise UsageError(f"a priority is between -{MOST_PRIORITY} and {MOST_PRIORITY}.")
    run_id = await _find(engine, params)
    run = engine.ledger.runs.get(run_id) or await _stored(engine, run_id)
    if run.state == "finished":
        raise EngineError(f"run {run_id} is finished already.")
    await engine.writer.write(lambda con: write.set_priority(con, run_id, priority))
    run.priority = priority
    engine.teller.forget()
    engine.mark(*(each.run_id for each in engine.scheduler.in_order()), run_id)
    LOG.info("run %s has priority %d", run_id, priority)
    return {"run_id": run_id, "priority": priority}


async def _retry(engine: Engine, params: Mapping[str, Any]) -> JSON:
    """Failed cells become pending, and their runs go on."""
    chosen = await _chosen(engine, params, lambda run: run.failed > 0 and run.state != "cancelled")
    await _same_data_of_runs(engine, params, chosen)
    number = 0
    for run in chosen:
        run_id = run.run_id
        number += await engine.writer.write(lambda con, i=run_id: write.reset_failed(con, i))
    engine.executor.retry_starts()
    for run in chosen:
        await _again(engine, run.run_id)
    return {"cells": number, "runs": _ids(chosen)}


async def _same_data(
    engine: Engine, params: Mapping[str, Any], problems: Callable[[], Iterable[str]]
) -> None:
    """Refuse cells whose data sets the caller would read elsewhere. Raises `UsageError`."""
    theirs, ours = params.get("data"), engine.hello["data"]
    if isinstance(theirs, Mapping) and not data_place.same(ours, theirs):
        found = problems()
        if await asyncio.to_thread(needs.reads_files, found):
            data_place.refuse(ours, theirs)


async def _same_data_of_runs(
    engine: Engine, params: Mapping[str, Any], runs: Sequence[RunState]
) -> None:
    ids = _ids(runs)
    open_ones = await engine.writer.read(lambda con: write.open_problems(con, ids))
    await _same_data(engine, params, lambda: open_ones)


async def _make_way(engine: Engine, params: Mapping[str, Any]) -> JSON:
    """End where nothing is at work, for an engine of another environment; whether it does."""
    if not engine.at_work and not engine.submitting.locked():
        LOG.info("makes way for an engine that reads data elsewhere")
        engine.drain()
    return engine.draining


async def _again(engine: Engine, run_id: str) -> None:
    await engine.writer.write(lambda con: write.set_run_state(con, run_id, "running"))
    await engine.take_up(run_id)


def _ids(runs: Sequence[RunState]) -> list[str]:
    return [run.run_id for run in runs]


async def _chosen(
    engine: Engine, params: Mapping[str, Any], otherwise: Callable[[RunState], bool]
) -> list[RunState]:
    if engine.draining:
        raise EngineError("the engine is about to stop; try again in a moment.")
    if params.get("run"):
        run_id = await _find(engine, params)
        return [engine.ledger.runs.get(run_id) or await _stored(engine, run_id)]
    return [run for run in await _known(engine) if otherwise(run)]


async def _find(engine: Engine, params: Mapping[str, Any]) -> str:
    prefix = str(params.get("run") or "")
    if not prefix:
        raise UsageError("name a run.")
    return await engine.writer.read(lambda con: queries.resolve_run(con, prefix))


async def _stored(engine: Engine, run_id: str) -> RunState:
    return (await engine.stored_runs(run_id))[0]


async def _drain(engine: Engine, params: Mapping[str, Any]) -> JSON:
    """Feed no more and end after the batches under way, or with `now` without them.

    Says what these batches are; asked again, it says how far they are. `blocked`: what is
    finished waits for the disk.
    """
    told = under_way.describe(engine.store, engine.scheduler)
    if params.get("now"):
        LOG.info("told to end now")
        engine.abandon()
    else:
        engine.drain()
    return {"batches": len(told), "under_way": told, "blocked": engine.recorder.blocked}


async def _query(engine: Engine, params: Mapping[str, Any]) -> JSON:
    name, given = _question(params)
    with _meant(name):
        table = await engine.writer.read(lambda con: queries.run(con, name, given))
    return table.to_json()


async def _export(engine: Engine, params: Mapping[str, Any]) -> JSON:
    name, given = _question(params)
    fmt = str(params.get("format", "csv"))
    store = engine.store
    with _meant(name):
        path: Path = await engine.writer.read(
            lambda con: export.query(con, name, given, fmt, store)
        )
    return {"path": str(path)}


def _question(params: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    name, given = str(params.get("name", "")), params.get("params", {})
    if given is not None and not isinstance(given, Mapping):
        raise UsageError(f'the "params" of query {name} are an object, not {given!r}.')
    return name, given or {}


@contextmanager
def _meant(name: str) -> Iterator[None]:
    """Values of the wrong type come from who asks: one line, and no traceback in our log."""
    try:
        yield
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise UsageError(f"the parameters of query {name} cannot be meant: {text}") from None


async def _log_path(engine: Engine, params: Mapping[str, Any]) -> JSON:
    return str(log_path(engine.store))


async def _ping(engine: Engine, params: Mapping[str, Any]) -> JSON:
    return now()


METHODS: Mapping[str, Method] = {
    "ping": _ping,
    "status": _status,
    "submit": _submit,
    "preview": _preview,
    "cancel": _cancel,
    "resume": _resume,
    "retry": _retry,
    "prioritise": _prioritise,
    "drain": _drain,
    "make_way": _make_way,
    "query": _query,
    "export": _export,
    "log_path": _log_path,
}

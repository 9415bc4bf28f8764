"""The engine as a process: `python -P -m augury.engine.service STORE`."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from pathlib import Path

from augury.engine.errors import AuguryError, StoreLockedError
from augury.engine.executors.local import SILENCE_SECONDS, LocalExecutor
from augury.engine.hello import code_version, source_hash
from augury.engine.service import address, liveness, log, owner
from augury.engine.service.engine import Engine
from augury.engine.service.environment import positive
from augury.engine.service.lock import EngineLock
from augury.engine.service.server import Server
from augury.engine.service.writer import Writer
from augury.engine.store import interval_cache

LOG = logging.getLogger("augury.engine")
IDLE_SECONDS = 60.0
STOP_SECONDS = 10.0  # after a first signal


def main() -> int:
    """Serve a store until idle or told to stop; the exit status."""
    store = Path(sys.argv[1]).absolute()
    os.umask(0o077)
    os.chdir("/")  # so that no mount is kept busy
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        owner.check_ours(store)  # before anything is written there
        log.take_over(store / log.NAME)
    except AuguryError as error:
        print(error.message, file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"cannot write {store / log.NAME}: {error.strerror}.", file=sys.stderr)
        return 1
    LOG.addHandler(log.LogHandler(store / log.NAME))
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    interval_cache.forget()
    lock = EngineLock(store)
    try:
        if not lock.acquire():
            raise StoreLockedError(f"another engine serves {store}.")
        asyncio.run(_serve(store, lock))
    except AuguryError as error:
        LOG.error("%s", error.message)
        return error.exit_code
    except (FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError) as error:
        LOG.error("cannot use %s: %s.", error.filename or store, error.strerror)
        return 1
    except Exception as error:
        LOG.exception("the engine failed")
        LOG.error("%s: %s", type(error).__name__, error)
        return 1
    finally:
        lock.release()
    return 0


async def _serve(store: Path, lock: EngineLock) -> None:
    LOG.info("engine %s starts for %s, pid %d", code_version(), store, os.getpid())
    writer = Writer(store)
    try:
        executor = LocalExecutor(
            store / "logs",
            source_hash(),
            hello_seconds=positive("AUGURY_HELLO_SECONDS", 120.0),
            silence_seconds=positive("AUGURY_SILENCE_SECONDS", SILENCE_SECONDS),
        )
        engine = Engine(store, writer, executor)
        server = Server(engine, store)
        signals = _Signals(engine)
        await engine.start()
        await server.start(address.bind(store))
        liveness.write(store, version=code_version())
        await _until_over(engine, lock)
        signals.last_resort.cancel()
        # First the socket's name, then the lock: who comes now starts a new engine.
        (store / address.NAME).unlink(missing_ok=True)
        await server.close()
        await executor.close()
    finally:
        writer.close()
        (store / liveness.NAME).unlink(missing_ok=True)
    LOG.info("engine ends")


async def _until_over(engine: Engine, lock: EngineLock) -> None:
    limit = positive("AUGURY_IDLE_SECONDS", IDLE_SECONDS)
    while not engine.ended.is_set():
        try:
            await asyncio.wait_for(engine.ended.wait(), min(1.0, limit / 4))
        except TimeoutError:
            if lock.lost:
                LOG.error("the store was removed or moved away")
                return
            if engine.busy or len(engine.hub):
                engine.mark()
            elif time.monotonic() - engine.busy_at > limit:
                LOG.info("idle")
                return
            engine.teller.tick()
            engine.devices.tick()
            engine.pump()


class _Signals:
    """SIGTERM and SIGINT: drain; a second one, or ten seconds: end the workers."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._seen = engine, 0
        loop = asyncio.get_running_loop()
        self.last_resort = loop.call_later(0, lambda: None)
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._signal, number.name)

    def _signal(self, name: str) -> None:
        self._seen += 1
        LOG.info("%s: %s", name, "draining" if self._seen == 1 else "ending the workers")
        if self._seen == 1:
            self._engine.drain()
            loop = asyncio.get_running_loop()
            self.last_resort = loop.call_later(STOP_SECONDS, self._engine.abandon)
        else:
            self._engine.abandon()

"""The worker's side of the pipe: hello, then batches until standard input ends."""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Mapping

from augury.engine.catalog.entry import load
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.executors import wire
from augury.engine.hello import hello
from augury.engine.paths import cache_directory
from augury.engine.types import JSON, CellFinished, OutOfMemory, Progress

Send = Callable[[Mapping[str, JSON]], None]


class _Stopped(BaseException):
    """The batch was cancelled; passes through `except Exception` of the code below."""


class _Inbox:
    """Reads requests in a thread of its own, so that a cancel reaches a running batch."""

    def __init__(self) -> None:
        self.batches: queue.SimpleQueue[dict[str, JSON]] = queue.SimpleQueue()
        self.stopped: set[str] = set()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "stop" in message:
                self.stopped.add(message["stop"])
            else:
                self.batches.put(message)
        os._exit(0)  # the engine is gone, or wants no more of this worker


def serve() -> None:
    """Say hello, then run batches until standard input ends."""
    send = _protocol_channel()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is the engine's matter
    inbox = _Inbox()
    try:
        device = _prepare_jax()
        import jax
    except BaseException:
        # Leaving as usual may abort, for the inbox holds standard input: the reason would be lost.
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)

    send({"hello": {**hello(), "jax_version": jax.__version__, "device": device}})
    while True:
        _run(inbox.batches.get(), device, inbox.stopped, send)


def _run(request: Mapping[str, JSON], device: str, stopped: set[str], send: Send) -> None:
    batch = request["batch"]

    def emit(event: Progress | CellFinished) -> None:
        if batch in stopped:
            raise _Stopped
        if isinstance(event, Progress):
            send({"batch": batch, "progress": wire.progress_to_json(event)})
        else:
            send({"batch": batch, "finished": wire.finished_to_json(event)})

    try:
        cells = wire.cells_from_json(request)
        run_batch = load(SCENARIOS[cells[0].scenario].target)
        run_batch(cells, emit, wire.context_from_json(request, device))
    except _Stopped:
        send({"batch": batch, "stopped": True})
    except BaseException as error:  # an agent's sys.exit() is its own failure, not the worker's
        send({"batch": batch, "raised": _describe(error)})
    else:
        send({"batch": batch, "done": True})
    stopped.discard(batch)


def _describe(error: BaseException) -> dict[str, JSON]:
    text = str(error) or type(error).__name__
    if isinstance(error, SystemExit):
        text = f"the code called sys.exit({'' if error.code is None else repr(error.code)})"
    exhausted = isinstance(error, (OutOfMemory, MemoryError)) or "RESOURCE_EXHAUSTED" in text
    return {
        "kind": type(error).__name__,
        "message": text.splitlines()[0][:500],
        "traceback": "".join(traceback.format_exception(error))[-20_000:],
        "out_of_memory": exhausted,
    }


def _protocol_channel() -> Send:
    """Keep standard output for the protocol; what libraries print goes to the log."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    guard = threading.Lock()

    def send(message: Mapping[str, JSON]) -> None:
        line = json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        with guard:
            channel.write(line)
            channel.flush()

    return send


def _prepare_jax() -> str:
    """Import JAX with a cache of compiled programs on disk; the device's kind."""
    import jax

    # A truncated entry is compiled again; nobody can act on the warning.
    warnings.filterwarnings("ignore", message=".*persistent compilation cache.*")
    directory = cache_directory() / "jax"
    directory.mkdir(parents=True, exist_ok=True)
    jax.config.update("jax_compilation_cache_dir", str(directory))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return str(jax.devices()[0].device_kind)

"""An agent whose code lies outside the project: loaded by workers only, in any framework."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from augury.engine import regular_file
from augury.engine.catalog.entry import load
from augury.engine.errors import ChangedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from augury.engine.types import Agent


def make_agent(target: str, source: str) -> Agent:
    """Call the factory that `target` names, "/path/file.py:make_agent" or "module:make_agent".

    Raises:
        ChangedError: the file no longer has the sha256 `source` that its cells are identified by.
        UsageError: it is gone or holds no such factory; the factory's value is no function.
    """
    place, _, attribute = target.rpartition(":")
    if not place.endswith(".py"):
        return _called(load(target), target)
    file = Path(place)
    try:
        code = regular_file.read(file)
    except OSError as error:
        raise UsageError(f"agent file {file}: {error.strerror or error}.") from None
    if hashlib.sha256(code).hexdigest() != source:
        raise ChangedError(
            f"agent file {file} changed since the run was launched; launch it again."
        )
    name = f"augury_outside_{source[:16]}"
    if name not in sys.modules:
        _execute(name, file)
    factory = getattr(sys.modules[name], attribute, None)
    if factory is None:
        raise UsageError(f"agent file {file} has no {attribute!r}.")
    return _called(factory, target)


def _execute(name: str, file: Path) -> None:
    """Import the file as `name`. It stands for its cells alone, so nothing beside it may be read.

    Raises:
        UsageError: it imports a file of its own folder, whose changes no cell would show.
    """
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"agent file {file} cannot be imported.")
    module = importlib.util.module_from_spec(spec)
    before, path = set(sys.modules), list(sys.path)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        # What one agent's file has brought must not serve the next one's.
        sys.path[:] = path
        beside = _beside(file.resolve().parent, set(sys.modules) - before - {name})
        for other in beside:
            del sys.modules[other]
    if beside:
        del sys.modules[name]
        raise UsageError(
            f"agent file {file} imports {min(beside.values())}: its cells are known by the agent "
            "file alone, so changes there would go unseen. Put it into the file, or install it "
            "as a package."
        )


def _beside(folder: Path, names: set[str]) -> dict[str, Path]:
    """Those modules whose files lie in the folder, but not in an environment within it."""
    places = {n: Path(getattr(sys.modules[n], "__file__", None) or "/").resolve() for n in names}
    return {
        n: place
        for n, place in places.items()
        if folder in place.parents and "site-packages" not in place.parts
    }


def _called(factory: Callable[[], Agent], target: str) -> Agent:
    agent = factory()
    if not callable(agent):
        raise UsageError(
            f"{target} returned {type(agent).__name__}, not a function agent(data, prior, key)."
        )
    return agent

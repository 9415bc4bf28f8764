"""An agent whose code lies outside the project: loaded by workers only, in any framework."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from augury.engine.catalog.entry import load
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from augury.engine.types import Agent


def make_agent(target: str, source: str) -> Agent:
    """Call the factory that `target` names, "/path/file.py:make_agent" or "module:make_agent".

    Raises:
        UsageError: the file is gone, no longer has the sha256 `source` that its cells are
            identified by, or holds no such factory; the factory's value is no function.
    """
    place, _, attribute = target.rpartition(":")
    if not place.endswith(".py"):
        return _called(load(target), target)
    file = Path(place)
    try:
        code = file.read_bytes()
    except OSError as error:
        raise UsageError(f"agent file {file}: {error.strerror or error}.") from None
    if hashlib.sha256(code).hexdigest() != source:
        raise UsageError(f"agent file {file} changed since the run was launched; launch it again.")
    name = f"augury_outside_{source[:16]}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise UsageError(f"agent file {file} cannot be imported.")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    factory = getattr(sys.modules[name], attribute, None)
    if factory is None:
        raise UsageError(f"agent file {file} has no {attribute!r}.")
    return _called(factory, target)


def _called(factory: Callable[[], Agent], target: str) -> Agent:
    agent = factory()
    if not callable(agent):
        raise UsageError(
            f"{target} returned {type(agent).__name__}, not a function agent(data, prior, key)."
        )
    return agent

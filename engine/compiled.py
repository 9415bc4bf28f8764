"""Functions compiled ahead of their first call, so that compile time is a number of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax


class Compiled:
    """A jitted function that counts and times its compilations; one for each set of shapes."""

    def __init__(
        self, function: Callable[..., Any], donate: tuple[int, ...] = (), name: str = ""
    ) -> None:
        """Wrap a pure function; `donate` are positions of arguments whose memory is reused."""
        self.function = function
        self._jitted = jax.jit(function, donate_argnums=donate)
        self._executables: dict[Any, Any] = {}
        self.name = name or getattr(function, "__name__", "program")
        self.seconds = 0.0

    @property
    def compilations(self) -> int:
        """Programs built of this function so far."""
        return len(self._executables)

    def __call__(self, *arguments: Any) -> Any:
        """Compile if these shapes are new, then run."""
        leaves, structure = jax.tree.flatten(arguments)
        shapes = (structure, tuple((leaf.shape, leaf.dtype) for leaf in leaves))
        executable = self._executables.get(shapes)
        if executable is None:
            started = time.perf_counter()
            executable = self._jitted.lower(*arguments).compile()
            self._executables[shapes] = executable
            spent = time.perf_counter() - started
            self.seconds += spent
            _spent.append(spent)
        return executable(*arguments)


_spent: list[float] = []


def compile_seconds() -> float:
    """Monotonic seconds this process has spent compiling, over all programs."""
    return sum(_spent)


def compilations() -> int:
    """Programs that this process has compiled."""
    return len(_spent)

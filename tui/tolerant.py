"""What comes in from the terminal, whatever its bytes: those that are no text are left out."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable
from functools import partial

from textual.driver import Driver


def tolerant(plain: type[Driver]) -> type[Driver]:
    """A driver that a byte of another encoding, or of a noisy line, does not end."""

    class Tolerant(plain):
        def run_input_thread(self) -> None:
            # Textual decodes strictly and offers no way to say otherwise.
            for kind in plain.__mro__:
                module = sys.modules[kind.__module__]
                if hasattr(module, "getincrementaldecoder"):
                    module.getincrementaldecoder = _leniently  # type: ignore[attr-defined]
            super().run_input_thread()  # type: ignore[misc]

    return Tolerant


def _leniently(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), "ignore")

"""What comes in from the terminal, whatever its bytes: those that are no text are left out."""

from __future__ import annotations

import sys
from encodings.utf_8 import IncrementalDecoder
from typing import TYPE_CHECKING

from textual.driver import Driver

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


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


class _Lenient(IncrementalDecoder):
    """Without what is no text; enter is enter.

    Before the application starts the terminal is one for lines, whose enter is a newline. Else
    that is control and J, which is nobody's key.
    """

    def __init__(self) -> None:
        super().__init__("ignore")

    def decode(self, input: ReadableBuffer, final: bool = False) -> str:
        return super().decode(input, final).replace("\n", "\r")


def _leniently(encoding: str) -> type[_Lenient]:
    return _Lenient

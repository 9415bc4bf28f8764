"""Numbers that a person may set in the environment of the engine.

AUGURY_IDLE_SECONDS: an engine without work and without subscribers ends after so long (60).
AUGURY_BATCH_SECONDS: what a batch aims at (120); what a crash can cost at most, about.
AUGURY_HELLO_SECONDS: how long a worker may take to come up (120).
AUGURY_SILENCE_SECONDS: how long a batch may say nothing, neither progress nor numbers, before its
    worker counts as hanging and is killed (21600). Its cells are then tried as those of a lost
    worker are: halved until the guilty one is alone, which fails after a second such silence.
"""

from __future__ import annotations

import math
import os

from augury.engine.errors import UsageError


def positive(variable: str, otherwise: float) -> float:
    """The variable as a positive number. Raises `UsageError` for anything else."""
    text = os.environ.get(variable) or str(otherwise)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (number > 0 and math.isfinite(number)):
        raise UsageError(f"{variable} takes a positive number of seconds, got {text!r}.")
    return number

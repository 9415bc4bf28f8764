"""What a person prefers of the application: does it start with that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from augury.engine.doctor.finding import Finding
from augury.engine.errors import UsageError
from augury.engine.paths import config_file
from augury.engine.preferences import choose
from augury.engine.targets import load

# A string: the engine does not depend on the application.
CHECK = "augury.tui.keymap:checked"


def check(store: Path) -> Iterator[Finding]:
    """The file, the environment, and the keys that they give to actions."""
    path = config_file()
    try:
        load(CHECK)(choose({}).values.keys)
    except UsageError as error:
        yield Finding(
            "preferences", "fail", error.message,
            f"the application does not start with this: change {path}, or the variable named",
        )  # fmt: skip
    else:
        yield Finding("preferences", "ok", f"{path}{'' if path.exists() else ', not there'}")

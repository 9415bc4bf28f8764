"""What a terminal pays for: no import of the terminal side loads JAX, and none the database."""

import json
import subprocess
import sys

import pytest

HEAVY = {"jax", "jaxlib", "haiku", "optax", "sklearn", "ray"}
PROBE = """
import json, sys
from importlib import import_module
for name in sys.argv[1:]:
    import_module(name)
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def loaded_by(*names):
    command = [sys.executable, "-P", "-c", PROBE, *names]
    return set(json.loads(subprocess.run(command, capture_output=True, check=True).stdout))


@pytest.mark.parametrize(
    "module",
    [
        "augury",
        "augury.engine.cli.main",
        "augury.tui.app",
        "augury.engine.plan",
        "augury.engine.service.client",
        "augury.engine.service.reader",
    ],
)
def test_import_is_light(module):
    assert not loaded_by(module) & (HEAVY | {"duckdb", "_duckdb"})


def test_every_command_and_the_engine_do_without_jax():
    from augury.engine.cli.main import COMMANDS

    modules = {line.target.partition(":")[0] for line in COMMANDS.values()}
    assert not loaded_by(*modules, "augury.engine.service.engine") & HEAVY

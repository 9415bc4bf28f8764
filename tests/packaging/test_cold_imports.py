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


def test_a_board_is_read_without_the_catalog(tmp_path):
    code = (
        "import json, sys, pathlib\n"
        "from augury.engine.service.reader import Reader\n"
        "Reader(pathlib.Path(sys.argv[1])).query('board', scenario='testbed')\n"
        "print(json.dumps(sorted(n for n in sys.modules if n.startswith('augury.engine.'))))"
    )
    command = [sys.executable, "-P", "-c", code, str(tmp_path)]
    loaded = set(json.loads(subprocess.run(command, capture_output=True, check=True).stdout))
    # Every agent's config would be loaded with them, at each start of a command.
    assert not loaded & {f"augury.engine.{n}" for n in ("catalog.scenarios", "plan", "types")}


def test_every_command_and_the_engine_do_without_jax():
    from augury.engine.cli.main import COMMANDS

    modules = {line.target.partition(":")[0] for line in COMMANDS.values()}
    assert not loaded_by(*modules, "augury.engine.service.engine") & HEAVY

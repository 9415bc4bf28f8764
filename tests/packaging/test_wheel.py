"""The wheel in an environment made from its own list of dependencies."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.network
@pytest.mark.timeout(1_800)
def test_wheel_runs_with_its_own_dependencies():
    command = ["sh", "tests/wheel.sh", sys.executable, "--own-dependencies"]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert [line.split(":")[0] for line in printed.splitlines()[1:]] == [
        "testbed", "real", "ppc", "mi",
    ]  # fmt: skip

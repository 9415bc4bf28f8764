"""What the application may not import before its first frame."""

from __future__ import annotations

import subprocess
import sys

_FORBIDDEN = ("jax", "haiku", "optax", "duckdb", "_duckdb", "numpy", "sklearn", "scipy", "click")


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys, augury.tui.start, augury.tui.app, augury.tui.screens.leaderboard\n"
        f"print(sorted(set(sys.modules) & set({_FORBIDDEN})))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_no_screen_imports_jax() -> None:
    code = (
        "import sys, pkgutil, importlib, augury.tui as t\n"
        "found = pkgutil.walk_packages(t.__path__, 'augury.tui.')\n"
        "names = [m.name for m in found if '.web' not in m.name]\n"  # needs an extra
        "[importlib.import_module(n) for n in names]\n"
        "print(len(names), sorted(set(sys.modules) & {'jax', 'haiku', 'optax', 'duckdb'}))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    count, found = done.stdout.split(maxsplit=1)
    assert int(count) > 30 and found.strip() == "[]"

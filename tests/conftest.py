"""What every test stands on: places of its own, JAX on the CPU, one random key."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.pty.goals import Figures, table

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

# Before anything imports JAX, and in the environment, so that worker processes have it too.
_CACHE = Path(__file__).resolve().parents[1] / ".pytest_cache"
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["JAX_COMPILATION_CACHE_DIR"] = str(_CACHE / "jax")
os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0.2"
os.environ["XDG_CACHE_HOME"] = str(_CACHE / "xdg")
_OWN_DATA = os.environ.pop("AUGURY_DATA", "")  # a person's data sets: for tests that ask for them
# Hundreds of processes are started, and compiling the sources takes each of them .3 to 1 second.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = str(_CACHE / "bytecode")
# A shell starts what it runs in the background deaf to Ctrl-C, and children inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # likewise what is started by nohup
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def _places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads or writes a person's store, state or preferences."""
    monkeypatch.setenv("AUGURY_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")  # else the application writes ASCII
    for name in ("AUGURY_THEME", "AUGURY_ASCII", "AUGURY_MOUSE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def own_data(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make a data set readable; skip the test where it is not shipped and AUGURY_DATA lacks it."""

    def need(name: str) -> None:
        from augury.engine.catalog.data_embeddings import EMBEDDINGS
        from augury.engine.catalog.datasets import DATASETS
        from augury.engine.datasets.presence import look

        if _OWN_DATA:
            monkeypatch.setenv("AUGURY_DATA", _OWN_DATA)
        if look(name, {**DATASETS, **EMBEDDINGS}[name]).missing:
            pytest.skip(f"{name} is not here: set AUGURY_DATA to a folder that holds its files")

    return need


@pytest.fixture
def key() -> PRNGKeyArray:
    """A random key, the same in every test."""
    import jax

    return jax.random.key(0)


_FIGURES = pytest.StashKey[Figures]()


def pytest_configure(config: pytest.Config) -> None:
    """Nothing is measured yet."""
    config.stash[_FIGURES] = Figures()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let SIGTERM end the session as Ctrl-C does: fixtures stop what they have started."""

    def stop(number: int, frame: Any) -> None:
        session.shouldstop = "ended by SIGTERM"  # for what holds an exception back
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)


@pytest.fixture
def goal(pytestconfig: pytest.Config) -> Figures:
    """Takes what was measured of the goals of `tests/pty/goals.py`."""
    return pytestconfig.stash[_FIGURES]


@pytest.fixture
def long_look(pytestconfig: pytest.Config) -> bool:
    """Whether to measure for as long as a goal says: not in the suite, where time is dear."""
    return _are_goals_measured(pytestconfig)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The goals, and what was measured."""
    found = config.stash[_FIGURES].found
    if lines := table(found, all_of_them=_are_goals_measured(config)):
        terminalreporter.section("goals of the terminal application")
        for line in lines:
            terminalreporter.write_line(line)


def _are_goals_measured(config: pytest.Config) -> bool:
    return config.option.markexpr == "goal"

"""`augury --ssh`: another machine's store in this terminal, whatever becomes of the link.

By default the bridge is a child process; `./test -m sshd` goes through a real server on loopback.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from augury.engine.cli.main import main
from augury.engine.service import lock
from augury.engine.service.dial import parse
from augury.engine.service.reader import Reader
from augury.tui import state
from tests import engines
from tests.outcomes import check_nothing_is_lost
from tests.processes import children
from tests.pty import transports
from tests.pty.conftest import Yardstick
from tests.pty.terminal import Terminal
from tests.pty.transports import Transport

Opened = Callable[..., Terminal]

KEY_MS = 20.0
SECONDS = 1.0
PATIENCE = 120.0  # an interpreter and a shell start at either end


@pytest.fixture(params=["direct", pytest.param("sshd", marks=pytest.mark.sshd)])
def transport(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Transport]:
    """A way to the other machine, which is this one."""
    if request.param == "direct":
        yield transports.direct()
        return
    with transports.sshd(tmp_path_factory.mktemp("sshd")) as found:
        yield found


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Path]:
    """No store yet; the engine that it gets is ended."""
    path = tmp_path / "far store"
    yield path
    engines.end(path)


@pytest.fixture
def shown(opened: Opened, transport: Transport) -> Callable[[Path], Terminal]:
    """The application on a store at the end of the link."""
    return lambda store: opened(None, env=transport.environment, options=transport.options(store))


def _link(terminal: Terminal) -> int:
    """The process id of the child that is the link."""
    (pid,) = children(terminal.pid)
    return pid


def _launch(terminal: Terminal) -> None:
    """Start the quick run from the empty store's first screen, and wait until cells are at work."""
    terminal.wait_for("No results in this store yet", PATIENCE)
    terminal.settle()
    terminal.send("\r")
    terminal.wait_for("1▶", PATIENCE)


def test_launch_lose_the_link_come_back(empty: Path, shown: Callable[[Path], Terminal]) -> None:
    terminal = shown(empty)
    _launch(terminal)
    os.kill(_link(terminal), signal.SIGKILL)
    terminal.wait_for("reconnecting", PATIENCE)
    terminal.wait_for("safe to quit", PATIENCE)  # the engine, seen anew
    (run,) = Reader(empty).status()["runs"]
    assert run["state"] == "running"
    terminal.send("q")
    assert terminal.wait() == 0
    assert lock.held(empty)  # it goes on without us
    terminal = shown(empty)
    terminal.send("2")
    terminal.wait_for("engine idle", PATIENCE)
    terminal.send("1")
    terminal.wait_for("mlp", PATIENCE)
    check_nothing_is_lost(empty)


@pytest.mark.sshd
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_the_far_end_of_ssh_goes_away(
    empty: Path, opened: Opened, tmp_path: Path, number: signal.Signals
) -> None:
    with transports.sshd(tmp_path) as transport:
        terminal = opened(None, env=transport.environment, options=transport.options(empty))
        _launch(terminal)
        (session,) = children(transport.server)
        os.kill(session, number)
        terminal.wait_for("no answer" if number == signal.SIGSTOP else "reconnecting", PATIENCE)
        terminal.send("2")  # a tab that was not shown before
        terminal.wait_for("[2 Runs]")
        terminal.wait_for("engine idle", PATIENCE)  # through another session than the first
        terminal.wait_for("100%", PATIENCE)
        assert [pid for pid in children(transport.server) if pid != session]
        terminal.send("q")
        assert terminal.wait() == 0
        if number == signal.SIGSTOP:
            os.kill(session, signal.SIGKILL)
    check_nothing_is_lost(empty)


def _typed(terminal: Terminal) -> tuple[list[float], float]:
    """Milliseconds to the first byte of each of ten keys, in order of length; CPU of one."""
    walls, cpu = [], terminal.cpu_ms()
    for key in "jjkkjjkkjj":
        terminal.settle(0.12, 0.5)  # as fast as a person taps
        sent, began = len(terminal.raw), time.monotonic()
        terminal.send(key)
        while len(terminal.raw) == sent and time.monotonic() < began + 2:
            terminal.pump(0.001)
        walls.append((time.monotonic() - began) * 1e3)
    return sorted(walls), (terminal.cpu_ms() - cpu) / len(walls)


def test_keys_are_instant_while_the_link_stalls(
    store: Path, shown: Callable[[Path], Terminal], yardstick: Yardstick
) -> None:
    terminal = shown(store)
    terminal.wait_for("ensemble+", PATIENCE)
    terminal.settle()
    link = _link(terminal)
    os.kill(link, signal.SIGSTOP)
    terminal.wait_for("no answer for", PATIENCE)
    quietest, each = _typed(terminal)
    for _ in range(4):  # other work on this machine is no slowness of ours
        if quietest[5] <= KEY_MS:
            break
        quietest, each = min((quietest, each), _typed(terminal), key=lambda found: found[0][5])
    os.kill(link, signal.SIGCONT)
    yardstick.look()
    slowness = yardstick.slowness
    print(
        f"\nstalled link: a key takes {quietest[5]:.1f} ms to its first byte "
        f"(least {quietest[0]:.1f}, most {quietest[-1]:.1f}), {each:.1f} ms CPU; "
        f"this machine is {slowness:.2f} times slower than an idle one"
    )
    assert each <= KEY_MS * slowness and quietest[5] <= KEY_MS * slowness


@pytest.mark.parametrize("link", ["up", "stalled", "broken"])
@pytest.mark.parametrize("end", ["SIGHUP", "SIGTERM", "closed", "q"])
def test_leaving(
    store: Path, shown: Callable[[Path], Terminal], transport: Transport, link: str, end: str
) -> None:
    terminal = shown(store)
    terminal.wait_for("ensemble+", PATIENCE)
    terminal.settle()
    terminal.send("S")
    terminal.wait_for("#▼", PATIENCE)
    child = _link(terminal)
    if link != "up":
        os.kill(child, signal.SIGSTOP if link == "stalled" else signal.SIGKILL)
        terminal.wait_for("no answer for" if link == "stalled" else "reconnecting", PATIENCE)
    since = time.monotonic()
    if end == "closed":
        terminal.hang_up()
    elif end == "q":
        terminal.send("q")
    else:
        os.kill(terminal.pid, getattr(signal, end))
    code = terminal.wait()
    took = time.monotonic() - since
    print(f"\n{end}, link {link}: gone after {took:.2f} s")
    assert code is not None and took <= SECONDS
    if end != "closed":
        assert code == (0 if end == "q" else 128 + getattr(signal, end))
    words = transport.options(store)
    saved = json.loads(state.path_for(_named(words)).read_text())
    assert saved["boards"]["testbed"]["descending"]
    deadline = time.monotonic() + 10
    while Path(f"/proc/{child}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(f"/proc/{child}").exists()


def _named(options: tuple[str, ...]) -> Any:
    from augury.engine.service.link import Link

    return Link(parse(options[1], options[3]))


def test_a_command_prints_there_what_it_prints_here(
    store: Path, transport: Transport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_SSH", transport.ssh)
    far, here = list(transport.options(store)), ["--store", str(store)]
    for words in (["leaderboard", "testbed"], ["cells", "--format", "csv", "--limit", "50"]):
        said = CliRunner().invoke(main, [*far, *words])
        assert (
            said.exit_code == 0 and said.stdout == CliRunner().invoke(main, [*here, *words]).stdout
        )
    out = tmp_path / "board.parquet"
    said = CliRunner().invoke(main, [*far, "leaderboard", "testbed", "-o", str(out)])
    assert said.exit_code == 0 and out.read_bytes().startswith(b"PAR1")
    said = CliRunner().invoke(main, [*far, "status"])
    assert f"store {transport.host}:{store}" in said.stdout and "rseeded" in said.stdout
    said = CliRunner().invoke(main, [*far, "engine", "stop"])
    assert said.exit_code == 2 and f"ssh {transport.host}" in said.stderr


def test_what_cannot_be_reached_is_one_line(
    store: Path, transport: Transport, opened: Opened
) -> None:
    options = ("--ssh", f"{transport.host}:{store}", "--ssh-command", "/nowhere/augury")
    terminal = opened(None, env=transport.environment, options=options)
    assert terminal.wait(PATIENCE) == 1
    said = terminal.raw.decode().strip()
    assert "\n" not in said and "/nowhere/augury" in said and "--ssh-command" in said


@pytest.mark.sshd
def test_a_changed_host_key_is_told_in_ssh_s_words(
    store: Path, opened: Opened, tmp_path: Path
) -> None:
    with transports.sshd(tmp_path) as transport:
        known = tmp_path / "known"
        port, kind, _ = known.read_text().split()
        other = (tmp_path / "user.pub").read_text().split()[1]
        known.write_text(f"{port} {kind} {other}\n")
        terminal = opened(None, env=transport.environment, options=transport.options(store))
        assert terminal.wait(PATIENCE) == 1
    said = terminal.raw.decode().strip()
    assert "Host key verification failed." in said and "\n" not in said


def test_the_far_program_may_be_named_once_for_all(
    store: Path, transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_SSH", transport.ssh)
    monkeypatch.setenv("AUGURY_SSH_COMMAND", transport.program)
    said = CliRunner().invoke(main, ["--ssh", f"{transport.host}:{store}", "status"])
    assert said.exit_code == 0 and "rseeded" in said.stdout
    assert CliRunner().invoke(main, ["--store", str(store), "status"]).exit_code == 0


def test_a_store_that_is_not_there_is_said_there_too(
    transport: Transport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_SSH", transport.ssh)
    far = transport.options(tmp_path / "none")
    for words in (["leaderboard", "testbed"], ["status"], ["retry", "--failed"]):
        said = CliRunner().invoke(main, [*far, *words])
        assert said.exit_code == 2 and "no store at" in said.output, said.output
    assert not (tmp_path / "none").exists()

"""Where `--ssh` leads, and what is said when it leads nowhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from augury.engine.errors import EngineError, UsageError
from augury.engine.hello import PROTOCOL, code_version
from augury.engine.service import dial
from augury.engine.service.dial import Address, parse
from augury.engine.service.link import Link


@pytest.mark.parametrize(
    ("text", "host", "directory"),
    [
        ("gpu1", "gpu1", ""),
        ("ann@gpu1", "ann@gpu1", ""),
        ("gpu1:/data/bench", "gpu1", "/data/bench"),
        ("ann@gpu1:~/a b:c", "ann@gpu1", "~/a b:c"),
        ("gpu1:", "gpu1", ""),
        ("[::1]:/x", "[::1]", "/x"),
        ("ann@[fe80::1%eth0]", "ann@[fe80::1%eth0]", ""),
    ],
)
def test_addresses(text: str, host: str, directory: str) -> None:
    found = parse(text)
    assert (found.host, found.directory) == (host, directory)


@pytest.mark.parametrize("text", ["", "-oProxyCommand=x", ":/data", "a b", "@", "a@", "::1"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(UsageError, match=r"HOST\[:DIR\]"):
        parse(text)


def test_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUGURY_SSH", raising=False)
    words = Address("ann@[::1]", "~/it's here", "env/bin/augury").command(quiet=True)
    assert words[:2] == ["ssh", "-T"] and "BatchMode=yes" in words
    assert words[-3:-1] == ["--", "ann@::1"]
    assert words[-1] == "env/bin/augury bridge --store '~/it'\"'\"'s here'"
    assert "BatchMode=no" in Address("a").command(quiet=False)


def test_ssh_may_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGURY_SSH", "ssh -F 'my config'")
    assert Address("a").command(quiet=True)[:4] == ["ssh", "-F", "my config", "-T"]


def _answering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> Link:
    """A link to a machine where this Python program runs whatever is called."""
    script = tmp_path / "ssh.py"
    script.write_text(program)
    monkeypatch.setenv("AUGURY_SSH", f"{sys.executable} -P {script}")
    return Link(Address("far"))


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("import sys; print('No host key is known.\\r', file=sys.stderr)\n"
         "print('Host key verification failed.\\r', file=sys.stderr); sys.exit(255)",
         "cannot reach far: No host key is known; Host key verification failed. Try by itself: "),
        ("import sys; print('sh: 1: augury: not found', file=sys.stderr); sys.exit(127)",
         "far cannot run augury (sh: 1: augury: not found): install Augury there, or give its "
         "path there with --ssh-command."),
        ("import sys; print(\"augury: unknown command 'bridge'\", file=sys.stderr); sys.exit(2)",
         "the Augury on far is older than `augury bridge`: update it."),
        ("import sys; print('augury: /x is no directory.', file=sys.stderr); sys.exit(1)",
         "far: /x is no directory."),
        ("print('welcome'); "
         "print('{\"augury-bridge\": {\"protocol\": 99, \"version\": \"9.1\"}}')",
         f"far has Augury 9.1 (protocol 99), this is {code_version()} (protocol {PROTOCOL}): "
         "install the same at both ends."),
        ("print('{\"augury-bridge\": 3}')", "far answers, but not as Augury does."),
        ("import sys; sys.exit(255)", "cannot reach far: ssh gave no reason."),
        ("print('x' * 200_000)", "far: the bridge ended with status"),
    ],
)  # fmt: skip
def test_refusals_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, told: str
) -> None:
    link = _answering(tmp_path, monkeypatch, program.replace('bridge": ', 'bridge":'))
    with pytest.raises(EngineError) as caught:
        link.dial(quiet=True)
    assert caught.value.message.startswith(told) and "\n" not in caught.value.message


def test_no_ssh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGURY_SSH", "/nowhere/ssh")
    with pytest.raises(EngineError, match="cannot run /nowhere/ssh: No such file"):
        Link(Address("far")).dial(quiet=True)


def test_what_a_log_in_script_prints_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    greeting = json.dumps(
        {"augury-bridge": {"protocol": PROTOCOL, "version": "7"}}, separators=(",", ":")
    )
    program = f"import sys\nprint('Welcome!\\n{greeting}', flush=True)\nsys.stdin.read()"
    link = _answering(tmp_path, monkeypatch, program)
    link.dial(quiet=True)
    assert link.far["version"] == "7" and not link.same_sources
    assert "far has Augury 7, this is" in link.advice()
    link.close()


def test_a_command_line_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGURY_SSH", "ssh 'x")
    with pytest.raises(UsageError, match="AUGURY_SSH=.* is no command line"):
        Link(Address("far")).dial(quiet=True)


def test_a_person_is_told_that_it_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dial, "SLOW_SECONDS", 0.05)
    link = _answering(tmp_path, monkeypatch, "import sys; sys.stdin.read()")
    told = Event()
    dialling = Thread(target=_ignored, args=(link, told.set))
    dialling.start()
    assert told.wait(60)
    link.close()
    dialling.join(60)
    assert not dialling.is_alive()


def _ignored(link: Link, slow: Callable[[], None]) -> None:
    with suppress(EngineError):
        link.dial(quiet=False, slow=slow)

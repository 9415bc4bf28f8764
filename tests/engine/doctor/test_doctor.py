"""Whatever is broken, the doctor says so in lines; it never breaks itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.main import main
from augury.engine.doctor import machine, report, store, terminal
from augury.engine.doctor.finding import Finding
from augury.engine.paths import config_file, store_directory
from augury.engine.service.lock import EngineLock
from tests.pty import transports


@pytest.fixture(autouse=True)
def _no_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    """A JAX that answers at once."""
    answer = "import json; print(json.dumps(['9.9', [['cpu', 'cpu'], ['gpu', 'H200']]]))"
    monkeypatch.setattr(machine, "_ASK_JAX", answer)


def _asked(*words: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *words])


def _found(area: str) -> list[Finding]:
    return [found for found in report.report(store_directory()) if found.area == area]


def _one(area: str) -> Finding:
    (found,) = _found(area)
    return found


def test_a_sound_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGURY_CPU", "1")
    said = _asked()
    assert said.exit_code == 0
    lines = [line for line in said.stdout.splitlines() if not line.startswith(" ")]
    assert {line.split()[0] for line in lines} <= {"ok", "warn"}
    assert "JAX 9.9: 1 x cpu, 1 x H200" in said.stdout and "augury run quick" in said.stdout


def test_json_has_what_the_text_has() -> None:
    said = _asked("--json")
    found = json.loads(said.stdout)
    assert {"area", "state", "text", "advice"} == set(found[0])
    assert {"terminal", "store", "engine", "python", "devices", "data"} <= {
        one["area"] for one in found
    }


def test_a_store_that_is_no_store() -> None:
    store_directory().mkdir()
    (store_directory() / "results.duckdb").write_bytes(b"not a database" * 1000)
    said = _asked()
    assert said.exit_code == 1 and "Traceback" not in said.stdout + said.stderr
    assert _one("store").state == "fail" and "no DuckDB file" in _one("store").text


def test_a_store_that_is_a_file() -> None:
    store_directory().write_text("")
    assert _asked().exit_code == 1
    assert _one("store").advice == "give --store a directory"


def test_a_store_with_numbers(store: Path) -> None:
    found = _one("store")
    assert found.state == "ok" and "1 run" in found.text and str(store) in found.text


def test_a_lock_without_an_engine(store: Path) -> None:
    code = (
        "import sys, pathlib; from augury.engine.service.lock import EngineLock\n"
        "assert EngineLock(pathlib.Path(sys.argv[1])).acquire(); print(flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code, str(store)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as holder:  # fmt: skip
        assert holder.stdout is not None and holder.stdin is not None
        holder.stdout.readline()
        assert "does not answer" in _one("engine").text and _one("engine").state == "fail"
        holder.stdin.close()
    assert _one("engine").state == "ok"
    EngineLock(store)


def test_the_last_words_of_an_engine() -> None:
    store_directory().mkdir()
    (store_directory() / "engine.log").write_text("2026-01-01T00:00:00.000Z ERROR disk on fire\n")
    ok, warn = _found("engine")
    assert ok.state == "ok" and warn.state == "warn" and "disk on fire" in warn.text


@pytest.mark.parametrize(
    ("free", "state"), [(100 << 20, "fail"), (1 << 30, "warn"), (50 << 30, "ok")]
)
def test_free_disk(free: int, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": free})
    monkeypatch.setattr(store.shutil, "disk_usage", lambda path: usage)
    assert _one("disk").state == state


@pytest.mark.parametrize(
    ("kind", "state"), [("nfs4", "warn"), ("tmpfs", "warn"), ("ext4", "ok"), ("", "ok")]
)
def test_kinds_of_disk(kind: str, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_kind", lambda path: kind)
    assert _one("file system").state == state


def test_jax_that_dies_or_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_ASK_JAX", "raise SystemExit('no libcuda')")
    assert _one("devices").text == "JAX does not start: no libcuda"
    monkeypatch.setattr(machine, "_ASK_JAX", "import time; time.sleep(60)")
    monkeypatch.setattr(machine, "DEVICE_SECONDS", 0.2)
    assert "did not answer" in _one("devices").text


@pytest.mark.parametrize("text", ['theme = "pink"', '[keys]\napp.qit = "Q"', "[[["])
def test_preferences_that_the_application_refuses(text: str) -> None:
    assert _one("preferences").state == "ok"
    path = config_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    found = _one("preferences")
    assert found.state == "fail" and str(path) in found.text and str(path) in found.advice
    assert _asked().exit_code == 1


def test_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUGURY_DATA", raising=False)
    assert _one("data").state in ("ok", "warn")
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path / "none"))
    assert _one("data").state == "fail"


@pytest.mark.parametrize("term", ["dumb", "", "xterm-256color"])
def test_terminals(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    for stream in ("stdin", "stdout"):
        there = type("Stream", (), {"isatty": lambda self: True, "encoding": "ascii"})()
        monkeypatch.setattr(terminal.sys, stream, there)
    monkeypatch.setattr(terminal.shutil, "get_terminal_size", lambda: (40, 10))
    monkeypatch.setenv("TMUX", "/tmp/x")
    monkeypatch.setenv("PATH", "/nowhere")
    found = {one.area: one for one in terminal.check(Path())}
    assert found["terminal"].state == ("ok" if term == "xterm-256color" else "warn")
    assert found["colours"].text.startswith("256" if "256" in term else "none")
    assert found["size"].text == "40 x 10" and found["size"].state == "warn"
    assert found["locale"].state == "warn" and found["clipboard"].state == "warn"


def test_a_check_that_breaks_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(path: Path) -> Iterator[Finding]:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(report, "CHECKS", {"broken": breaks})
    said = _asked()
    assert said.exit_code == 1
    assert said.stdout == "fail  broken       could not be looked at (RuntimeError: two lines)\n"


def test_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert [one.state for one in machine.check_places(tmp_path)] == ["warn", "ok"]


def test_the_doctor_imports_no_jax() -> None:
    code = "import sys, augury.engine.doctor.report; print('jax' in sys.modules)"
    said = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=True)
    assert said.stdout.strip() == b"False" and os.environ


@pytest.mark.parametrize(
    ("given", "state", "told"),
    [
        ("", "ok", "ssh"),
        ("ssh -p 22", "ok", "ssh -p 22"),
        ("no-such-ssh", "warn", "no-such-ssh is not on the PATH"),
        ("ssh 'x", "warn", "No closing quotation"),
    ],
)
def test_ssh(given: str, state: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGURY_SSH", given)
    found = _one("ssh")
    assert (found.state, told in found.text, bool(found.advice)) == (state, True, state != "ok")


def test_a_far_store_is_looked_at_where_it_is(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transport = transports.direct()
    monkeypatch.setenv("AUGURY_SSH", transport.ssh)
    far = [*transport.options(store), "doctor", "--json"]
    said = CliRunner().invoke(main, far)
    areas = {one["area"]: one for one in json.loads(said.stdout)}
    assert {"terminal", "ssh", "link"} <= set(areas) and "store" not in areas
    assert areas["link"]["state"] == "ok"
    told = areas[f"{transport.host}: store"]["text"]
    assert str(store) in told and "1 run" in told
    monkeypatch.setenv("AUGURY_SSH", "false")
    said = CliRunner().invoke(main, far)
    assert said.exit_code == 1 and json.loads(said.stdout)[-1]["area"] == "link"

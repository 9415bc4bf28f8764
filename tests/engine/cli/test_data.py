"""`augury data`: what is here, fetched, verified, and where it lies."""

from __future__ import annotations

import fcntl
import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.catalog.datasets import DATASETS
from augury.engine.cli.data import listing
from augury.engine.cli.fetching import FetchProgress
from augury.engine.cli.main import main
from augury.engine.cli.wording import size
from augury.engine.datasets.fetch import Step
from augury.engine.datasets.places import scratch
from tests.engine.datasets.web import CONTENT, Web, card_of, file_of, serving


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as server:
        yield server


@pytest.fixture(autouse=True)
def home(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of two files that a server has; the folder where they belong."""
    card = card_of(
        file_of("a.bin", CONTENT, web.put("a.bin", CONTENT)),
        file_of("b.bin", b"two", web.put("b.bin", b"two")),
    )
    monkeypatch.setitem(DATASETS, "numbers", card)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "augury" / "data" / "numbers"


def call(words: str) -> Result:
    return CliRunner().invoke(main, shlex.split(words), prog_name="augury")


def test_the_list_has_a_line_for_each_set() -> None:
    lines = call("data list").stdout.splitlines()
    assert lines[0].split() == ["data", "set", "state", "size", "rows", "sha256", "sweeps",
                                "licence"]  # fmt: skip
    found = {line.split()[0]: " ".join(line.split()) for line in lines[1:]}
    assert list(found) == list(DATASETS)
    sweeps = "real,real-regimes,real-regimes-more,real-quick"
    assert found["iris"] == f"iris here 4.6 kB 150 6f608b71a731 {sweeps} CC BY 4.0"
    assert "absent 247 MB 70,000" in found["mnist_corrupted/shot_noise"]
    assert "440fcabf73cc and 3 more" in found["mnist"]
    assert len(call("data list iris mnist").stdout.splitlines()) == 3


def test_the_list_as_json_has_every_file() -> None:
    cards = {card["name"]: card for card in json.loads(call("data list --json").stdout)}
    assert set(cards) == set(DATASETS)
    letters = cards["emnist/letters"]
    assert letters["all_test"] == 20_800 and "test_rows=all" in letters["note"]
    assert letters["files"][0]["urls"] == letters["files"][-1]["urls"]
    assert letters["files"][0]["sha256"] == DATASETS["emnist/letters"].files[0].sha256
    assert cards["iris"]["state"] == "here" and cards["iris"]["missing"] == []


def test_fetch_prints_where_it_lies(web: Web, home: Path) -> None:
    result = call("data fetch numbers")
    assert (result.exit_code, result.stdout) == (0, f"{home}\n")
    assert result.stderr == "numbers: fetched and verified.\n"
    again = call("data fetch numbers iris")
    assert again.stdout.splitlines() == [str(home), call("data path iris").stdout.strip()]
    assert "numbers: was here already, and is right.\niris: shipped" in again.stderr
    assert len(web.asked) == 2 and call("data path numbers").stdout == f"{home}\n"


def test_fetch_into_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = tmp_path / "there"
    assert call(f"data fetch numbers --to {there}").stdout == f"{there / 'numbers'}\n"
    assert call("data verify numbers").exit_code == 1
    monkeypatch.setenv("AUGURY_DATA", str(there))
    assert call("data verify numbers").stdout == "numbers  right\n"


def test_what_cannot_be_fetched_is_one_line_each(web: Web, home: Path) -> None:
    web.files.clear()
    result = call("data fetch numbers")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith("augury: data set numbers: a.bin could not be fetched: http")
    assert DATASETS["numbers"].files[0].sha256 in result.stderr and str(home) in result.stderr
    both = call("data fetch numbers iris numbers")
    assert both.exit_code == 1 and both.stderr.count("could not be fetched") == 2
    assert both.stdout.count("\n") == 1  # the others are fetched all the same


def test_an_interrupted_fetch_is_listed_and_gone_on_with(web: Web, home: Path) -> None:
    web.put("a.bin", CONTENT, cuts=[2 << 20, 0, 0])
    assert call("data fetch numbers").exit_code == 1
    assert "part   2.1 MB of 3.1 MB" in call("data list numbers").stdout
    web.put("a.bin", CONTENT)
    result = call("data fetch numbers")
    assert result.exit_code == 0 and "going on with a.bin from 2.1 MB" in result.stderr


def test_verify_reads_every_byte(home: Path) -> None:
    result = call("data verify")
    assert result.exit_code == 0 and result.stderr == ""
    told = dict(line.split() for line in result.stdout.splitlines())
    assert told["iris"] == "right" and told["numbers"] == "absent"
    call("data fetch numbers")
    (home / "b.bin").write_bytes(b"owt")
    result = call("data verify numbers iris")
    assert result.exit_code == 1 and result.stdout.split() == ["iris", "right"]
    assert result.stderr.startswith(f"augury: data file {home / 'b.bin'} is damaged")
    assert call("data fetch numbers").exit_code == 0 and call("data verify").exit_code == 0


def test_path_of_what_is_not_here(home: Path) -> None:
    result = call("data path numbers")
    assert (result.exit_code, result.stdout) == (0, f"{home}\n")
    assert "numbers is not here" in result.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("data", "Missing argument"),
        ("data eat", "'eat'"),
        ("data path", "takes names"),
        ("data fetch", "--all (565 MB)"),
        ("data fetch iris --all", "--all (565 MB)"),
        ("data list --all", "--all goes with `augury data fetch`"),
        ("data verify --to x", "--to goes with `augury data fetch`"),
        ("data fetch iris --json", "--json goes with `augury data list`"),
        ("data fetch emnist", "emnist is several data sets: emnist/digits, emnist/letters."),
        ("data path irsi", "Did you mean 'iris'"),
        ("--ssh host data list", "ssh host augury data"),
    ],
)
def test_usage(words: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(DATASETS, "numbers")
    result = call(words)
    assert result.exit_code == 2 and result.stdout == "" and why in result.stderr


def test_progress_in_a_log_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 1.0, 6.0, 7.0, 8.0])
    monkeypatch.setattr("augury.engine.cli.fetching.time.monotonic", lambda: next(clock))
    tell = FetchProgress("numbers")
    for done in (0, 1_000, 3_000, 4_000, 9_000):
        tell(Step("a.bin", done, 9_000))
    tell.close()
    assert capsys.readouterr().err == "numbers: a.bin 3.0 kB of 9.0 kB, 12 s left\n"


def test_progress_in_a_terminal_is_one_line_that_goes_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augury.engine.cli.fetching.moves_cursor", lambda stream: True)
    tell = FetchProgress("numbers")
    tell(Step("", 0, 0, is_waiting=True))
    tell(Step("", 0, 0, is_waiting=True))
    tell(Step("a.bin", 0, 9_000))
    tell.close()
    told = capsys.readouterr().err
    assert told == (
        "numbers: another process is fetching it; waiting.\n"
        "\rnumbers: a.bin 0 B of 9.0 kB\x1b[K\r\x1b[K"
    )


def test_sizes() -> None:
    sizes = (0, 999, 1_000, 99_949, 264_426, 999_600, 11_594_722, 2_918_471_680)
    assert [size(number) for number in sizes] == [
        "0 B", "999 B", "1.0 kB", "99.9 kB", "264 kB", "1.0 MB", "11.6 MB", "2.9 GB",
    ]  # fmt: skip


def test_the_list_fits_a_terminal_and_a_pipe_gets_all_of_it() -> None:
    names = tuple(name for name in DATASETS if name != "numbers")
    whole = listing(names, None)
    cut = listing(names, 140)
    assert max(map(len, whole)) > 200 and max(map(len, cut)) <= 140
    assert [line.split()[:4] for line in cut] == [line.split()[:4] for line in whole]
    assert any("~" in line for line in cut) and not any("~" in line for line in whole)


def test_an_interrupt_ends_the_wait_for_another_process() -> None:
    place = scratch("mnist", DATASETS["mnist"])
    place.mkdir(parents=True)
    with (place / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        command = [sys.executable, "-P", "-m", "augury", "data", "fetch", "mnist"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == "mnist: another process is fetching it; waiting.\n"
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1].strip()
            assert (said, process.returncode) == ("", 130)

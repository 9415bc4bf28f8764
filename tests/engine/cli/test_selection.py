"""The words of `augury run`."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from augury.engine.cli.selection import (
    checked,
    command_text,
    parse_seeds,
    problem_file,
    selected_boards,
    subjects_of,
)
from augury.engine.cli.tuning import with_tuned
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand


def write_arrays(path: Path, **changes: np.ndarray) -> None:
    wide = {"w0": np.zeros((2, 3)), "w1": np.zeros((3, 3)), "w2": np.zeros((3, 2))}
    biases = {"b0": np.zeros(3), "b1": np.zeros(3), "b2": np.zeros(2)}
    rows = {"train_x": np.zeros((4, 2)), "train_y": np.zeros(4), "temperature": np.ones(())}
    np.savez(path, allow_pickle=False, **{**rows, **wide, **biases, **changes})


@pytest.mark.parametrize(
    ("text", "seeds"),
    [
        ("0", (0,)),
        ("0-4", (0, 1, 2, 3, 4)),
        ("5,0,2", (0, 2, 5)),
        ("0-2, 2-3,2", (0, 1, 2, 3)),
        (" 7 - 8 ", (7, 8)),
    ],
)
def test_seeds(text: str, seeds: tuple[int, ...]) -> None:
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize("text", ["", ",", "-1", "1-", "a", "1.5", "3-1", "0-10001", "1e3", "٣"])
def test_wrong_seeds(text: str) -> None:
    with pytest.raises(UsageError):
        parse_seeds(text)


def test_a_problem_file_is_named_hashed_and_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_arrays(tmp_path / "My Own.npz")
    monkeypatch.chdir(tmp_path)
    name, digest, path = problem_file("My Own.npz")
    assert (name, path) == ("my-own", str(tmp_path / "My Own.npz"))
    assert len(digest) == 16
    selection = Selection(("testbed",), ("mlp",), problem_files=((name, digest, path),))
    (planned,) = expand(checked(selection))
    assert planned.cell.problem == f"testbed/file-my-own-{digest}/e0"
    (shown,) = selected_boards(checked(selection))  # of this file, not of all that ever were
    assert shown.params()["filter"] == f"setting=file-my-own-{digest}"
    assert shown.options()[-2:] == ["--filter", f"setting=file-my-own-{digest}"]


def test_a_problem_file_is_checked_before_anything_starts(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", allow_pickle=False, train_x=np.zeros((4, 2)))
    with pytest.raises(UsageError, match=r"^--problem .*missing: train_y, .*Needed: train_x"):
        problem_file(str(tmp_path / "a.npz"))
    write_arrays(tmp_path / "b.npz", train_y=np.full(4, 2))
    with pytest.raises(UsageError, match="train_y must hold whole numbers from 0 to 1"):
        problem_file(str(tmp_path / "b.npz"))


def test_a_problem_file_needs_a_testbed_sweep() -> None:
    files = (("a", "00", "/a.npz"),)
    with pytest.raises(UsageError, match="needs a testbed sweep"):
        checked(Selection(("mi",), problem_files=files))


@pytest.mark.parametrize("subjects", [(), ("uniform",), ("posterior",)])
@pytest.mark.parametrize("what", [("coins",), ("logistic",), ("testbed-quick", "coins")])
def test_a_study_takes_no_problem_file(what: tuple[str, ...], subjects: tuple[str, ...]) -> None:
    """Its agents would take a network's inputs for numbers of coins."""
    files = (("a", "00", "/a.npz"),)
    with pytest.raises(UsageError, match="(coins|logistic) is a study, .* goes with testbed"):
        checked(Selection(what, subjects, scale="smoke", problem_files=files))


def test_tuned_configs_are_not_for_a_problem_file(tmp_path: Path) -> None:
    files = (("a", "00", "/a.npz"),)
    with pytest.raises(UsageError, match="^--config best does not go with --problem"):
        with_tuned(tmp_path, Selection(("testbed",), ("mlp",), problem_files=files, config="best"))


def test_an_agent_from_a_file_keeps_its_place_in_the_command(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def make_agent():\n    raise RuntimeError('not to be imported here')\n")
    names, outside = subjects_of(["mlp", f"{file}:make_agent"])
    assert names == ("mlp", "mine.make_agent")
    assert outside[0][2] == f"{file}:make_agent"
    selection = Selection(("testbed",), names, outside=outside)
    assert f"--agent mlp,{file}:make_agent" in command_text(selection)


def test_the_command_text_asks_for_the_same() -> None:
    selection = Selection(
        ("testbed-2d", "mi"), ("mlp", "dv"), (0, 1, 2, 5), "smoke", ("mlp.hidden=[5, 5]",)
    )
    words = shlex.split(command_text(selection))
    assert words == [
        "augury", "run", "testbed-2d", "mi", "--agent", "mlp,dv", "--seeds", "0-2,5",
        "--scale", "smoke", "--set", "mlp.hidden=[5, 5]",
    ]  # fmt: skip
    assert parse_seeds(words[7]) == selection.seeds


def test_the_boards_that_a_selection_fills() -> None:
    boards = selected_boards(Selection(("quick",)))
    assert [(b.scenario, b.sweep, b.scale) for b in boards] == [
        ("testbed", "testbed-quick", "quick"),
        ("real", "real-quick", "quick"),
        ("ppc", "ppc-quick", "quick"),
        ("mi", "mi-quick", "quick"),
    ]


def test_a_board_of_changed_settings_is_asked_for_by_them() -> None:
    plain = Selection(("testbed-quick",), ("mlp",), scale="smoke")
    (board,) = selected_boards(plain)
    assert board.options() == ["testbed", "--sweep", "testbed-quick", "--scale", "smoke"]
    (other,) = selected_boards(replace(plain, overrides=("testbed.num_epistemic=7",)))
    assert other != board
    assert '"num_epistemic":7' in other.options()[-1]

"""Environments in files: what is accepted, what is refused and how."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.errors import UsageError
from augury.engine.problems.environment_file import describe, load


def content(**changes) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    arrays = {
        "train_x": rng.normal(size=(6, 3)),
        "train_y": np.array([0, 1, 0, 1, 1, 0]),
        "temperature": np.float64(0.1),
        "w0": rng.normal(size=(3, 4)),
        "b0": np.zeros(4),
        "w1": rng.normal(size=(4, 5)),
        "b1": np.zeros(5),
        "w2": rng.normal(size=(5, 2)),
        "b2": np.zeros(2),
        "test_tau2_kappa0_x": rng.normal(size=(3, 2, 3)),
        "test_tau2_kappa0_y": np.ones((3, 2, 1), np.int8),
    }
    return {k: v for k, v in {**arrays, **changes}.items() if v is not None}


def written(path: Path, **changes) -> Path:
    np.savez(path, allow_pickle=False, **content(**changes))
    return path


def test_round_trip(tmp_path: Path) -> None:
    path = written(tmp_path / "My Env-1.npz")
    name, digest = describe(path)
    assert name == "my_env_1" and len(digest) == 16
    file = load(path, digest)
    assert file.train_x.dtype == np.float32 and file.train_y.shape == (6,)
    assert file.num_classes == 2 and file.temperature == 0.1
    assert list(file.draws) == [(2, 0)] and file.draws[2, 0][1].shape == (3, 2)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"w1": None}, "arrays missing: w1"),
        ({"train_x": np.zeros((6, 2))}, r"train_x must be \[n, 3\]"),
        ({"train_x": np.full((6, 3), np.nan)}, "train_x must hold finite numbers"),
        ({"train_y": np.array([0, 1, 2, 0, 0, 0])}, "train_y must hold whole numbers from 0 to 1"),
        ({"train_y": np.full(6, 0.5)}, "train_y must hold whole numbers"),
        ({"train_y": np.zeros(5)}, r"train_y must be \[6\]"),
        ({"temperature": np.float64(0)}, "temperature must be one positive number"),
        ({"temperature": np.array(["a"])}, "temperature must hold finite numbers"),
        ({"w1": np.zeros((3, 5))}, r"w1 must be \[4, outputs\]"),
        ({"b2": np.zeros(3)}, r"b2 must be \[2\]"),
        ({"w2": np.zeros((5, 1)), "b2": np.zeros(1)}, "at least two outputs"),
        ({"test_tau2_kappa0_y": None}, "test_tau2_kappa0_y is missing"),
        ({"test_tau2_kappa0_x": np.zeros((3, 3, 3))}, r"must be \[J, 2, 3\]"),
        ({"test_tau2_kappa0_y": np.full((3, 2), 7)}, "from 0 to 1"),
    ],
)
def test_refusals_are_one_line(tmp_path: Path, changes, words: str) -> None:
    path = written(tmp_path / "env.npz", **changes)
    with pytest.raises(UsageError, match=words) as caught:
        describe(path)
    assert "\n" not in caught.value.message and "env.npz" in caught.value.message


def test_no_such_file_and_no_such_format(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        describe(tmp_path / "none.npz")
    for bad in (b"", b"hello", b"PK\x03\x04 torn"):
        (tmp_path / "bad.npz").write_bytes(bad)
        with pytest.raises(UsageError, match="not an .npz file"):
            describe(tmp_path / "bad.npz")
    np.save(tmp_path / "one.npy", np.zeros(3))
    with pytest.raises(UsageError, match="not an .npz file"):
        describe(tmp_path / "one.npy")


def test_changed_since_planned(tmp_path: Path) -> None:
    path = written(tmp_path / "env.npz")
    _, digest = describe(path)
    written(path, temperature=np.float64(0.2))
    with pytest.raises(UsageError, match="bytes have changed"):
        load(path, digest)


def test_without_jax() -> None:
    code = "import sys, augury.engine.problems.environment_file; print('jax' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"

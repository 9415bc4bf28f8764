"""Environments in files: what is accepted, what is refused and how."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.errors import ChangedError, UsageError
from augury.engine.problems import environment_file
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
        ({"train_x": np.full((6, 3), 1e300)}, "fit 32-bit floats"),
        ({"temperature": np.float64(1e-60)}, "temperature must be one positive number"),
        ({"temperature": np.array(["a"])}, "temperature must hold finite numbers"),
        ({"w1": np.zeros((3, 5))}, r"w1 must be \[4, outputs\]"),
        ({"b2": np.zeros(3)}, r"b2 must be \[2\]"),
        ({"w2": np.zeros((5, 1)), "b2": np.zeros(1)}, "at least two outputs"),
        ({"test_tau2_kappa0_y": None}, "test_tau2_kappa0_y is missing"),
        ({"test_tau2_kappa0_x": np.zeros((3, 3, 3))}, r"must be \[J, 2, 3\]"),
        ({"test_tau2_kappa0_y": np.full((3, 2), 7)}, "from 0 to 1"),
        ({"test_tau02_kappa0_x": np.zeros((3, 2, 3))}, "test draws are named"),
        ({f"test_tau{'9' * 5000}_kappa0_x": np.zeros(1)}, "test draws are named"),
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


def _archive(path: Path, train_x: bytes, method: int = zipfile.ZIP_STORED) -> Path:
    written(path)
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    members["train_x.npy"] = train_x or members["train_x.npy"]
    with zipfile.ZipFile(path, "w", method) as new:
        for name, data in members.items():
            new.writestr(name, data)
    return path


def _array_file(shape: str, data: bytes = b"") -> bytes:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data


@pytest.mark.parametrize(
    "train_x",
    [_array_file("((((("), _array_file("(10000000000000, 2)"), _array_file(f"({10**20}, 2)"),
     _array_file("(-6, 3)"), b"hello"],
)  # fmt: skip
def test_damaged_arrays(tmp_path: Path, train_x: bytes) -> None:
    with pytest.raises(UsageError, match="not an"):
        describe(_archive(tmp_path / "env.npz", train_x))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_damaged_compression(tmp_path: Path, method: int) -> None:
    path = _archive(tmp_path / "env.npz", b"", method)
    torn = bytearray(path.read_bytes())
    torn[60:90] = b"\xff" * 30
    path.write_bytes(torn)
    with pytest.raises(UsageError, match="not an .npz file"):
        describe(path)


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment_file, "MOST_BYTES", 1 << 20)
    zeros = _array_file("(500000, 3)", bytes(6_000_000))
    path = _archive(tmp_path / "env.npz", zeros, zipfile.ZIP_DEFLATED)
    with pytest.raises(UsageError, match="its arrays take more than"):
        describe(path)


def test_objects_are_refused_and_others_left_packed(tmp_path: Path) -> None:
    things = np.array([{}] * 6, object)
    np.savez(tmp_path / "env.npz", **content(train_y=things))
    with pytest.raises(UsageError, match="not an .npz file of arrays"):
        describe(tmp_path / "env.npz")
    np.savez(tmp_path / "env.npz", **content(notes=things))
    assert describe(tmp_path / "env.npz")[0] == "env"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "env.npz")
    with pytest.raises(UsageError, match="not a regular file"):
        describe(tmp_path / "env.npz")


def test_changed_since_planned(tmp_path: Path) -> None:
    path = written(tmp_path / "env.npz")
    _, digest = describe(path)
    written(path, temperature=np.float64(0.2))
    with pytest.raises(ChangedError, match="bytes have changed"):
        load(path, digest)


def test_without_jax() -> None:
    code = "import sys, augury.engine.problems.environment_file; print('jax' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"

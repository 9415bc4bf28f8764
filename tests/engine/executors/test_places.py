from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from augury.engine.errors import UsageError
from augury.engine.executors import gpu_lock, places

UUIDS = ("GPU-0a-1", "GPU-0b-2")


@pytest.fixture
def gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with two GPUs and a JAX that can use them."""
    tool = tmp_path / "nvidia-smi"
    lines = "\\n".join(f"GPU {n}: NVIDIA H200 (UUID: {u})" for n, u in enumerate(UUIDS))
    tool.write_text(f"#!/bin/sh\nprintf '{lines}\\n'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(places, "_cuda_jax", lambda: True)
    for name in ("AUGURY_CPU", "AUGURY_WORKERS", "CUDA_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)


def test_one_worker_for_each_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGURY_CPU", "1")
    monkeypatch.delenv("AUGURY_WORKERS", raising=False)
    monkeypatch.setenv("XLA_FLAGS", "--mine=1")
    found = places.find_places()
    assert [place.core for place in found] == sorted(os.sched_getaffinity(0))
    assert found[0].environment["OMP_NUM_THREADS"] == "1"
    assert found[0].environment["JAX_PLATFORMS"] == "cpu"
    assert found[0].environment["XLA_FLAGS"] == "--mine=1 --xla_cpu_multi_thread_eigen=false"


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5"])
def test_numbers_of_workers(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("AUGURY_CPU", "1")
    monkeypatch.setenv("AUGURY_WORKERS", "5")
    assert [p.name for p in places.find_places()] == ["cpu0", "cpu1", "cpu2", "cpu3", "cpu4"]
    monkeypatch.setenv("AUGURY_WORKERS", text)
    with pytest.raises(UsageError, match="AUGURY_WORKERS"):
        places.find_places()


def test_one_worker_for_each_gpu(gpus: None) -> None:
    found = places.find_places()
    assert [(p.name, p.gpu) for p in found] == [("gpu0", UUIDS[0]), ("gpu1", UUIDS[1])]
    assert [p.environment["CUDA_VISIBLE_DEVICES"] for p in found] == list(UUIDS)
    assert found[0].environment["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"
    assert "JAX_PLATFORMS" not in found[0].environment
    # Else JAX would round to TF32 what is stored as float32.
    assert found[0].environment["JAX_DEFAULT_MATMUL_PRECISION"] == "highest"


@pytest.mark.parametrize(
    ("visible", "wanted"),
    [("1", (UUIDS[1],)), ("1,0", UUIDS[::-1]), ("GPU-0b", (UUIDS[1],)), ("", ()), ("7", ())],
)
def test_hidden_gpus_stay_hidden(
    gpus: None, monkeypatch: pytest.MonkeyPatch, visible: str, wanted: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert tuple(p.gpu for p in places.find_places() if p.gpu) == wanted


def test_the_cpu_can_be_asked_for(gpus: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGURY_CPU", "1")
    assert all(not place.gpu for place in places.find_places())
    monkeypatch.delenv("AUGURY_CPU")
    monkeypatch.setattr(places, "_cuda_jax", lambda: False)
    assert all(not place.gpu for place in places.find_places())


def test_a_gpu_is_taken_once_until_its_holder_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_lock, "directory", lambda: tmp_path / "queue")
    first = gpu_lock.take(UUIDS[0])
    assert first is not None
    assert gpu_lock.take(UUIDS[0]) is None
    other = gpu_lock.take(UUIDS[1])
    assert other is not None
    copy = os.dup(first)  # as the worker has it
    os.close(first)
    assert gpu_lock.take(UUIDS[0]) is None
    os.close(copy)
    again = gpu_lock.take(UUIDS[0])
    assert again is not None
    os.close(again)
    os.close(other)
    assert stat.S_IMODE((tmp_path / "queue").stat().st_mode) == 0o1777

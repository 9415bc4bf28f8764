"""A GPU that lies idle is mentioned, once, unless that was asked for."""

import os

import pytest

from augury.engine.executors import places


@pytest.fixture
def visible(monkeypatch, tmp_path):
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\necho 'GPU 0: Some (UUID: GPU-0123-abcd)'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("AUGURY_CPU", raising=False)
    monkeypatch.setattr(places, "_cuda_jax", lambda: False)


def test_cpu_only_jax_beside_a_gpu(visible):
    assert 'install "augury[cuda]"' in places.idle_gpu()
    assert all(place.name.startswith("cpu") for place in places.find_places())


def test_not_when_it_was_asked_for(visible, monkeypatch):
    monkeypatch.setenv("AUGURY_CPU", "1")
    assert not places.idle_gpu()


def test_not_when_jax_can_use_it(visible, monkeypatch):
    monkeypatch.setattr(places, "_cuda_jax", lambda: True)
    assert not places.idle_gpu()
    assert [place.gpu for place in places.find_places()] == ["GPU-0123-abcd"]


def test_not_without_a_gpu(visible, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert not places.idle_gpu()

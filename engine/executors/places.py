"""Where workers of this machine live: one place for each core, or for each GPU."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec

from augury.engine.errors import UsageError

SINGLE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


@dataclass(frozen=True, slots=True)
class Place:
    """One worker's home: what its environment adds, and the core or GPU it is bound to."""

    name: str
    environment: Mapping[str, str] = field(default_factory=dict)
    core: int | None = None
    gpu: str = ""


def find_places() -> tuple[Place, ...]:
    """GPUs where there are any and JAX can use them, unless AUGURY_CPU=1; cores otherwise.

    AUGURY_WORKERS overrides the number of CPU workers. Raises `UsageError` if it is no count.
    """
    gpus = () if os.environ.get("AUGURY_CPU") == "1" or not _cuda_jax() else _gpus()
    return tuple(map(_gpu_place, *zip(*enumerate(gpus), strict=True))) if gpus else _cores()


def idle_gpu() -> str:
    """Why a GPU of this machine will not be used though nobody asked for that; "" if none is."""
    if os.environ.get("AUGURY_CPU") == "1" or _cuda_jax() or not _gpus():
        return ""
    return (
        "this machine has a GPU, but the JAX of this environment is for CPUs only: "
        'install "augury[cuda]", or set AUGURY_CPU=1 if that is meant.'
    )


def _cores() -> tuple[Place, ...]:
    affine = getattr(os, "sched_getaffinity", None)
    cores = sorted(affine(0)) if affine else []
    text = os.environ.get("AUGURY_WORKERS", "")
    if text and not (text.isdecimal() and int(text) > 0):
        raise UsageError(f"AUGURY_WORKERS takes a positive number, got {text!r}.")
    count = int(text) if text else len(cores) or os.cpu_count() or 1
    environment = {
        **SINGLE_THREAD,
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": _flags("--xla_cpu_multi_thread_eigen=false"),
    }
    return tuple(
        Place(f"cpu{n}", environment, cores[n % len(cores)] if cores else None)
        for n in range(count)
    )


def _gpu_place(number: int, uuid: str) -> Place:
    environment = {
        "CUDA_VISIBLE_DEVICES": uuid,
        "XLA_PYTHON_CLIENT_PREALLOCATE": "false",  # the machine is shared
        "XLA_CLIENT_MEM_FRACTION": "0.9",
        "XLA_PYTHON_CLIENT_MEM_FRACTION": "0.9",
        "XLA_FLAGS": _flags("--xla_gpu_deterministic_ops=true"),
        # A cell says float32; by itself JAX would round operands of products to TF32 here.
        "JAX_DEFAULT_MATMUL_PRECISION": "highest",
    }
    return Place(f"gpu{number}", environment, gpu=uuid)


def _flags(more: str) -> str:
    return f"{os.environ.get('XLA_FLAGS', '')} {more}".strip()


def _cuda_jax() -> bool:
    return any(find_spec(f"jax_cuda{major}_plugin") for major in (12, 13))


def _gpus() -> tuple[str, ...]:
    try:
        listed = subprocess.run(
            ["nvidia-smi", "-L"], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    uuids = re.findall(r"^GPU \d+: .*\(UUID: (GPU-[0-9a-f-]+)\)", listed, re.MULTILINE)
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        return tuple(uuids)
    chosen: list[str] = []
    for word in filter(None, (w.strip() for w in visible.split(","))):
        if word.isdecimal() and int(word) < len(uuids):
            chosen.append(uuids[int(word)])
        else:
            chosen.extend(u for u in uuids if u.startswith(word))
    return tuple(chosen)

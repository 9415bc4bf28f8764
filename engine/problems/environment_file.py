"""A person's own environment in an .npz file: what it must hold, and a digest of its bytes.

NumPy only, so that the command line can check a file before anything is started.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from augury.engine import regular_file
from augury.engine.errors import ChangedError, UsageError

WEIGHTS = ("w0", "b0", "w1", "b1", "w2", "b2")
REQUIRED = ("train_x", "train_y", "temperature", *WEIGHTS)
TEST_DRAWS = re.compile(r"test_tau([1-9][0-9]{0,8})_kappa(0|[1-9][0-9]{0,8})_x")
DIGEST_LENGTH = 16
MOST_BYTES = 2 << 30  # of a file, and of its arrays once unpacked


@dataclass(frozen=True, slots=True)
class EnvironmentFile:
    """Checked content of a file."""

    train_x: np.ndarray  # [n, D] float32
    train_y: np.ndarray  # [n] int32
    temperature: float
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]  # (w [in, out], b [out]), float32
    draws: Mapping[tuple[int, int], tuple[np.ndarray, np.ndarray]]
    # (tau, kappa) -> x [J, tau, D], y [J, tau]; empty where the file has none

    @property
    def num_classes(self) -> int:
        """Outputs of the last layer."""
        return self.layers[-1][0].shape[1]


def describe(path: str | Path) -> tuple[str, str]:
    """(name, digest) for a problem id, once the file has been checked. Raises `UsageError`."""
    content = _bytes(Path(path))
    _checked(Path(path), content)
    stem = re.sub(r"[^a-z0-9_.]+", "_", Path(path).stem.lower()).strip("_.")
    return stem or "environment", _digest(content)


def load(path: str | Path, digest: str) -> EnvironmentFile:
    """Checked content of the file whose bytes have this digest.

    Raises:
        ChangedError: not what was planned.
        UsageError: missing, damaged, or of the wrong form.
    """
    content = _bytes(Path(path))
    found = _digest(content)
    if found != digest:
        raise ChangedError(
            f"{path}: its bytes have changed since it was planned (digest {found}, planned "
            f"{digest}); run it again to plan it anew."
        )
    return _checked(Path(path), content)


def _bytes(path: Path) -> bytes:
    try:
        content = regular_file.read(path, MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}.") from None
    if len(content) > MOST_BYTES:
        raise UsageError(f"{path}: larger than {MOST_BYTES >> 30} GiB.")
    return content


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]


def _checked(path: Path, content: bytes) -> EnvironmentFile:
    arrays = _arrays(path, content)
    for name, array in arrays.items():
        if array.dtype.kind not in "fiub" or not _finite(array):
            raise UsageError(f"{path}: {name} must hold finite numbers that fit 32-bit floats.")
    temperature = arrays["temperature"]
    smallest = float(np.finfo(np.float32).tiny)
    if temperature.size != 1 or float(temperature.reshape(-1)[0]) < smallest:
        raise UsageError(
            f"{path}: temperature must be one positive number, {smallest:.2g} or more."
        )
    layers = _layers(path, arrays)
    dim, classes = layers[0][0].shape[0], layers[-1][0].shape[1]
    x = arrays["train_x"]
    if x.ndim != 2 or len(x) == 0 or x.shape[1] != dim:
        raise UsageError(f"{path}: train_x must be [n, {dim}] with n >= 1, got {list(x.shape)}.")
    return EnvironmentFile(
        x.astype(np.float32),
        _labels(path, "train_y", arrays["train_y"], (len(x),), classes),
        float(temperature.reshape(-1)[0]),
        layers,
        _draws(path, arrays, dim, classes),
    )


def _arrays(path: Path, content: bytes) -> dict[str, np.ndarray]:
    """The arrays that mean something here; whatever else the archive holds is left packed."""
    unreadable = UsageError(f"{path}: not an .npz file of arrays.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            sizes = {e.filename.removesuffix(".npy"): e.file_size for e in archive.infolist()}
    # zipfile lets errors of many kinds through where an archive is damaged.
    except Exception:  # noqa: BLE001
        raise unreadable from None
    wanted = _meant(path, sizes)
    missing = [name for name in REQUIRED if name not in wanted]
    if missing:
        raise UsageError(
            f"{path}: arrays missing: {', '.join(missing)}. Needed: {', '.join(REQUIRED)}."
        )
    if sum(sizes[name] for name in wanted) > MOST_BYTES:
        raise UsageError(f"{path}: its arrays take more than {MOST_BYTES >> 30} GiB.")
    arrays = {}
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            for name in wanted:
                arrays[name] = file[name]
    # zipfile, the decompressors and NumPy's header parser each have errors of their own.
    except Exception:  # noqa: BLE001
        raise unreadable from None
    strange = [name for name in wanted if not isinstance(arrays[name], np.ndarray)]
    if strange:
        raise UsageError(f"{path}: {strange[0]} is not an array.")
    return arrays


def _meant(path: Path, names: Iterable[str]) -> list[str]:
    held = set(names)
    draws = sorted(n for n in held if n.startswith("test_tau") and n.endswith("_x"))
    for name in draws:
        if not TEST_DRAWS.fullmatch(name):
            raise UsageError(f"{path}: {name[:60]!r}: test draws are named test_tau10_kappa2_x.")
    labels = [name for name in (f"{x[:-1]}y" for x in draws) if name in held]
    return [*(name for name in REQUIRED if name in held), *draws, *labels]


def _finite(array: np.ndarray) -> bool:
    most = np.finfo(np.float32).max
    return bool((np.isfinite(array) & (array >= -most) & (array <= most)).all())


def _layers(
    path: Path, arrays: Mapping[str, np.ndarray]
) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    layers, fan_in = [], None
    for weight, bias in zip(WEIGHTS[::2], WEIGHTS[1::2], strict=True):
        w, b = arrays[weight], arrays[bias]
        if w.ndim != 2 or 0 in w.shape or (fan_in is not None and w.shape[0] != fan_in):
            raise UsageError(
                f"{path}: {weight} must be [{fan_in or 'inputs'}, outputs], got {list(w.shape)}."
            )
        if b.shape != (w.shape[1],):
            raise UsageError(f"{path}: {bias} must be [{w.shape[1]}], got {list(b.shape)}.")
        layers.append((w.astype(np.float32), b.astype(np.float32)))
        fan_in = w.shape[1]
    if fan_in is not None and fan_in < 2:
        raise UsageError(f"{path}: w2 must have at least two outputs, one for each class.")
    return tuple(layers)


def _draws(
    path: Path, arrays: Mapping[str, np.ndarray], dim: int, classes: int
) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
    draws = {}
    for name in sorted(arrays):
        match = TEST_DRAWS.fullmatch(name)
        if not match:
            continue
        tau, kappa = int(match[1]), int(match[2])
        x, labels = arrays[name], f"{name[:-1]}y"
        if kappa >= max(tau, 2):
            raise UsageError(f"{path}: {name}: kappa must be below tau.")
        if x.ndim != 3 or len(x) < 2 or x.shape[1:] != (tau, dim):
            raise UsageError(
                f"{path}: {name} must be [J, {tau}, {dim}] with J >= 2, got {list(x.shape)}."
            )
        if labels not in arrays:
            raise UsageError(f"{path}: {name} is there but {labels} is missing.")
        y = _labels(path, labels, arrays[labels], x.shape[:2], classes)
        draws[tau, kappa] = (x.astype(np.float32), y)
    return dict(sorted(draws.items()))


def _labels(
    path: Path, name: str, y: np.ndarray, shape: tuple[int, ...], classes: int
) -> np.ndarray:
    if y.shape not in (shape, (*shape, 1)):
        raise UsageError(f"{path}: {name} must be {list(shape)}, got {list(y.shape)}.")
    y = y.reshape(shape)
    if not np.array_equal(y, np.round(y)) or y.min() < 0 or y.max() >= classes:
        raise UsageError(f"{path}: {name} must hold whole numbers from 0 to {classes - 1}.")
    return y.astype(np.int32)

"""A person's own predictions and labels in .npz or .npy files: what they must hold.

Arrays of numbers only: a pickle can run code, so none is ever loaded.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any

import numpy as np

from augury.engine.errors import UsageError
from augury.engine.statistics.classes import CategoricalMixture, categorical_mixture
from augury.engine.statistics.mixture import NormalMixture, normal_mixture

FORMS = "probs [members, rows, classes], or mean and scale [members, rows]"
_KNOWN = ("probs", "mean", "scale", "weights")
_SORTED = 8  # arrays of S numbers while one statistic's replicates are put in order and counted
_COPIES = 4  # of the predictions in 64 bits, while they are checked and put in order
_ARRAY, _ARCHIVES, _PICKLE = b"\x93NUMPY", (b"PK\x03\x04", b"PK\x05\x06"), b"\x80"


def read_predictions(path: str | Path) -> CategoricalMixture | NormalMixture:
    """The mixture that a file of predictions holds; its array `weights` weighs the members.

    Raises:
      UsageError: missing, unreadable, no arrays of numbers, larger than the memory that is free,
        or not of one of the `FORMS`; the message names the file, and the member and row.
    """
    arrays = _arrays(Path(path), _KNOWN)
    with _named(path):
        _refuse_misspelt(Path(path), arrays)
    if len(arrays) == 1 and not set(arrays) & set(_KNOWN):
        arrays = {"probs": next(iter(arrays.values()))}  # one array, whatever its name
    names = set(arrays) - {"weights"}
    weights = arrays.get("weights")
    with _named(path):
        if names == {"probs"}:
            return categorical_mixture(arrays["probs"], weights)
        if names == {"mean", "scale"}:
            return normal_mixture(arrays["mean"], arrays["scale"], weights)
        held = ", ".join(sorted(names)) or "none of them"
        if "mean" in names and "scale" not in names and "probs" not in names:
            held = ", ".join(_all_names(path))
            raise UsageError(f"scale is missing beside mean; the file has {held}.")
        raise UsageError(f"predictions are {FORMS}; the file has {held}.")


def read_column(path: str | Path, name: str) -> np.ndarray:
    """The one array of a file, or that of this name: labels, observed numbers, a covariate.

    Raises:
      UsageError: as `read_predictions`, or there is no such array.
    """
    arrays = _arrays(Path(path), (name,))
    if name not in arrays and len(arrays) != 1:
        held = ", ".join(sorted(arrays)) or "none"
        raise UsageError(f"{path}: one array, or one that is called {name!r}; it has {held}.")
    return arrays.get(name, next(iter(arrays.values())))


def checked_labels(predictive: Any, observed: np.ndarray, path: str | Path) -> np.ndarray:
    """Labels or numbers that fit the predictions. Raises `UsageError` that names file and row."""
    members, rows = predictive.num_members, predictive.num_rows
    if observed.shape == (members,) and members != rows:
        raise UsageError(
            f"{path}: {members} values for {rows} rows; are the predictions' first two axes "
            "swapped? They are [members, rows, ...]."
        )
    with _named(path):
        return predictive.validate(observed)


def check_replicates(replicates: int, statistics: int) -> None:
    """Raise `UsageError` where S replicates of all statistics, in all modes, do not fit the memory.

    `statistics` counts each once for every mode.
    """
    needed, free = 8 * replicates * (statistics + _SORTED), _free_memory()
    if needed > free:
        raise UsageError(
            f"--replicates {replicates:,} of {statistics} checks need about "
            f"{needed / 2**30:.3g} GiB of memory and {free / 2**30:.3g} GiB are free; "
            "take fewer, or fewer statistics."
        )


def _refuse_misspelt(path: Path, arrays: Mapping[str, Any]) -> None:
    """An array beside those that are read is somebody else's, unless its name is almost one."""
    if not set(arrays) & set(_KNOWN):
        return
    for name in _all_names(path):
        near = get_close_matches(name, _KNOWN, n=1, cutoff=0.8)
        if name not in arrays and near:
            raise UsageError(f"array {name!r} would not be read. Did you mean {near[0]!r}?")


def _all_names(path: str | Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return sorted(name.removesuffix(".npy") for name in archive.namelist())


@contextmanager
def _named(path: str | Path) -> Iterator[None]:
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{path}: {error.message}") from None


def _arrays(path: Path, wanted: tuple[str, ...]) -> dict[str, np.ndarray]:
    """The arrays of these names; all that there are where none has such a name."""
    try:
        # A pipe would be waited for and a device read without end.
        if path.exists() and not path.is_file():
            kind = "a folder" if path.is_dir() else "not a regular file"
            raise UsageError(f"{path}: it is {kind}.")
        with path.open("rb") as file:
            start = file.read(8)
            file.seek(0)
            if start.startswith(_ARRAY):
                return {"": _array(path, file)}
            if start.startswith(_ARCHIVES):
                return _archive(path, file, wanted)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}.") from None
    except ValueError as error:  # a null byte in the name
        raise UsageError(f"{path}: {error}.") from None
    if not start:
        raise UsageError(f"{path}: it is empty.")
    if start.startswith(_PICKLE):
        raise UsageError(
            f"{path}: a pickle, which could run code and is never loaded; save with numpy.savez."
        )
    raise UsageError(f"{path}: neither an .npz nor an .npy file; save with numpy.savez.")


def _archive(path: Path, file: IO[bytes], wanted: tuple[str, ...]) -> dict[str, np.ndarray]:
    try:
        with zipfile.ZipFile(file) as archive:
            names = [e.filename[:-4] for e in archive.infolist() if e.filename.endswith(".npy")]
            chosen = [name for name in names if name in wanted] or names
            found = {}
            for name in chosen:
                with archive.open(f"{name}.npy") as entry:
                    found[name] = _array(path, entry, name)
    except UsageError:
        raise
    # zipfile lets errors of many kinds through where an archive is damaged.
    except Exception as error:  # noqa: BLE001
        raise UsageError(f"{path}: a damaged archive ({type(error).__name__}).") from None
    if not found:
        raise UsageError(f"{path}: an archive without arrays; save with numpy.savez.")
    return found


def _array(path: Path, file: IO[bytes], name: str = "") -> np.ndarray:
    """One array of numbers, once its header says that it is one and fits the memory."""
    what = f"{path}: {name or 'the array'}"
    try:
        shape, dtype = _header(file)
    except UsageError:
        raise UsageError(f"{what} is not of a known .npy version.") from None
    # The header is a Python literal, with errors of its own where it is damaged.
    except Exception as error:  # noqa: BLE001
        raise UsageError(f"{what} is damaged ({type(error).__name__}).") from None
    if dtype.hasobject:
        raise UsageError(
            f"{what} holds Python objects, which are pickled and never loaded; give it numbers."
        )
    if dtype.kind not in "fiub":
        raise UsageError(f"{what} must hold numbers, got {dtype}.")
    size = 1
    for length in shape:
        size *= length
    if not size:
        raise UsageError(f"{what} is empty: its shape is {list(shape)}.")
    needed, free = _COPIES * 8 * size, _free_memory()
    if needed > free:
        raise UsageError(
            f"{what} of shape {list(shape)} needs about {needed / 2**30:.3g} GiB of memory and "
            f"{free / 2**30:.3g} GiB are free; give fewer rows or members at a time."
        )
    try:
        file.seek(0)
        return np.lib.format.read_array(file, allow_pickle=False)
    except MemoryError:
        raise UsageError(f"{what} of shape {list(shape)} does not fit the memory.") from None
    except Exception as error:  # noqa: BLE001
        raise UsageError(f"{what} is damaged ({type(error).__name__}).") from None


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype]:
    version = np.lib.format.read_magic(file)
    readers: Mapping[tuple[int, int], Any] = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    if version not in readers:
        raise UsageError("version")
    shape, _, dtype = readers[version](file)
    return shape, dtype


def _free_memory() -> float:
    """Bytes that may be taken; no bound where the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            told = dict(line.split(":", 1) for line in file)
        return 1024.0 * int(told["MemAvailable"].split()[0])
    except (OSError, ValueError, KeyError):
        try:
            return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        except (OSError, ValueError):
            return float("inf")

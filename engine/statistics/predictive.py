"""What a check needs of a belief, and what every belief made of members must satisfy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np

from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import Float, Int

Mode: TypeAlias = Literal["bayesian", "independent"]
MODES: tuple[Mode, ...] = ("bayesian", "independent")


class Predictive(Protocol):
    """What a check needs of a belief about a set of rows."""

    @property
    def num_rows(self) -> int:
        """Rows n."""
        ...

    @property
    def num_members(self) -> int:
        """Members M; 0 where each replicate draws a fresh one."""
        ...

    @property
    def weights(self) -> Any:
        """Chances [members] of each, or None where none is drawn twice."""
        ...

    def draw(self, members: Int[np.ndarray, "size rows"] | Any, noise: np.random.Generator) -> Any:
        """Observations given the members that `choose` returned."""
        ...

    def choose(self, mode: Mode, size: int, members: np.random.Generator) -> Any:
        """Members of `size` replicates: [size, 1] if bayesian, [size, rows] if independent."""
        ...

    def validate(self, observed: Any) -> np.ndarray:
        """The observed rows as an array; `UsageError` naming the row that cannot be."""
        ...


def choose_members(
    weights: Float[np.ndarray, " members"],
    mode: Mode,
    size: int,
    rows: int,
    members: np.random.Generator,
) -> Int[np.ndarray, "size rows"]:
    """Member indices drawn by weight: [size, 1] if bayesian, [size, rows] if independent."""
    uniform = members.random((size, rows if mode == "independent" else 1))
    index = np.searchsorted(np.cumsum(weights), uniform, side="right")
    return np.minimum(index, np.flatnonzero(weights)[-1])


def spread_members(
    weights: Float[np.ndarray, " members"], size: int, members: np.random.Generator
) -> Int[np.ndarray, "size 1"]:
    """Each member's index w * size times, rounded up or down with the right mean; any order."""
    places = (np.arange(size) + members.random()) / size
    index = np.searchsorted(np.cumsum(weights), places, side="right")
    return members.permutation(np.minimum(index, np.flatnonzero(weights)[-1]))[:, None]


def checked_weights(weights: Any, members: int, rows: int) -> Float[np.ndarray, " members"]:
    """Weights of so many members at so many rows, equal if none are given; `UsageError` if bad."""
    if members < 2:
        raise UsageError(
            "a check needs two members or more; with one, both modes are the same point estimate."
        )
    if rows < 1:
        raise UsageError("a check needs one row or more, got none.")
    if weights is None:
        return np.full(members, 1.0 / members)
    found = np.asarray(weights, np.float64)
    if found.shape != (members,):
        raise UsageError(f"{members} members need {members} weights, got {list(found.shape)}.")
    bad = ~np.isfinite(found) | (found < 0)
    if bad.any():
        member = int(np.argmax(bad))
        raise UsageError(
            f"the weight of member {member} must be finite and not negative, got {found[member]:g}."
        )
    if abs(found.sum() - 1.0) > 1e-6:
        raise UsageError(f"member weights must sum to 1; they sum to {found.sum():.6g}.")
    if np.count_nonzero(found) < 2:
        raise UsageError(
            "a check needs two members or more with a weight; with one, both modes are the same "
            "point estimate."
        )
    return found / found.sum()


def check_members(name: str, values: Float[np.ndarray, "members rows *more"]) -> None:
    """Raise `UsageError` that names the first member and row without a finite number."""
    if not np.isfinite(values).all():
        where = np.argwhere(~np.isfinite(values))[0]
        raise UsageError(f"{name} of member {where[0]} at row {where[1]} is not a finite number.")


def checked_rows(
    observed: Any, rows: int, name: str = "observed value"
) -> Float[np.ndarray, " rows"]:
    """Finite numbers, one for each row; `UsageError` that names the row otherwise."""
    found = np.asarray(observed, np.float64)
    if found.shape != (rows,):
        raise UsageError(f"{rows} rows need {rows} {name}s, got {list(found.shape)}.")
    if not np.isfinite(found).all():
        raise UsageError(
            f"{name} of row {int(np.argmin(np.isfinite(found)))} is not a finite number."
        )
    return found

"""The 40 problems of "Beyond Normal" (Czyz et al. 2023, arXiv:2306.11078): truth in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from augury.engine.catalog.problems.mi import SHUFFLED, PairProblem

Law = Literal["normal", "dense", "sparse", "student", "additive"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A law with a known mutual information, and maps that leave it as it is."""

    law: Law
    dim: int = 1  # of x and of y before the maps
    number: float = 0.0  # correlation; degrees of freedom; half-width of the noise
    maps: tuple[str, ...] = ()  # applied to x and y, first to last


def _named() -> dict[str, Recipe]:
    found = {
        "1v1-normal-0.75": Recipe("normal", 1, 0.75),
        "normal_cdf-1v1-normal-0.75": Recipe("normal", 1, 0.75, ("normal_cdf",)),
        "1v1-additive-0.1": Recipe("additive", 1, 0.1),
        "1v1-additive-0.75": Recipe("additive", 1, 0.75),
        "1v1-bimodal-0.75": Recipe("normal", 1, 0.75, ("bimodal",)),
        "wiggly-1v1-normal-0.75": Recipe("normal", 1, 0.75, ("wiggly",)),
        "half_cube-1v1-normal-0.75": Recipe("normal", 1, 0.75, ("half_cube",)),
        "student-identity-1-1-1": Recipe("student", 1, 1.0),
        "asinh-student-identity-1-1-1": Recipe("student", 1, 1.0, ("asinh",)),
        "swissroll_x-normal_cdf-1v1-normal-0.75": Recipe(
            "normal", 1, 0.75, ("normal_cdf", "swissroll_x")
        ),
    }
    for dim in (2, 3, 5, 25, 50):
        found[f"multinormal-dense-{dim}-{dim}-0.5"] = Recipe("dense", dim, 0.5)
    for dim in (2, 3, 5, 25):
        found[f"multinormal-sparse-{dim}-{dim}-2-2.0"] = Recipe("sparse", dim, 0.8)
    for dim, freedom in ((2, 1), (2, 2), (3, 2), (3, 3), (5, 2), (5, 3)):
        found[f"student-identity-{dim}-{dim}-{freedom}"] = Recipe("student", dim, float(freedom))
    for maps in (("normal_cdf",), ("half_cube",), ("spiral",), ("normal_cdf", "spiral")):
        for dim in (3, 5, 25):
            name = "-".join((*maps[::-1], f"multinormal-sparse-{dim}-{dim}-2-2.0"))
            found[name] = Recipe("sparse", dim, 0.8, maps)
    for dim, freedom in ((2, 1), (3, 2), (5, 2)):
        name = f"asinh-student-identity-{dim}-{dim}-{freedom}"
        found[name] = Recipe("student", dim, float(freedom), ("asinh",))
    return found


RECIPES: dict[str, Recipe] = _named()


@dataclass(frozen=True, slots=True)
class ClosedFormProblem(PairProblem):
    """One of `RECIPES`; its bits are not in its id, since they follow from it."""

    name: str
    shuffled: bool = False  # y of another draw: no information at all
    bits: tuple[float, ...] = (0.0,)  # one stage; its truth is computed where it is needed
    domain: ClassVar[str] = "closed-form"

    @property
    def shared_bits(self) -> tuple[float, ...]:
        """Known to the engine only, unless there are none."""
        return (0.0,) if self.shuffled else ()

    @property
    def is_null(self) -> bool:
        """Where pairs are shuffled."""
        return self.shuffled

    @property
    def recipe(self) -> Recipe:
        """What it is made of."""
        return RECIPES[self.name]

    @property
    def num_sources(self) -> int:
        """Dimensions of x before the maps."""
        return self.recipe.dim

    @property
    def setting(self) -> str:
        """`closed-1v1-normal-0.75`."""
        return f"closed-{self.name}" + "-shuffled" * self.shuffled

    def blank(self) -> ClosedFormProblem:
        """Nothing is traced."""
        return self


PATTERNS = (
    (rf"mi/closed-({'|'.join(RECIPES)}){SHUFFLED}",
     lambda g: ClosedFormProblem(g[0], bool(g[1]))),
)  # fmt: skip

"""Posterior predictive checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from augury.engine.catalog.corruptions import CORRUPTIONS
from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.entry import lookup
from augury.engine.catalog.problems.card import INT, POSITIVE, ProblemCard
from augury.engine.errors import UsageError
from augury.engine.types import JSON


@dataclass(frozen=True, slots=True)
class NormalProblem(ProblemCard):
    """`num_rows` observations with y|theta ~ N(theta, 1), theta ~ N(0, 1)."""

    truth: str  # latent: theta ~ N(0,1) once for all rows; iid: fresh for each row
    num_rows: int
    environment: int = 0
    scenario: ClassVar[str] = "ppc"

    @property
    def setting(self) -> str:
        """Truth and rows: `normal-latent-n1000`."""
        return f"normal-{self.truth}-n{self.num_rows}"

    def columns(self) -> Mapping[str, JSON]:
        """Truth and rows."""
        return {"family": "normal", "truth": self.truth, "num_test": self.num_rows}

    def shape(self) -> tuple[JSON, ...]:
        """Rows are an array dimension."""
        return ("normal", self.num_rows)


@dataclass(frozen=True, slots=True)
class QuadraticProblem(ProblemCard):
    """A noisy quadratic whose training inputs miss [-1.5, 0]; tested inside the gap or off it."""

    region: str  # gap | iid
    environment: int = 0
    scenario: ClassVar[str] = "ppc"

    @property
    def setting(self) -> str:
        """Where it is tested: `quadratic-gap`."""
        return f"quadratic-{self.region}"

    def columns(self) -> Mapping[str, JSON]:
        """Family and region."""
        return {"family": "quadratic", "region": self.region}

    def training(self) -> str:
        """The region is a matter of the test rows."""
        return f"quadratic/e{self.environment}"

    def shape(self) -> tuple[JSON, ...]:
        """Both regions share one training."""
        return ("quadratic",)


PUBLISHED = "cifar10_c"  # the published files of cifar10's test images


@dataclass(frozen=True, slots=True)
class CorruptionProblem(ProblemCard):
    """The first test images of a set under one corruption; trained on the first clean rows."""

    dataset: str
    corruption: str
    severity: int
    num_train: int
    num_test: int
    scenario: ClassVar[str] = "ppc"

    def __post_init__(self) -> None:
        """Refuse what there is not. Raises `UsageError`."""
        lookup(CORRUPTIONS, self.corruption, "corruption")
        card = lookup(DATASETS, self.source, "data set")
        if card.kind != "image" or not 2 <= self.num_test <= card.num_test:
            raise UsageError(
                f"{self.id}: {self.dataset} must be of images, with 2 to {card.num_test:,} to test."
            )

    @property
    def source(self) -> str:
        """The set that is trained on."""
        return "cifar10" if self.dataset == PUBLISHED else self.dataset

    @property
    def setting(self) -> str:
        """Set, rows and severity: `fashion_mnist-n20000-m1000-s3`; corruptions are its units."""
        return f"{self.dataset}-n{self.num_train}-m{self.num_test}-s{self.severity}"

    @property
    def unit(self) -> int:
        """The corruption's number in the table."""
        return list(CORRUPTIONS).index(self.corruption)

    @property
    def id(self) -> str:
        """`ppc/fashion_mnist-n20000-m1000-s3/zoom_blur`."""
        return f"{self.scenario}/{self.setting}/{self.corruption}"

    def columns(self) -> Mapping[str, JSON]:
        """Family, set, rows and severity."""
        return {
            "family": "corruptions",
            "dataset": self.dataset,
            "severity": self.severity,
            "num_train": self.num_train,
            "num_test": self.num_test,
        }

    def training(self) -> str:
        """Of clean rows: all corruptions share it, and so do published files and ours."""
        return f"{self.source}-n{self.num_train}"

    def shape(self) -> tuple[JSON, ...]:
        """One program for each set and number of rows; its own images are held out by them."""
        return ("corruptions", self.source, self.num_train, self.num_test)


PATTERNS = (
    (rf"ppc/([a-z0-9_]+)-n{POSITIVE}-m{POSITIVE}-s([1-5])/([a-z_]+)",
     lambda g: CorruptionProblem(g[0], g[4], int(g[3]), int(g[1]), int(g[2]))),
    (rf"ppc/normal-(latent|iid)-n{INT}/e{INT}",
     lambda g: NormalProblem(g[0], int(g[1]), int(g[2]))),
    (rf"ppc/quadratic-(gap|iid)/e{INT}", lambda g: QuadraticProblem(g[0], int(g[1]))),
)  # fmt: skip

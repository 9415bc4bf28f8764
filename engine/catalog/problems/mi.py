"""Sources whose mutual information is known in closed form, as a schedule of bits."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from augury.engine.catalog.problems.card import NUMBER, POSITIVE, ProblemCard
from augury.engine.types import JSON

BITS = rf"({NUMBER}(?:-{NUMBER})*)bits"
SHUFFLED = r"(-shuffled)?"


class PairProblem(ProblemCard):
    """Pairs (x, y) whose mutual information is known; several bits are a schedule of stages."""

    __slots__ = ()
    scenario: ClassVar[str] = "mi"
    domain: ClassVar[str]
    bits: tuple[float, ...]  # nominal; of pairs that are shuffled: before that

    @property
    def id(self) -> str:
        """`mi/SETTING`: there is one environment."""
        return f"{self.scenario}/{self.setting}"

    @property
    @abstractmethod
    def num_sources(self) -> int:
        """Independent parts that x and y share."""

    @property
    def is_null(self) -> bool:
        """Whether x and y share nothing: then no ratio to the truth means anything."""
        return not any(self.bits)

    @property
    def shared_bits(self) -> tuple[float, ...]:
        """Bits that x and y share in each stage; nothing where that takes more than arithmetic."""
        return (0.0,) * len(self.bits) if self.is_null else self.bits

    @abstractmethod
    def blank(self) -> PairProblem:
        """The same without what is traced: what its compiled program depends on."""

    def columns(self) -> Mapping[str, JSON]:
        """Domain, sources, schedule."""
        kind = "single" if len(self.bits) == 1 else "stepwise"
        domain = "null" if self.is_null else self.domain
        return {"domain": domain, "num_sources": self.num_sources, "schedule": kind}

    def shape(self) -> tuple[JSON, ...]:
        """Bits are traced; their number is the number of stages."""
        return (self.blank().id,)


@dataclass(frozen=True, slots=True)
class GaussianProblem(PairProblem):
    """`sources` correlated normal pairs, if asked for in more dimensions, cubed, or shuffled."""

    sources: int
    bits: tuple[float, ...]
    dim: int = 0  # of x and of y; 0: one for each source
    spread: str = ""  # how they come to `dim`: tile | pad (with noise) | rotate (padded, turned)
    cubic: bool = False  # y^3
    shuffled: bool = False  # y of another draw: no information at all
    domain: ClassVar[str] = "gaussian"

    @property
    def num_sources(self) -> int:
        """Independent correlated pairs."""
        return self.sources

    @property
    def is_null(self) -> bool:
        """Where no bits are asked for, or they are shuffled away."""
        return self.shuffled or not any(self.bits)

    @property
    def setting(self) -> str:
        """`gaussian-ds10-4bits`, `gaussian-ds10-dr40tile-cubic-2-4bits-shuffled`."""
        wide = f"-dr{self.dim}{self.spread}" if self.dim else ""
        cubic, shuffled = "-cubic" * self.cubic, "-shuffled" * self.shuffled
        return f"gaussian-ds{self.sources}{wide}{cubic}-{said(self.bits)}{shuffled}"

    def blank(self) -> GaussianProblem:
        """Bits set apart."""
        return replace(self, bits=(0.0,) * len(self.bits))


@dataclass(frozen=True, slots=True)
class ChannelProblem(PairProblem):
    """`sources` uniform labels, sent through a symmetric channel; x and y are the labels' codes."""

    sources: int
    bits: tuple[float, ...]
    num_classes: int = 2
    domain: ClassVar[str] = "channel"

    @property
    def num_sources(self) -> int:
        """Labels in x."""
        return self.sources

    @property
    def setting(self) -> str:
        """`channel-ds10-4bits`, `channel-ds10-m4-4bits`."""
        classes = f"-m{self.num_classes}" if self.num_classes != 2 else ""
        return f"channel-ds{self.sources}{classes}-{said(self.bits)}"

    def blank(self) -> ChannelProblem:
        """Bits set apart."""
        return replace(self, bits=(0.0,) * len(self.bits))


def said(bits: tuple[float, ...]) -> str:
    """`2-4bits`."""
    return f"{'-'.join(f'{b:g}' for b in bits)}bits"


def read_bits(text: str) -> tuple[float, ...]:
    """The inverse of `said`, without its unit."""
    return tuple(float(b) for b in text.split("-"))


PATTERNS = (
    (rf"mi/gaussian-ds{POSITIVE}(?:-dr{POSITIVE}(tile|pad|rotate))?(-cubic)?-{BITS}{SHUFFLED}",
     lambda g: GaussianProblem(int(g[0]), read_bits(g[4]), int(g[1] or 0), g[2] or "",
                               bool(g[3]), bool(g[5]))),
    (rf"mi/channel-ds{POSITIVE}(?:-m{POSITIVE})?-{BITS}",
     lambda g: ChannelProblem(int(g[0]), read_bits(g[2]), int(g[1] or 2))),
)  # fmt: skip

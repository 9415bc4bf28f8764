"""Pairs made of items of two classes (images, texts) whose classes went through a channel."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from augury.engine.catalog.problems.card import FLOAT, POSITIVE
from augury.engine.catalog.problems.mi import BITS, PairProblem, read_bits, said
from augury.engine.types import JSON

ENCODERS = ("bert", "roberta")
PICTURES = ("mnist", "fashion_mnist")  # 28 x 28, grey
MIXED_SIZE = (80, 96)  # of an image as long as the text of ten reviews


class ItemProblem(PairProblem):
    """`num_sources` items of two classes in x, and in y."""

    __slots__ = ()

    @property
    @abstractmethod
    def datasets(self) -> tuple[str, ...]:
        """Names of the data sets that it is made of."""

    def columns(self) -> Mapping[str, JSON]:
        """As of other pairs, and the first data set."""
        return {**PairProblem.columns(self), "dataset": self.datasets[0]}


@dataclass(frozen=True, slots=True)
class ImageProblem(ItemProblem):
    """Grids of pictures, one in each channel, resized to `size` x `size`."""

    picture: str
    grid: tuple[int, int, int]  # channels, rows, columns
    size: int
    bits: tuple[float, ...]
    colour: bool = False  # grey in three channels
    nuisance: float = 0.0  # weight of an independent photograph that is added: then in colour
    domain: ClassVar[str] = "image"

    @property
    def num_sources(self) -> int:
        """Pictures in an image."""
        channels, rows, columns = self.grid
        return channels * rows * columns

    @property
    def datasets(self) -> tuple[str, ...]:
        """The pictures' set, and that of the photographs."""
        return (self.picture, "cifar10") if self.nuisance else (self.picture,)

    @property
    def setting(self) -> str:
        """`image-mnist-1x2x5-s64-4bits`, `image-mnist-1x2x5-s64-eta0.3-4bits`."""
        grid = "x".join(map(str, self.grid))
        more = "-rgb" * self.colour + (f"-eta{self.nuisance:g}" if self.nuisance else "")
        return f"image-{self.picture}-{grid}-s{self.size}{more}-{said(self.bits)}"

    def columns(self) -> Mapping[str, JSON]:
        """Size and nuisance too."""
        return {**ItemProblem.columns(self), "size": self.size, "nuisance": self.nuisance}

    def blank(self) -> ImageProblem:
        """Bits set apart."""
        return replace(self, bits=(0.0,) * len(self.bits))


@dataclass(frozen=True, slots=True)
class TextProblem(ItemProblem):
    """Embeddings of `sources` film reviews, one after another; the class is what they think."""

    encoder: str
    sources: int
    bits: tuple[float, ...]
    domain: ClassVar[str] = "text"

    @property
    def num_sources(self) -> int:
        """Reviews in x."""
        return self.sources

    @property
    def datasets(self) -> tuple[str, ...]:
        """The embeddings."""
        return (f"imdb/{self.encoder}",)

    @property
    def setting(self) -> str:
        """`text-bert-ds10-4bits`."""
        return f"text-{self.encoder}-ds{self.sources}-{said(self.bits)}"

    def blank(self) -> TextProblem:
        """Bits set apart."""
        return replace(self, bits=(0.0,) * len(self.bits))


@dataclass(frozen=True, slots=True)
class MixtureProblem(ItemProblem):
    """x is a grid of digits in 80 x 96 pixels, y the embeddings of as many reviews."""

    encoder: str
    grid: tuple[int, int]  # rows, columns
    bits: tuple[float, ...]
    domain: ClassVar[str] = "mixture"

    @property
    def num_sources(self) -> int:
        """Digits in x, reviews in y."""
        return self.grid[0] * self.grid[1]

    @property
    def datasets(self) -> tuple[str, ...]:
        """Digits and embeddings."""
        return ("mnist", f"imdb/{self.encoder}")

    @property
    def setting(self) -> str:
        """`mixture-mnist-bert-2x5-4bits`."""
        grid = "x".join(map(str, self.grid))
        return f"mixture-mnist-{self.encoder}-{grid}-{said(self.bits)}"

    def blank(self) -> MixtureProblem:
        """Bits set apart."""
        return replace(self, bits=(0.0,) * len(self.bits))


_P = POSITIVE
PATTERNS = (
    (rf"mi/image-({'|'.join(PICTURES)})-{_P}x{_P}x{_P}-s{_P}(-rgb)?(?:-eta{FLOAT})?-{BITS}",
     lambda g: ImageProblem(g[0], (int(g[1]), int(g[2]), int(g[3])), int(g[4]), read_bits(g[7]),
                            bool(g[5]), float(g[6] or 0))),
    (rf"mi/text-({'|'.join(ENCODERS)})-ds{_P}-{BITS}",
     lambda g: TextProblem(g[0], int(g[1]), read_bits(g[2]))),
    (rf"mi/mixture-mnist-({'|'.join(ENCODERS)})-{_P}x{_P}-{BITS}",
     lambda g: MixtureProblem(g[0], (int(g[1]), int(g[2])), read_bits(g[3]))),
)  # fmt: skip

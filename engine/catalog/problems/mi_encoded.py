"""Pairs of images as a frozen encoder shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from augury.engine.catalog.problems.card import POSITIVE
from augury.engine.catalog.problems.mi import BITS, read_bits, said
from augury.engine.catalog.problems.mi_items import PICTURES, ImageProblem, ItemProblem
from augury.engine.types import JSON

INVERTIBLE = ("irevnet", "realnvp", "maf")
LEARNT = "resnet"
NUM_STAGES = 5


@dataclass(frozen=True, slots=True)
class EncodedProblem(ItemProblem):
    """Images through an encoder; of one that is learnt, through its first `stage` stages.

    Nothing is lost in an invertible encoder: the truth is the images'. Behind another one it is
    an upper limit, by the data-processing inequality, and the decodable information the lower.
    """

    picture: str
    grid: tuple[int, int, int]  # channels, rows, columns
    size: int
    encoder: str
    bits: tuple[float, ...]
    stage: int = 0  # 0: all of it
    domain: ClassVar[str] = "image"

    @property
    def image(self) -> ImageProblem:
        """The images in front of the encoder."""
        return ImageProblem(self.picture, self.grid, self.size, self.bits)

    @property
    def num_sources(self) -> int:
        """Pictures in an image."""
        return self.image.num_sources

    @property
    def datasets(self) -> tuple[str, ...]:
        """The pictures' set."""
        return self.image.datasets

    @property
    def representation(self) -> str:
        """`maf`, `resnet3`."""
        return f"{self.encoder}{self.stage or ''}"

    @property
    def setting(self) -> str:
        """`image-mnist-1x2x5-s64-maf-4bits`, `image-mnist-1x2x5-s64-resnet3-4bits`."""
        bits = said(self.bits)
        return f"{self.image.setting.removesuffix(bits)}{self.representation}-{bits}"

    def columns(self) -> Mapping[str, JSON]:
        """As of the images; the domain says the encoder, as no mean over encoders tells."""
        found = self.image.columns()
        domain = found["domain"] if self.is_null else f"{self.domain}-{self.representation}"
        return {**found, "domain": domain}

    def blank(self) -> EncodedProblem:
        """Bits set apart."""
        return replace(self, bits=(0.0,) * len(self.bits))


_P = POSITIVE
PATTERNS = (
    (rf"mi/image-({'|'.join(PICTURES)})-{_P}x{_P}x{_P}-s{_P}-"
     rf"(?:({'|'.join(INVERTIBLE)})|{LEARNT}([1-{NUM_STAGES}]))-{BITS}",
     lambda g: EncodedProblem(g[0], (int(g[1]), int(g[2]), int(g[3])), int(g[4]), g[5] or LEARNT,
                              read_bits(g[7]), int(g[6] or 0))),
)  # fmt: skip

"""Pairs of images and texts as a frozen encoder shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from augury.engine.catalog.problems.card import POSITIVE
from augury.engine.catalog.problems.mi import BITS, read_bits, said
from augury.engine.catalog.problems.mi_items import ENCODERS as EMBEDDINGS
from augury.engine.catalog.problems.mi_items import (
    PICTURES,
    ImageProblem,
    ItemProblem,
    TextProblem,
)
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
    def plain(self) -> ImageProblem:
        """The images in front of the encoder."""
        return ImageProblem(self.picture, self.grid, self.size, self.bits)

    @property
    def num_sources(self) -> int:
        """Pictures in an image."""
        return self.plain.num_sources

    @property
    def datasets(self) -> tuple[str, ...]:
        """The pictures' set."""
        return self.plain.datasets

    @property
    def representation(self) -> str:
        """`maf`, `resnet3`."""
        return f"{self.encoder}{self.stage or ''}"

    @property
    def setting(self) -> str:
        """`image-mnist-1x2x5-s64-maf-4bits`, `image-mnist-1x2x5-s64-resnet3-4bits`."""
        bits = said(self.bits)
        return f"{self.plain.setting.removesuffix(bits)}{self.representation}-{bits}"

    def columns(self) -> Mapping[str, JSON]:
        """As of the images; the domain says the encoder, as no mean over encoders tells."""
        found = self.plain.columns()
        domain = found["domain"] if self.is_null else f"{self.domain}-{self.representation}"
        return {**found, "domain": domain}

    def blank(self) -> EncodedProblem:
        """Bits set apart."""
        return replace(self, bits=(0.0,) * len(self.bits))


@dataclass(frozen=True, slots=True)
class EncodedTextProblem(ItemProblem):
    """Embeddings of reviews through an encoder that loses nothing: the truth is the texts'."""

    embedding: str
    sources: int
    encoder: str
    bits: tuple[float, ...]
    stage: ClassVar[int] = 0  # all of it
    domain: ClassVar[str] = "text"

    @property
    def plain(self) -> TextProblem:
        """The texts in front of the encoder."""
        return TextProblem(self.embedding, self.sources, self.bits)

    @property
    def num_sources(self) -> int:
        """Reviews in x."""
        return self.sources

    @property
    def datasets(self) -> tuple[str, ...]:
        """The embeddings."""
        return self.plain.datasets

    @property
    def setting(self) -> str:
        """`text-bert-ds10-maf-4bits`."""
        bits = said(self.bits)
        return f"{self.plain.setting.removesuffix(bits)}{self.encoder}-{bits}"

    def columns(self) -> Mapping[str, JSON]:
        """As of the texts; the domain says the encoder."""
        found = self.plain.columns()
        domain = found["domain"] if self.is_null else f"{self.domain}-{self.encoder}"
        return {**found, "domain": domain}

    def blank(self) -> EncodedTextProblem:
        """Bits set apart."""
        return replace(self, bits=(0.0,) * len(self.bits))


_P = POSITIVE
PATTERNS = (
    (rf"mi/image-({'|'.join(PICTURES)})-{_P}x{_P}x{_P}-s{_P}-"
     rf"(?:({'|'.join(INVERTIBLE)})|{LEARNT}([1-{NUM_STAGES}]))-{BITS}",
     lambda g: EncodedProblem(g[0], (int(g[1]), int(g[2]), int(g[3])), int(g[4]), g[5] or LEARNT,
                              read_bits(g[7]), int(g[6] or 0))),
    (rf"mi/text-({'|'.join(EMBEDDINGS)})-ds{_P}-({'|'.join(INVERTIBLE)})-{BITS}",
     lambda g: EncodedTextProblem(g[0], int(g[1]), g[2], read_bits(g[3]))),
)  # fmt: skip

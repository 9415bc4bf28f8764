"""What a data-set card says: what a set is, where it is from, and what its bytes must be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file under its canonical name; nothing is read from other bytes than these."""

    name: str
    size: int  # bytes
    sha256: str  # "" for a part of an archive that vouches for it by a checksum of its own
    urls: tuple[str, ...] = ()  # in the order in which they are tried; none: see `member`
    member: str = ""  # where it is in the card's archive

    @property
    def url(self) -> str:
        """Where it is looked for first; "" for what comes in an archive."""
        return self.urls[0] if self.urls else ""


@dataclass(frozen=True, slots=True)
class Archive(DataFile):
    """A zip or tar.gz that holds files of a set, under its canonical name."""

    ranges: bool = False  # only the wanted members of a zip are fetched, by byte ranges


@dataclass(frozen=True, slots=True)
class DatasetCard:
    """One data set in the published record order and split."""

    input_dim: int
    num_classes: int  # labels are below it; not every one need occur
    num_train: int  # where the set has a test split of its own, the first of the file
    num_test: int
    kind: Literal["structured", "image"]
    target: str  # "module:function" that turns the files' bytes into records
    files: tuple[DataFile, ...]
    licence: str
    source: str
    doi: str = ""
    bundled: bool = True  # lies in assets/data; otherwise fetched, or where AUGURY_DATA points
    archive: Archive | None = None  # holds the files that have no URL of their own
    folder: str = ""  # where its files lie, if not under the set's name: shared with another set
    all_test: int = 0  # test rows of the file, where the published test set is not all of them
    note: str = ""  # what a reader of its numbers must know

    @property
    def fetched(self) -> tuple[DataFile, ...]:
        """What is asked of the network: files, or the archive that all of them are read from."""
        if self.archive is None or self.archive.ranges:
            return self.files
        return (self.archive,)

    @property
    def size(self) -> int:
        """Bytes of what is fetched, or shipped."""
        return sum(file.size for file in self.fetched)

    def urls(self, file: DataFile) -> tuple[str, ...]:
        """Where a file, or the archive that holds it, is to be had."""
        return file.urls or (self.archive.urls if self.archive else ())

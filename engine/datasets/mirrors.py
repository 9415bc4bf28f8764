"""One file of a data set from the first mirror that gives the right bytes. Loads pooch."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

import pooch

from augury.engine.catalog.datasets import Archive, DataFile
from augury.engine.datasets.places import part
from augury.engine.datasets.remote_zip import fetch_member
from augury.engine.datasets.transfer import (
    DiskError,
    NoRangesError,
    RefusedError,
    Tell,
    transfer,
)


class NowhereError(Exception):
    """No mirror gave the file: what each said, and whether one would give the whole archive."""

    def __init__(self, said: list[tuple[str, str]], gives_whole: bool) -> None:
        """Keep both."""
        super().__init__("; ".join(f"{url} {why}" for url, why in said))
        self.gives_whole = gives_whole


def obtain(file: DataFile, archive: Archive | None, scratch: Path, tell: Tell) -> Path:
    """The file, in `scratch`, with the bytes that its card names.

    What an earlier attempt left there is gone on with; a file that turned out wrong is asked for
    once more from its start, for the beginning may have been another server's.

    Args:
        file: a file with URLs, or a member of `archive`.
        archive: a zip whose members are fetched by byte ranges; None for a file with URLs.
        scratch: a folder of this file's own set, which nobody else writes to now.
        tell: hears how many bytes are there.

    Raises:
        NowhereError: no mirror gave it.
        DiskError: `scratch` cannot be written.
    """
    pooch.get_logger().setLevel("ERROR")  # what it would tell is told by `tell`
    start = part(scratch, file)
    said: list[tuple[str, str]] = []
    gives_whole = False
    for url in (archive or file).urls:
        for _ in range(2):
            had = start.exists()
            try:
                return _retrieve(url, file, archive, start, tell)
            except NoRangesError as error:
                gives_whole = True
                said.append((url, str(error)))
            except RefusedError as error:
                said.append((url, str(error)))
            except ValueError:  # pooch compared checksums, and removed the file
                if had:
                    continue
                said.append((url, "has other bytes: their sha256 is wrong"))
            break
    raise NowhereError(said, gives_whole)


def _retrieve(url: str, file: DataFile, archive: Archive | None, begun: Path, tell: Tell) -> Path:
    def download(url: str, out: str, _: Any) -> None:  # pooch types it as a processor
        if archive is None:
            transfer(url, begun, file.size, tell)
            os.replace(begun, out)
        else:
            fetch_member(url, archive.size, file.member, file.size, begun, Path(out), tell)

    try:
        place = pooch.retrieve(
            url, f"sha256:{file.sha256}", file.name, begun.parent, downloader=cast(Any, download)
        )
    except OSError as error:  # the network's own are `RefusedError` by now
        # Pooch puts some into words of its own, without a number.
        cause = error.__cause__ if error.errno is None else error
        raise DiskError(begun.parent, cause if isinstance(cause, OSError) else error) from None
    return Path(place)

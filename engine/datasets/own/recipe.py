"""What is done with a table, as a value; and the identity of the rows that come out of it."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from typing import Any

from augury.engine.canonical import canonical
from augury.engine.errors import UsageError

VERSION = 1  # bumped when the same file and recipe give other rows or numbers
DIGEST_LENGTH = 16
MOST_TEST = 10_000  # test rows: a standard error of accuracy of at most half a percent
LEAST_ROWS = 10  # with a label
_MOST_NAME = 40


@dataclass(frozen=True, slots=True)
class Recipe:
    """Which column is the label, which ones are left out, and how rows are split."""

    target: str
    ignore: tuple[str, ...] = ()
    test_share: float = 0.2  # of the rows of each class; at most `MOST_TEST` rows in all
    split_seed: int = 0
    category: tuple[str, ...] = ()  # columns whose values are names, whatever they look like

    def __post_init__(self) -> None:
        """Refuse what gives no split; put the columns in the one order that has an identity."""
        if not 0 < self.test_share < 1:
            raise UsageError(f"--test-share must lie between 0 and 1, got {self.test_share:g}.")
        if not 0 <= self.split_seed < 2**31:
            raise UsageError(f"--split-seed must be from 0 to 2^31 - 1, got {self.split_seed}.")
        object.__setattr__(self, "ignore", tuple(sorted(set(self.ignore))))
        object.__setattr__(self, "category", tuple(sorted(set(self.category))))
        for name in self.category:
            if name in self.ignore:
                raise UsageError(f"--category {name}: that column is left out by --ignore.")
            if name == self.target:
                raise UsageError(
                    f"--category {name}: that is the target, whose values are classes."
                )
        if self.target in self.ignore:
            raise UsageError(f"--ignore {self.target}: that is the target.")

    def text(self) -> str:
        """Canonical JSON that `from_text` restores."""
        value = asdict(self)
        if not self.category:  # as before there was such an option: digests stay
            del value["category"]
        return canonical(value)

    @classmethod
    def from_text(cls, text: str) -> Recipe:
        """The inverse of `text`."""
        value: dict[str, Any] = json.loads(text)
        value["ignore"] = tuple(value["ignore"])
        value["category"] = tuple(value.get("category", ()))
        return cls(**value)


def digest(sha256: str, form: str, recipe: Recipe) -> str:
    """Identity of the rows that a file's bytes, read in one form, give by a recipe."""
    text = canonical([VERSION, sha256, form, recipe.text()])
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def name_of(stem: str, target: str) -> str:
    """Part of a problem's id: file and target in the letters that ids have."""
    words = [re.sub(r"[^a-z0-9_]+", "-", word.lower()).strip("-") for word in (stem, target)]
    return "-".join(word for word in words if word)[:_MOST_NAME].strip("-") or "data"

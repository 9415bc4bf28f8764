"""Everything that travels between threads, screens and widgets, as messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.message import Message

from augury.engine.errors import AuguryError

if TYPE_CHECKING:
    from augury.engine.service.link import LinkState

JSON = Mapping[str, Any]


@dataclass
class StatusRead(Message):
    """A whole status: of the engine, or of the store where none lives."""

    status: JSON


@dataclass
class EngineSpoke(Message):
    """One event of the engine."""

    event: JSON

    def can_replace(self, message: Message) -> bool:
        """Progress that was not looked at yet is worth nothing once there is newer."""
        return (
            isinstance(message, EngineSpoke)
            and self.event.get("event") == message.event.get("event") == "progress"
            and self.event.get("batch") == message.event.get("batch")
        )


@dataclass
class EngineGone(Message):
    """The connection to the engine ended."""


@dataclass
class LinkChanged(Message):
    """The link to a store on another machine broke, stalled or came back."""

    state: LinkState
    advice: str  # what to do where the other machine has other sources; ""


@dataclass
class Failed(Message):
    """A request failed, in words a person can act on."""

    title: str
    text: str
    about: str = ""  # which kind of request it was
    error: AuguryError | None = None


@dataclass
class StoreGone(Message):
    """The store that was shown is not there any more."""


@dataclass
class Answer(Message):
    """What a request came back with; `about` says which request it was."""

    about: str
    value: Any

    def can_replace(self, message: Message) -> bool:
        """A newer answer to the same question replaces an older one."""
        return type(message) is type(self) and message.about == self.about  # type: ignore[attr-defined]


class BoardRead(Answer):
    """`value` is a `BoardPage`."""


class ScenariosRead(Answer):
    """`value` is two tuples: the scenarios that have results, and all that have a board."""


class ContextsRead(Answer):
    """`value` is the table of a scenario's boards, newest first; `about` is the scenario."""


class RowRead(Answer):
    """`value` is the `Sheet` of the cells behind a row; `about` is the row's label."""


class StatesRead(Answer):
    """`value` are the `Cells` of a run; `about` is the run."""


class CurveRead(Answer):
    """`value` is a tuple of points; `about` is the cell."""


class LevelRead(Answer):
    """`value` is the `Sheet` of a level; `about` is the command that prints it."""


class HeatRead(Answer):
    """`value` is a `Heat`, the board's numbers and which of them it is; `about` the dimension."""


class DifferencesRead(Answer):
    """`value` is the table of two subjects by setting; `about` is the command that prints it."""


class TransferRead(Answer):
    """The table of the query `transfer`; `about` is the command that prints it."""


class DimensionsRead(Answer):
    """`value` lists the columns that tell a scenario's problems apart; `about` is the scenario."""


class ChartRead(Answer):
    """`value` is a `Chart`; `about` is whatever the request named it by."""


class CellRead(Answer):
    """`value` maps the names of one cell's columns to values."""


class Previewed(Answer):
    """`value` is the count of a selection's cells; `about` is the selection's JSON."""


class Submitted(Answer):
    """`value` is what the engine said to a submission."""


class Commanded(Answer):
    """An engine command was carried out; `value` is a sentence about it."""


class LogRead(Answer):
    """`value` is a `LogText`; with a cell in `about`, the text of its lines."""


@dataclass
class FilterTyped(Message):
    """The text in a filter line is another one now."""

    text: str

    def can_replace(self, message: Message) -> bool:
        """Only the newest text matters."""
        return type(message) is FilterTyped


@dataclass
class FilterEntered(Message):
    """A filter is what was wanted; or the one before is wanted again."""

    text: str


class FilterHelpWanted(Message):
    """Somebody asks what may be typed into a filter line."""


class TextMade(Answer):
    """`value` is what a file would hold, for the clipboard."""


class FailureRead(Answer):
    """`value` has `cell`, `log`, `report` and its `path`; None where the cell did not fail."""


class Verified(Answer):
    """`value` is what is wrong with a data set, "" for nothing; `about` is its name."""


class TableRead(Answer):
    """A person's own table: an `engine.datasets.own.ask.Read`, or in a str why there is none."""


class FetchStep(Answer):
    """`value` is how far the fetch of a data set is; `about` is its name."""


class Fetched(Answer):
    """`value` is why a data set could not be fetched, "" for nothing; `about` is its name."""


@dataclass
class Exported(Message):
    """A file was written."""

    path: Path
    command: str

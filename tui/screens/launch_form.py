"""The parts of the Launch tab: what is typed and chosen, and what is wrong with it, beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input, Label, Static

from augury.engine.datasets.own.ask import Read, parse
from augury.engine.errors import UsageError
from augury.engine.plan import Selection
from augury.engine.wording import count
from augury.tui import choice, launch_fields
from augury.tui.widgets.chooser import Chooser


@dataclass(frozen=True, slots=True)
class Form:
    """What the fields say, and what was read of a person's own table."""

    what: str
    scale: str
    seeds: str
    problems: str
    set: str
    subjects: tuple[str, ...]
    table: str = ""  # words that name it
    read: Read | str | None = None  # what they gave, or why nothing; None: not read yet

    @property
    def example(self) -> str:
        """What may be typed into the filter of problems."""
        names = [name for name in launch_fields.columns(self.what) if name != "problem"]
        return f"all; or by {', '.join(names[:4])}: {names[0]}=..." if names else "all"

    def errors(self) -> dict[str, str]:
        """What cannot be meant, by field; empty where all can."""
        found: dict[str, str] = {}
        checks: dict[str, Callable[[], object]] = {
            "seeds": lambda: choice.parse_seeds(self.seeds),
            "table": self._check_table,
            "problems": self._check_problems,
            "set": lambda: launch_fields.check_overrides(self.what, self._items()),
            "subjects": lambda: choice.selection(self.what, self.subjects, "", self.scale),
        }
        for name, check in checks.items():
            try:
                check()
            except UsageError as error:
                found[name] = error.message
        return found

    def hints(self) -> dict[str, str]:
        """What is said below a field that is right."""
        said = "" if self.read is None or isinstance(self.read, str) else "; ".join(self.read.lines)
        return {"table": said, "seeds": "", "problems": self._matching(), "set": self._choices()}

    def complete(self, text: str) -> str | None:
        """The `--set` items with the last one completed."""
        return launch_fields.complete(self.what, text)

    @property
    def is_unfinished(self) -> bool:
        """Whether the last `--set` item is the beginning of one: no mistake yet."""
        return launch_fields.complete(self.what, self.set) is not None

    def selection(self) -> Selection:
        """What would run. Raises `UsageError` where `errors` has any."""
        tables = [self.read.table] if isinstance(self.read, Read) else []
        return choice.selection(
            self.what, self.subjects, self.seeds, self.scale, self.problems, self._items(), tables
        )

    def _check_table(self) -> None:
        if self.table:
            parse(self.table)
        if isinstance(self.read, str):
            raise UsageError(self.read)

    def _check_problems(self) -> None:
        if self.table and self.problems.strip():
            raise UsageError("with a table of yours all of its rows are the problem: no filter.")
        launch_fields.matching(self.what, self.scale, self.problems)

    def _items(self) -> tuple[str, ...]:
        return launch_fields.overrides(self.set)

    def _matching(self) -> str:
        if self.table or not self.problems.strip():
            return ""
        try:
            kept, of = launch_fields.matching(self.what, self.scale, self.problems)
        except UsageError:
            return ""
        return f"{kept:,} of {count(of, 'problem')}"

    def _choices(self) -> str:
        return launch_fields.choices(self.what, self.set) if self.set.strip() else ""


class Entry(Vertical):
    """A field in which one types; below it, where there is anything, what is said of it."""

    class Changed(Message):
        """Another text."""

    class _Completed(Suggester):
        def __init__(self, complete: Callable[[str], str | None]) -> None:
            super().__init__(use_cache=False, case_sensitive=True)
            self._complete = complete

        async def get_suggestion(self, value: str) -> str | None:
            return await asyncio.to_thread(self._complete, value)  # it may look into a folder

    def __init__(self, title: str, placeholder: str, *, id: str) -> None:
        """A title, and what stands in the empty field."""
        super().__init__(id=id, classes="entry")
        self._title, self._placeholder = title, placeholder

    def compose(self) -> ComposeResult:
        """Title and field on one line."""
        with Horizontal(classes="field"):
            yield Label(self._title)
            yield Input(placeholder=self._placeholder, compact=True, select_on_focus=False)
        yield Static("", classes="said", markup=False)

    @property
    def value(self) -> str:
        """What was typed."""
        return self.query_one(Input).value

    @value.setter
    def value(self, text: str) -> None:
        self.query_one(Input).value = text

    def suggest(self, placeholder: str) -> None:
        """What stands in the field while it is empty."""
        self.query_one(Input).placeholder = placeholder

    def complete_by(self, complete: Callable[[str], str | None]) -> None:
        """How a text is completed; the right arrow takes it."""
        self.query_one(Input).suggester = self._Completed(complete)

    def say(self, text: str, wrong: bool = False) -> None:
        """Say something below the field, or nothing."""
        said = self.query_one(".said", Static)
        said.update(text)
        said.set_class(bool(text), "-some")
        self.set_class(wrong, "-wrong")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed())


class SubjectPane(Vertical):
    """The subjects, narrowed by a text; what is out of view stays chosen."""

    class Changed(Message):
        """Others are chosen."""

    def __init__(self, *, id: str) -> None:
        """Offer nothing yet."""
        super().__init__(id=id)
        self._names: tuple[str, ...] = ()
        self._chosen: set[str] = set()
        self._wrong = ""

    def compose(self) -> ComposeResult:
        """How many, the filter, the list."""
        yield Label("", id="subjects-title", markup=False)
        choose = cast("Any", self.app).key_of("list.choose")
        yield Input(
            placeholder=f"filter; {choose} chooses below", id="subjects-filter", compact=True
        )
        yield Chooser(id="subjects")

    @property
    def chosen(self) -> tuple[str, ...]:
        """Chosen names, in the order they are offered."""
        return tuple(name for name in self._names if name in self._chosen)

    def offer(self, names: Sequence[str], chosen: Collection[str]) -> None:
        """Replace what is offered."""
        self._names, self._chosen = tuple(names), set(chosen)
        self._narrow()

    def say(self, text: str) -> None:
        """What is wrong with the choice, or nothing."""
        self._wrong = text
        self._write_title()

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed | None = None) -> None:
        if event is not None:
            event.stop()
        words = self.query_one(Input).value.lower().split()
        shown = [name for name in self._names if all(word in name.lower() for word in words)]
        chooser = self.query_one(Chooser)
        chooser.offer(shown, self._chosen & set(shown))
        chooser.highlighted = 0 if shown else None
        self._write_title()

    @on(Chooser.Changed)
    def _choose(self, event: Chooser.Changed) -> None:
        event.stop()
        chooser = self.query_one(Chooser)
        shown = {str(option.id) for option in chooser.options}
        self._chosen = (self._chosen - shown) | set(chooser.chosen)
        self._write_title()
        self.post_message(self.Changed())

    def _write_title(self) -> None:
        said = f"✖ {self._wrong}" if self._wrong else f"{len(self._chosen)} of {len(self._names)}"
        self.query_one("#subjects-title", Label).update(f"Subjects  {said}")
        self.set_class(bool(self._wrong), "-wrong")

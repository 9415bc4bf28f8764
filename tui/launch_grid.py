"""Which cells of a selection are done: subjects down, settings across, grouped. No widgets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from textual.content import Content

from augury.engine.text_width import cut, left
from augury.engine.wording import count

LEGEND = "o done  : some  . new  x failed"
_STYLES = {"o": "$success", ":": "$accent", ".": "$secondary", "x": "bold $error"}
_LABEL = 16


@dataclass(slots=True)
class _Group:
    name: str
    settings: list[str] = field(default_factory=list)


def drawn(grid: Sequence[Sequence[Any]], width: int, height: int) -> Content:
    """The grid, coloured."""
    shown = lines(grid, width, height)
    text = Content("\n".join(shown))
    for start, end, style in tones(shown):
        text = text.stylize(style, start, end)
    return text


def lines(grid: Sequence[Sequence[Any]], width: int, height: int) -> list[str]:
    """The grid in so many columns and lines; where they are few, one mark stands for several.

    `grid` has (subject, setting, done, new, failed) for each pair.
    """
    if not grid or width < 20 or height < 3:
        return []
    subjects = list(dict.fromkeys(str(row[0]) for row in grid))
    cells = {(row[0], row[1]): row[2:5] for row in grid}
    groups = _groups(list(dict.fromkeys(str(row[1]) for row in grid)))
    label = min(max(map(len, subjects)), _LABEL)
    room, bundle = width - label - 1, 1
    while bundle < max(len(g.settings) for g in groups) and _width(groups, bundle) > room:
        bundle += 1
    names = [left(g.name, _group_width(g, bundle)) for g in groups]
    found = [cut(f"{' ' * label} {' '.join(names)}", width)]
    rest = len(subjects) - (height - 2)
    shown = subjects if rest <= 0 else subjects[: height - 3]
    for subject in shown:
        marks = [_marks(g, subject, cells, bundle) for g in groups]
        found.append(cut(f"{left(cut(subject, label), label)} {' '.join(marks)}", width))
    if rest > 0:
        found.append(f"and {count(len(subjects) - len(shown), 'more subject')}")
    return [*found, LEGEND]


def tones(shown: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """(start, end, style) of the marks in these lines, put one below the other."""
    label = len(shown[0]) - len(shown[0].lstrip()) - 1 if shown else 0
    place = 0
    for line in shown:
        if line is not shown[0] and line is not shown[-1] and not line.startswith("and "):
            for run in re.finditer(r"(.)\1*", line[label:]):
                if run[1] in _STYLES:
                    yield place + label + run.start(), place + label + run.end(), _STYLES[run[1]]
        place += len(line) + 1


def _groups(settings: Sequence[str]) -> list[_Group]:
    """Settings of a scenario that share the first part in which any of them differ."""
    split = {name: re.split(r"[-/]", name) for name in settings}
    found: dict[tuple[str, str], _Group] = {}
    for name, (scenario, *parts) in split.items():
        mine = [p for s, *p in split.values() if s == scenario]
        place = next((n for n in range(min(map(len, mine))) if len({p[n] for p in mine}) > 1), 0)
        found.setdefault((scenario, parts[place]), _Group(parts[place])).settings.append(name)
    return list(found.values())


def _width(groups: Sequence[_Group], bundle: int) -> int:
    return sum(_group_width(g, bundle) + 1 for g in groups) - 1


def _group_width(group: _Group, bundle: int) -> int:
    return max(len(group.name), -(-len(group.settings) // bundle))


def _marks(
    group: _Group, subject: str, cells: Mapping[tuple[Any, Any], Sequence[int]], bundle: int
) -> str:
    marks = ""
    for start in range(0, len(group.settings), bundle):
        few = [cells[subject, s] for s in group.settings[start : start + bundle]
               if (subject, s) in cells]  # fmt: skip
        marks += _mark(*(sum(column) for column in zip(*few, strict=True))) if few else " "
    return left(marks, _group_width(group, bundle))


def _mark(done: int, new: int, failed: int) -> str:
    if failed:
        return "x"
    if not new:
        return "o"
    return ":" if done else "."

"""Names in fewer columns than they take, no two of them alike. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from os.path import commonprefix

from augury.engine.text_width import cut, cut_middle, first, width_of

_MARK = "…"


def apart(names: Iterable[str], width: int) -> dict[str, str]:
    """How each name that is wider than `width` reads: without its middle.

    Where that makes several alike, what they differ in is shown of them; where that has no room,
    they are numbered.

    >>> apart(["mlp[steps=4000, width=50]", "mlp[steps=9000, width=50]"], 13).values()
    dict_values(['mlp…s=4000, …', 'mlp…s=9000, …'])
    """
    every = dict.fromkeys(names)
    taken = {name for name in every if width_of(name) <= width}
    alike: dict[str, list[str]] = defaultdict(list)
    for name in every:
        if name not in taken:
            alike[cut_middle(name, width)].append(name)
    found: dict[str, str] = {}
    for short, group in alike.items():
        if len(group) == 1 and short not in taken:
            found[group[0]] = short
        else:
            found |= _differing(sorted(group), width, taken | {*alike, *found.values()})
    return found


def _differing(names: Sequence[str], width: int, taken: set[str]) -> dict[str, str]:
    """Their beginning, a mark, and what follows from shortly before they differ."""
    same, head = len(commonprefix(list(names))), width // 4
    found = {}
    for name in names:
        # Some of what they share tells which field it is that differs.
        start = max(same - max(width // 6, 1), head)
        rest = cut(name[start:], width - head - 1)
        short = first(name, head) + _MARK + rest
        number = 1
        while short in taken or width_of(short) > width:
            number += 1
            mark = f"{_MARK}({number})"
            short = first(name, width - len(mark)) + mark
            if number > len(taken) + len(names) + 1:
                break  # too narrow for any of it
        taken.add(short)
        found[name] = short
    return found

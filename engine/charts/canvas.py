"""A grid of characters to draw dots into: braille, eight dots a character, or plain ASCII."""

from __future__ import annotations

from collections.abc import Iterator

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # [row][column] of one character
# Which dots along a curve are set, for each series; six that differ without colour.
PATTERNS = ("1", "11110", "100", "1111100100", "110", "1111110000")
GLYPHS = "*o+x#@"  # the same in ASCII


class Canvas:
    """`columns` x `rows` characters; the last series that drew in one owns it."""

    def __init__(self, columns: int, rows: int, ascii: bool = False) -> None:
        """Nothing drawn yet."""
        self.columns, self.rows, self.ascii = columns, rows, ascii
        self.wide, self.tall = (columns, rows) if ascii else (2 * columns, 4 * rows)
        self._bits = [[0] * columns for _ in range(rows)]
        self._letters = [[""] * columns for _ in range(rows)]
        self._owners: list[list[int | None]] = [[None] * columns for _ in range(rows)]

    def dot(self, x: int, y: int, owner: int, letter: str, weak: bool = False) -> None:
        """Set one dot; a weak one gives way to what is there."""
        if not (0 <= x < self.wide and 0 <= y < self.tall):
            return
        row, column = (y, x) if self.ascii else (y // 4, x // 2)
        if weak and self._owners[row][column] not in (None, owner):
            return
        if self.ascii:
            if not (weak and self._letters[row][column]):
                self._letters[row][column] = letter
        else:
            self._bits[row][column] |= _DOTS[y % 4][x % 2]
        self._owners[row][column] = owner

    def line(self, start: tuple[int, int], end: tuple[int, int], owner: int, begin: int) -> int:
        """A line in the owner's pattern, `begin` dots into it; where the pattern is at its end."""
        pattern = PATTERNS[owner % len(PATTERNS)]
        steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
        for i in range(steps + 1):
            if self.ascii or pattern[(begin + i) % len(pattern)] == "1":
                x = start[0] + round((end[0] - start[0]) * i / steps)
                y = start[1] + round((end[1] - start[1]) * i / steps)
                self.dot(x, y, owner, ".", weak=self.ascii)
        return begin + steps

    def lines(self) -> Iterator[list[tuple[str, int | None]]]:
        """Each row as stretches of text of one owner."""
        for row in range(self.rows):
            stretches: list[tuple[str, int | None]] = []
            for column in range(self.columns):
                owner, text = self._owners[row][column], self._text(row, column)
                if stretches and stretches[-1][1] == owner:
                    stretches[-1] = (stretches[-1][0] + text, owner)
                else:
                    stretches.append((text, owner))
            yield stretches

    def _text(self, row: int, column: int) -> str:
        if self.ascii:
            return self._letters[row][column] or " "
        bits = self._bits[row][column]
        return chr(0x2800 + bits) if bits else " "


def sample(owner: int, ascii: bool = False, bars: bool = False) -> str:
    """What the legend shows of a series."""
    if bars:
        return "#" if ascii else "⣿"
    if ascii:
        return GLYPHS[owner % len(GLYPHS)]
    canvas = Canvas(4, 1)
    canvas.line((0, 1), (7, 1), owner, 0)
    return "".join(text for text, _ in next(canvas.lines()))

"""The mat: a grid of spaces to deal onto.

Spaces count from 0, row by row. A label is the row's letter and the column's number (A1, A2, ...,
B1, ...) unless the mat is given labels of its own.
"""

from dataclasses import dataclass

from fairdeck.errors import FairdeckError
from fairdeck.reading import whole_number

LARGEST_SIDE = 26
LONGEST_LABEL = 20


@dataclass(frozen=True, slots=True)
class Mat:
    """A grid of `columns` x `rows` spaces, 1 to 26 each, with one distinct label a space.

    Raises:
        FairdeckError: a side is out of range, or the labels are too few, too many or alike.

    >>> Mat(3, 2).labels
    ('A1', 'A2', 'A3', 'B1', 'B2', 'B3')
    """

    columns: int
    rows: int
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= LARGEST_SIDE and 1 <= self.rows <= LARGEST_SIDE):
            raise FairdeckError(f"mat {self}: columns and rows must be 1 to {LARGEST_SIDE}, such as 5x2")
        if not self.labels:
            letters = (chr(ord("A") + row) for row in range(self.rows))
            grid = tuple(f"{letter}{column + 1}" for letter in letters for column in range(self.columns))
            object.__setattr__(self, "labels", grid)
        if len(self.labels) != self.spaces:
            raise FairdeckError(f"mat {self} has {self.spaces} spaces but {len(self.labels)} labels: give one each")
        seen: set[str] = set()
        for label in self.labels:
            if not label.isprintable() or label != label.strip() or not 1 <= len(label) <= LONGEST_LABEL:
                raise FairdeckError(
                    f"label {label[:40]!r} cannot be shown: use 1 to {LONGEST_LABEL} printable characters"
                )
            if label in seen:
                raise FairdeckError(f"label {label!r} stands on two spaces: give each its own")
            seen.add(label)

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"

    @classmethod
    def parse(cls, text: str) -> "Mat":
        """Read ``5x2``: 5 columns, 2 rows.

        >>> Mat.parse("5x2").spaces
        10
        """
        columns, by, rows = text.lower().replace("×", "x").partition("x")
        if not by:
            raise FairdeckError(f"mat {text!r} is not COLUMNSxROWS, such as 5x2")
        what = f"mat {text!r}"
        return cls(whole_number(columns, what, 1, LARGEST_SIDE), whole_number(rows, what, 1, LARGEST_SIDE))

    @property
    def spaces(self) -> int:
        """How many piles fit: columns times rows."""
        return self.columns * self.rows

    def grids(self) -> list[tuple[int, int]]:
        """Return (columns, rows) of every grid that fits on this mat, fewest spaces first.

        Among equals the better to look at come first: an odd number of columns has a middle.
        """
        sides = [(columns, rows) for columns in range(1, self.columns + 1) for rows in range(1, self.rows + 1)]
        return sorted(sides, key=lambda side: (side[0] * side[1], not _has_middle(side[0]), -side[0]))

    def block(self, spaces: int) -> tuple[int, ...]:
        """Return a compact block of `spaces` spaces in the first corner, row by row.

        It fills the smallest grid that holds it, with an odd number of columns if the mat allows;
        the last row may be short.

        >>> [Mat(5, 2).labels[space] for space in Mat(5, 2).block(6)]
        ['A1', 'A2', 'A3', 'B1', 'B2', 'B3']
        """
        grids = [(columns, rows) for columns, rows in self.grids() if columns * rows >= spaces]
        columns, rows = next((grid for grid in grids if _has_middle(grid[0])), grids[0])
        corner = [row * self.columns + column for row in range(rows) for column in range(columns)]
        return tuple(corner[:spaces])


def _has_middle(columns: int) -> bool:
    return columns % 2 == 1 and columns > 1


PRESETS = tuple(Mat(columns, rows) for rows in (1, 2, 3) for columns in (5, 7))
"""The mats people own or draw: 5x1, 7x1, 5x2, 7x2, 5x3, 7x3."""

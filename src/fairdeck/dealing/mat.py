"""The mat: a grid of spaces to deal onto.

Spaces count from 0, row by row. A label is the row's letter and the column's number (A1, A2, ...,
B1, ...) unless the mat is given labels of its own.

A label must be visible, differ from the others, and survive codes, paper and speech. So it consists of visible letters,
digits and signs (Unicode's categories L, N, P and S), each with up to three marks (M), and of single spaces between
them. Joiners, controls of direction and characters of private use are refused. A mark counts as part of its letter. The
dealing page has exactly the same rule. (Unicode grows: an older Python refuses characters that a newer browser knows.)
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

from fairdeck.doors import check_fields
from fairdeck.errors import FairdeckError
from fairdeck.numbers import shortened, whole

LARGEST_SIDE = 26
LONGEST_LABEL = 20
SHOWN = re.compile("(((?!^) )?[LNPS]M{0,3})*")  # of the categories of a label's characters
BLANK = "\u115f\u1160\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U0001d159"  # letters and signs, but invisible
UNSEEN = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # marks, but invisible


@dataclass(frozen=True, slots=True)
class Mat:
    """A grid of `columns` x `rows` spaces, 1 to 26 each, with one distinct label a space.

    Raises:
        FairdeckError: a side is out of range, or there are too few or too many labels, or equal ones.

    >>> Mat(3, 2).labels
    ('A1', 'A2', 'A3', 'B1', 'B2', 'B3')
    """

    columns: int
    rows: int
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)
        if not (1 <= self.columns <= LARGEST_SIDE and 1 <= self.rows <= LARGEST_SIDE):
            told = f"{shortened(self.columns)}x{shortened(self.rows)}"
            raise FairdeckError(f"mat {told}: columns and rows must be 1 to {LARGEST_SIDE}, such as 5x2")
        if not self.labels:
            letters = (chr(ord("A") + row) for row in range(self.rows))
            grid = tuple(f"{letter}{column + 1}" for letter in letters for column in range(self.columns))
            object.__setattr__(self, "labels", grid)
        if len(self.labels) != self.spaces:
            raise FairdeckError(
                f"mat {self} has {self.spaces} spaces but {len(self.labels)} labels: give one label for each space"
            )
        seen: set[str] = set()
        for label in self.labels:
            _check_label(label)
            if appearance(label) in seen:
                raise FairdeckError(f"label {label!r} is on two spaces: give each space its own label")
            seen.add(appearance(label))

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"

    @classmethod
    def parse(cls, text: str, labels: Iterable[str] | None = None) -> "Mat":
        """Read ``5x2``: 5 columns, 2 rows; `labels` are a list, or a text with commas.

        >>> Mat.parse("5x2").spaces
        10
        """
        columns, by, rows = text.lower().replace("×", "x").partition("x")
        if not by:
            raise FairdeckError(f"mat {shortened(text)} is not COLUMNSxROWS, such as 5x2")
        what = f"mat {shortened(text)}"
        grid = cls(whole(what, columns, 1, LARGEST_SIDE), whole(what, rows, 1, LARGEST_SIDE))
        if labels is None:
            return grid
        given = labels.split(",") if isinstance(labels, str) else labels
        return replace(grid, labels=tuple(str(label).strip() for label in given))

    @property
    def spaces(self) -> int:
        """The number of spaces: columns times rows."""
        return self.columns * self.rows

    def grids(self) -> list[tuple[int, int]]:
        """Return (columns, rows) of every grid that fits on this mat, fewest spaces first.

        Among equals, an odd number of columns comes first: it has a middle, which is easier to see.
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


def letters(label: str) -> int:
    """Return how long a label is: marks are part of the letter they stand on.

    >>> letters("n\u0303 1")
    3
    """
    return sum(unicodedata.category(each)[0] != "M" for each in label)


def appearance(label: str) -> str:
    """Return a text that two labels share if they look the same."""
    return unicodedata.normalize("NFC", UNSEEN.sub("", label))


def is_shown(text: str) -> bool:
    """Return whether a text has visible letters, digits and signs only, each with up to three marks, and single spaces.

    >>> is_shown("A 1"), is_shown("A  1"), is_shown("A\u200b"), is_shown("\u3164")
    (True, False, False, False)
    """
    return text != "" and _readable_from_start(text) == len(text)


def _readable_from_start(text: str) -> int:
    """Return how many characters of a text, from its beginning, can be read by themselves."""
    return SHOWN.match("".join(_category(each) for each in text)).end()  # type: ignore[union-attr]


def _check_label(label: str) -> None:
    fine = _readable_from_start(label)
    if fine < len(label):
        raise FairdeckError(
            f"label {label[:40]!r} contains U+{ord(label[fine]):04X}, "
            "which cannot be read by itself: use letters, digits and signs"
        )
    if not 1 <= letters(label) <= LONGEST_LABEL:
        raise FairdeckError(f"label {label[:40]!r} has {letters(label)} letters: use 1 to {LONGEST_LABEL}")


def _category(character: str) -> str:
    if character == " " or character in BLANK:
        return character
    return unicodedata.category(character)[0]


def _has_middle(columns: int) -> bool:
    return columns % 2 == 1 and columns > 1


#: The mats that suit most tables: five and seven columns, one to three rows.
PRESETS = tuple(Mat(columns, rows) for rows in (1, 2, 3) for columns in (5, 7))
"""The mats people own or draw: 5x1, 7x1, 5x2, 7x2, 5x3, 7x3."""

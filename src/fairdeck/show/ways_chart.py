"""The chart of ways to shuffle as SVG: minutes to the right, how random upwards.

It has three bands. Ways that leave the deck exactly uniform stand in the top band, those with an unknown distance in
the bottom band; between them the total variation falls upwards. Minutes grow to the right, both on logarithmic scales;
a way that takes longer than the scale stands at its end.
"""

from collections.abc import Iterator, Sequence
from html import escape
from math import log10

from fairdeck.document import Way, Ways

WIDE, HIGH = 340, 308
LEFT, RIGHT = 40, 334
UNIFORM, NEAR, FAR, UNKNOWN = 36, 76, 222, 258  # heights: of the top band, of the scale's ends, of the bottom band
FOOT = 278
LATE = 302  # the x beyond the scale, for what takes longer
LEAST_VARIATION = 0.001
LONGEST = 60.0  # minutes on the scale
RADIUS = 8.5
LETTER = 6.2  # wide, about
SCALE = (0.5, 1, 2, 5, 10, 20, 40)

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom


def ways(picture: Ways) -> tuple[int, str]:
    """Return the height of the ways, and what is in it."""
    return HIGH, "".join([*_ground(picture), *_marks(picture.ways)])


def _ground(picture: Ways) -> Iterator[str]:
    wide, high = (RIGHT if picture.minutes is None else _across(picture.minutes)) - LEFT, _up(picture.distance) - 14
    yield f'<rect class="field" x="{LEFT}" y="14" width="{RIGHT - LEFT}" height="{FOOT - 14}"/>'
    yield f'<rect class="wanted" x="{LEFT}" y="14" width="{wide:.1f}" height="{high:.1f}"/>'
    yield from (f'<path class="axis" d="M{LEFT} {edge}H{RIGHT}"/>' for edge in (58, 240))
    yield f'<path class="axis thin" d="M{LATE - 12} 14V{FOOT}"/>'
    for y, label in (
        (UNIFORM, "0"),
        *((_up(level), f"{level:g}") for level in (0.001, 0.01, 0.1, 1.0)),
        (UNKNOWN, "?"),
    ):
        yield f'<text class="end" x="{LEFT - 5}" y="{y + 4:.0f}">{label}</text>'
    yield f'<text class="end" x="{RIGHT}" y="{FOOT + 27}">bottom: nobody knows</text>'
    yield f'<text class="end" x="{RIGHT}" y="10">top: exactly uniform</text>'
    for minutes in SCALE:
        yield f'<text class="mid" x="{_across(minutes):.1f}" y="{FOOT + 14}">{minutes:g}</text>'
    yield f'<text class="end" x="{RIGHT}" y="{FOOT + 14}">longer</text>'
    yield f'<text class="mid" x="{LEFT + 60}" y="{FOOT + 27}">minutes</text>'
    yield '<text x="2" y="10">distance from random</text>'


def _across(minutes: float) -> float:
    if minutes > LONGEST:
        return LATE + RADIUS
    share = log10(max(minutes, SCALE[0]) / SCALE[0]) / log10(LONGEST / SCALE[0])
    return LEFT + 14 + share * (LATE - LEFT - 36)


def _up(variation: float | None) -> float:
    if variation is None:
        return UNKNOWN
    if variation == 0:
        return UNIFORM
    return FAR + (NEAR - FAR) * log10(max(variation, LEAST_VARIATION)) / log10(LEAST_VARIATION)


def _marks(ranked: Sequence[Way]) -> Iterator[str]:
    """Yield the marks, each as near as possible to its own place, and the names that fit."""
    taken: list[Rectangle] = []
    places = {}
    for number, way in sorted(enumerate(ranked, 1), key=lambda numbered: numbered[1].minutes):
        places[number] = _free(_across(way.minutes), _up(way.distance), taken)
        taken.append(_disc(*places[number]))
    for number, way in enumerate(ranked, 1):
        x, y = places[number]
        sort = ("good" if way.enough else "poor") + ("" if way.exact else " guess")
        yield f'<circle class="way {sort}" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}"/>'
        yield f'<text class="digit" x="{x:.1f}" y="{y + 4:.1f}">{number}</text>'
        names = (
            (x + RADIUS + 3, y, "start"),
            (x - RADIUS - 3, y, "end"),
            (x, y - RADIUS - 6, "mid"),
            (x, y + RADIUS + 7, "mid"),
        )
        for left, high, anchor in names:
            box = _words(left, high, way.name, anchor)
            if box[0] > LEFT and box[2] < RIGHT and not any(_meet(box, other) for other in taken):
                taken.append(box)
                yield f'<text class="name {anchor}" x="{left:.1f}" y="{high + 4:.1f}">'
                yield f"{escape(way.name)}</text>"
                break


def _free(x: float, y: float, taken: Sequence[Rectangle]) -> tuple[float, float]:
    """Return the free place nearest to the one asked for, preferably to the right, which keeps the order of minutes."""
    steps = [(3.0 * dx, 3.0 * dy) for dx in range(-40, 41) for dy in range(-3, 4)]
    steps.sort(key=lambda step: abs(step[0]) + 2 * abs(step[1]) + 40 * (step[0] < 0))
    places = [(x + dx, y + dy) for dx, dy in steps if LEFT + RADIUS < x + dx < RIGHT - RADIUS]
    return next((each for each in places if not any(_meet(_disc(*each), other) for other in taken)), (x, y))


def _disc(x: float, y: float) -> Rectangle:
    return x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS


def _words(x: float, y: float, says: str, anchor: str) -> Rectangle:
    """Return about the room that some words take."""
    wide = LETTER * len(says)
    left = x - {"start": 0.0, "mid": wide / 2, "end": wide}[anchor]
    return left - 2, y - 5, left + wide + 2, y + 5


def _meet(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

"""Charts of distances as SVG: falling round after round, or side by side."""

from collections.abc import Iterator, Sequence
from html import escape

from fairdeck.document import Falling, LowerBounds

HIGH = 190
LEFT, RIGHT, TOP, BOTTOM = 34, 330, 12, 158
STROKES = ("", "6 4", "2 3")  # each series has its own, for readers who see no colours
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
ROW = 30  # height of one distance among others
MARGIN = 2  # standard errors that a whisker shows on either side


def falling(picture: Falling) -> tuple[int, str]:
    """Return the height of lines of distances against rounds, and what is in it."""
    rounds = max((len(values) for values in picture.series.values()), default=1)
    step = (RIGHT - LEFT) / max(1, rounds - 1)
    parts = [
        f'<rect class="field" x="{LEFT}" y="{TOP}" width="{RIGHT - LEFT}" height="{BOTTOM - TOP}"/>',
        *(
            f'<text x="{LEFT - 5}" y="{_down(level) + 4:.0f}" text-anchor="end">{level:g}</text>'
            f'<path class="axis thin" d="M{LEFT} {_down(level):.1f}H{RIGHT}"/>'
            for level in LEVELS
        ),
    ]
    if picture.mark is not None:
        parts.append(f'<path class="axis" d="M{LEFT + (picture.mark - 1) * step:.1f} {TOP}V{BOTTOM}"/>')
    every = -(-rounds // 12)
    parts += [
        f'<text x="{LEFT + at * step:.1f}" y="{BOTTOM + 14}" text-anchor="middle">{at + 1}</text>'
        for at in range(0, rounds, every)
    ]
    for number, (name, values) in enumerate(picture.series.items()):
        known = [(LEFT + at * step, _down(value)) for at, value in enumerate(values) if value is not None]
        if not known:
            continue
        parts += _whiskers(values, picture.errors.get(name, ()), step)
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in known)
        dashes = f' stroke-dasharray="{STROKES[number % 3]}"' if STROKES[number % 3] else ""
        x = LEFT + number * (RIGHT - LEFT) / len(picture.series)
        parts.append(
            f'<path class="fair" d="{path}"{dashes}/>'
            f'<path class="fair" d="M{x:.0f} {HIGH - 7}h22"{dashes}/>'
            f'<text x="{x + 27:.0f}" y="{HIGH - 3}">{escape(name)}</text>'
        )
    return HIGH, "".join(parts)


def _whiskers(values: Sequence[float | None], errors: Sequence[float | None], step: float) -> Iterator[str]:
    for at, (value, error) in enumerate(zip(values, errors, strict=False)):
        if value is not None and error is not None:
            x, high, low = LEFT + at * step, _down(value + MARGIN * error), _down(value - MARGIN * error)
            yield f'<path class="axis" d="M{x:.1f} {high:.1f}V{low:.1f}"/><circle class="spot" cx="{x:.1f}" '
            yield f'cy="{_down(value):.1f}" r="2.5"/>'


def lower_bounds(picture: LowerBounds) -> tuple[int, str]:
    """Return the height of bounds one under the other, and what is in it."""
    wide, high = RIGHT - 10, ROW * len(picture.rows) + 24
    parts = []
    for number, (name, least, value, error) in enumerate(picture.rows):
        y = ROW * number + 12
        from_, to = (_along(value + sign * MARGIN * error, wide) for sign in (-1, 1))
        parts.append(
            f'<text x="10" y="{y}">{escape(name)}</text><text class="strong" x="{RIGHT}" y="{y}" text-anchor="end">'
            f'{least:.3f}</text><rect class="field" x="10" y="{y + 4}" width="{wide}" height="9"/>'
            f'<rect class="bar" x="10" y="{y + 4}" width="{_along(least, wide) - 10:.1f}" height="9"/>'
            f'<path class="fair" d="M{from_:.1f} {y + 8.5}H{to:.1f}"/>'
        )
        if picture.most is not None:
            parts.append(
                f'<path class="fair" d="M{_along(picture.most, wide):.1f} {y + 1}v15" stroke-dasharray="2 2"/>'
            )
    parts += [
        f'<text x="{_along(level, wide):.0f}" y="{high - 6}" text-anchor="middle">{level:g}</text>' for level in LEVELS
    ]
    return high, "".join(parts)


def _along(level: float, wide: float) -> float:
    return 10 + wide * min(1.0, max(0.0, level))


def _down(level: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * min(1.0, max(0.0, level))

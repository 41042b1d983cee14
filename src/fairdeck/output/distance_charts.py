"""Charts of distances as SVG in the colours of `fairdeck.output.html`: falling round after round, or side by side."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

WIDE, HIGH = 340, 190
LEFT, RIGHT, TOP, BOTTOM = 34, 330, 12, 158
STROKES = ("", "6 4", "2 3")  # each series has its own, for readers who see no colours
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
ROW = 30  # height of one distance among others
MARGIN = 2  # standard errors that a whisker shows on either side


def falling(
    title: str,
    series: Mapping[str, Sequence[float | None]],
    errors: Mapping[str, Sequence[float | None]] | None = None,
    mark: int | None = None,
) -> str:
    """Return lines of distances, 0 to 1, against rounds.

    Args:
        title: what a screen reader says first.
        series: by name, one distance for each round; None where it is unknown.
        errors: by name, the standard errors; whiskers show two on either side.
        mark: the number of the round to mark with a vertical line, if any.
    """
    rounds = max((len(each) for each in series.values()), default=1)
    step = (RIGHT - LEFT) / max(1, rounds - 1)
    parts = [
        f'<rect class="field" x="{LEFT}" y="{TOP}" width="{RIGHT - LEFT}" height="{BOTTOM - TOP}"/>',
        *(
            f'<text x="{LEFT - 5}" y="{_down(level) + 4:.0f}" text-anchor="end">{level:g}</text>'
            f'<path class="axis thin" d="M{LEFT} {_down(level):.1f}H{RIGHT}"/>'
            for level in LEVELS
        ),
    ]
    if mark is not None:
        parts.append(f'<path class="axis" d="M{LEFT + (mark - 1) * step:.1f} {TOP}V{BOTTOM}"/>')
    every = -(-rounds // 12)
    parts += [
        f'<text x="{LEFT + at * step:.1f}" y="{BOTTOM + 14}" text-anchor="middle">{at + 1}</text>'
        for at in range(0, rounds, every)
    ]
    for number, (name, values) in enumerate(series.items()):
        known = [(LEFT + at * step, _down(value)) for at, value in enumerate(values) if value is not None]
        if not known:
            continue
        parts += _whiskers(values, (errors or {}).get(name, ()), step)
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in known)
        dashes = f' stroke-dasharray="{STROKES[number % 3]}"' if STROKES[number % 3] else ""
        x = LEFT + number * (RIGHT - LEFT) / len(series)
        parts.append(
            f'<path class="fair" d="{path}"{dashes}/>'
            f'<path class="fair" d="M{x:.0f} {HIGH - 7}h22"{dashes}/>'
            f'<text x="{x + 27:.0f}" y="{HIGH - 3}">{escape(name)}</text>'
        )
    asked = "" if mark is None else f"Round {mark} is marked. "
    said = f"{title}. {asked}" + "; ".join(f"{name}: {_said(values)}" for name, values in series.items())
    return _picture(title, said, HIGH, parts)


def _whiskers(values: Sequence[float | None], errors: Sequence[float | None], step: float) -> Iterator[str]:
    for at, (value, error) in enumerate(zip(values, errors, strict=False)):
        if value is not None and error is not None:
            x, high, low = LEFT + at * step, _down(value + MARGIN * error), _down(value - MARGIN * error)
            yield f'<path class="axis" d="M{x:.1f} {high:.1f}V{low:.1f}"/><circle class="spot" cx="{x:.1f}" '
            yield f'cy="{_down(value):.1f}" r="2.5"/>'


def side_by_side(title: str, rows: Sequence[tuple[str, float, float, float]], most: float | None = None) -> str:
    """Return lower bounds, 0 to 1, as bars one under the other, each with the counted distance as a line.

    Args:
        title: what a screen reader says first.
        rows: for each its name, the bound, the counted distance and its standard error; the line shows two of them.
        most: an upper bound, a dashed line on each bar, if any.
    """
    wide, high = RIGHT - 10, ROW * len(rows) + 24
    parts = []
    for number, (name, least, value, error) in enumerate(rows):
        y = ROW * number + 12
        from_, to = (_along(value + sign * MARGIN * error, wide) for sign in (-1, 1))
        parts.append(
            f'<text x="10" y="{y}">{escape(name)}</text><text class="strong" x="{RIGHT}" y="{y}" text-anchor="end">'
            f'{least:.3f}</text><rect class="field" x="10" y="{y + 4}" width="{wide}" height="9"/>'
            f'<rect class="bar" x="10" y="{y + 4}" width="{_along(least, wide) - 10:.1f}" height="9"/>'
            f'<path class="fair" d="M{from_:.1f} {y + 8.5}H{to:.1f}"/>'
        )
        if most is not None:
            parts.append(f'<path class="fair" d="M{_along(most, wide):.1f} {y + 1}v15" stroke-dasharray="2 2"/>')
    parts += [
        f'<text x="{_along(level, wide):.0f}" y="{high - 6}" text-anchor="middle">{level:g}</text>' for level in LEVELS
    ]
    said = "; ".join(f"{name}: {least:.3g}" for name, least, _, _ in rows) + (f"; at most {most:.3g}" if most else "")
    return _picture(title, f"{title}. {said}", high, parts)


def _along(level: float, wide: float) -> float:
    return 10 + wide * min(1.0, max(0.0, level))


def _picture(title: str, said: str, high: int, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDE} {high}" role="img"><title>{escape(title)}</title><desc>{escape(said)}</desc>'
        f"{''.join(parts)}</svg>"
    )


def _down(level: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * min(1.0, max(0.0, level))


def _said(values: Sequence[float | None]) -> str:
    return ", ".join(f"{value:.3g} after {number}" for number, value in enumerate(values, 1) if value is not None)

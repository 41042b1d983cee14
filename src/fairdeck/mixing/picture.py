"""A picture of distances falling, round after round, as SVG in the colours of `fairdeck.frame`."""

from collections.abc import Mapping, Sequence
from html import escape

WIDE, HIGH = 340, 190
LEFT, RIGHT, TOP, BOTTOM = 34, 330, 12, 158
STROKES = ("", "6 4", "2 3")  # a line of its own for each series, for whoever sees no colours
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


def falling(title: str, series: Mapping[str, Sequence[float | None]], first: int = 1) -> str:
    """Return lines of distances, 0 to 1, against rounds.

    Args:
        title: what a screen reader says first.
        series: by their names, one distance for each round; None where it is not known.
        first: the number of the first round.
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
    every = -(-rounds // 12)
    parts += [
        f'<text x="{LEFT + at * step:.1f}" y="{BOTTOM + 14}" text-anchor="middle">{first + at}</text>'
        for at in range(0, rounds, every)
    ]
    for number, (name, values) in enumerate(series.items()):
        known = [(LEFT + at * step, _down(value)) for at, value in enumerate(values) if value is not None]
        if not known:
            continue
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in known)
        dashes = f' stroke-dasharray="{STROKES[number % 3]}"' if STROKES[number % 3] else ""
        x = LEFT + number * (RIGHT - LEFT) / len(series)
        parts.append(
            f'<path class="fair" d="{path}"{dashes}/>'
            f'<path class="fair" d="M{x:.0f} {HIGH - 7}h22"{dashes}/>'
            f'<text x="{x + 27:.0f}" y="{HIGH - 3}">{escape(name)}</text>'
        )
    said = f"{title}. " + "; ".join(f"{name}: {_said(values, first)}" for name, values in series.items())
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img"><title>{escape(title)}</title><desc>{escape(said)}</desc>'
        f"{''.join(parts)}</svg>"
    )


def _down(level: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * min(1.0, max(0.0, level))


def _said(values: Sequence[float | None], first: int) -> str:
    return ", ".join(f"{value:.3g} after {number}" for number, value in enumerate(values, first) if value is not None)

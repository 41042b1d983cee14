"""Charts as SVG: small, in the colours of the page, each with a title and a description.

They draw the pictures of `fairdeck.document`, which are numbers. A chart is 340 units wide, about the width of a phone,
so that its text is readable there. All cells of one colour are one path, so a matrix of 2,704 cells takes a few KB. The
colours are CSS classes of the style sheet ``pictures``.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import accumulate, groupby, pairwise
from math import ceil, floor, isnan, log10
from typing import Any
from zlib import crc32

from fairdeck import document as doc
from fairdeck.show import look
from fairdeck.show.distance_charts import falling, lower_bounds
from fairdeck.show.html import PICTURE_STYLE, Html, text
from fairdeck.show.packet_charts import packet_step, spread
from fairdeck.show.ways_chart import ways

DENSE = 30  # rows; in more the smallest hollow squares are too small to look hollow
STEPS = (1.0, 2.0, 3.0, 5.0)  # standard deviations at which the colour of a cell changes
WIDE = 340
SIDE = 292
LEFT = 42
HINT = "For values point at the chart, or focus it and use the arrow keys."
FARTHEST = 15.0  # -log10 of the smallest p-value on the scale; smaller ones are drawn there
HIGH, TITLE_HIGH = 162, 24  # of a chart, and of its title, in a file of several

Values = dict[str, Any]  # what a chart tells a person who points at it, see styles/values.js


def svg(chart: doc.Chart) -> Html:
    """Return a chart as SVG, whose texts do not need the page around it."""
    high, body, *more = DRAWN[type(chart.picture)](chart.picture)
    values = more[0] if more else None
    wide, kind = (170, "tiny") if isinstance(chart.picture, doc.LawBars) else (WIDE, "picture")
    kind += " on-table" if isinstance(chart.picture, doc.PacketStep | doc.Spread) else ""
    key = f"chart-{crc32((chart.title + chart.description + body).encode()):x}"  # an id as good as unique
    told = f' data-values="{escape(json.dumps(values, separators=(",", ":")))}"' if values else ""
    return Html(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {wide} {high}" role="img"{told} '
        f'aria-labelledby="{key}-title {key}-desc"><title id="{key}-title">{text(chart.title)}</title>'
        f'<desc id="{key}-desc">{text(chart.description)}</desc>{body}</svg>'
    )


def svg_file(charts: Sequence[doc.Chart]) -> str:
    """Return several charts as one SVG file, two side by side."""
    across = min(2, len(charts))
    wide, high = across * WIDE, -(-len(charts) // across) * (HIGH + TITLE_HIGH)
    parts = []
    for at, chart in enumerate(charts):
        x, y = at % across * WIDE, at // across * (HIGH + TITLE_HIGH)
        placed = f'<svg x="{x}" y="{y + TITLE_HIGH}" width="{WIDE}" height="{HIGH}" '
        title = f'<text class="strong" x="{x + LEFT}" y="{y + 18}">{text(chart.title)}</text>'
        parts.append(title + svg(chart).replace("<svg ", placed, 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<style>{look.style('tokens')}{PICTURE_STYLE}</style><style media='{look.IN_THE_DARK}'>{look.dark()}</style>"
        f'<rect width="{wide}" height="{high}" style="fill:var(--paper)"/>{"".join(parts)}</svg>\n'
    )


def _matrix(picture: doc.Matrix) -> tuple[int, str, Values]:
    m = len(picture.off)
    scale = SIDE / m
    paths = _drawn(picture.off)
    ticks = "".join(
        f'<text x="{LEFT - 5}" y="{_n(6 + (at + 0.5) * scale + 4)}" text-anchor="end">{picture.starts[at]}</text>'
        f'<text x="{_n(LEFT + (at + 0.5) * scale)}" y="{SIDE + 19}" text-anchor="middle">{picture.starts[at]}</text>'
        for at in _ticks(m)
    )
    rows, columns = map(escape, picture.axes)
    body = (
        f'<rect class="field" x="{LEFT}" y="6" width="{SIDE}" height="{SIDE}"/>'
        f'<g class="cells" transform="translate({LEFT} {_n(6 + scale / 2, 3)}) scale({scale:.5g})">{paths}</g>{ticks}'
        f'<text x="{LEFT + SIDE // 2}" y="{SIDE + 34}" text-anchor="middle">{columns}</text>'
        f'<text transform="translate(10 {6 + SIDE // 2}) rotate(-90)" text-anchor="middle">{rows}</text>'
        f"{_legend(SIDE + 44)}"
    )
    sizes = [-1.0 if isnan(off) else abs(off) for row in picture.off for off in row]
    values = {
        "grid": [LEFT, 6, SIDE],
        "names": list(picture.names),
        "seen": picture.counts,
        "off": [[None if isnan(off) else round(off, 1) for off in row] for row in picture.off],
        "says": picture.says,
        "empty": "nothing is compared here",
        "start": sizes.index(max(sizes)),
        "hint": HINT,
    }
    return SIDE + 96, body, values


def _squares(picture: doc.Squares) -> tuple[int, str]:
    """Return a matrix at a glance: its squares alone, and a ring."""
    m = len(picture.off)
    margin = 0.7 if picture.ring else 0.3  # cells: a ring at the edge stays whole
    scale = WIDE / (m + 2 * margin)
    ring = ""
    if picture.ring:
        row, column = picture.ring
        ring = f'<circle class="ring" cx="{column + 0.5}" cy="{row}" r="{max(1.05, m / 22):g}"/>'
    shift = f"translate({_n(margin * scale)} {_n((margin + 0.5) * scale)}) scale({scale:.5g})"
    return WIDE, f'<g class="cells" transform="{shift}">{_drawn(picture.off)}{ring}</g>'


def _drawn(off: Sequence[Sequence[float]]) -> str:
    """Return a point for each cell, and the squares upon them; a hollow one is a square of paper on one of ink."""
    points = "".join(f"M0 {row}h{len(off[0])}" for row in range(len(off)))
    squares = [f'<path class="points" d="{points}"/>']
    for name, path in _cells(off):
        squares.append(f'<path class="{name}" d="{path}"/>')
        if name.startswith("down") and (name != "down1" or len(off) <= DENSE):
            squares.append(f'<path class="{name.replace("down", "hole")}" d="{path}"/>')
    return "".join(squares)


def _cells(off: Sequence[Sequence[float]]) -> Iterator[tuple[str, str]]:
    """Yield each colour with the path of all its cells; neighbours in a row are joined."""
    paths: dict[int, list[str]] = {}
    for row, deviations in enumerate(off):
        pens: dict[int, int] = {}  # where the path of each colour ends in this row
        start = 0
        for level, cells in groupby(map(_level, deviations)):
            end = start + len(list(cells))
            if level:
                move = f"m{start - pens[level]} 0" if level in pens else f"M{start} {row}"
                paths.setdefault(level, []).append(f"{move}h{end - start}")
                pens[level] = end
            start = end
    for level, path in sorted(paths.items()):
        yield f"{'up' if level > 0 else 'down'}{abs(level)}", "".join(path)


def _level(off: float) -> int:
    """Return which colour a deviation has: 0 for none, negative ones for too rarely."""
    size = 0 if isnan(off) else bisect_right(STEPS, abs(off))
    return size if off > 0 else -size


def _legend(top: int) -> str:
    wide = SIDE / 9
    scale = _drawn([[-6.0, -4.0, -2.5, -1.5, 0.0, 1.5, 2.5, 4.0, 6.0]])
    bounds = [*(f"−{step:g}" for step in reversed(STEPS)), *(f"{step:g}" for step in STEPS)]
    labels = "".join(
        f'<text x="{_n(LEFT + (at + 1) * wide)}" y="{top + 30}" text-anchor="middle">{bound}</text>'
        for at, bound in enumerate(bounds)
    )
    return (
        f'<g class="cells" transform="translate({LEFT} {top + 9}) scale({wide:.5g})">{scale}</g>{labels}'
        f'<text x="{LEFT}" y="{top + 44}">too rarely</text>'
        f'<text x="{LEFT + SIDE // 2}" y="{top + 44}" text-anchor="middle">standard deviations</text>'
        f'<text x="{LEFT + SIDE}" y="{top + 44}" text-anchor="end">too often</text>'
    )


def _bars(picture: doc.Bars) -> tuple[int, str, Values]:
    counts, fair = picture.counts, picture.fair
    top = max(*counts, *picture.high, picture.top, 1.0)
    base, tall = 140, 130

    def heights(numbers: Iterable[float]) -> list[float]:
        return [base - number / top * tall for number in numbers]

    whole = sum(fair) or 1.0
    edges = [LEFT + SIDE * share / whole for share in accumulate(fair, initial=0.0)]
    band = _steps(edges, heights(picture.high), "M") + _steps(edges[::-1], heights(picture.low)[::-1], "L") + "z"
    over = _steps(edges, heights(map(max, counts, picture.high)), "M")
    over += _steps(edges[::-1], heights(picture.high)[::-1], "L") + "z"
    last = len(picture.ends) - 1
    names = "".join(
        f'<text x="{_n(LEFT + SIDE * at / max(1, last))}" y="{base + 15}" '
        f'text-anchor="{("start", "middle", "end")[(at > 0) + (at == last)]}">{escape(end)}</text>'
        for at, end in enumerate(picture.ends)
    )
    body = (
        f'<path class="bar" d="M{LEFT} {base}{_steps(edges, heights(counts), "L")}V{base}z"/>'
        f'<path class="band" d="{band}"/><path class="over" d="{over}"/>'
        f'<path class="fair thin" d="{_steps(edges, heights(fair), "M")}"/>'
        f'<path class="axis" d="M{LEFT} {base}h{SIDE}"/>{names}{_scale(top, base, tall)}'
    )
    told = [
        f"bar {at} of {len(counts):,}: {_decks(count)}, {_fair(expected)} would be fair"
        for at, (count, expected) in enumerate(zip(counts, fair, strict=True), 1)
    ]
    return base + 22, body, _of_bars(edges, base, tall, told) | {"hint": HINT}


def _of_bars(edges: Sequence[float], base: float, tall: float, says: Sequence[str]) -> Values:
    places = [round(edge, 1) for edge in edges]
    boxes = [[left, base - tall, round(right - left, 1), tall] for left, right in pairwise(places)]
    return {"boxes": boxes, "says": list(says)}


def _fair(expected: float) -> str:
    return f"{expected:,.0f}" if expected >= 100 else f"{expected:,.3g}"


def _decks(count: int) -> str:
    return f"{count:,} deck{'' if count == 1 else 's'}"


def _scale(top: float, base: int, tall: int) -> str:
    """Return the marks of a count axis from 0 to `top`: two to four round numbers."""
    step = _round_below(top / 2)
    marks = [at * step for at in range(1, floor(top / step) + 1)]
    return "".join(
        f'<text x="{LEFT - 5}" y="{_n(base - mark / top * tall + 4)}" text-anchor="end">{_tick_text(mark)}</text>'
        f'<path class="axis" d="M{LEFT - 3} {_n(base - mark / top * tall)}h3"/>'
        for mark in marks
    )


def _law_bars(picture: doc.LawBars) -> tuple[int, str, Values]:
    starts, counts, expected, last = picture.starts, picture.counts, picture.expected, picture.last
    base, tall, wide = 92, 84, 160
    top = max(*counts, *expected, 1.0)
    edges = [5 + wide * at / len(starts) for at in range(len(starts) + 1)]
    line = "M" + "L".join(
        f"{_n((left + right) / 2)} {_n(base - number / top * tall)}"
        for (left, right), number in zip(pairwise(edges), expected, strict=True)
    )
    heights = [base - count / top * tall for count in counts]
    body = (
        f'<path class="bar" d="M5 {base}{_steps(edges, heights, "L")}V{base}z"/>'
        f'<path class="axis" d="M5 {base}h{wide}"/><path class="fair" d="{line}"/>'
        f'<text x="5" y="{base + 13}">{starts[0]:,}</text>'
        f'<text x="{5 + wide}" y="{base + 13}" text-anchor="end">{last:,}</text>'
    )
    ends = [*(start - 1 for start in starts[1:]), last]
    told = [
        f"{start:,}{f' to {end:,}' if end > start else ''}: {count:,}, fair {_fair(fair)}"
        for start, end, count, fair in zip(starts, ends, counts, expected, strict=True)
    ]
    return base + 17, body, _of_bars(edges, base, tall, told)


def _dots(picture: doc.Dots) -> tuple[int, str, Values]:
    dots, base, tall = picture.dots, 206, 180
    m = len(dots)
    most_x = log10(2 * m)
    seen = [_exponent(dot.p_value, FARTHEST) for dot in dots]
    most_y = max(most_x + 1, *seen) * 1.02

    def spot(x: float, y: float) -> str:
        return f"{_n(LEFT + x / most_x * SIDE)} {_n(base - min(y, most_y) / most_y * tall)}"

    xs = [-log10((k + 0.5) / m) for k in range(m)]
    upper = [spot(xs[k], _exponent(low)) for k, low, _ in picture.band]
    lower = [spot(xs[k], max(0.0, _exponent(high))) for k, _, high in picture.band]
    spots = [spot(x, y) for x, y in zip(xs, seen, strict=True)]
    labels = "".join(
        f'<text class="strong" x="{_n(LEFT + x / most_x * SIDE)}" y="{_n(base - y / most_y * tall - 7)}" '
        f'text-anchor="middle">{escape(dot.label)}</text>'
        for x, y, dot in zip(xs, seen, dots, strict=True)
        if dot.label
    )
    plain, marked = (
        "".join(f"M{where}h0" for where, dot in zip(spots, dots, strict=True) if bool(dot.label) == which)
        for which in (False, True)
    )
    step = max(1, ceil(most_y / 5))
    marks = "".join(
        f'<text x="{LEFT - 5}" y="{_n(base - at / most_y * tall + 4)}" text-anchor="end">{_tenth(at)}</text>'
        for at in range(0, floor(most_y) + 1, step)
    )
    feet = "".join(
        f'<text x="{_n(LEFT + at / most_x * SIDE)}" y="{base + 15}" text-anchor="middle">{_tenth(at)}</text>'
        for at in range(floor(most_x) + 1)
    )
    body = (
        f'<rect class="field" x="{LEFT}" y="{base - tall}" width="{SIDE}" height="{tall}"/>'
        f'<path class="band" d="M{"L".join(upper + lower[::-1])}z"/>'
        f'<path class="axis" d="M{spot(0, 0)}L{spot(most_x, most_x)}"/>'
        f'<path class="dots" d="{plain}"/><path class="dots named" d="{marked}"/>{labels}{marks}{feet}'
        f'<text x="{LEFT + SIDE // 2}" y="{base + 30}" text-anchor="middle">p-value that chance alone would give</text>'
        f'<text x="{LEFT}" y="{base - tall - 7}">p-value seen</text>'
    )
    boxes = [[float(place) - half for place in where.split()] + [2 * half] * 2 for where in spots for half in [2.5]]
    values = {"boxes": boxes, "says": [f"{dot.test}: p = {dot.p_value:.2g}" for dot in dots], "hint": HINT}
    return base + 36, body, values


def _exponent(p_value: float, farthest: float = 300.0) -> float:
    """Return -log10 of a p-value, no more than `farthest`."""
    return min(farthest, -log10(p_value)) if p_value > 0 else farthest


def _timeline(picture: doc.Timeline) -> tuple[int, str]:
    scale = (WIDE - 20) / max(1, picture.end)
    low, high, at = (10 + decks * scale for decks in (picture.low, picture.high, picture.found))
    body = (
        f'<rect class="field" x="10" y="22" width="{WIDE - 20}" height="16"/>'
        f'<rect class="over" x="{_n(low)}" y="22" width="{_n(max(2, high - low))}" height="16"/>'
        f'<path class="axis" d="M{_n(at)} 16V44"/>'
        f'<text x="{_n(min(max(at, 30), WIDE - 30))}" y="12" text-anchor="middle">found</text>'
        f'<text x="10" y="56">deck 1</text>'
        f'<text x="{_n(min(max((low + high) / 2, 90), WIDE - 110))}" y="56" text-anchor="middle">began</text>'
        f'<text x="{WIDE - 10}" y="56" text-anchor="end">{picture.end:,}</text>'
    )
    return 64, body


def _steps(edges: Sequence[float], heights: Sequence[float], first: str) -> str:
    """Return a path along the tops of bars, from the first edge to the last."""
    ends = [at for at in range(len(heights) - 1) if _n(heights[at]) != _n(heights[at + 1])]  # of each level stretch
    path = f"{first}{_n(edges[0])} {_n(heights[0])}"
    path += "".join(f"H{_n(edges[at + 1])}V{_n(heights[at + 1])}" for at in ends)
    return f"{path}H{_n(edges[-1])}"


def _ticks(m: int) -> Iterable[int]:
    """Return about six rows that get a number, the first included."""
    step = next(step for step in (1, 2, 5, 10, 20) if m / step <= 8)
    return range(0, m, step)


def _round_below(number: float) -> float:
    """Return the largest of 1, 2, 5, 10, 20, ... that is no more than `number`; at least 1."""
    ten = 10.0 ** floor(log10(max(1.0, number)))
    return max(factor * ten for factor in (1, 2, 5) if factor * ten <= max(1.0, number))


def _tick_text(number: float) -> str:
    return f"{number:,.0f}" if number < 10_000 else f"{number / 1e3:,.0f}k" if number < 1e7 else f"{number / 1e6:,.0f}M"


def _tenth(power: int) -> str:
    return "1" if power == 0 else f"1e-{power}"


def _n(number: float, decimals: int = 1) -> str:
    """Return a coordinate without trailing zeros.

    >>> _n(3.0), _n(0.25)
    ('3', '0.2')
    """
    return f"{float(number):.{decimals}f}".rstrip("0").rstrip(".")


DRAWN: dict[type, Callable[..., Any]] = {
    doc.Bars: _bars,
    doc.Matrix: _matrix,
    doc.Squares: _squares,
    doc.LawBars: _law_bars,
    doc.Dots: _dots,
    doc.Timeline: _timeline,
    doc.Falling: falling,
    doc.LowerBounds: lower_bounds,
    doc.Ways: ways,
    doc.PacketStep: packet_step,
    doc.Spread: spread,
}

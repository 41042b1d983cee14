"""Charts as SVG: small, in the colours of the page, each with a title and a description.

A chart is 340 units wide, about the width of a phone, so that its text is readable there. All cells of one
colour are one path, so a matrix of 2,704 cells takes a few KB. The colours are the CSS classes of
`fairdeck.output.html`.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil, floor, isnan, log10
from typing import Any

import numpy as np
from scipy.special import bdtrik, betaincinv

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.laws.scalar import Law
from fairdeck.output.html import Html

STEPS = (1.0, 2.0, 3.0, 5.0)  # standard deviations at which the colour of a cell changes
WIDE = 340
SIDE = 292
LEFT = 42
MOST_BARS = 40
HINT = "For values point at the chart, or focus it and use the arrow keys."
FARTHEST = 15.0  # -log10 of the smallest p-value on the scale; smaller ones are drawn there


@dataclass(frozen=True)
class Cells:
    """What the cells of a matrix say.

    Attributes:
        seen: the counts, shape ``(m, m)``.
        names: of the rows and the columns.
        says: a template with ``{row}``, ``{column}`` and ``{seen}``; the deviation follows.
    """

    seen: Floats
    names: Sequence[str]
    says: str


def matrix(
    key: str,
    off: Floats,
    says: tuple[str, str],
    axes: tuple[str, str],
    starts: Sequence[int],
    cells: Cells | None = None,
) -> Html:
    """Return a square matrix of standardised deviations: too rarely is blue, too often orange.

    Args:
        key: makes the ids of this chart unique on the page.
        off: shape ``(m, m)``: rows downwards, columns to the right; NaN is left empty.
        says: the title and the description.
        axes: the name of the rows, and of the columns.
        starts: the first number of each row and each column.
        cells: what is told of a cell that somebody points at.
    """
    m = len(off)
    scale = SIDE / m
    paths = "".join(f'<path class="{name}" d="{path}"/>' for name, path in _cells(off))
    ticks = "".join(
        f'<text x="{LEFT - 5}" y="{_n(6 + (at + 0.5) * scale + 4)}" text-anchor="end">{starts[at]}</text>'
        f'<text x="{_n(LEFT + (at + 0.5) * scale)}" y="{SIDE + 19}" text-anchor="middle">{starts[at]}</text>'
        for at in _ticks(m)
    )
    body = (
        f'<rect class="field" x="{LEFT}" y="6" width="{SIDE}" height="{SIDE}"/>'
        f'<g class="cells" transform="translate({LEFT} {_n(6 + scale / 2, 3)}) scale({scale:.5g})">{paths}</g>{ticks}'
        f'<text x="{LEFT + SIDE // 2}" y="{SIDE + 34}" text-anchor="middle">{escape(axes[1])}</text>'
        f'<text transform="translate(10 {6 + SIDE // 2}) rotate(-90)" text-anchor="middle">{escape(axes[0])}</text>'
        f"{_legend(SIDE + 44)}"
    )
    return _svg(key, SIDE + 88, body, says, values=_of_cells(off, cells) if cells else None)


def _of_cells(off: Floats, cells: Cells) -> dict[str, Any]:
    return {
        "grid": [LEFT, 6, SIDE],
        "names": list(cells.names),
        "seen": np.rint(cells.seen).astype(int).tolist(),
        "off": [[None if isnan(each) else round(each, 1) for each in row] for row in off.tolist()],
        "says": cells.says,
        "empty": "nothing is compared here",
        "start": int(np.nanargmax(np.abs(off))) if np.isfinite(off).any() else 0,
        "hint": HINT,
    }


def _cells(off: Floats) -> Iterator[tuple[str, str]]:
    """Yield each colour with the path of all its cells; neighbours in a row are joined."""
    levels = np.where(np.isnan(off), 0, np.sign(off) * np.searchsorted(STEPS, np.abs(off), side="right")).astype(int)
    for level in sorted(set(levels.ravel().tolist()) - {0}):
        path = []
        for row, each in enumerate(levels):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], each == level, [0]])))
            pen = None
            for start, end in edges.reshape(-1, 2).tolist():
                path.append(f"M{start} {row}" if pen is None else f"m{start - pen} 0")
                path.append(f"h{end - start}")
                pen = end
        yield f"{'up' if level > 0 else 'down'}{abs(level)}", "".join(path)


def _legend(top: int) -> str:
    names = [*(f"down{level}" for level in (4, 3, 2, 1)), "none", *(f"up{level}" for level in (1, 2, 3, 4))]
    wide = SIDE / len(names)
    swatches = "".join(
        f'<rect class="{name}" x="{_n(LEFT + at * wide)}" y="{top}" width="{_n(wide)}" height="12"/>'
        for at, name in enumerate(names)
    )
    bounds = [*(f"−{step:g}" for step in reversed(STEPS)), *(f"{step:g}" for step in STEPS)]
    labels = "".join(
        f'<text x="{_n(LEFT + (at + 1) * wide)}" y="{top + 24}" text-anchor="middle">{bound}</text>'
        for at, bound in enumerate(bounds)
    )
    return (
        f'{swatches}<rect class="axis" x="{LEFT}" y="{top}" width="{SIDE}" height="12"/>{labels}'
        f'<text x="{LEFT}" y="{top + 40}">too rarely</text>'
        f'<text x="{LEFT + SIDE // 2}" y="{top + 40}" text-anchor="middle">standard deviations</text>'
        f'<text x="{LEFT + SIDE}" y="{top + 40}" text-anchor="end">too often</text>'
    )


def joined(counts: Counts, chances: Floats, bars: int = 200, fewest: int = 10) -> tuple[Counts, Floats]:
    """Return `counts` and `chances` with neighbours joined into at most `bars`, with enough decks in each.

    Every bar joins the same number of bins, except perhaps the last; there are at least ten bars.
    A bar should hold `fewest` decks on average.
    """
    wanted = min(bars, max(10, int(counts.sum()) // fewest))
    starts = np.arange(0, len(counts), ceil(len(counts) / wanted))
    return np.add.reduceat(counts, starts), np.add.reduceat(chances, starts)


def spectrum(
    key: str, counts: Counts, chances: Floats, says: tuple[str, str], ends: Sequence[str], highest: float = 0.0
) -> Html:
    """Return a histogram with the band that contains 99 of 100 bars of a fair shuffle.

    Args:
        key: makes the ids of this chart unique on the page.
        counts: the decks of each bar.
        chances: the chance of each bar on fair decks.
        says: the title and the description.
        ends: the labels under the axis, evenly spaced.
        highest: the axis reaches at least this multiple of a fair bar, so that charts can be compared.
    """
    decks = int(counts.sum())
    low = np.floor(bdtrik(0.005, decks, chances)) if decks else np.zeros(len(counts))
    high = np.ceil(bdtrik(0.995, decks, chances)) if decks else np.zeros(len(counts))
    fair = float(np.max(chances)) * decks
    top = max(float(np.max(counts, initial=0)), float(np.max(high)), highest * fair, 1.0)
    base, tall = 140, 130
    edges = np.concatenate([[0.0], np.cumsum(chances)]) / float(chances.sum()) * SIDE + LEFT
    y = base - np.stack([counts, low, high, chances * decks]) / top * tall
    band = _steps(edges, y[2], "M") + _steps(edges[::-1], y[1][::-1], "L") + "z"
    names = "".join(
        f'<text x="{_n(LEFT + SIDE * at / max(1, len(ends) - 1))}" y="{base + 15}" '
        f'text-anchor="{("start", "middle", "end")[(at > 0) + (at == len(ends) - 1)]}">{escape(end)}</text>'
        for at, end in enumerate(ends)
    )
    body = (
        f'<path class="bar" d="M{LEFT} {base}{_steps(edges, y[0], "L")}V{base}z"/>'
        f'<path class="band" d="{band}"/><path class="fair thin" d="{_steps(edges, y[3], "M")}"/>'
        f'<path class="axis" d="M{LEFT} {base}h{SIDE}"/>{names}{_scale(top, base, tall)}'
    )
    told = [
        f"bar {at} of {len(counts):,}: {_decks(count)}, {_fair(chance * decks)} would be fair"
        for at, (count, chance) in enumerate(zip(counts.tolist(), chances.tolist(), strict=True), 1)
    ]
    values = _of_bars(edges, base, tall, told) | {"hint": HINT}
    return _svg(key, base + 22, body, says, values=values)


def _of_bars(edges: Floats, base: float, tall: float, says: Sequence[str]) -> dict[str, Any]:
    places = np.round(edges, 1).tolist()
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
        f'<text x="{LEFT - 5}" y="{_n(base - mark / top * tall + 4)}" text-anchor="end">{_short(mark)}</text>'
        f'<path class="axis" d="M{LEFT - 3} {_n(base - mark / top * tall)}h3"/>'
        for mark in marks
    )


def scalar(key: str, law: Law, counts: Counts, says: tuple[str, str]) -> Html:
    """Return the counts of a whole number as bars, and the counts expected by its exact law as a line."""
    starts, seen, expected = grouped(law, counts)
    base, tall, wide = 92, 84, 160
    top = max(float(seen.max()), float(expected.max()), 1.0)
    edges = np.linspace(5, 5 + wide, len(starts) + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    line = "M" + "L".join(f"{_n(x)} {_n(base - y / top * tall)}" for x, y in zip(middles, expected, strict=True))
    last = law.low + len(law.weights) - 1 if len(starts) == 1 else starts[-1]
    body = (
        f'<path class="bar" d="M5 {base}{_steps(edges, base - seen / top * tall, "L")}V{base}z"/>'
        f'<path class="axis" d="M5 {base}h{wide}"/><path class="fair" d="{line}"/>'
        f'<text x="5" y="{base + 13}">{starts[0]:,}</text>'
        f'<text x="{5 + wide}" y="{base + 13}" text-anchor="end">{last:,}</text>'
    )
    ends = [*(start - 1 for start in starts[1:]), last]
    told = [
        f"{start:,}{f' to {end:,}' if end > start else ''}: {count:,}, fair {_fair(fair)}"
        for start, end, count, fair in zip(starts, ends, seen.tolist(), expected.tolist(), strict=True)
    ]
    values = _of_bars(edges, base, tall, told)
    return _svg(key, base + 17, body, says, wide=wide + 10, kind="tiny", values=values)


def grouped(law: Law, counts: Counts) -> tuple[list[int], Counts, Floats]:
    """Return the first value of each bar, its count and its expected count, for the values that occur."""
    decks = float(counts.sum())
    expected = law.probabilities * decks
    met = np.flatnonzero((counts > 0) | (expected >= min(0.5, decks * 1e-3)))
    first, end = int(met[0]), int(met[-1]) + 1
    at = np.arange(first, end, ceil((end - first) / MOST_BARS))
    # Where every other value is impossible, as with sums that are even, a bar holds both kinds.
    return (
        [law.low + int(each) for each in at],
        np.add.reduceat(counts[:end], at),
        np.add.reduceat(expected[:end], at),
    )


@dataclass(frozen=True)
class Dot:
    """A p-value on the plot of all of them, its label, if it has one, and the test that it is of."""

    p_value: float
    name: str = ""
    test: str = ""


def p_values(key: str, dots: Sequence[Dot], says: tuple[str, str]) -> Html:
    """Return a plot of all p-values, smallest to the right, against those of as many fair and independent tests.

    The band contains each of them in 99 of 100 fair trials: the k-th smallest of m has the law Beta(k, m-k+1).
    """
    ranked = sorted(dots, key=lambda dot: dot.p_value)
    m, base, tall = len(ranked), 206, 180
    most_x = log10(2 * m)
    seen = [min(FARTHEST, -log10(dot.p_value)) if dot.p_value > 0 else FARTHEST for dot in ranked]
    most_y = max(most_x + 1, *seen) * 1.02

    def spot(x: float, y: float) -> str:
        return f"{_n(LEFT + x / most_x * SIDE)} {_n(base - min(y, most_y) / most_y * tall)}"

    xs = [-log10((k + 0.5) / m) for k in range(m)]
    some = sorted({*range(min(m, 12)), *(int(k) for k in np.geomspace(1, m, 16) - 1)})
    edges = {
        side: [-log10(max(1e-300, float(betaincinv(k + 1, m - k, side)))) for k in some] for side in (0.005, 0.995)
    }
    upper = [spot(xs[k], y) for k, y in zip(some, edges[0.005], strict=True)]
    lower = [spot(xs[k], max(0.0, y)) for k, y in zip(some, edges[0.995], strict=True)]
    spots = [spot(x, y) for x, y in zip(xs, seen, strict=True)]
    named = [(at, dot.name) for at, dot in enumerate(ranked) if dot.name]
    labels = "".join(
        f'<text class="strong" x="{_n(LEFT + xs[at] / most_x * SIDE)}" '
        f'y="{_n(base - seen[at] / most_y * tall - 7)}" text-anchor="middle">{escape(name)}</text>'
        for at, name in named
    )
    plain, marked = (
        "".join(f"M{where}h0" for at, where in enumerate(spots) if bool(ranked[at].name) == which)
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
    values = {"boxes": boxes, "says": [f"{dot.test}: p = {dot.p_value:.2g}" for dot in ranked], "hint": HINT}
    return _svg(key, base + 36, body, says, values=values)


def timeline(key: str, end: int, between: tuple[int, int], found: int, says: tuple[str, str]) -> Html:
    """Return a line of all decks, with the decks between which something began, and the deck where it was found.

    Args:
        key: makes the ids of this chart unique on the page.
        end: the number of decks.
        between: two numbers of decks.
        found: a number of decks.
        says: the title and the description.
    """
    scale = (WIDE - 20) / max(1, end)
    low, high, at = (10 + each * scale for each in (*between, found))
    body = (
        f'<rect class="field" x="10" y="22" width="{WIDE - 20}" height="16"/>'
        f'<rect class="up4" x="{_n(low)}" y="22" width="{_n(max(2, high - low))}" height="16"/>'
        f'<path class="axis" d="M{_n(at)} 16V44"/>'
        f'<text x="{_n(min(max(at, 30), WIDE - 30))}" y="12" text-anchor="middle">found</text>'
        f'<text x="10" y="56">deck 1</text>'
        f'<text x="{_n(min(max((low + high) / 2, 90), WIDE - 110))}" y="56" text-anchor="middle">began</text>'
        f'<text x="{WIDE - 10}" y="56" text-anchor="end">{end:,}</text>'
    )
    return _svg(key, 64, body, says)


def groups(n: int, most: int = 60) -> tuple[list[int], Floats]:
    """Return the first number of each of at most `most` groups of 0..n-1, and their indicators, shape ``(n, m)``."""
    starts = list(range(0, n, ceil(n / most)))
    indicator = np.zeros((n, len(starts)))
    indicator[np.arange(n), np.arange(n) // ceil(n / most)] = 1.0
    return starts, indicator


def position_off(counts: Counts, decks: int, indicator: Floats) -> Floats:
    """Return the standardised deviations of the position matrix; cards are rows, places are columns."""
    return sector_off(indicator.T @ counts.T @ indicator, decks, indicator.sum(axis=0))


def sector_off(table: Floats, decks: int, sizes: Floats) -> Floats:
    """Return the standardised deviations of a table of groups of cards (rows) at groups of places (columns).

    The cards of one group at the places of another are hypergeometric: a b / n on average, with the
    variance a b (n-a) (n-b) / (n^2 (n-1)), where a and b are the `sizes` of the groups.
    """
    n = sizes.sum()
    mean = np.outer(sizes, sizes) / n
    variance = np.outer(sizes * (n - sizes), sizes * (n - sizes)) / (n * n * (n - 1))
    return _standardised(table, mean * decks, variance * decks)


def below(counts: Counts, decks: int) -> Floats:
    """Return how often the card of the row lies below that of the column, from the counts of the upper triangle."""
    n = len(counts)
    found = np.zeros((n, n))
    pairs = np.triu_indices(n, 1)
    found[pairs] = counts[pairs]
    found.T[pairs] = decks - counts[pairs]
    return found


def order_off(counts: Counts, decks: int, indicator: Floats) -> Floats:
    """Return the standardised deviations of the order matrix; the cards of the row lie below those of the column.

    For two groups this is the statistic of Mann and Whitney: a b / 2, with the variance a b (a+b+1) / 12.
    """
    sizes = indicator.sum(axis=0)
    product = np.outer(sizes, sizes)
    off = _standardised(
        indicator.T @ below(counts, decks) @ indicator,
        product / 2 * decks,
        product * (sizes[:, None] + sizes[None, :] + 1) / 12 * decks,
    )
    np.fill_diagonal(off, np.nan)
    return off


def neighbour_off(counts: Counts, decks: int, indicator: Floats) -> Floats:
    """Return the standardised deviations of the successor matrix; the column's cards lie directly on the row's.

    The mean and the variance are those of the number of neighbouring places that hold first a card of
    one group, then a card of the other: a sum of n-1 indicators. Two indicators next to each other exclude
    each other where the groups differ.
    """
    n = len(counts)
    sizes = indicator.sum(axis=0)
    a, b = sizes[:, None], sizes[None, :]
    same = np.eye(len(sizes), dtype=bool)
    one = np.where(same, a * (a - 1), a * b) / (n * (n - 1))
    next_to = np.where(same, a * (a - 1) * (a - 2), 0.0) / (n * (n - 1) * (n - 2))
    far = np.where(same, a * (a - 1) * (a - 2) * (a - 3), a * (a - 1) * b * (b - 1))
    apart = far / (n * (n - 1) * (n - 2) * (n - 3))
    mean = (n - 1) * one
    variance = mean + 2 * (n - 2) * next_to + (n - 2) * (n - 3) * apart - mean * mean
    return _standardised(indicator.T @ counts @ indicator, mean * decks, variance * decks)


def _standardised(seen: Floats, mean: Floats, variance: Floats) -> Floats:
    """Return the deviations in standard deviations; NaN where the variance is 0."""
    spread = np.sqrt(np.where(variance > 1e-9, variance, np.nan))
    off: Floats = (seen - mean) / spread
    return off


def _svg(
    key: str,
    high: int,
    body: str,
    says: tuple[str, str],
    wide: int = WIDE,
    kind: str = "picture",
    values: dict[str, Any] | None = None,
) -> Html:
    title, description = says
    told = f' data-values="{escape(json.dumps(values, separators=(",", ":")))}"' if values else ""
    return Html(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {wide} {high}" role="img"{told} '
        f'aria-labelledby="{key}-title {key}-desc"><title id="{key}-title">{escape(title)}</title>'
        f'<desc id="{key}-desc">{escape(description)}</desc>{body}</svg>'
    )


def _steps(edges: Floats, heights: Floats, first: str) -> str:
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


def _short(number: float) -> str:
    return f"{number:,.0f}" if number < 10_000 else f"{number / 1e3:,.0f}k" if number < 1e7 else f"{number / 1e6:,.0f}M"


def _tenth(power: int) -> str:
    return "1" if power == 0 else f"1e-{power}"


def _n(number: float, decimals: int = 1) -> str:
    """Return a coordinate without trailing zeros.

    >>> _n(3.0), _n(0.25)
    ('3', '0.2')
    """
    return f"{float(number):.{decimals}f}".rstrip("0").rstrip(".")

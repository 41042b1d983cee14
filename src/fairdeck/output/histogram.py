"""Rank histograms as text for a terminal, as JSON, as one SVG and as a web page."""

import json
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size

import numpy as np

from fairdeck.lab.experiments.histogram import Histogram
from fairdeck.output.charts import joined, spectrum
from fairdeck.output.html import COLOURS, PICTURE_STYLE, html_page, text
from fairdeck.output.sentences import digits, odds

SURE = 1e-6
MOST_BARS = 400
PICTURE_WIDE, PICTURE_HIGH, TITLE_HIGH = 340, 162, 24
ROWS = 20  # of a table in the terminal
NARROWEST = 26  # columns that one shuffle takes in the terminal
WIDEST = 120


def says(histogram: Histogram) -> str:
    """Return what the picture shows, in a sentence."""
    least, most = int(histogram.counts.min()), int(histogram.counts.max())
    seen = f"its bins hold {least:,} to {most:,} decks; about {histogram.expected:,.6g} each would be fair"
    if histogram.p_value is None:
        return f"{histogram.name}: too few decks for this many bins; {seen}"
    chi_square = f"chi-square {histogram.chi_square:,.1f} with {histogram.degrees} degrees"
    figures = f"{seen} ({chi_square}: {_words(histogram.p_value)})"
    if histogram.p_value <= SURE:
        return f"{histogram.name} fills its bins unevenly: {figures}"
    return f"{histogram.name} shows no fault in this picture: {figures}"


def _words(p_value: float) -> str:
    if p_value > 0.05:
        return f"nothing odd, p = {p_value:.2f}"
    return odds(p_value)


def as_json(found: Sequence[Histogram]) -> str:
    """Return the counts of all histograms, of the same cards and bins."""
    first = found[0]
    fields = {
        "format": "fairdeck-histogram/1",
        "cards": first.cards,
        "decks": first.decks,
        "bins": len(first.counts),
        "draws": first.draws,
        "seed": f"{first.seed:x}",
        "chances": first.chances.tolist(),
        "shuffles": [
            {
                "shuffle": each.name,
                "counts": each.counts.tolist(),
                "chi_square": each.chi_square,
                "degrees": each.degrees,
                "p_value": each.p_value,
                "drawn": {str(bound): list(ends) for bound, ends in each.evenness.items()},
                "says": says(each),
            }
            for each in found
        ],
    }
    return json.dumps(fields, allow_nan=False)


def pictures(found: Sequence[Histogram]) -> list[str]:
    """Return a picture of each histogram, all on one scale."""
    shown = [joined(each.counts, each.chances, MOST_BARS, fewest=1) for each in found]
    highest = max(
        float(np.max(counts / (chances * max(1, each.decks))))
        for (counts, chances), each in zip(shown, found, strict=True)
    )
    return [
        spectrum(f"histogram-{at}", counts, chances, (each.name, says(each)), ("first order", "last order"), highest)
        for at, (each, (counts, chances)) in enumerate(zip(found, shown, strict=True))
    ]


def as_svg(found: Sequence[Histogram]) -> str:
    """Return all pictures as one SVG file, two side by side."""
    across = min(2, len(found))
    down = -(-len(found) // across)
    wide, high = across * PICTURE_WIDE, down * (PICTURE_HIGH + TITLE_HIGH)
    parts = []
    for at, (each, picture) in enumerate(zip(found, pictures(found), strict=True)):
        x, y = at % across * PICTURE_WIDE, at // across * (PICTURE_HIGH + TITLE_HIGH)
        placed = f'<svg x="{x}" y="{y + TITLE_HIGH}" width="{PICTURE_WIDE}" height="{PICTURE_HIGH}" '
        title = f'<text class="strong" x="{x + 42}" y="{y + 18}">{text(each.name)}</text>'
        parts.append(title + picture.replace("<svg ", placed, 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<style>{COLOURS}{PICTURE_STYLE}</style>"
        f'<rect width="{wide}" height="{high}" style="fill:var(--ground)"/>{"".join(parts)}</svg>\n'
    )


def as_html(found: Sequence[Histogram], command: str = "") -> str:
    """Return one web page with all pictures, which works offline."""
    first = found[0]
    figures = "".join(
        f"<figure><h3>{text(each.name)}</h3>{picture}<figcaption>{text(says(each))}.{_told_even(each)}</figcaption></figure>"
        for each, picture in zip(found, pictures(found), strict=True)
    )
    rows = "".join(
        f'<tr><th scope="row">{text(each.name)}</th><td class="number">{int(each.counts.min()):,}</td>'
        f'<td class="number">{int(each.counts.max()):,}</td><td class="number">{each.chi_square:,.1f}</td>'
        f'<td class="number">{"-" if each.p_value is None else text(digits(each.p_value))}</td></tr>'
        for each in found
    )
    again = f"<h2>How to repeat it</h2><pre><code>{text(command)}</code></pre>" if command else ""
    body = (
        f'<h2>Pictures</h2><div class="pictures rows">{figures}</div>'
        "<p>Each bar counts decks. All orders of the cards stand from left to right in dictionary order, the bottom "
        "card first. The line is fair, and the band holds 99 of 100 bars of a fair shuffle.</p>"
        '<h2 id="figures">Figures</h2><div class="scroll" role="region" aria-labelledby="figures" tabindex="0"><table>'
        f"<caption>{first.decks:,} decks of {first.cards} cards each; chi-square with {first.degrees} degrees of "
        "freedom; p: the chance of a sum this large, or larger, on fair decks.</caption>"
        '<thead><tr><th scope="col">Shuffle</th><th scope="col" class="number">Emptiest bin</th>'
        '<th scope="col" class="number">Fullest bin</th><th scope="col" class="number">Chi-square</th>'
        f'<th scope="col" class="number">p</th></tr></thead><tbody>{rows}</tbody></table></div>{again}'
    )
    return html_page("All orders in bins: " + ", ".join(each.name for each in found), f"<p>{opening(found)}</p>", body)


def opening(found: Sequence[Histogram]) -> str:
    """Return the sentence that a beginner should read first."""
    first = found[0]
    return (
        f"A fair shuffle makes every order of the cards equally likely, so of {first.decks:,} decks each of the "
        f"{len(first.counts):,} bins gets about {first.expected:,.6g}. A bin far from that shows a fault."
    )


def told_even(histogram: Histogram) -> str:
    """Return how even the draws were, for the most frequent bound; nothing if they were random."""
    if not histogram.part.drawn:
        return ""
    bound = max(histogram.part.drawn, key=lambda bound: int(histogram.part.drawn[bound].sum()))
    least, most = histogram.evenness[bound]
    total = int(histogram.part.drawn[bound].sum())
    return (
        f"of the {total:,} numbers below {bound:,} that {histogram.name} drew, each came {least:,} to {most:,} times, "
        "so the generator is not at fault"
    )


def _told_even(histogram: Histogram) -> str:
    told = told_even(histogram)
    return f" {text(told[0].upper() + told[1:])}." if told else ""


def lines(found: Sequence[Histogram], command: str) -> Iterator[str]:
    """Yield sentences and a table for a terminal."""
    yield opening(found)
    yield ""
    for each in found:
        yield f"{says(each)}."
        if told := told_even(each):
            yield f"    Even draws: {told}."
    yield ""
    width = min(WIDEST, max(NARROWEST + 12, get_terminal_size().columns))
    across = max(1, min(len(found), (width - 12) // NARROWEST))
    for first in range(0, len(found), across):
        yield from _table(found, found[first : first + across], (width - 12) // across)
        yield ""
    yield f"again     {command}"


def _table(found: Sequence[Histogram], shown: Sequence[Histogram], column: int) -> Iterator[str]:
    """Yield rows of bins: for each shuffle a count and a bar; a stroke marks the fair count."""
    bins = len(found[0].counts)
    step = -(-bins // ROWS)
    starts = range(0, bins, step)
    most = max(int(each.counts[at : at + step].sum()) for each in found for at in starts)
    columns = column - 13
    yield f"{'bins':<12}" + "".join(f"{each.name:<{column}.{column - 1}}" for each in shown).rstrip()
    for at in starts:
        last = min(at + step, bins) - 1
        line = f"{f'{at}-{last}' if last > at else at:<12}"
        for each in shown:
            total = int(each.counts[at : at + step].sum())
            fair = float(each.chances[at : at + step].sum()) * each.decks
            line += f"{total:>10,} {_bar(total / most, fair / most, columns):<{columns}}  "
        yield line.rstrip()


def _bar(share: float, fair: float, columns: int) -> str:
    """Return a bar of this share of the columns, with a stroke at the end of the fair one.

    >>> _bar(0.5, 0.75, 8), _bar(1.0, 0.5, 8)
    ('####  |', '####|###')
    """
    mark = min(columns - 1, round(fair * columns))
    bar = list(f"{'#' * round(share * columns):<{mark + 1}}")
    bar[mark] = "|"
    return "".join(bar)

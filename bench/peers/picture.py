"""The picture: bars, the longer the faster, as plain SVG for light and dark pages."""

from xml.sax.saxutils import escape

from bench.peers.contenders import CPP, NUMPY, OURS, PYTHON, RUST, SHUFFLES
from bench.peers.measure import Job, Measured
from bench.peers.page import digits, fastest, shown

PANEL, LABEL, BAR, STEP, TITLE, GAP = 440, 160, 210, 22, 34, 20  # pixels
STYLE = """
  .ground { fill: #ffffff } text { font: 13px system-ui, sans-serif; fill: #33414a }
  .title { font-weight: 600; font-size: 14px; fill: #1b2326 } .peer { fill: #9fb0ba } .ours { fill: #0b7a63 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #10181d } text { fill: #b9c6cc } .title { fill: #f4f7f5 }
    .peer { fill: #52646f } .ours { fill: #4fd1b0 }
  }
"""


def bars(job: Job) -> list[tuple[str, Measured]]:
    """Return what is drawn, with short names: all of ours, and the fastest and the usual of the others."""
    rows = shown(job)
    found = [(each.name.partition(", into")[0], each) for each in rows if each.family == OURS]
    standard = [each for each in rows if each.family == CPP and each.name.startswith(SHUFFLES["standard"])]
    for label, measured in (
        ("C++, std::shuffle", fastest(standard, CPP)),
        ("C++, the fastest", fastest(rows, CPP)),
        ("Rust, rand", fastest(rows, RUST)),
        ("NumPy, the usual way", next((each for each in rows if each.plain), None)),
        ("NumPy, the fastest", fastest(rows, NUMPY)),
        ("Python, random", fastest(rows, PYTHON)),
    ):
        if measured and all(measured is not drawn for _, drawn in found):
            found.append((label, measured))
    return sorted(found, key=lambda pair: pair[1].median)


def picture(jobs: list[Job]) -> str:
    """Return the SVG: a panel for each job, two in a row."""
    drawn = [(job, bars(job)) for job in jobs]
    body, top = [], GAP
    for at in range(0, len(drawn), 2):
        pair = drawn[at : at + 2]
        for side, (job, rows) in enumerate(pair):
            body += _panel(job, rows, GAP + side * (PANEL + GAP), top)
        top += TITLE + STEP * max(len(rows) for _, rows in pair) + GAP
    width = 2 * PANEL + 3 * GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" height="{top}" role="img"'
        ' aria-label="Speed of shuffling: fairdeck beside C++, Rust, NumPy and Python">'
    )
    ground = f'<rect class="ground" width="{width}" height="{top}" rx="8"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", ground, *body, "</svg>"]) + "\n"


def _panel(job: Job, rows: list[tuple[str, Measured]], left: int, top: int) -> list[str]:
    most = max(1 / measured.median for _, measured in rows)
    parts = [f'<text class="title" x="{left}" y="{top + 14}">{escape(job.title)}: million {job.unit}s a second</text>']
    for number, (label, measured) in enumerate(rows):
        y, length = top + TITLE + number * STEP, max(1.0, BAR / measured.median / most)
        kind = "ours" if measured.family == OURS else "peer"
        parts += [
            f'<text x="{left}" y="{y}">{escape(label)}</text>',
            f'<rect class="{kind}" x="{left + LABEL}" y="{y - 12}" width="{length:.1f}" height="15" rx="2"/>',
            f'<text x="{left + LABEL + length + 6:.1f}" y="{y}">{digits(1000 / measured.median)}</text>',
        ]
    return parts

"""A picture of dots on two logarithmic axes, as plain SVG for light and dark pages."""

from collections.abc import Iterable, Sequence
from math import log10
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 340, 78, 20, 20, 52  # pixels
STYLE = """
  .ground { fill: #ffffff } text { font: 13px system-ui, sans-serif; fill: #33414a }
  .dot { fill: #0b7a63; fill-opacity: .45 } .line { stroke: #9fb0ba; stroke-dasharray: 5 4 } .axis { stroke: #9fb0ba }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #10181d } text { fill: #b9c6cc } .dot { fill: #4fd1b0 } .line, .axis { stroke: #52646f }
  }
"""

Line = tuple[float, float, float, float]


def scatter(
    dots: Iterable[tuple[float, float]],
    across: tuple[str, Sequence[float]],
    up: tuple[str, Sequence[float]],
    lines: Iterable[Line] = (),
) -> str:
    """Return the SVG.

    Args:
        dots: positive numbers across and up.
        across: the name of the axis, and its marks; the first and the last are its ends.
        up: the same for the other axis.
        lines: from where to where, in the numbers of the axes.
    """

    def x(value: float) -> float:
        share = log10(value / across[1][0]) / log10(across[1][-1] / across[1][0])
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        share = log10(value / up[1][0]) / log10(up[1][-1] / up[1][0])
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    def digits(mark: float) -> str:
        return f"{mark:,.0f}" if mark >= 1 else f"{mark:g}"

    low, high = HEIGHT - BOTTOM, TOP
    parts = [f'<line class="axis" x1="{LEFT}" y1="{low}" x2="{WIDTH - RIGHT}" y2="{low}"/>']
    parts += [f'<line class="axis" x1="{LEFT}" y1="{low}" x2="{LEFT}" y2="{high}"/>']
    parts += [f'<text x="{x(mark)}" y="{low + 20}" text-anchor="middle">{digits(mark)}</text>' for mark in across[1]]
    parts += [f'<text x="{LEFT - 8}" y="{y(mark) + 4}" text-anchor="end">{digits(mark)}</text>' for mark in up[1]]
    parts += [f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">{escape(across[0])}</text>']
    parts += [f'<text x="{LEFT + 8}" y="{TOP}">{escape(up[0])}</text>']
    parts += [f'<line class="line" x1="{x(a)}" y1="{y(b)}" x2="{x(c)}" y2="{y(d)}"/>' for a, b, c, d in lines]
    parts += [f'<circle class="dot" cx="{x(a)}" cy="{y(b)}" r="4"/>' for a, b in dots]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{escape(up[0])} and {escape(across[0])}">'
    )
    ground = f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", ground, *parts, "</svg>"]) + "\n"

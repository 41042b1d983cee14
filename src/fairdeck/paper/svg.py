"""A page as SVG, in millimetres: a drawing program shows it in the size that it has on paper."""

from xml.sax.saxutils import escape, quoteattr

from fairdeck.paper.marks import Mark, Page, Rectangle, Stroke, Text

ANCHORS = {"left": "start", "centre": "middle", "right": "end"}


def svg(page: Page, title: str) -> str:
    """Return a page as an SVG document whose unit is the millimetre.

    >>> svg(Page(210, 297), "Nothing").splitlines()[0]
    '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297">'
    """
    width, height = _number(page.width), _number(page.height)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}">',
            f"<title>{escape(title)}</title>",
            '<g font-family="Bitstream Vera Sans, DejaVu Sans, Helvetica, Arial, sans-serif">',
            *map(_written, page.marks),
            "</g>",
            "</svg>",
            "",
        ]
    )


def _written(mark: Mark) -> str:
    match mark:
        case Stroke():
            return _stroke(mark)
        case Rectangle():
            return _box(mark)
        case Text():
            return _words(mark)


def _stroke(mark: Stroke) -> str:
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in mark.points)
    dash = f' stroke-dasharray="{" ".join(map(_number, mark.dash))}"' if mark.dash else ""
    return (
        f'<polyline points="{points}" fill="none" stroke="{mark.colour}" stroke-width="{_number(mark.width)}"{dash}/>'
    )


def _box(mark: Rectangle) -> str:
    line = f' stroke="{mark.line}" stroke-width="{_number(mark.line_width)}"' if mark.line else ""
    return (
        f'<rect x="{_number(mark.x)}" y="{_number(mark.y)}" width="{_number(mark.width)}" '
        f'height="{_number(mark.height)}" rx="{_number(mark.radius)}" fill="{mark.fill or "none"}"{line}/>'
    )


def _words(mark: Text) -> str:
    weight = ' font-weight="bold"' if mark.bold else ""
    return (
        f'<text x="{_number(mark.x)}" y="{_number(mark.y)}" font-size="{_number(mark.size)}" '
        f"text-anchor={quoteattr(ANCHORS[mark.align])} "
        f'fill="{mark.colour}"{weight}>{escape(mark.text)}</text>'
    )


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")

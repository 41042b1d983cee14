"""Pages as a PDF; needs reportlab. The same pages make the same bytes.

The font is Bitstream Vera Sans, a part of reportlab. Its licence allows anyone to embed it, and the letters that a
document uses are embedded in it: so it looks the same with every reader and printer.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from fairdeck.errors import FairdeckError
from fairdeck.extras import missing
from fairdeck.paper.marks import Mark, Page, Rectangle, Stroke, Text

if TYPE_CHECKING:
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

POINTS = 72 / 25.4  # a millimetre
PLAIN, BOLD = "Vera", "VeraBd"  # as reportlab names their files


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """Return a PDF document of the pages.

    Raises:
        MissingTool: reportlab is not installed.
        FairdeckError: a text has letters that the fonts lack.
    """
    demand_printable(mark.text for page in pages for mark in page.marks if isinstance(mark, Text))
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfgen.canvas import Canvas

    for name in (PLAIN, BOLD):
        registerFont(_font(name))
    written = BytesIO()
    canvas = Canvas(written, invariant=1, pageCompression=1, initialFontName=PLAIN)
    canvas.setTitle(title)
    canvas.setAuthor("fairdeck")
    canvas.setViewerPreference("PrintScaling", "None")  # most programs would shrink the page, and cards would not fit
    for page in pages:
        canvas.setPageSize((page.width * POINTS, page.height * POINTS))
        canvas.translate(0, page.height * POINTS)
        canvas.scale(POINTS, -POINTS)
        for mark in page.marks:
            _draw(mark, canvas)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def demand_printable(texts: Iterable[str], remedy: str = "") -> None:
    """Raise a FairdeckError if these texts have letters that no font of a PDF has, MissingTool without reportlab.

    The `remedy` says what else helps, besides other letters.
    """
    if find_spec("reportlab") is None:
        raise missing("a PDF needs reportlab", "paper")
    for text in texts:
        # Plain and bold have the same letters.
        if odd := [letter for letter in text if ord(letter) not in _font(PLAIN).face.charToGlyph]:
            raise FairdeckError(
                f"{text!r} has the letter {odd[0]!r}, which the font of a PDF lacks: "
                f"use letters of western languages{remedy}"
            )


@cache
def _font(name: str) -> "TTFont":
    """Return a font that is part of reportlab; some systems keep it in a package of its own."""
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    try:
        return TTFont(name, f"{name}.ttf")
    except TTFError:
        raise missing(f"a PDF needs the font {name}.ttf, which is part of reportlab", "paper") from None


def _draw(mark: Mark, canvas: "Canvas") -> None:
    match mark:
        case Stroke():
            _draw_stroke(mark, canvas)
        case Rectangle():
            _draw_box(mark, canvas)
        case Text():
            _draw_words(mark, canvas)


def _draw_stroke(mark: Stroke, canvas: "Canvas") -> None:
    canvas.setStrokeColor(mark.colour)
    canvas.setLineWidth(mark.width)
    canvas.setDash(list(mark.dash))
    path = canvas.beginPath()
    path.moveTo(*mark.points[0])
    for point in mark.points[1:]:
        path.lineTo(*point)
    canvas.drawPath(path)


def _draw_box(mark: Rectangle, canvas: "Canvas") -> None:
    canvas.setDash([])
    if mark.fill:
        canvas.setFillColor(mark.fill)
    if mark.line:
        canvas.setStrokeColor(mark.line)
        canvas.setLineWidth(mark.line_width)
    shape = (mark.x, mark.y, mark.width, mark.height)
    line, fill = int(mark.line is not None), int(mark.fill is not None)
    if mark.radius:
        canvas.roundRect(*shape, mark.radius, stroke=line, fill=fill)
    else:
        canvas.rect(*shape, stroke=line, fill=fill)


def _draw_words(mark: Text, canvas: "Canvas") -> None:
    write = {"left": canvas.drawString, "centre": canvas.drawCentredString, "right": canvas.drawRightString}
    canvas.saveState()
    canvas.scale(1, -1)  # the axis points down; text must not
    canvas.setFillColor(mark.colour)
    canvas.setFont(BOLD if mark.bold else PLAIN, mark.size)
    write[mark.align](mark.x, -mark.y, mark.text)
    canvas.restoreState()

"""Print a mat: a space for each pile, true to size, over as many sheets of paper as it takes."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairdeck.cli.exits import FINE
from fairdeck.cli.files import writable, write
from fairdeck.cli.settings import labels_argument, mat_from
from fairdeck.errors import FairdeckError
from fairdeck.instructions import counted
from fairdeck.mat import Mat
from fairdeck.paper.drawing import Drawing
from fairdeck.paper.mat import Sheets, drawings, sheets
from fairdeck.paper.pdf import demand_printable, pdf
from fairdeck.paper.sizes import CARDS, PAPERS, Size, card_size, paper_size
from fairdeck.paper.svg import svg

SUFFIXES = (".pdf", ".svg")


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("mat", metavar="CxR", help="columns x rows of the mat")
    labels_argument(parser)
    parser.add_argument(
        "--paper", default="A4", help=f"{', '.join(PAPERS)} (default: A4); it is turned as suits the mat"
    )
    parser.add_argument(
        "--card", default="poker", help=f"{', '.join(CARDS)}, or WIDTHxHEIGHT in millimetres (default: poker)"
    )
    parser.add_argument("--sleeved", action="store_true", help="with room for sleeves: 3 mm wider and 4 mm higher")
    parser.add_argument(
        "-o",
        "--output",
        default="mat.pdf",
        metavar="FILE",
        help="what to write, PDF or SVG by its suffix; of several sheets each is an SVG (default: mat.pdf)",
    )


def run(args: Namespace) -> int:
    """Lay out and write."""
    mat = mat_from(args)
    card, paper = card_size(args.card, sleeved=args.sleeved), paper_size(args.paper)
    suffix = Path(args.output).suffix.lower()
    if suffix not in SUFFIXES:
        raise FairdeckError(f"output {args.output!r} is neither a PDF nor an SVG: name it such as mat.pdf or mat.svg")
    on = sheets(mat, card, paper)
    written = _written(mat, drawings(mat, on), Path(args.output))
    for path in written:
        writable(str(path))
    for path, content in written.items():
        write(path, content)
    print(_told(on, card, [str(path) for path in written]), file=sys.stderr)
    return FINE


def _written(mat: Mat, made: list[Drawing], path: Path) -> dict[Path, bytes | str]:
    """Return what to write into which files."""
    title = f"Mat {mat}"
    if path.suffix.lower() == ".pdf":
        demand_printable(mat.labels, ", or write an SVG")
        return {path: pdf(made, title)}
    if len(made) == 1:
        return {path: svg(made[0], title)}
    return {path.with_stem(f"{path.stem}-{number}"): svg(each, title) for number, each in enumerate(made, 1)}


def _told(on: Sheets, card: Size, names: list[str]) -> str:
    sheets = f"{counted(len(on), 'sheet')} of {on.paper[0]:g} x {on.paper[1]:g} mm"
    files = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    glue = "; cut and glue them as marked" if len(on) > 1 else ""
    return (
        f"wrote {files}: {sheets}, spaces of {card[0]:g} x {card[1]:g} mm. Print at 100 %, not fitted to the page{glue}"
    )

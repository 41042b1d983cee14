"""Print a mat with a space for each pile, true to size.

Each space has its label above it. The mat takes as few sheets as possible, with marks for cutting and tabs for gluing.
Print at 100 %, and measure the bars of 50 mm and 2 inches.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import write_all
from fairdeck.cli.settings import labels_option, language_from, language_option, paper_from, paper_option
from fairdeck.cli.streams import tell
from fairdeck.dealing.instructions import counted
from fairdeck.dealing.mat import Mat
from fairdeck.errors import FairdeckError
from fairdeck.paper.marks import Page
from fairdeck.paper.mat import Layout, layout, pages_of
from fairdeck.paper.pdf import demand_printable, pdf
from fairdeck.paper.sizes import CARDS, Size, card_size
from fairdeck.paper.svg import svg
from fairdeck.words import Words

SUFFIXES = (".pdf", ".svg")

EXAMPLES = {
    "fairdeck mat 5x2": "mat.pdf on sheets of A4",
    "fairdeck mat 4x2 --paper A3 --card tarot -o table.pdf": "larger cards, larger paper",
    "fairdeck mat 5x2 --sleeved --language de -o matte.svg": "as pictures, with German words",
}


def arguments(parser: ArgumentParser) -> None:
    declared = {
        "mat CxR": "columns x rows of the mat, up to 26x26",
        **labels_option("; in a PDF, letters of western languages"),
        **paper_option(remark="; it is turned to suit the mat"),
        "--card CARD": f"{', '.join(CARDS)}, or WIDTHxHEIGHT in millimetres, 20 to 200 (default: poker)",
        "--sleeved": "for sleeved cards: 3 mm wider and 4 mm higher",
        **language_option("the language of the printed words"),
        "-o --output FILE.pdf": "the file to write, .pdf (needs the extra paper) or .svg; several sheets make several "
        "SVG files (default: mat.pdf)",
    }
    options(parser, declared, card="poker", output="mat.pdf")


def run(args: Namespace) -> int:
    mat = Mat.parse(args.mat, args.labels)
    card, paper, language = card_size(args.card, sleeved=args.sleeved), paper_from(args), language_from(args)
    suffix = Path(args.output).suffix.lower()
    if suffix not in SUFFIXES:
        raise FairdeckError(f"output {args.output!r} must end in .pdf or .svg: name it mat.pdf or mat.svg, for example")
    on = layout(mat, card, paper)
    title = Words(language).say("matTitle", mat=mat)
    written = _written(mat, pages_of(mat, on, language=language), title, Path(args.output))
    write_all(written)
    tell(_told(on, card, [str(path) for path in written]))
    return FINE


def _written(mat: Mat, made: list[Page], title: str, path: Path) -> dict[Path, bytes | str]:
    if path.suffix.lower() == ".pdf":
        demand_printable(mat.labels, ", or write an SVG")
        return {path: pdf(made, title)}
    if len(made) == 1:
        return {path: svg(made[0], title)}
    return {path.with_stem(f"{path.stem}-{number}"): svg(each, title) for number, each in enumerate(made, 1)}


def _told(on: Layout, card: Size, names: list[str]) -> str:
    sheets = f"{counted(len(on), 'sheet')} of {on.paper[0]:g} x {on.paper[1]:g} mm"
    files = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    glue = "; cut and glue them as marked" if len(on) > 1 else ""
    return (
        f"wrote {files}: {sheets}, spaces of {card[0]:g} x {card[1]:g} mm. Print at 100 %, not fitted to the page{glue}"
    )

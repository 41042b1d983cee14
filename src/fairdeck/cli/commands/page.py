"""Write the dealing page as one file, or as a site for phones.

The file works without a network, on any device with a browser. A site, which phones can install, also has the pages
that explain; NAME writes one of these as a file.
"""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from fairdeck.cli.arguments import options
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import make_folder, write_all
from fairdeck.cli.settings import voices_from, voices_option
from fairdeck.cli.streams import tell
from fairdeck.errors import FairdeckError
from fairdeck.explore import PAGES, explaining, site
from fairdeck.page import build

DEAL = "deal"

EXAMPLES = {
    "fairdeck page -o deal.html": "one file; open it in a browser",
    "fairdeck page riffle -o riffle.html": "a page that explains",
    "fairdeck page --site public --voices en,de": "a site, with two spoken languages",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        choices=(DEAL, *PAGES),
        default=DEAL,
        help=f"which page: {DEAL} (default), or one that explains: {', '.join(PAGES)}",
    )
    declared = {
        "-o --output FILE.html": "the file to write (default, or for -: standard output; in a terminal name a file)",
        "--site FOLDER": "write the files of a site instead, for any web server with https",
        **voices_option("your setting, or en"),
    }
    options(parser, declared)


def run(args: Namespace) -> int:
    if args.name != DEAL and args.voices is not None:
        raise FairdeckError(f"the page {args.name!r} has no voice: leave out --voices")
    voices = voices_from(args)
    if args.site is not None:
        if args.name != DEAL:
            raise FairdeckError(f"--site {args.site!r} writes all pages: leave out {args.name!r}")
        if args.output is not None:
            raise FairdeckError(f"--site {args.site!r} writes a folder: leave out -o")
        if not args.site:
            raise FairdeckError("--site '' is no folder: name a folder")
        files = site(voices)
        folder = Path(args.site)
        make_folder(folder)
        write_all({folder / name: content for name, content in files.items()})
        tell(f"wrote {len(files)} files to {args.site}: put them on a web server with https")
        return FINE
    page = build(voices) if args.name == DEAL else explaining(args.name, alone=True)
    if args.output is None and sys.stdout.isatty():
        name = f"{args.name}.html"
        raise FairdeckError(
            f"the page has {len(page) >> 10} KiB, too long for a terminal: write a file, with -o {name}"
        )
    if args.output in (None, "-"):
        sys.stdout.write(page)
        return FINE
    write_all({Path(args.output): page.encode()})
    tell(f"wrote {args.output}: open it in a browser")
    return FINE

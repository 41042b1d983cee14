"""`--pdf` for reports: the page of `--html`, printed by a browser on this machine, with its style for paper.

Decision 0033 says why a browser prints it.
"""

import os
import shutil
import subprocess
import sys
from argparse import Namespace, _ActionsContainer
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from fairdeck.cli.config_file import chosen
from fairdeck.cli.files import writable, write
from fairdeck.cli.settings import PAPER
from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.paper.sizes import Size, paper_size

BROWSERS = (
    *("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    *("microsoft-edge", "microsoft-edge-stable", "brave-browser", "chrome", "msedge"),
)
# Where browsers lie on systems that do not put them into PATH.
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
)
QUIET = (  # nothing is looked for in the network, and nothing of the page but the page is printed
    *("--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-extensions"),
)
PATIENCE = 120  # seconds; a page takes one or two
BEGINNING = b"%PDF-"


def print_argument(parser: _ActionsContainer) -> None:
    """Declare --pdf."""
    parser.add_argument(
        "--pdf",
        metavar="FILE.pdf",
        help="the page of --html as PDF, on A4 or the paper of your settings; a browser prints it: Chromium, Chrome, "
        "Edge or Brave must be on this machine",
    )


@dataclass(frozen=True, slots=True)
class Printer:
    """A browser, the PDF that it is to write, and the size of its paper."""

    browser: str
    file: Path
    paper: Size

    def print(self, page: str) -> None:
        """Write a page as PDF.

        Raises:
            FairdeckError: the browser did not print it.
        """
        with TemporaryDirectory(prefix="fairdeck-") as folder:
            source, target = Path(folder, "page.html"), Path(folder, "page.pdf")
            width, height = self.paper
            source.write_text(f"{page}<style>@page{{size:{width}mm {height}mm}}</style>", encoding="utf-8")
            words = [self.browser, *QUIET, f"--user-data-dir={folder}", f"--print-to-pdf={target}", source.as_uri()]
            if hasattr(os, "geteuid") and os.geteuid() == 0:
                words.insert(1, "--no-sandbox")  # Chromium refuses to sandbox root; the page runs no code of others
            said = _run(words)
            content = target.read_bytes() if target.is_file() else b""
        if not content.startswith(BEGINNING):
            raise FairdeckError(
                f"{self.browser} did not print the page{said}: use --html FILE, open it in a browser, and print it "
                "there"
            )
        write(self.file, content)
        print(f"wrote {self.file}", file=sys.stderr)


def printer_from(args: Namespace) -> Printer | None:
    """Return what is to print the page, or None.

    Raises:
        FairdeckError: the file cannot be written.
        MissingTool: there is no browser that prints.
    """
    if args.pdf is None:
        return None
    if Path(args.pdf).suffix.lower() != ".pdf":
        raise FairdeckError(f"--pdf {args.pdf!r} does not end in .pdf: name it report.pdf, for example")
    browser = found_browser()
    if browser is None:
        raise MissingTool(
            "--pdf needs Chromium, Chrome, Edge or Brave to print the page: install one, or use --html FILE and "
            "print it from any browser"
        )
    return Printer(browser, writable(args.pdf), paper_size(chosen(None, "paper", PAPER)))


def found_browser(names: Sequence[str] = BROWSERS, places: Sequence[str] = PLACES) -> str | None:
    """Return a browser that can print without a window: the first of the `names` in PATH, or of the `places`."""
    in_path = filter(None, map(shutil.which, names))
    return next(in_path, None) or next((place for place in places if Path(place).is_file()), None)


def _run(words: list[str]) -> str:
    """Run the browser, and return what went wrong, in brackets."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603 - words of our own
    except subprocess.TimeoutExpired:
        return f" (not in {PATIENCE} seconds)"
    except OSError as error:
        return f" ({error.strerror})"
    return f" (exit code {done.returncode})" if done.returncode else ""

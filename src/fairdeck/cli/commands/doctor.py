"""Say whether everything works here, and what helps if not.

It takes about a second. First comes what deals need: Python and fairdeck, and where they are; the system's random
generator; all orders of four cards dealt, and a plan from a seed compared with the known one; the dealing page; the
config file; what standard output can encode. Then comes what only some commands need: the terminal, the folders, the
free disk, where numba keeps what it compiles, paper and fonts, a browser, and each extra. It sends nothing
and changes nothing.

The SHA-256 is that of the page which `fairdeck page -o deal.html` writes here without a setting `voices`; the page
itself shows the number beside it at its end.

The exit code is 1 if something is broken that deals need, and 0 if only something is absent that some commands need.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from itertools import permutations
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import fairdeck
from fairdeck import folders
from fairdeck.bulk import kept_kernels
from fairdeck.cli.config_file import config
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.program import as_called
from fairdeck.cli.streams import one_line
from fairdeck.cli.terminal import columns, takes_colours, takes_escapes
from fairdeck.errors import MissingTool
from fairdeck.extras import EXTRAS, installation

EXAMPLES = {
    "fairdeck doctor": "does everything work here?",
    "fairdeck doctor --json": "the same for a program",
}
FORMAT = "fairdeck-doctor/1"
LEAST_TEXT = 20  # columns
OK, ABSENT, BROKEN = "ok", "absent", "broken"
OLDEST_PYTHON = (3, 11)
SMALL = 4  # cards whose orders are all dealt
KNOWN_SEED, KNOWN_CARDS = "c0ffee", 52
# SHA-256 of the plan for these, as JSON with its order.
KNOWN_PLAN = "40718ca6492da8cd32875b48674da4d017db21a8f3bfdad9e75b84599e054065"
PAGE_NUMBER = re.compile(r'"hash": ?"([0-9a-f]{16})"')
LEAST_FREE = 50 << 20  # bytes: enough for what a run of the lab keeps
SIGNS = "♠♥♦♣×"  # that the output uses, if the terminal has them
MODULES = {"dask[distributed]": ("dask", "distributed")}  # of packages with another name, or with several modules


Told = tuple[str, str, str]  # the state; what was found; what to do about it, or nothing


class Finding(NamedTuple):
    """What a check found: OK; ABSENT, if something is missing that some commands need; BROKEN, if deals need it."""

    name: str
    state: str
    says: str
    remedy: str = ""


def arguments(parser: ArgumentParser) -> None:
    json_argument(
        parser, FORMAT, fields='version, works, checks [{name, state ("ok", "absent" or "broken"), says, remedy}]'
    )


def run(args: Namespace) -> int:
    findings = list(_findings())
    broken = any(finding.state == BROKEN for finding in findings)
    if args.json:
        checks = [finding._asdict() for finding in findings]
        print(json.dumps({"format": FORMAT, "version": fairdeck.__version__, "works": not broken, "checks": checks}))
    else:
        print(*_lines(findings, columns()), sep="\n")
    return DOES_NOT_HOLD if broken else FINE


def _lines(findings: Sequence[Finding], width: int) -> Iterator[str]:
    """Yield a line or more for each finding: its state and name in columns, or in a narrow terminal above the rest."""
    names = max(len(finding.name) for finding in findings)
    margin = len(ABSENT) + names + 4
    narrow = width < margin + LEAST_TEXT
    before = "  " if narrow else " " * margin
    for finding in findings:
        state = finding.state.upper() if finding.state == BROKEN else finding.state
        head = f"{state:<{len(ABSENT)}}  {finding.name:<{names}}  "
        told = [f"-> {as_called(finding.remedy)}"] if finding.remedy else []
        lines = [before + line for text in [finding.says, *told] for line in _wrapped(text, width - len(before))]
        yield from [head.rstrip(), *lines] if narrow else [head + lines[0].lstrip(), *lines[1:]]
    broken = [finding.name for finding in findings if finding.state == BROKEN]
    absent = [finding.name for finding in findings if finding.state == ABSENT]
    yield ""
    if broken:
        yield f"Broken: {', '.join(broken)}. Mend that before you rely on a deal."
        return
    yield "All that deals need works."
    if absent:
        yield from _wrapped(f"Some commands need what is absent: {', '.join(absent)}.", width)


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(one_line(text), width, break_long_words=False, break_on_hyphens=False) or [""]


def _findings() -> Iterator[Finding]:
    """Yield what each check found: first what deals need, then the rest. No check raises an error."""
    for name, check in NEEDED.items():
        yield _surely(name, check, BROKEN)
    extras: dict[str, Callable[[], Told]] = {f"extra {extra}": partial(_extra, extra) for extra in EXTRAS}
    for name, check in {**OPTIONAL, **extras}.items():
        yield _surely(name, check, ABSENT)


def _surely(name: str, check: Callable[[], Told], worst: str) -> Finding:
    """Return what a check found; an error that it raises is what it found."""
    try:
        return Finding(name, *check())
    except MissingTool as error:
        return Finding(name, worst, str(error))
    except Exception as error:  # whatever is wrong: the other checks go on
        return Finding(name, worst, f"{type(error).__name__}: {error}".removeprefix("FairdeckError: "))


# --- what deals need


def _python() -> Told:
    state = OK if sys.version_info >= OLDEST_PYTHON else BROKEN
    number = ".".join(map(str, sys.version_info[:3]))
    wanted = "" if state == OK else f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer"
    return state, f"{sys.implementation.name} {number} on {sys.platform}, {sys.executable or 'place unknown'}", wanted


def _randomness() -> Told:
    from fairdeck.randomness import random_integers

    way = "urandom"
    if sys.platform == "linux":
        way = "getrandom"
        try:
            os.getrandom(1, os.GRND_NONBLOCK)
        except BlockingIOError:
            return BROKEN, "the system has not gathered enough randomness since it started", "wait a minute"
        except OSError:  # an old kernel: urandom reads the device
            way = "urandom"
    if len({os.urandom(32) for _ in range(8)}) < 8:
        return BROKEN, "the system's generator repeats itself", "deal on another machine"
    random_integers().below(52)  # refuses a generator that is stuck
    return OK, f"the system's generator answers ({way})", ""


def _deals() -> Told:
    from fairdeck.dealing.mat import Mat
    from fairdeck.dealing.plan import reaches
    from fairdeck.dealing.planner import Task, plan_for

    task, orders = Task(SMALL, Mat(2, 1)), list(permutations(range(SMALL)))
    wrong = [order for order in orders if not reaches(plan_for(task, order), order)]
    again = "install fairdeck again: its files are damaged"
    if wrong:
        return BROKEN, f"the plan for the order {wrong[0]} of {SMALL} cards does not reach it", again
    seeded = fairdeck.deal(KNOWN_CARDS, seed=KNOWN_SEED).to_json(reveal=True)
    if sha256(seeded.encode()).hexdigest() != KNOWN_PLAN:
        return BROKEN, f"the plan from the seed {KNOWN_SEED} is not the known one", again
    return OK, f"all {len(orders)} orders of {SMALL} cards are reached; the plan from a seed is the known one", ""


def _page() -> Told:
    from fairdeck.page import build

    page = build()
    shown = PAGE_NUMBER.search(page)
    number = f"; at its end it calls itself {shown[1]}" if shown else ""
    return OK, f"sha256 {sha256(page.encode()).hexdigest()}{number}", ""


def _settings() -> Told:
    found = config()
    if found.faults:
        return BROKEN, found.faults[0], "fairdeck config shows the settings"
    if found.path is None:
        return OK, "none: this account has no home folder", ""
    held = ", ".join(f"{name} {entry.value}" for name, entry in found.entries.items())
    nothing = "nothing in it" if found.is_there else "not there, and not needed"
    return OK, f"{found.path}: {held or nothing}", ""


def _output() -> Told:
    if sys.stdout is None:
        return BROKEN, "standard output is closed", "open it"
    return OK, f"standard output is {sys.stdout.encoding}{_signs()}", ""


def _signs() -> str:
    try:
        SIGNS.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return ", which lacks some signs: suits are written S, H, D, C"
    return ""


# --- what some commands need


def _terminal() -> Told:
    if not sys.stdout.isatty():
        return ABSENT, "standard output is no terminal", "--follow needs one"
    able = "moves the cursor" if takes_escapes() else "cannot move the cursor: --follow scrolls"
    colours = "colours" if takes_colours() else "no colours"
    return OK, f"{columns()} columns, {colours}, {able}", ""


def _folder(folder: Path | None, loss: str) -> Told:
    if folder is None:
        return ABSENT, f"this account has no home folder: {loss}", "set HOME"
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if there.is_dir() and os.access(there, os.W_OK):
        return OK, f"{folder}{'' if there == folder else ', made when it is needed'}", ""
    return ABSENT, f"{folder} cannot be written: {loss}", f"make {there} writable"


def _disk() -> Told:
    free = shutil.disk_usage(tempfile.gettempdir()).free
    state = OK if free >= LEAST_FREE else ABSENT
    return state, f"{free >> 20:,} MiB free in {tempfile.gettempdir()}", "" if state == OK else "delete something"


def _kernels() -> Told:
    if find_spec("numba") is None:
        return ABSENT, "numba is not installed: the lab counts with NumPy, and is slower", installation("lab")
    if folder := kept_kernels():
        return OK, f"numba keeps what it compiles in {folder}", ""
    return ABSENT, "numba can keep nothing, and compiles anew in each run", "let NUMBA_CACHE_DIR name a writable folder"


def _fonts() -> Told:
    from fairdeck.paper.sizes import PAPERS, paper_size

    found = config().entries.get("paper")
    name = found.value if found else "A4"
    width, height = paper_size(name)
    spec = find_spec("reportlab")
    if spec is None or spec.origin is None:
        return ABSENT, f"no PDF without reportlab; paper {name}", installation("paper")
    missing = [font for font in ("Vera.ttf", "VeraBd.ttf") if not (Path(spec.origin).parent / "fonts" / font).is_file()]
    if missing:
        return ABSENT, f"reportlab came without its font {missing[0]}", "install reportlab from PyPI"
    return OK, f"paper {name}, {width:g} x {height:g} mm, of {', '.join(PAPERS)}; the fonts are there", ""


def _browser() -> Told:
    from fairdeck.cli.browser import browser

    found = browser()
    if found is None:
        return ABSENT, "no browser with windows: fairdeck serve --open opens nothing", "open the page on a phone"
    return OK, getattr(found, "name", None) or type(found).__name__, ""


def _extra(extra: str) -> Told:
    from importlib.metadata import PackageNotFoundError, version

    there, missing = [], []
    for requirement in EXTRAS[extra]:
        package = re.split(r"[<>=]", requirement)[0]
        modules = MODULES.get(package, (package,))
        if any(find_spec(module) is None for module in modules):
            missing.append(package)
            continue
        try:
            there.append(f"{package} {version(package.partition('[')[0])}")
        except PackageNotFoundError:
            there.append(package)
    if missing:
        return ABSENT, f"without {', '.join(missing)}", installation(extra)
    return OK, ", ".join(there), ""


NEEDED: dict[str, Callable[[], Told]] = {
    "Python": _python,
    "fairdeck": lambda: (OK, f"{fairdeck.__version__}, {Path(fairdeck.__file__).parent}", ""),
    "randomness": _randomness,
    "deals": _deals,
    "page": _page,
    "settings": _settings,
    "output": _output,
}
OPTIONAL: dict[str, Callable[[], Told]] = {
    "terminal": _terminal,
    "settings folder": lambda: _folder(folders.settings(), "settings, a pace and a riffle cannot be kept"),
    "copies folder": lambda: _folder(folders.copies(), "nothing is lost: copies can be made again"),
    "disk": _disk,
    "kernels": _kernels,
    "print": _fonts,
    "browser": _browser,
}

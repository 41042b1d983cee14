"""Say whether everything works here, and what helps if not.

It takes about a second. First comes what deals need: Python and fairdeck, and where they are; the system's random
generator; a plan from a seed, compared with the known one; the dealing page; the config file; what standard output can
encode. Then comes what only some commands need: the terminal, the folders of
settings and copies, and each extra. It sends nothing and changes nothing.

The SHA-256 is that of the page which `fairdeck page -o deal.html` writes here without a setting `voices`; the page
itself shows the number beside it at its end.

The exit code is 1 if something is broken that deals need, and 0 if only something is absent that some commands need.
"""

import json
import os
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

import fairdeck
from fairdeck import folders
from fairdeck.bulk import kept_kernels
from fairdeck.cli.config_file import config
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.formats import json_argument
from fairdeck.cli.program import as_called
from fairdeck.cli.streams import one_line
from fairdeck.cli.terminal import columns, takes_colours, takes_escapes
from fairdeck.extras import EXTRAS, installation

EXAMPLES = {
    "fairdeck doctor": "does everything work here?",
    "fairdeck doctor --json": "the same for a program",
}
FORMAT = "fairdeck-doctor/1"
OK, ABSENT, BROKEN = "ok", "absent", "broken"
KNOWN_SEED, KNOWN_CARDS = "c0ffee", 52
# SHA-256 of the plan for these, as JSON with its order.
KNOWN_PLAN = "40718ca6492da8cd32875b48674da4d017db21a8f3bfdad9e75b84599e054065"
PAGE_NUMBER = re.compile(r'"hash": ?"([0-9a-f]{16})"')
SIGNS = "♠♥♦♣×"  # that the output uses, if the terminal has them
MODULES = {"dask[distributed]": "distributed"}  # of packages with another name


class Failed(Exception):
    """A check failed; it has what is wrong, and what helps."""


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
    extras = {f"extra {extra}": partial(_extra, extra) for extra in EXTRAS}
    findings = [_finding(name, check, BROKEN) for name, check in NEEDED.items()]
    findings += [_finding(name, check, ABSENT) for name, check in (OPTIONAL | extras).items()]
    works = all(finding.state != BROKEN for finding in findings)
    if args.json:
        checks = [finding._asdict() for finding in findings]
        print(json.dumps({"format": FORMAT, "version": fairdeck.__version__, "works": works, "checks": checks}))
    else:
        print(*_lines(findings, columns()), sep="\n")
    return FINE if works else DOES_NOT_HOLD


def _finding(name: str, check: Callable[[], str], worst: str) -> Finding:
    try:
        return Finding(name, OK, check())
    except Failed as failed:
        return Finding(name, worst, *failed.args)
    except Exception as error:  # whatever is wrong: the other checks go on
        return Finding(name, worst, f"{type(error).__name__}: {error}".removeprefix("FairdeckError: "))


def _lines(findings: Sequence[Finding], width: int) -> Iterator[str]:
    margin = " " * (len(ABSENT) + 2)
    for finding in findings:
        state = finding.state.upper() if finding.state == BROKEN else finding.state
        yield _filled(f"{state:<{len(margin)}}{finding.name}: {finding.says}", width, margin)
        if finding.remedy:
            yield _filled(f"{margin}-> {as_called(finding.remedy)}", width, margin)
    yield ""
    if broken := [finding.name for finding in findings if finding.state == BROKEN]:
        yield f"Broken: {', '.join(broken)}. Mend that before you rely on a deal."
        return
    yield "All that deals need works."
    if absent := [finding.name for finding in findings if finding.state == ABSENT]:
        yield _filled(f"Some commands need what is absent: {', '.join(absent)}.", width)


def _filled(text: str, width: int, indent: str = "") -> str:
    return fill(one_line(text), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


# --- the checks: each returns what works, or raises `Failed`


def _python() -> str:
    number = ".".join(map(str, sys.version_info[:3]))
    return f"{sys.implementation.name} {number} on {sys.platform}, {sys.executable or 'place unknown'}"


def _randomness() -> str:
    from fairdeck.randomness import random_integers

    if len({os.urandom(32) for _ in range(8)}) < 8:
        raise Failed("the system's generator repeats itself", "deal on another machine")
    random_integers().below(52)  # refuses a generator that is stuck
    return "the system's generator answers"


def _deals() -> str:
    seeded = fairdeck.deal(KNOWN_CARDS, seed=KNOWN_SEED).to_json(reveal=True)
    if sha256(seeded.encode()).hexdigest() != KNOWN_PLAN:
        raise Failed(
            f"the plan from the seed {KNOWN_SEED} is not the known one", "install fairdeck again: its files are damaged"
        )
    return "the plan from a seed is the known one"


def _page() -> str:
    from fairdeck.page import build

    page = build()
    shown = PAGE_NUMBER.search(page)
    number = f"; at its end it calls itself {shown[1]}" if shown else ""
    return f"sha256 {sha256(page.encode()).hexdigest()}{number}"


def _settings() -> str:
    found = config()
    if found.faults:
        raise Failed(found.faults[0], "fairdeck config shows the settings")
    if found.path is None:
        return "none: this account has no home folder"
    held = ", ".join(f"{name} {value}" for name, value in found.entries.items())
    return f"{found.path}: {held or ('nothing in it' if found.is_there else 'not there, and not needed')}"


def _output() -> str:
    try:
        SIGNS.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return f"standard output is {sys.stdout.encoding}, which lacks some signs: suits are written S, H, D, C"
    return f"standard output is {sys.stdout.encoding}"


def _terminal() -> str:
    if not sys.stdout.isatty():
        raise Failed("standard output is no terminal", "--follow needs one")
    able = "moves the cursor" if takes_escapes() else "cannot move the cursor: --follow scrolls"
    return f"{columns()} columns, {'colours' if takes_colours() else 'no colours'}, {able}"


def _folder(place: Callable[[], Path | None], loss: str) -> str:
    folder = place()
    if folder is None:
        raise Failed(f"this account has no home folder: {loss}", "set HOME")
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not (there.is_dir() and os.access(there, os.W_OK)):
        raise Failed(f"{folder} cannot be written: {loss}", f"make {there} writable")
    return f"{folder}{'' if there == folder else ', made when it is needed'}"


def _kernels() -> str:
    if find_spec("numba") is None:
        raise Failed("numba is not installed: the lab counts with NumPy, and is slower", installation("fast"))
    if folder := kept_kernels():
        return f"numba keeps what it compiles in {folder}"
    raise Failed("numba can keep nothing, and compiles anew in each run", "let NUMBA_CACHE_DIR name a writable folder")


def _extra(extra: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    packages = [re.split(r"[<>=]", requirement)[0] for requirement in EXTRAS[extra]]
    if missing := [package for package in packages if find_spec(MODULES.get(package, package)) is None]:
        raise Failed(f"without {', '.join(missing)}", installation(extra))
    versions = []
    for package in packages:
        try:
            versions.append(f"{package} {version(package.partition('[')[0])}")
        except PackageNotFoundError:
            versions.append(package)
    return ", ".join(versions)


NEEDED: dict[str, Callable[[], str]] = {
    "Python": _python,
    "fairdeck": lambda: f"{fairdeck.__version__}, {Path(fairdeck.__file__).parent}",
    "randomness": _randomness,
    "deals": _deals,
    "page": _page,
    "settings": _settings,
    "output": _output,
}
OPTIONAL: dict[str, Callable[[], str]] = {
    "terminal": _terminal,
    "settings folder": partial(_folder, folders.settings, "settings, a pace and a riffle cannot be kept"),
    "copies folder": partial(_folder, folders.copies, "nothing is lost: copies can be made again"),
    "kernels": _kernels,
}

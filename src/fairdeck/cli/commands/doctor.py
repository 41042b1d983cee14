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
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from textwrap import wrap

import fairdeck
from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.health import ABSENT, BROKEN, Finding, findings
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.program import as_called
from fairdeck.cli.streams import one_line
from fairdeck.cli.terminal import columns

EXAMPLES = {
    "fairdeck doctor": "does everything work here?",
    "fairdeck doctor --json": "the same for a program",
}
FORMAT = "fairdeck-doctor/1"
LEAST_TEXT = 20  # columns


def arguments(parser: ArgumentParser) -> None:
    json_argument(
        parser, FORMAT, fields='version, works, checks [{name, state ("ok", "absent" or "broken"), says, remedy}]'
    )


def run(args: Namespace) -> int:
    found = list(findings())
    broken = any(each.state == BROKEN for each in found)
    if args.json:
        checks = [asdict(each) for each in found]
        print(json.dumps({"format": FORMAT, "version": fairdeck.__version__, "works": not broken, "checks": checks}))
    else:
        print(*_lines(found, columns()), sep="\n")
    return DOES_NOT_HOLD if broken else FINE


def _lines(found: Sequence[Finding], width: int) -> Iterator[str]:
    """Yield a line or more for each finding: its state and name in columns, or in a narrow terminal above the rest."""
    names = max(len(each.name) for each in found)
    margin = len(ABSENT) + names + 4
    narrow = width < margin + LEAST_TEXT
    before = "  " if narrow else " " * margin
    for each in found:
        state = each.state.upper() if each.state == BROKEN else each.state
        head = f"{state:<{len(ABSENT)}}  {each.name:<{names}}  "
        told = [f"-> {as_called(each.remedy)}"] if each.remedy else []
        lines = [before + line for text in [each.says, *told] for line in _wrapped(text, width - len(before))]
        yield from [head.rstrip(), *lines] if narrow else [head + lines[0].lstrip(), *lines[1:]]
    broken = [each.name for each in found if each.state == BROKEN]
    absent = [each.name for each in found if each.state == ABSENT]
    yield ""
    if broken:
        yield f"Broken: {', '.join(broken)}. Mend that before you rely on a deal."
        return
    yield "All that deals need works."
    if absent:
        yield from _wrapped(f"Some commands need what is absent: {', '.join(absent)}.", width)


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(one_line(text), width, break_long_words=False, break_on_hyphens=False) or [""]

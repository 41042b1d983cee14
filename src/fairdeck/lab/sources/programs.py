"""Programs and logs that are given as a file of decks: their words are not cards."""

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fairdeck.errors import FairdeckError
from fairdeck.lab.sources.text import words
from fairdeck.lab.usercode.faults import shortened
from fairdeck.programs import STARTERS, started

COMPILED = {
    b"\xca\xfe\xba\xbe": "a compiled Java class",
    b"\x7fELF": "a compiled program",
    b"MZ": "a compiled program",
    b"\xcf\xfa\xed\xfe": "a compiled program",
    b"\0asm": "a compiled program (WebAssembly)",
}
TRIED = 64  # lines


def refuse_programs(name: str, head: bytes) -> None:
    """Refuse a program, in the words of the language or of the processor."""
    for mark, what in COMPILED.items():
        if head.startswith(mark) and b"\0" in head[:64]:
            runs = f"java {Path(name).stem}" if "Java" in what else f"./{Path(name).name}"
            raise FairdeckError(f"{name} is {what}, not decks; to test what it writes: --exec '{runs}'")
    if (starter := STARTERS.get(Path(name).suffix.lower())) is None or not _is_code(head):
        return
    remedy = f"{'' if starter else 'compile it, then '}--exec {shlex.quote(started(name))}"
    raise FairdeckError(f"{name} is a program, not decks; to test what it writes: {remedy}")


def refuse_other_words(name: str, lines: Sequence[bytes]) -> None:
    """Refuse lines of which most hold other words than the first: those of a log, of a program or of a text."""
    first, *others = (Counter(words(line.decode("utf-8", "replace"))) for line in lines[:TRIED])
    if len(others) > 1 and 2 * sum(each == first for each in others) < len(others):
        shown = shortened(repr(lines[0].decode("utf-8", "replace").strip()), 40)
        raise FairdeckError(
            f"{name} begins with {shown}, and most of its lines hold other words, so they are not decks; "
            "write one deck on each line. To test what a program writes: --exec COMMAND"
        )


def _is_code(head: bytes) -> bool:
    """Tell whether text holds more than cards and what separates them."""
    return (
        re.search(rb"[{}();=]|^\s*(#include|import|use|def|fn|local|package|puts|print|echo)\b", head, re.MULTILINE)
        is not None
    )

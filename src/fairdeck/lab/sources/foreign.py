"""Files that hold no decks, each named by what it begins with, and what can be done with it instead."""

import re
import shlex
from pathlib import Path

from fairdeck.cards.boards import formats
from fairdeck.errors import FairdeckError
from fairdeck.programs import STARTERS, started

WHOLE = "write a whole deck on each line, and nothing else"
UNPACK = "unpack it first (save the array of an npz with numpy.save)"
RUN = "to test what it writes: --exec './{stem}{ending}'"
COMPILED = b".{0,60}\\0"
# What a file begins with, after blanks: what it is, and the remedy.
KINDS = {
    rb"\x1f\x8b": ("is packed with gzip", UNPACK),
    rb"BZh": ("is packed with bzip2", UNPACK),
    rb"\xfd7zXZ": ("is packed with xz", UNPACK),
    rb"\(\xb5/\xfd": ("is packed with zstd", UNPACK),
    rb"PK\x03\x04": ("is a zip archive, as npz files are", UNPACK),
    rb"\xca\xfe\xba\xbe" + COMPILED: (
        "is a compiled Java class, not decks",
        RUN.replace("./{stem}{ending}", "java {stem}"),
    ),
    rb"(?:\x7fELF|MZ|\xcf\xfa\xed\xfe)" + COMPILED: ("is a compiled program, not decks", RUN),
    rb"\0asm": ("is a compiled program (WebAssembly), not decks", RUN),
    rb"#!": ("is a program, not decks", RUN),
    rb"\s*<[?!/A-Za-z]": ("holds XML or HTML, not decks", WHOLE),
    **{
        rb"\s*(?:" + each.begins.encode() + b")": (
            f"holds boards of bridge in {each.name}, not decks",
            "hands show who got a card, and not in which order the deck lay; fairdeck boards reads them, and "
            "fairdeck test --file",
        )
        for each in formats()
    },
    rb"\s*\[\w+\]\s*\n": ("holds settings, not decks", WHOLE),
}
CODE = re.compile(rb"[{}();=]|^\s*(#include|import|use|def|fn|local|package|puts|print|echo)\b", re.MULTILINE)


def refuse_foreign(name: str, head: bytes) -> None:
    """Refuse a file that is not text in lines, or in the lines of something else.

    Raises:
        FairdeckError: what it is, and the remedy.
    """
    path = Path(name)
    for begins, (what, remedy) in KINDS.items():
        if re.match(begins, head, re.DOTALL):
            raise FairdeckError(f"{name} {what}; {remedy.format(stem=path.stem, ending=path.suffix)}")
    starter = STARTERS.get(path.suffix.lower())
    if path.suffix == ".py" and (functions := re.findall(rb"^def (\w+)\(", head, re.MULTILINE)):
        raise FairdeckError(
            f"{name} holds functions, not decks; name the one to test, as in {name}:{functions[0].decode()}"
        )
    if starter is not None and CODE.search(head):
        remedy = f"{'' if starter else 'compile it, then '}--exec {shlex.quote(started(name))}"
        raise FairdeckError(f"{name} is a program, not decks; to test what it writes: {remedy}")
    if any(b"\0" in line for line in head.split(b"\n")[:2]):
        raise FairdeckError(f"{name} is not text: it contains zero bytes; save decks as UTF-8 text, or with numpy.save")

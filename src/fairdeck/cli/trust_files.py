"""The files that `fairdeck together` reads and writes. No file is ever replaced by another one."""

import re
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fairdeck.cli.card_lists import card_list
from fairdeck.cli.files import read, write_new
from fairdeck.dealing.cards import FRENCH, read_cards
from fairdeck.deals import SORTED
from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.trust.agreement import Agreement
from fairdeck.trust.beacon import Beacon, read_round
from fairdeck.trust.documents import LARGEST, kind_of
from fairdeck.trust.files import Commitment, Own, Shown, read_commitment, read_own, read_shown

DIGITS = re.compile("[0-9a-fA-F]+")
NUMBERED = re.compile("[0-9]+-")  # as the names of files begin whose persons have other letters


def content_of(name: str) -> bytes:
    """Return what a file holds."""
    return bytes(read(name, LARGEST, "name a file that fairdeck together wrote"))


def read_file(name: str, *readers: Callable[[bytes], Any]) -> Any:
    """Return what a file is read as; its errors name the file.

    Args:
        name: of the file.
        readers: one for each kind that is taken, such as `read_list`; a file of another kind goes to the first.
    """
    content = content_of(name)
    by_kind = {reader.__name__.removeprefix("read_"): reader for reader in readers}
    try:
        return by_kind.get(kind_of(content), readers[0])(content)
    except MissingTool:
        raise
    except FairdeckError as error:
        raise FairdeckError(f"{name!r}: {error}") from None


def read_files(names: Iterable[str], *readers: Callable[[bytes], Any]) -> list[tuple[str, Any]]:
    """Return what several files are read as, each with its name."""
    return [(name, read_file(name, *readers)) for name in names]


def keep(path: Path, content: str, *, secret: bool = False) -> None:
    """Write a file that is not there yet, or holds the same already.

    Raises:
        FairdeckError: there is another one, or it cannot be written.
    """
    if not write_new(path, content, secret=secret) and content_of(str(path)) != content.encode():
        raise FairdeckError(f"{str(path)!r} is another file already, and no file of a draw is replaced: name a new one")
    tell(f"wrote {path}")


def kept_own(path: Path, drawn: Own) -> Own:
    """Keep new own bytes, or return those that were kept before for the same person and agreement.

    Raises:
        FairdeckError: the file is of another draw, or cannot be written.
    """
    if write_new(path, drawn.to_json(), secret=True):
        tell(f"wrote {path}: nobody else may see it, and without it the draw is void")
        return drawn
    before: Own = read_file(str(path), read_own)
    if (before.agreement, before.person) != (drawn.agreement, drawn.person):
        raise FairdeckError(
            f"{str(path)!r} is {before.name[:40]}'s for another draw, and is never replaced: join in another --folder"
        )
    tell(f"{path} was there already: the commitment is to this secret")
    return before


def kept_commitment(path: Path, own: Own, time: str) -> Commitment:
    """Keep the commitment to own bytes, or return the one that was kept before.

    Raises:
        FairdeckError: the file has another commitment, or cannot be written.
    """
    made = Commitment(own.agreement.digest, own.name, own.commitment, time)
    if write_new(path, made.to_json()):
        tell(f"wrote {path}: send it to the organiser")
        return made
    before: Commitment = read_file(str(path), read_commitment)
    if Commitment(made.digest, made.person, made.commitment, before.time) != before:
        raise FairdeckError(f"{str(path)!r} has another commitment, and is never replaced: join in another --folder")
    tell(f"{path} was there already: send it to the organiser")
    return before


def keep_shown(path: Path, made: Shown, usual: Path) -> None:
    """Keep what shows own bytes, unless they were shown for another list already.

    Args:
        path: the file to write.
        made: what is shown.
        usual: the file beside the own bytes that is written in any case, so that a second list is noticed there.

    Raises:
        FairdeckError: it was shown for another list, or there is another file, or it cannot be written.
    """
    for each in (path, usual):
        before = _shown_in(each)
        if before and before.own == made.own and before.listed != made.listed:
            raise FairdeckError(
                f"{str(each)!r} shows this secret for another list, {before.listed.hex()}: there are two lists for one "
                "draw, so somebody changed one; send nothing, and tell all who draw"
            )
    for each in [path] if path.resolve() == usual.resolve() else [path, usual]:
        keep(each, made.to_json(), secret=True)


def _shown_in(path: Path) -> Shown | None:
    """Return what a file shows; None if there is no such file."""
    try:
        return read_shown(content_of(str(path))) if path.is_file() else None
    except (FairdeckError, OSError):
        return None


def file_name(agreement: Agreement, person: str, kind: str) -> str:
    """Return the name of one person's file; letters that a file's name cannot have are replaced."""
    safe = re.sub(r"[^\w-]", "_", person)
    plain = safe if safe == person and not NUMBERED.match(person) else f"{agreement.people.index(person) + 1}-{safe}"
    return f"{plain}.{kind}.json"


def names_from(args: Namespace) -> tuple[str, ...]:
    """Return the names of the cards as they lie at the start, bottom first; empty if they are not given."""
    if args.names is None:
        return ()
    if args.names == SORTED:
        return FRENCH[::-1]
    text = card_list(args.names, "names")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    alike = {name: count for name, count in Counter(lines).items() if count > 1}
    for name, count in alike.items():
        tell(f"note: names: {count} cards are called {name[:40]!r}")
    # Equal cards have the same name; then a line is a card.
    return (tuple(lines) if alike else read_cards(text, "names"))[::-1]


def beacon_value(agreed: Beacon, given: str) -> bytes:
    """Return the value of a beacon, from digits as they were typed or from a file."""
    content = given.encode() if DIGITS.fullmatch(given) and not Path(given).is_file() else content_of(given)
    return read_round(content, agreed.round)


def tell(text: str) -> None:
    """Say something that is no result."""
    print(text, file=sys.stderr)

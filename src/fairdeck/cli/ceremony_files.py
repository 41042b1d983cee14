"""The files that `fairdeck ceremony` reads and writes. No file is ever replaced by another one."""

import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from fairdeck.ceremony.beacons import PublicBeacon
from fairdeck.ceremony.documents import LARGEST
from fairdeck.ceremony.steps import Commitment, Reveal, Secret, committed, read_commitment, read_reveal, read_secret
from fairdeck.cli.card_lists import card_list
from fairdeck.cli.files import read, write_new
from fairdeck.dealing.cards import FRENCH, read_cards
from fairdeck.dealing.together import Agreement, Beacon
from fairdeck.deals import SORTED
from fairdeck.errors import FairdeckError, MissingTool

Document = TypeVar("Document")
DIGITS = re.compile("[0-9a-fA-F]+")
NUMBERED = re.compile("[0-9]+-")  # as the names of files begin whose persons have other letters


def content_of(name: str) -> bytes:
    """Return what a file holds."""
    return bytes(read(name, LARGEST, "name a file that fairdeck ceremony wrote"))


def read_file(name: str, reader: Callable[[bytes], Document]) -> Document:
    """Return what `reader` makes of a file; its errors name the file."""
    try:
        return reader(content_of(name))
    except MissingTool:
        raise
    except FairdeckError as error:
        message = str(error)
        raise FairdeckError(message if message.startswith("cannot read") else f"{name!r}: {error}") from None


def read_files(names: Iterable[str], reader: Callable[[bytes], Document]) -> list[tuple[str, Document]]:
    """Return what `reader` makes of several files, each with its name."""
    return [(name, read_file(name, reader)) for name in names]


def keep(path: Path, content: str, *, secret: bool = False) -> None:
    """Write a file that is not there yet, or holds the same already.

    Raises:
        FairdeckError: there is another one, or it cannot be written.
    """
    if not write_new(path, content, secret=secret) and content_of(str(path)) != content.encode():
        raise FairdeckError(
            f"{str(path)!r} is another file already, and no file of a ceremony is replaced: name a new one"
        )
    tell(f"wrote {path}")


def kept_secret(path: Path, secret: Secret) -> Secret:
    """Keep a new secret, or return the one that was kept before for the same person and announcement.

    Raises:
        FairdeckError: the file has another secret, or cannot be written.
    """
    if write_new(path, secret.to_json(), secret=True):
        tell(f"wrote {path}: nobody may see it before you have the list, and without it the draw is void")
        return secret
    before = read_file(str(path), read_secret)
    if (before.digest, before.person) != (secret.digest, secret.person):
        raise FairdeckError(
            f"{str(path)!r} has the secret of {before.person[:40]} for another announcement, and is never "
            "replaced: join in another --folder"
        )
    tell(f"{path} was there already: the commitment is to this secret")
    return before


def kept_commitment(path: Path, agreement: Agreement, secret: Secret, time: str) -> Commitment:
    """Keep a commitment, or return the same one with the time that was kept before.

    Raises:
        FairdeckError: the file has another commitment, or cannot be written.
    """
    commitment = committed(agreement, secret, time)
    if write_new(path, commitment.to_json()):
        tell(f"wrote {path}: send it to the organiser")
        return commitment
    before = read_file(str(path), read_commitment)
    if committed(agreement, secret, before.time) != before:
        raise FairdeckError(f"{str(path)!r} has another commitment, and is never replaced: join in another --folder")
    tell(f"{path} was there already: send it to the organiser")
    return before


def kept_reveal(path: Path, made: Reveal, usual: Path) -> None:
    """Keep what shows a secret, unless it was shown for another list already.

    Args:
        path: the file to write.
        made: what shows the secret.
        usual: where it was kept before, if the file had its usual name.

    Raises:
        FairdeckError: it was shown for another list, or there is another file, or it cannot be written.
    """
    for each in (path, usual):
        before = _reveal_in(each)
        if before and before.secret == made.secret and before.list != made.list:
            raise FairdeckError(
                f"{str(each)!r} shows this secret for another list, {before.list.hex()}: there are two lists for one "
                "draw, so somebody changed one; send nothing, and tell all who draw"
            )
    keep(path, made.to_json(), secret=True)


def _reveal_in(path: Path) -> Reveal | None:
    """Return the reveal in a file; None if there is none."""
    try:
        return read_reveal(content_of(str(path))) if path.is_file() else None
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
    return read_cards(card_list(args.names, "names"), "names")[::-1]


def beacon_value(beacon: PublicBeacon, agreed: Beacon, given: str | None) -> bytes:
    """Return the value of a beacon, from digits as they were typed or from a file."""
    if given is None:
        raise FairdeckError(
            f"round {agreed.round} of {beacon.name} is part of this draw: save {beacon.source(agreed.round)} "
            "and name the file with --beacon-value FILE"
        )
    content = given.encode() if DIGITS.fullmatch(given) and not Path(given).is_file() else content_of(given)
    return beacon.read(content, agreed.round)


def tell(text: str) -> None:
    """Say something that is no result."""
    print(text, file=sys.stderr)

"""What `fairdeck verify --as` makes of the rounds of a site."""

import os
from argparse import Namespace, _ActionsContainer
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from fairdeck.cards.logs.json_lines import LONGEST, lines_of_document
from fairdeck.cards.text import decoded
from fairdeck.cli.arguments import options
from fairdeck.cli.streams import standard_input
from fairdeck.cli.terminal import Progress
from fairdeck.dealing.instructions import counted
from fairdeck.errors import FairdeckError, naming, nearest_or_all, system_reason
from fairdeck.numbers import shortened
from fairdeck.trust.derivations import known
from fairdeck.trust.rounds import FIELDS, MOST_TOLD, check

SHORT = 4_096  # bytes, to see how a file begins


def arguments(parser: _ActionsContainer) -> None:
    """Declare the options for rounds."""
    declared = {
        "--as NAME": f"how the cards follow from the seeds: {', '.join(known())}",
        "--columns FIELD=NAME,...": f"which column holds what, if its name does not say it: {', '.join(FIELDS)}",
    }
    options(parser, declared)


def verify_rounds(args: Namespace, _content: bytes) -> tuple[dict[str, Any], list[str]]:
    """Return what --json says of the rounds, and the lines between the verdict and the remarks."""
    name = getattr(args, "as")
    derivation = known().get(name)
    if derivation is None:
        raise FairdeckError(f"--as {shortened(name)} is no derivation{nearest_or_all(name, known())}")
    asked = dict(part.partition("=")[::2] for part in (args.columns or "").split(",") if part)
    with naming(repr(args.file)), Progress() as progress:
        found = check(derivation, _lines(args.file, progress), asked)
    bias, wrong = float(derivation.bias(found.size, found.dealt)), len(found.wrong_cards)
    fitting = f"{found.rounds - wrong:,} of {found.rounds:,}"
    compared = counted(found.dealt, "card")
    compared = f"{found.fewest:,} to {compared}" if found.fewest < found.dealt else compared
    lines = [f"rounds that fit {derivation.name} ({derivation.says}): {fitting}, by the first {compared} of each"]
    for places, called in ((found.wrong_cards, "other cards"), (found.wrong_hashes, "other hashes")):
        more = f" and {len(places) - MOST_TOLD:,} more" if len(places) > MOST_TOLD else ""
        lines += [f"{called}: {', '.join(places[:MOST_TOLD])}{more}"] if places else []
    lines += [f"server seeds that match their hashes: {found.committed:,}"] * bool(found.committed)
    near = f"within {bias:.1e} of fair ones, in total variation" if bias else "fair"
    lines.append(f"if the hashes were random numbers, {counted(found.dealt, 'card')} would be {near}")
    fields = {"holds": not found.first_fault, "checked": found.rounds, "derivation": derivation.name, **asdict(found)}
    remarks = [*found.remarks, f"not shown: {derivation.unseen}"]
    return fields | {"bias": bias, "remarks": remarks, "in_part": bool(found.hidden)}, lines


def _lines(name: str, progress: Progress) -> Iterator[str]:
    """Yield the lines of a file of rounds; each object of a JSON list on one."""
    done = at = 0
    try:
        with nullcontext(standard_input()) if name == "-" else Path(name).open("rb") as file:
            size = 0 if name == "-" else os.fstat(file.fileno()).st_size
            head = file.readline(LONGEST).removeprefix(BOM_UTF8)
            while len(head) < SHORT and head.strip() in (b"", b"[", b"{") and (more := file.readline(LONGEST)):
                head += more
            pieces = chain([head], iter(lambda: file.readline(LONGEST), b""))
            is_part = head.lstrip()[:1] == b"{" and head.rstrip()[-1:] != b"}"  # of an object on several lines
            objects = lines_of_document(b"[" * is_part + head)
            for piece in objects(pieces) if objects else pieces:
                done, at = done + len(piece), at + 1
                progress.tell(done, max(size, done), "bytes")
                yield from decoded(piece).splitlines(keepends=True)
    except UnicodeDecodeError:
        raise FairdeckError(f"line {at} is not text in UTF-8: save the table as CSV in UTF-8") from None
    except (OSError, ValueError) as error:
        raise FairdeckError(f"it cannot be read ({system_reason(error)}): name a table of rounds") from None

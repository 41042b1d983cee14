"""Whether a transcript holds: everything in it is computed again, and the first thing that does not fit is named."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fairdeck.cards.decks import read_cards
from fairdeck.cards.lists import read_content
from fairdeck.errors import FairdeckError, MissingTool
from fairdeck.trust import files
from fairdeck.trust.agreement import PRODUCT
from fairdeck.trust.fields import AGAIN, Fields, from_plain

KIND = "transcript"
NOT_COMPARED = {
    "announced": "it was not compared with a digest that was published before the draw, and alone it does not show "
    "when it was made",
    "list": "its list was not compared with the digest that was published before the secrets were shown",
    "shown": "what was shown was not compared with the digest that was published before the beacon spoke",
}


@dataclass(frozen=True)
class Examined:
    """What a verification found."""

    first_fault: str  # what does not fit first, in words; empty if everything fits
    checks: tuple[str, ...]  # what was computed again, in words
    remarks: tuple[str, ...] = ()  # what a reader should know
    transcript: files.Transcript | None = None  # what was read, if it holds

    @property
    def holds(self) -> bool:
        """Whether everything fits. Then every byte was compared, so any change would be noticed."""
        return not self.first_fault


def examine(
    content: bytes,
    published: Mapping[str, str] = MappingProxyType({}),
    deck: int = -1,
    played: tuple[str, bytes] = ("", b""),
) -> Examined:
    """Compute everything in a transcript again.

    Args:
        content: the file.
        published: digests that were published on the way, in hexadecimal digits, by the names in `NOT_COMPARED`.
        deck: which deck was played, from 0, as `played` says; -1: none is compared.
        played: a file, its name and what is in it: the cards of that deck as they lay, top first; for hands the cards
            of each hand, the first hand first.

    Raises:
        FairdeckError: the content is no transcript at all, the deck was not drawn, or `played` is not such a deck.
        MissingTool: the beacon cannot be checked, because a package is missing.
    """
    fields = files.fields_in(content, KIND)
    checks: list[str] = []
    try:
        transcript = _computed(fields, content.decode(), published, checks)
    except MissingTool:
        raise
    except FairdeckError as error:
        return Examined(str(error), tuple(checks))
    remarks = _remarks(transcript, published)
    if deck != -1:
        if fault := _differs(transcript, deck, played):
            return Examined(fault, tuple(checks), remarks)
        checks.append(f"deck {deck + 1} as played")
    return Examined("", tuple(checks), remarks, transcript)


def read_transcript(content: bytes) -> files.Transcript:
    """Return a transcript that holds.

    Raises:
        FairdeckError: it does not; the message names what does not fit first.
    """
    examined = examine(content)
    if examined.transcript is None:
        raise FairdeckError(f"this transcript does not hold: {examined.first_fault}")
    return examined.transcript


def _computed(fields: Fields, text: str, published: Mapping[str, str], checks: list[str]) -> files.Transcript:
    """Compute a transcript again; `checks` collects what fits."""

    def fits(what: str, digest: bytes, name: str, done: str) -> None:
        checks.append(what)
        if given := published.get(name):
            if given.lower() != digest.hex():
                raise FairdeckError(f"{what} is {digest.hex()}, and {given} was {done}")
            checks.append(f"{what} that was {done}")

    values = from_plain(files.KINDS[KIND].shape, fields, files.KINDS[KIND].called)
    agreement = files.agreement_in(values)
    fits("the digest of the agreement", agreement.digest, "announced", "announced")
    voids = files.voids_in(agreement, values["voids"])
    checks.append("the attempts before")
    listed = files.listed_in(values, agreement)
    fits("the digest of the list", listed.listed, "list", "published")
    attempt = files.attempt_in(values, listed)
    checks.append("the secrets" if agreement.way != PRODUCT else "the secrets and the orders")
    fits("the digest of what was shown", attempt.shown, "shown", "published")
    transcript = files.finished(attempt, values["beacon"], voids)
    checks += ["the beacon"] * bool(agreement.beacon)
    files.demand_same(values["seed"], transcript.drawn.seed, "the seed")
    checks += ["the seed"] * bool(transcript.drawn.seed)
    files.demand_same(values["result"], transcript.drawn.code, "the result code")
    checks.append("the result code")
    _demand_written(text, transcript.to_json())
    checks.append("every byte of the file")
    return transcript


def _demand_written(text: str, wanted: str) -> None:
    """Raise a FairdeckError unless a file is written in its one way; so a change of a blank is noticed, too."""
    if text == wanted:
        return
    lines, right = text.split("\n"), wanted.split("\n")
    line = next((at for at, (one, other) in enumerate(zip(lines, right, strict=False), 1) if one != other), len(right))
    raise FairdeckError(f"line {line} is not written in the one way that a transcript allows: {AGAIN}")


def _differs(transcript: files.Transcript, deck: int, played: tuple[str, bytes]) -> str:
    """Return what differs between a deck as it was played and as it was drawn; empty if nothing does."""
    agreement = transcript.agreement
    if not 0 <= deck < agreement.decks:
        raise FairdeckError(f"deck {deck + 1}: the draw has decks 1 to {agreement.decks}")
    drawn, told = transcript.drawn.named(deck), f"deck {deck + 1} was not played as drawn"
    found, goal = read_cards(read_content(*played, known=drawn), deck=drawn), agreement.deals[-1].goal
    begin = 0
    for number, size in enumerate(goal.piles, 1):
        wanted, seen = (Counter(cards[begin : begin + size]) for cards in (drawn, found))
        if other := list((seen - wanted).elements()):
            hand = f"hand {number}" if not goal.rest or number < len(goal.piles) else "the rest"
            return f"{told}: {hand} had {other[0]}, which was drawn for another place"
        begin += size
    for place in range(begin, agreement.cards - goal.loose(agreement.cards)):
        if found[place] != drawn[place]:
            return f"{told}: card {place + 1} from the top was {found[place]}, and {drawn[place]} was drawn"
    return ""


def _remarks(transcript: files.Transcript, published: Mapping[str, str]) -> tuple[str, ...]:
    needed = [name for name in NOT_COMPARED if name != "shown" or transcript.agreement.beacon]
    remarks = [NOT_COMPARED[name] for name in needed if not published.get(name)]
    if voids := transcript.voids:
        remarks.append(
            f"attempt {len(voids) + 1}, after {len(voids)} void: something that happens in a share p of all draws "
            f"could be had with chance 1-(1-p)^{len(voids) + 1}, unless a beacon prevents it"
        )
        people = transcript.agreement.people
        if out := [name for name in voids[0].agreement.people if name not in people]:
            remarks.append(f"left out, because they were missing in a void attempt: {', '.join(out)}")
    return tuple(remarks)

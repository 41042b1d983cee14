"""Whether a transcript holds: everything in it is computed again, and the first thing that does not fit is named."""

from dataclasses import dataclass

from fairdeck.ceremony.beacons import beacon_of, demand_later
from fairdeck.ceremony.documents import AGAIN, Fields, bytes_in, read_document
from fairdeck.ceremony.transcript import (
    KIND,
    WRITTEN,
    Transcript,
    announced_in,
    demand_same,
    sealed_in,
    secrets_in,
    voids_in,
)
from fairdeck.dealing.cards import read_cards
from fairdeck.dealing.goal import Hands
from fairdeck.dealing.together import Drawn
from fairdeck.errors import FairdeckError, MissingTool

NOT_COMPARED = (
    "it was not compared with a digest that was published before the draw, and alone it does not show when it was made"
)
LIST_NOT_COMPARED = "its list was not compared with the digest that was published before the secrets were shown"


@dataclass(frozen=True)
class Examined:
    """What a verification found.

    Attributes:
        holds: whether everything fits.
        first_fault: what does not fit first, in words; empty if everything fits.
        checked: how many things were computed again and compared.
        would_notice: the least share of the file whose change would be noticed: 0, because any change is, if it
            holds; and 1 if it does not.
        checks: what was computed again, in words.
        remarks: what a reader should know.
        transcript: what was read, if it holds.
    """

    holds: bool
    first_fault: str
    checked: int
    would_notice: float
    checks: tuple[str, ...]
    remarks: tuple[str, ...]
    transcript: Transcript | None = None


def examine(
    content: bytes, *, announced: str = "", listed: str = "", deck: int | None = None, played: str = ""
) -> Examined:
    """Compute everything in a transcript again.

    Args:
        content: the file.
        announced: the digest of the agreement as it was published before the draw, in hexadecimal digits.
        listed: the digest of the list as it was published before the secrets were shown, likewise.
        deck: which deck was played, from 0; with `played`.
        played: the cards of that deck as they lay, top first; for hands the cards of each hand, the first hand first.

    Raises:
        FairdeckError: the content is no transcript at all, the deck was not drawn, or `played` is not such a deck.
        MissingTool: the beacon cannot be checked, because a package is missing.
    """
    fields = read_document(content, KIND, WRITTEN)
    checks: list[str] = []
    try:
        transcript = _computed(fields, content.decode(), announced, listed, checks)
    except MissingTool:
        raise
    except FairdeckError as error:
        return Examined(False, str(error), len(checks), 1.0, tuple(checks), ())
    remarks = _remarks(transcript, announced, listed)
    fault = "" if deck is None else _differs(transcript, deck, played)
    if fault:
        return Examined(False, fault, len(checks), 1.0, tuple(checks), remarks)
    if deck is not None:
        checks.append(f"deck {deck + 1} as played")
    return Examined(True, "", len(checks), 0.0, tuple(checks), remarks, transcript)


def read_transcript(content: bytes) -> Transcript:
    """Return a transcript that holds.

    Raises:
        FairdeckError: it does not; the message names what does not fit first.
    """
    examined = examine(content)
    if examined.transcript is None:
        raise FairdeckError(f"this transcript does not hold: {examined.first_fault}")
    return examined.transcript


def _computed(fields: Fields, text: str, announced: str, listed: str, checks: list[str]) -> Transcript:
    """Compute a transcript again; `checks` collects what fits."""
    agreement = announced_in(fields)
    checks.append("the digest of the agreement")
    if announced:
        if announced.lower() != agreement.digest.hex():
            raise FairdeckError(
                f"the digest of the agreement is {agreement.digest.hex()}, and {announced} was announced"
            )
        checks.append("the digest that was announced")
    demand_later(agreement)
    voids = voids_in(agreement, fields["voids"])
    checks.append("the attempts before")
    sealed = sealed_in(agreement, fields)
    checks.append("the digest of the list")
    if listed:
        if listed.lower() != sealed.digest.hex():
            raise FairdeckError(f"the digest of the list is {sealed.digest.hex()}, and {listed} was published")
        checks.append("the digest of the list that was published")
    secrets = secrets_in(fields)
    for person, secret in enumerate(secrets[: len(agreement.people)]):
        sealed.check(person, secret)
    checks.append("the secrets")
    value, randomness = bytes_in(fields["beacon"], "the value of the beacon", None), b""
    if agreement.beacon:
        randomness = beacon_of(agreement.beacon).randomness(agreement.beacon.round, value)
        checks.append("the beacon")
    elif value:
        raise FairdeckError("it has the value of a beacon, and none was agreed on")
    drawn = Drawn(sealed, secrets, randomness)
    demand_same(fields["seed"], drawn.seed.hex(), "the seed")
    checks.append("the seed")
    demand_same(fields["result"], drawn.code, "the result code")
    checks.append("the result code")
    transcript = Transcript(drawn, value, voids)
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


def _differs(transcript: Transcript, deck: int, played: str) -> str:
    """Return what differs between a deck as it was played and as it was drawn; empty if nothing does."""
    if not 0 <= deck < transcript.agreement.decks:
        raise FairdeckError(f"deck {deck + 1}: the draw has decks 1 to {transcript.agreement.decks}")
    drawn = transcript.named_order(deck)
    task = transcript.agreement.task
    found = read_cards(played, f"deck {deck + 1} as played", drawn)
    begin = 0
    if isinstance(task.goal, Hands):
        for number, size in enumerate(task.goal.piles, 1):
            wanted = frozenset(drawn[begin : begin + size])
            other = [card for card in found[begin : begin + size] if card not in wanted]
            if other:
                hand = f"hand {number}" if number <= len(task.goal.sizes) else "the rest"
                return (
                    f"deck {deck + 1} was not played as drawn: {hand} had {other[0]}, which was drawn for another place"
                )
            begin += size
    for place in range(begin, task.cards - task.goal.loose(task.cards)):
        if found[place] != drawn[place]:
            return (
                f"deck {deck + 1} was not played as drawn: card {place + 1} from the top was {found[place]}, and "
                f"{drawn[place]} was drawn"
            )
    return ""


def _remarks(transcript: Transcript, announced: str, listed: str) -> tuple[str, ...]:
    remarks = [] if announced else [NOT_COMPARED]
    remarks += [] if listed else [LIST_NOT_COMPARED]
    if voids := len(transcript.voids):
        remarks.append(
            f"attempt {voids + 1}, after {voids} void: something that happens in a share p of all draws could be had "
            f"with chance 1-(1-p)^{voids + 1}, unless a beacon prevents it"
        )
        people = transcript.agreement.people
        if out := [name for name in transcript.voids[0].sealed.agreement.people if name not in people]:
            remarks.append(f"left out, because they were missing in a void attempt: {', '.join(out)}")
    return tuple(remarks)

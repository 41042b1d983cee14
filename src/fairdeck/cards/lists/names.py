"""Names of cards, one a line, top first, with commas and blanks; one in quotation marks is taken as it is."""

from dataclasses import replace

from fairdeck.cards.lists import DeckList, Entry, Source, formats, plain_name, unquoted
from fairdeck.cards.text import excerpt, tidied
from fairdeck.errors import FairdeckError

TURN, CALLED = 100, "a list of names, one a line"
WAYS = {"names": "a line is one card", "commas": "commas part cards"}


def fits(source: Source) -> bool:
    """Return True: what is nothing else is a list of names, or is refused."""
    return bool(source.rows)


def read(source: Source) -> DeckList:
    """Return the list; where each line has a comma that may part two cards, ask."""
    if not source.named:
        _demand_no_commas(source)
    rows = [line._replace(text=line.text.rstrip(",;").rstrip()) for line in source.rows]
    return DeckList("names", tuple([Entry(1, plain_name(line), line.at) for line in rows if line.text]), ordered=True)


def _demand_no_commas(source: Source) -> None:
    """Raise a FairdeckError if each line has a comma that may part two cards, with the ways that can read them."""
    texts = [tidied(line.text).rstrip(",; ") for line in source.rows]
    if len(texts) > 1 and all(unquoted(text) is None and ("," in text or ";" in text) for text in texts):
        ways = [f"--as {way} if {when}" for way, when in WAYS.items() if _reads(source, way)]
        if ways:
            raise FairdeckError(
                f"line {source.rows[0].at}: each line has a comma, such as {excerpt(texts[0])}: say {', '.join(ways)}; "
                "a table begins with a line such as Count,Name"
            )


def _reads(source: Source, way: str) -> bool:
    try:
        formats()[way].read(replace(source, named=True))
    except FairdeckError:
        return False
    return True

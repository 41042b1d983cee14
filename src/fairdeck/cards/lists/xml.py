"""XML: ``.cod`` of Cockatrice and ``.dek`` of MTGO.

Cockatrice writes ``cockatrice_deck/zone[name]/card[number, name]``, and the zone ``main`` is the deck; MTGO writes
``Deck/Cards[Quantity, Sideboard, Name]``. A file that declares a DOCTYPE is refused: a deck has none, and its entities
could grow without end.
"""

from xml.parsers.expat import ExpatError, ParserCreate

from fairdeck.cards.lists import ASIDE, DeckList, Entry, Source
from fairdeck.cards.text import excerpt, tidied
from fairdeck.errors import FairdeckError

TURN, CALLED = 10, "an XML deck"
DEEPEST = 20


def fits(source: Source) -> bool:
    """Return whether the text begins as XML does."""
    return source.rows[0].text.startswith("<")


def read(source: Source) -> DeckList:
    """Return the list."""
    return _Deck().read(source.text.lstrip("\ufeff \t\r\n"), source.rows[0].at - 1)


class _Deck:
    def __init__(self) -> None:
        self.root, self.zone, self.above = "", "", 0
        self.path: list[str] = []  # the elements that are open
        self.entries: list[Entry] = []
        self.parser = ParserCreate("utf-8")  # whatever it declares: the text was decoded before
        self.parser.StartElementHandler, self.parser.EndElementHandler = self._start, self._end
        self.parser.StartDoctypeDeclHandler, self.parser.CharacterDataHandler = self._refuse, self._text

    def read(self, text: str, above: int) -> DeckList:
        self.above = above
        try:
            self.parser.Parse(text.encode(errors="replace"), True)
        except ExpatError as error:
            raise FairdeckError(f"line {above + error.lineno} is not XML: {str(error).partition(':')[0]}") from None
        main, aside = (tuple([e for e in self.entries if bool(e.part) == beside]) for beside in (False, True))
        return DeckList("xml", main, aside)

    def _refuse(self, *_: object) -> None:
        raise FairdeckError("the file declares a DOCTYPE, which a deck has not: leave it out")

    def _start(self, tag: str, about: dict[str, str]) -> None:
        self.path.append(tag)
        if not self.root:
            self.root = tag
            if tag not in ("cockatrice_deck", "Deck"):
                raise FairdeckError(f"XML of {excerpt(tag)} is no deck: Cockatrice and MTGO write decks")
        if len(self.path) > DEEPEST:
            raise FairdeckError(f"line {self._line}: elements lie {len(self.path)} deep, as in no deck")
        if tag == "zone":
            self.zone = about.get("name", "")
        elif (self.root, tag) == ("cockatrice_deck", "card"):
            part = "" if self.zone == "main" else ASIDE.get(self.zone.lower())
            if part is None:
                raise FairdeckError(f"line {self._line}: zone {excerpt(self.zone)} is none of main, side and tokens")
            self._enter(about.get("number", ""), about.get("name", ""), part)
        elif (self.root, tag) == ("Deck", "Cards"):
            aside = about.get("Sideboard", "false").lower() == "true"
            self._enter(about.get("Quantity", ""), about.get("Name", ""), "sideboard" if aside else "")
        elif not about.keys().isdisjoint(("number", "Quantity")):
            raise FairdeckError(f"line {self._line}: {excerpt(tag)} is no element with cards: card and Cards are")

    def _end(self, _: str) -> None:
        self.path.pop()

    def _text(self, text: str) -> None:
        if text.strip() and self.path[-1] in (self.root, "zone"):
            raise FairdeckError(f"line {self._line}: {excerpt(text.strip())} between the cards is no element")

    @property
    def _line(self) -> int:
        return self.above + self.parser.CurrentLineNumber

    def _enter(self, count: str, name: str, part: str) -> None:
        if not (count.isascii() and count.isdigit() and len(count) <= 7):
            raise FairdeckError(f"line {self._line}: {excerpt(count)} is not a number of cards")
        self.entries.append(Entry(int(count), tidied(name), self._line, part))

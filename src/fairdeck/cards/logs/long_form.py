"""The long form: a table with a card on each line, its game, and its place in the deck, from 0 or 1 on."""

from collections.abc import Sequence

from fairdeck.cards.cells import BARS, RULE, Table, cells, is_number, table
from fairdeck.cards.logs import SEEN, Asked, Layout, joined
from fairdeck.errors import FairdeckError

TURN = 3
GAME = frozenset(("game", "game_id", "deck", "deck_id", "hand_id", "round", "round_id", "id", "epoch"))
PLACE = frozenset(("place", "position", "pos", "idx", "index"))
CARD = frozenset(("card", "card_id", "item", "value"))
REMEDY = "each game needs each place once, 0, 1, 2 ... or 1, 2, 3 ..."


class LongForm(Layout):
    """The columns of the game, the place and the card."""

    apart = True

    def __init__(self, found: Table, columns: Sequence[int]) -> None:
        self._found, self._columns = found, columns
        self._game, self._deck = "", dict[int, str]()
        self._ended: set[str] = set()
        self._line, self._first, self._waiting = 0, 0, 0
        names = [found.names[each] for each in columns]
        others = [name for name in found.names if name not in names]
        self.note = (
            f"read in the long form: a card on each line, its game in {names[0]}, its place in {names[1]}, its name in "
            f"{names[2]}; left out: {', '.join(others) or 'nothing'}"
        )

    def line(self, line: str) -> str:
        """Take a card; return the deck before it, if another game begins."""
        self._line += 1
        text, before = line.strip(), ""
        if text and text != self._found.header.strip() and not (self._found.mark in BARS and RULE.fullmatch(text)):
            row = cells(line, self._found.mark)
            if len(row) != len(self._found.names):
                raise FairdeckError(
                    f"line {self._line:,}: it has {len(row)} cells, and line 1 has {len(self._found.names)}"
                )
            game, place, card = (row[each] for each in self._columns)
            if game != self._game:
                before = self.end()
                self._begin(game)
            self._add(place, card)
        self._waiting += 1
        return before

    def end(self) -> str:
        """Return the deck of the last game."""
        waiting, self._waiting = self._waiting, 0
        deck, self._deck = self._deck, {}
        places = sorted(deck)
        if places and places not in (list(range(len(deck))), list(range(1, len(deck) + 1))):
            first = next(
                (want for want, at in zip(range(places[0], places[0] + len(deck)), places, strict=True) if want != at),
                0,
            )
            raise FairdeckError(f"line {self._first:,}: game {self._game[:40]} has no place {first}; {REMEDY}")
        return joined(deck[place] for place in places) + waiting * "\n"

    def _begin(self, game: str) -> None:
        if game in self._ended:
            raise FairdeckError(
                f"line {self._line:,}: game {game[:40]} comes again after another one: sort the lines by game and place"
            )
        self._game, self._first = game, self._line
        self._ended.add(game)

    def _add(self, place: str, card: str) -> None:
        where = f"line {self._line:,}: place {place[:40]!r} of game {self._game[:40]}"
        if not is_number(place):
            raise FairdeckError(f"{where} is not a whole number; {REMEDY}")
        if int(place) in self._deck:
            raise FairdeckError(f"{where} is there twice; {REMEDY}")
        if not card:
            raise FairdeckError(f"{where} has no card; {REMEDY}")
        self._deck[int(place)] = card


def find(lines: Sequence[str], asked: Asked) -> Layout | None:
    """Return the columns of the long form, if each of the three has a name of its own."""
    found = table([line for line in lines if line.strip()][:SEEN])
    if found is None or asked.columns:
        return None
    names = [name.lower() for name in found.names]
    kinds = [[at for at, name in enumerate(names) if name in known] for known in (GAME, PLACE, CARD)]
    if any(len(each) != 1 for each in kinds):
        return None
    return LongForm(found, [each[0] for each in kinds])

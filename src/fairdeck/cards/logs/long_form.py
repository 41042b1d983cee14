"""The long form: a table with a card on each line, its game, and its place in the deck, from 0 or 1 on."""

from collections.abc import Sequence

from fairdeck.cards.cells import BARS, RULE, Table, cells, is_number, table
from fairdeck.cards.logs import SEEN, Asked, Groups, Layout, joined
from fairdeck.cards.text import shown
from fairdeck.errors import FairdeckError

TURN = 3
GAME = frozenset(("game", "game_id", "deck", "deck_id", "hand_id", "round", "round_id", "id", "epoch"))
PLACE = frozenset(("place", "position", "pos", "idx", "index"))
CARD = frozenset(("card", "card_id", "item", "value"))
REMEDY = "each game needs each place once, 0, 1, 2 ... or 1, 2, 3 ..."


class LongForm(Groups):
    """The columns of the game, the place and the card."""

    def __init__(self, found: Table, columns: Sequence[int]) -> None:
        self._found, self._columns = found, columns
        self._game = ""
        self._ended: set[str] = set()
        names = [found.names[each] for each in columns]
        others = [name for name in found.names if name not in names]
        self.note = (
            f"read in the long form: a card on each line, its game in {names[0]}, its place in {names[1]}, its name in "
            f"{names[2]}; left out: {', '.join(others) or 'nothing'}"
        )

    def begins(self, group: Sequence[str], line: str) -> bool:
        """Return whether the line is of another game."""
        if len(group) == 1:
            self._game = self._game_of(group[0])
        game = self._game_of(line)
        before, self._game = self._game, game or self._game
        return bool(before and game) and before != game

    def deck(self, group: Sequence[str]) -> str:
        """Return the cards of a game by their places."""
        deck, game = dict[int, str](), ""
        for at, row in enumerate(map(self._row, group), self.at + 1):
            if not row:
                continue
            if len(row) != len(self._found.names):
                raise FairdeckError(f"line {at:,}: it has {len(row)} cells, and line 1 has {len(self._found.names)}")
            game, place, card = (row[each] for each in self._columns)
            wrong = "is not a whole number" if not is_number(place) else "" if card else "has no card"
            if wrong or int(place) in deck:
                wrong = wrong or "is there twice"
                raise FairdeckError(f"line {at:,}: place {place[:40]!r} of game {shown(game[:40])} {wrong}; {REMEDY}")
            if not deck:
                first = at
            deck[int(place)] = card
        if not deck:
            return ""
        if not self.at:
            self._ended.clear()
        if game in self._ended:
            raise FairdeckError(
                f"line {first:,}: game {shown(game[:40])} comes again after another: sort the lines by game and place"
            )
        self._ended.add(game)
        places = range(min(deck), min(deck) + len(deck))
        if min(deck) > 1 or (lacks := sorted({*places}.difference(deck))):
            lack = 0 if min(deck) > 1 else lacks[0]
            raise FairdeckError(f"line {first:,}: game {shown(game[:40])} has no place {lack}; {REMEDY}")
        return joined(map(deck.__getitem__, places))

    def _row(self, line: str) -> Sequence[str]:
        """Return the cells of a line; nothing for one of names or rules."""
        text = line.strip()
        ruled = self._found.mark in BARS and RULE.fullmatch(text)
        return () if not text or text == self._found.header.strip() or ruled else cells(line, self._found.mark)

    def _game_of(self, line: str) -> str:
        row = self._row(line)
        return row[self._columns[0]] if len(row) > self._columns[0] else ""


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

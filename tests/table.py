"""A table with a deck and a mat on it, for tests that deal as a person would.

It knows nothing of plans: cards are dealt onto labels, and piles are put on piles.
"""


class Table:
    """Cards are named by where they start, 0 at the bottom. One mat, or one a dealer, joined when gathered."""

    def __init__(self, cards):
        self.deck = list(range(cards))
        self.hands = []
        self.mats = []
        self.from_bottom = False

    def begin(self, from_bottom=False):
        """Take the deck in hand for a pass."""
        if self.mats and not self.deck:
            (self.deck,) = self.join().values()
        self.mats = [{}]
        self.from_bottom = from_bottom

    def next_dealer(self):
        """Give the next packet to another dealer, with a mat of their own."""
        self.mats = [mat for mat in self.mats if mat] + [{}]

    def deal(self, label):
        """Deal one card onto the space `label`."""
        self.mats[-1].setdefault(label, []).append(self.deck.pop(0 if self.from_bottom else -1))

    def height(self, label):
        """Return how many cards the dealer who dealt last sees on the space."""
        return len(self.mats[-1].get(label, []))

    def join(self):
        """Put the dealers' piles together, space by space, the first dealer's at the bottom."""
        joined = {}
        for mat in self.mats:
            for label, pile in mat.items():
                joined.setdefault(label, []).extend(pile)
        self.mats = [joined]
        return joined

    def take_away(self, labels):
        """Take finished piles off the mat."""
        mat = self.join()
        self.hands += [mat.pop(label) for label in labels]

    def put(self, pile, onto):
        """Put all that lies on `pile` on what lies on `onto`."""
        mat = self.join()
        mat[onto] += mat.pop(pile)

    def end(self):
        """Return the deck that lies there at the end, bottom first; every card must be in one pile."""
        mat = self.join()
        assert not self.deck
        assert len(mat) <= 1
        return tuple(next(iter(mat.values()), ()))

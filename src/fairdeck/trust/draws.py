"""Commitments, and what they fix: a list of all of them, own bytes that are shown, and the decks that follow.

Each person has **own** bytes: a secret of 32 random bytes and, in the way ``product``, their orders, deck by deck. The
commitment to them is a hash. Nobody shows own bytes before everybody has all commitments. If one person is honest,
nobody could choose the seed; and who lacks one of the orders knows nothing of their product. A commitment hides the
orders, too: without the secret before them, an order of nine cards would be found by trying all of them.

Source: Blum, Coin flipping by telephone (CRYPTO 1981). A seed makes one of 2**256 streams: the decks are as good as
uniform for anyone who cannot compute that many hashes, but not exactly uniform (58! > 2**256). The product of a
uniformly random order and any order that is independent of it is exactly uniform.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import accumulate, chain, pairwise
from math import factorial

from fairdeck.cards.names import numbered_deck
from fairdeck.dealing.goal import Goal
from fairdeck.dealing.planner import Task
from fairdeck.dealing.share_code import order_number, order_numbered
from fairdeck.errors import FairdeckError
from fairdeck.permutation import Permutation, then
from fairdeck.randomness import Chooser, RandomIntegers, seeded_words, uniform_permutation
from fairdeck.trust.agreement import HASH, PICKED_UP, PRODUCT, SEED, Agreement, in_groups
from fairdeck.trust.fields import hashed

SECRET = 32  # bytes


def order_size(cards: int) -> int:
    """Return how many bytes an order takes: as many as n! - 1 needs."""
    return -(-(factorial(cards) - 1).bit_length() // 8)


def own_size(agreement: Agreement) -> int:
    """Return how many own bytes each person has."""
    ordered = agreement.decks * order_size(agreement.cards) if agreement.way == PRODUCT else 0
    return SECRET + ordered


def own_of(secret: bytes, orders: Sequence[Permutation] = ()) -> bytes:
    """Return own bytes: the secret, then the orders, each as its number."""
    return secret + b"".join(order_number(order).to_bytes(order_size(len(order)), "big") for order in orders)


def own_drawn(agreement: Agreement, person: int, secret: bytes, integers: Chooser) -> bytes:
    """Return new own bytes of the person with this index: a secret of 32 random bytes, and uniformly random orders."""
    if agreement.way == SEED:
        return secret
    task = agreement.deals[person]
    orders = (uniform_permutation(task.cards, integers) for _ in range(agreement.decks))
    return own_of(secret, [split_of(task, order) for order in orders])


def orders_in(agreement: Agreement, person: int, own: bytes) -> tuple[Permutation, ...]:
    """Return a person's orders, deck by deck, bottom first; none in the way ``seed``.

    Raises:
        FairdeckError: there are more or fewer bytes than the agreement asks for; or a number is not of an order, or of
            another one than of hands whose cards ascend from the bottom: so each split has one number only.
    """
    if len(own) != own_size(agreement):
        raise FairdeckError(f"{len(own)} own bytes: this draw has {own_size(agreement)} of each person")
    if agreement.way == SEED:
        return ()
    size, task = order_size(agreement.cards), agreement.deals[person]
    places = (SECRET + size * deck for deck in range(agreement.decks))
    found = tuple(order_numbered(int.from_bytes(own[at : at + size], "big"), task.cards) for at in places)
    if any(split_of(task, order) != order for order in found):
        raise FairdeckError("an order for hands must have the cards of each hand as they lie, the lowest first")
    return found


def split_of(task: Task, order: Permutation) -> Permutation:
    """Return the one order of those that deal the same hands, in which each hand ascends; of a whole deck the same."""
    return tuple(chain.from_iterable(map(sorted, reversed(hands_in(task, order))))) if task.goal.piles else order


def hands_in(task: Task, cards: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the hands of a deck, bottom first, that is dealt into them; the first hand comes from the top."""
    ends = accumulate(task.goal.piles, initial=0)
    return [tuple(cards[len(cards) - end : len(cards) - start]) for start, end in pairwise(ends)]


def hands_of(named: Sequence[str], goal: Goal) -> tuple[tuple[str, ...], ...]:
    """Return the piles that cards, top first, are dealt into; of a whole deck one."""
    ends = accumulate(goal.piles or (len(named),), initial=0)
    return tuple(tuple(named[start:end]) for start, end in pairwise(ends))


@dataclass(frozen=True)
class Attempt:
    """An agreement, with what people sent and showed until now: a list of commitments, a void attempt, or a whole draw.

    Raises:
        FairdeckError: something has another size, two commitments are the same, or own bytes do not fit theirs. The
            message names the person.
    """

    agreement: Agreement  # what was agreed on
    # 32 bytes of each person, in the order of the people; empty for each person who sent none
    commitments: tuple[bytes, ...]
    owns: tuple[bytes, ...] = ()  # own bytes, likewise; empty for each person who showed none

    def __post_init__(self) -> None:
        people = self.agreement.people
        if not self.owns:
            object.__setattr__(self, "owns", (b"",) * len(people))
        if len(self.commitments) != len(people) or any(len(each) not in (0, HASH) for each in self.commitments):
            raise FairdeckError(f"{len(self.commitments)} commitments for {len(people)} people: give 32 bytes for each")
        if len(self.owns) != len(people):
            raise FairdeckError(f"{len(self.owns)} secrets for {len(people)} people: give one for each")
        for place, each in enumerate(self.commitments):
            if each and (first := self.commitments.index(each)) < place:
                raise FairdeckError(f"{people[place]} has the same commitment as {people[first]}: a copy is refused")
        for person, own in enumerate(self.owns):
            if own:
                self.check(person, own)

    def check(self, person: int, own: bytes) -> None:
        """Raise a FairdeckError unless these are the own bytes that the person committed to."""
        if self.agreement.commitment(person, own) != self.commitments[person]:
            name = self.agreement.people[person]
            raise FairdeckError(f"{name}'s secret does not fit {name}'s commitment")
        orders_in(self.agreement, person, own)

    @cached_property
    def listed(self) -> bytes:
        """SHA-256 of the agreement and all commitments, 32 bytes: own bytes are shown for this list alone."""
        return hashed("list", self.agreement.written, *self.commitments)

    @cached_property
    def shown(self) -> bytes:
        """SHA-256 of the list and what was shown, 32 bytes: it fixes who showed what, and tells nothing of the seed."""
        return hashed("shown", self.listed, *self.owns)

    @property
    def named(self) -> bytes:
        """What names this attempt in the next one if it is void, 64 bytes: what was agreed on, and who showed what."""
        return self.agreement.digest + self.shown

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of those who showed nothing."""
        return tuple(name for name, own in zip(self.agreement.people, self.owns, strict=True) if not own)

    def demand_next(self, following: Agreement) -> None:
        """Raise a FairdeckError unless an agreement is the next attempt after this void one.

        All but a few terms must stay, or people and terms could change until a draw suits somebody.
        """
        agreed, number = self.agreement, following.attempt
        if not self.missing:
            raise FairdeckError("nobody is missing: an attempt is void only if somebody showed no secret")
        if number != agreed.attempt + 1 or following.before != self.named:
            raise FairdeckError(f"attempt {number} does not name the void attempt before it, with what was shown there")
        name = agreed.changed_in(following, self.missing)
        if name == "people":
            raise FairdeckError(
                f"attempt {number} is drawn by {', '.join(following.people)[:200]}: only people who were missing may "
                f"be left out of {', '.join(agreed.people)[:200]}"
            )
        if name == "beacon":
            raise FairdeckError(f"attempt {number} must have the beacon of the void attempt before it")
        if name:
            before, after = (str(each.term(name))[:40] for each in (agreed, following))
            raise FairdeckError(
                f"attempt {number} has {name} {after!r}, and the void attempt before it {before!r}: it must stay"
            )


@dataclass(frozen=True)
class Drawn:
    """A finished draw: everybody's own bytes are known, and with them every deck.

    Raises:
        FairdeckError: own bytes are missing, or the value of the beacon is missing or was not agreed on.
    """

    attempt: Attempt  # the agreement, the commitments and all own bytes
    randomness: bytes = b""  # the value of the beacon, 32 bytes; empty if none was agreed on

    def __post_init__(self) -> None:
        if self.attempt.missing:
            raise FairdeckError(f"secrets are missing from {', '.join(self.attempt.missing)}: the draw needs all")
        if len(self.randomness) != HASH * (self.agreement.beacon is not None):
            wanted = "32 bytes of the beacon" if self.agreement.beacon else "no beacon, as agreed"
            raise FairdeckError(f"{len(self.randomness)} bytes of a beacon: the draw needs {wanted}")

    @property
    def agreement(self) -> Agreement:
        """What was agreed on."""
        return self.attempt.agreement

    @cached_property
    def seed(self) -> bytes:
        """The seed that nobody chose, 32 bytes; empty in the way ``product``.

        It is not made from `Attempt.shown`: that is published before the beacon speaks.
        """
        if self.agreement.way == PRODUCT:
            return b""
        return hashed("seed", self.attempt.listed, *self.attempt.owns, self.randomness)

    @property
    def code(self) -> str:
        """The result code that all compare aloud: 60 bits of a hash, as 12 letters in base 32."""
        return in_groups(hashed("result", self.seed or self.attempt.shown))

    def order(self, deck: int = 0) -> Permutation:
        """Return the arrangement of a deck after all its deals, bottom first; each deck has a stream of its own."""
        self._demand_deck(deck)
        if self.agreement.way == PRODUCT:
            return reduce(then, (orders[deck] for orders in self._orders))
        words = seeded_words(hashed("deck", self.seed, deck))
        return uniform_permutation(self.agreement.cards, RandomIntegers(words))

    def cards(self, deck: int = 0) -> Permutation:
        """Return which cards lie where after the deals of a deck, bottom first, by their places in `names`."""
        if self.agreement.start == PICKED_UP:
            self._demand_deck(deck)
            return self._picked_up[deck]
        return self.order(deck)

    def named(self, deck: int = 0) -> tuple[str, ...]:
        """Return the cards of a deck after all its deals, top first, by their names.

        Where the agreement has no names, cards are numbered from the top of the deck as it lay at the start.
        """
        names = self.agreement.names or numbered_deck(self.agreement.cards)[::-1]
        return tuple(names[card] for card in reversed(self.cards(deck)))

    def hands(self, deck: int = 0) -> tuple[tuple[str, ...], ...]:
        """Return the hands that a deck is dealt into, by the names of their cards; of a whole deck one, top first."""
        return hands_of(self.named(deck), self.agreement.deals[-1].goal)

    @cached_property
    def _orders(self) -> list[tuple[Permutation, ...]]:
        return [orders_in(self.agreement, person, own) for person, own in enumerate(self.attempt.owns)]

    @cached_property
    def _picked_up(self) -> list[Permutation]:
        """The cards of all decks, each picked up from the hands before: the first on top, each as in `names`."""
        found, start = list[Permutation](), tuple(range(self.agreement.cards))
        for deck in range(self.agreement.decks):
            found.append(then(start, self.order(deck)))
            hands = hands_in(self.agreement.deals[-1], found[-1])
            start = tuple(chain.from_iterable(map(sorted, reversed(hands))))
        return found

    def _demand_deck(self, deck: int) -> None:
        if not 0 <= deck < self.agreement.decks:
            raise FairdeckError(f"deck {deck}: the draw has decks 0 to {self.agreement.decks - 1}")

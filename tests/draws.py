"""Agreements and draws for tests."""

from fairdeck.trust.agreement import Agreement
from fairdeck.trust.draws import Attempt, own_of

SESSION = bytes(range(16))
SECRETS = tuple(bytes([place]) * 32 for place in (1, 2, 3))


def seed_draw(task, people, session=SESSION, **more):
    """Return an agreement on decks that nobody chooses."""
    return Agreement("seed", (task,), tuple(people), session, **more)


def product_draw(tasks, people=("Ann", "Ben"), session=SESSION, **more):
    """Return an agreement on decks that nobody knows."""
    return Agreement("product", tuple(tasks), tuple(people), session, **more)


def owns_of(*orders):
    """Return own bytes of people with one order each."""
    return tuple(own_of(secret, [order]) for secret, order in zip(SECRETS, orders, strict=False))


def listed(agreement, owns=SECRETS):
    """Return the list of everybody's commitments."""
    return Attempt(agreement, tuple(agreement.commitment(person, own) for person, own in enumerate(owns)))


def attempt(agreement, owns=SECRETS, shown=None):
    """Return an attempt in which all own bytes are shown, or only those in `shown`."""
    return Attempt(agreement, listed(agreement, owns).commitments, tuple(owns if shown is None else shown))

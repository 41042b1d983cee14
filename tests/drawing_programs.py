"""Each algorithm whose draws the lab reads, as its program draws: `draw(k)` is a number 0 .. k, in time order."""

from collections.abc import Callable


def down(n, draw):
    deck = list(range(n))
    for place in range(n - 1, 0, -1):
        drawn = draw(place)
        deck[place], deck[drawn] = deck[drawn], deck[place]
    return deck


def inside_out(n, draw):
    deck = list(range(n))
    for card in range(1, n):
        place = draw(card)
        deck[card], deck[place] = deck[place], card
    return deck


def up(n, draw):
    deck = list(range(n))
    for place in range(n - 1):
        drawn = place + draw(n - 1 - place)
        deck[place], deck[drawn] = deck[drawn], deck[place]
    return deck


def inside_out_from_the_top(n, draw):
    deck = list(range(n))
    for card in range(n - 2, -1, -1):
        place = card + draw(n - 1 - card)
        deck[card], deck[place] = deck[place], card
    return deck


def out_for_the_bottom(n, draw):
    left = list(range(n))
    return [left.pop(draw(k)) for k in range(n - 1, -1, -1)]


def out_for_the_top(n, draw):
    left = list(range(n))
    return [left.pop(draw(k)) for k in range(n - 1, -1, -1)][::-1]


def lowest_in(n, draw):
    deck = []
    for card in range(n):
        deck.insert(draw(card), card)
    return deck


def highest_in(n, draw):
    deck = []
    for card in range(n - 1, -1, -1):
        deck.insert(draw(n - 1 - card), card)
    return deck


PROGRAMS: dict[str, Callable[..., list[int]]] = {
    "Fisher-Yates from the top down": down,
    "inside-out from the bottom up": inside_out,
    "Fisher-Yates from the bottom up": up,
    "inside-out from the top down": inside_out_from_the_top,
    "taking out cards for the bottom first": out_for_the_bottom,
    "taking out cards for the top first": out_for_the_top,
    "inserting the lowest card first": lowest_in,
    "inserting the highest card first": highest_in,
}
DOWN, UP = "Fisher-Yates from the top down", "Fisher-Yates from the bottom up"


def drawn(algorithm, n, decks, draw):
    """Decks of an algorithm; `draw(k)` is a number below `k`."""
    return [PROGRAMS[algorithm](n, lambda k: draw(k + 1) if k else 0) for _ in range(decks)]

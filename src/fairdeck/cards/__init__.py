"""How people name cards, and the files in which they bring them: deck lists, decks, boards.

`names` reads what single cards are called, `boards` the files of bridge programs, `bridge_hands` their hands.
"""

LARGEST_DECK = 1_000_000  # cards

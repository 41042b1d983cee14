"""A stream shuffled through a buffer that holds fewer cards than the deck."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class ShuffleBuffer:
    """Give out a random card of a buffer of `size` cards, and put the next card of the deck in its place.

    So a card comes out at most `size` - 1 places early. A buffer as large as the deck is fair.
    """

    size: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        buffer = list(range(min(self.size, n)))
        deck = []
        for card in range(len(buffer), n):
            drawn = rng.randrange(self.size)
            deck.append(buffer[drawn])
            buffer[drawn] = card
        while buffer:
            drawn = rng.randrange(len(buffer))
            deck.append(buffer[drawn])
            buffer[drawn] = buffer[-1]
            buffer.pop()
        return deck


KNOWN = (
    Known(
        "shuffle-buffer-2",
        ShuffleBuffer(2),
        says="a buffer of two cards gives out one and takes the next: no card comes out early",
        source="TensorFlow, tf.data.Dataset.shuffle(buffer_size=2)",
    ),
    Known(
        "shuffle-buffer-26",
        ShuffleBuffer(26),
        says="a shuffle through a buffer of 26 cards: no card comes out more than 25 places early",
        source="TensorFlow, tf.data.Dataset.shuffle(buffer_size=26): its manual asks for a buffer as large as the data",
    ),
)

"""How many decks are made and counted together, and how large they may be."""

BLOCK = 4096  # decks
COLUMNS_UP_TO = 104  # cards: about where decoding columns costs as much as swapping
GROUP = 64
WORTH = 2048  # decks in a block; fewer are not worth the time to load kernels, or to compile them
BYTES_UP_TO = 128  # cards that are counted as bytes: the difference of two fits into a signed one

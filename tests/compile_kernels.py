"""Compile the kernels once, for all workers that then test side by side. Each would compile them for itself."""

from fairdeck import bulk, lab

bulk.permutations(4_096, 52, seed=1)
bulk.shuffled(range(100_000), seed=1)
bulk.shuffled(range(100_000), cipher=True)
for cards in (8, 20):
    bulk.rank_histogram(4_096, cards, bins=100, seed=1)
for shuffle in ("fisher-yates", "riffle*7"):
    for cards in (5, 52):
        lab.test(shuffle, cards=cards, decks=65_536, seed=1, workers=1)

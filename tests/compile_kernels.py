"""Compile the kernels once, for all workers that then test side by side. Each would compile them for itself."""

from concurrent.futures import ProcessPoolExecutor

from fairdeck import bulk, lab
from fairdeck.lab.judging import compiling
from fairdeck.lab.judging.tally import Battery


def decks():
    for cards in (52, 129, 300, 70_000):
        bulk.permutations(64, cards, seed=1)


def hands():
    lab.test("riffle*7", cards=5, decks=65_536, seed=1)


def statistics():
    for cards in (5, 52):
        compiling.compile_now(cards, Battery(cards).names)
        lab.test("fisher-yates", cards=cards, decks=65_536, seed=1)


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as processes:
        for job in [processes.submit(each) for each in (statistics, hands, decks)]:
            job.result()

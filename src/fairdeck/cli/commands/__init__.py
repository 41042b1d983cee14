"""The commands, one module each. `fairdeck --help` shows these lines without importing the modules; a test compares."""

SUMMARIES = {
    "advise": "Rank the ways to shuffle your deck: minutes, how random the deck is afterwards, and what you need.",
    "check": "Say how much work a deck on a mat is: passes, spaces, pile heights, minutes; and name better mats.",
    "deal": "Draw a uniformly random order and say how to deal the deck into it.",
    "exact": "Say exactly how likely each order is after a shuffle of a few cards.",
    "histogram": "Count a shuffle's decks by their rank, in bins, for several shuffles side by side: faults are hills.",
    "mat": "Print a mat with a space for each pile, true to size, on as many sheets of paper as it needs.",
    "mix": "Say how far a deck is from random after shuffling by hand: exactly if a law is known, otherwise by bounds.",
    "monitor": "Watch a live log of decks for months, at one level; say when it goes wrong, and since when.",
    "pace": "Measure how fast your hands are, for the minutes that fairdeck computes.",
    "packets": "Say how to shuffle a large pack in packets, and how well that spreads the cards.",
    "page": "Write the dealing page as one HTML file that works without a network, or as a site that phones install.",
    "rank": "Say which place an order has among all orders in dictionary order, from 0, and its factorial digits.",
    "replay": "Check a plan: whether it is sound, and reaches the order that it reveals.",
    "scaling": "Test whether random integers below a bound are fair: fairdeck's own, or those of your function.",
    "serve": "Serve the dealing page to this machine, or with --host 0.0.0.0 to the phones in your network.",
    "shuffle": "Print a uniformly random order of numbers, arguments or lines.",
    "shuffles": "List the known shuffles: fair ones, faulty ones and shuffles by hand; or show one.",
    "test": "Test whether a shuffle is fair: a known shuffle, a function, a program, or a file of decks.",
    "unrank": "Return the order that has a rank: its place among all orders of the cards, in dictionary order from 0.",
    "voices": "Build the recorded voices of the dealing page again, with espeak-ng.",
}

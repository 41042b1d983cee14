"""The commands, one module each. `fairdeck --help` shows these lines without importing the modules; a test compares."""

SUMMARIES = {
    "advise": "Rank every way to shuffle your deck: minutes, how random it is afterwards, and what it needs.",
    "check": "Say what a deck and a mat imply: passes, spaces, pile heights, minutes, and better mats.",
    "deal": "Draw a uniformly random order and say how to deal the deck into it.",
    "exact": "Say exactly how likely each order is after a shuffle of a few cards.",
    "histogram": "Count the ranks of a shuffle's decks in bins, several shuffles side by side: faults show as hills.",
    "mat": "Print a mat with a space for each pile, true to size, on as many sheets of paper as it needs.",
    "mix": "Say how far a deck is from random after a shuffle of hands: exactly where theory allows, else in bounds.",
    "pace": "Time your hands with a stopwatch, so that the minutes are yours.",
    "packets": "Say how to shuffle a large pack in packets, and how well that spreads the cards.",
    "page": "Write the dealing page as one HTML file that works without a network, or as a site that phones install.",
    "replay": "Check a plan: is it sound, and does it reach the order that it reveals?",
    "scaling": "Find out whether numbers below a bound are drawn fairly: fairdeck's integers, or a function of yours.",
    "serve": "Serve the dealing page to this machine, or with --host 0.0.0.0 to the phones in your network.",
    "shuffle": "Print a uniformly random order of numbers, arguments or lines.",
    "shuffles": "List the shuffles known by name, the fair, the faulty and what hands do; or show one.",
    "test": "Find out whether a shuffle is fair: a known one, a function, a program, or a file of decks.",
    "voices": "Build the recorded voices of the dealing page again, with espeak-ng.",
}

"""The commands, one module each, in the groups of `fairdeck --help`, which shows these lines and imports no module.

A line is the first of the module's docstring; a test compares. It fits beside the name on a screen of 80 letters.
"""

# What a stranger wants first.
START = {
    "fairdeck deal 60": "deal your 60 cards into a random order",
    "fairdeck advise 60": "what is the quickest good way to shuffle them?",
    "fairdeck test naive": "is this shuffle fair? or: test mine.py:shuffle",
}

GROUPS = {
    "Deal": {
        "deal": "Draw a random order, and say how to deal the deck into it.",
        "advise": "Rank the ways to shuffle your deck: minutes, and how random it is.",
        "check": "Say how much work a deal on a mat is, and name better mats.",
        "together": "Draw with others: nobody chooses the order, or nobody knows it.",
        "boards": "Write bridge or other deals as two lists; one alone says nothing.",
        "shuffle": "Print a random order of numbers, arguments or lines.",
    },
    "Print": {
        "mat": "Print a mat with a space for each pile, true to size.",
        "page": "Write the dealing page as one file, or as a site for phones.",
        "serve": "Serve the pages to this machine, or to phones in your network.",
    },
    "Understand": {
        "mix": "Say how far from random a deck is after shuffling by hand.",
        "hands": "Measure your own riffle, and how many of it your deck needs.",
        "packets": "Say how to shuffle a large pack in packets, and how well it does.",
        "shuffles": "List the known shuffles, fair and faulty; or show one.",
        "rank": "Say which place an order has among all, or which has a place.",
    },
    "Test": {
        "test": "Test whether a shuffle is fair: a name, function, program or file.",
        "exact": "Compute the exact probability of each order of a few cards.",
        "histogram": "Count decks by their rank; a fault shows as a hill.",
        "monitor": "Watch a live log of decks for months, at one level.",
        "runs": "List the runs in a store, or report one.",
        "verify": "Verify a plan, a stored run, a transcript, or rounds of a site.",
    },
    "Set up": {
        "doctor": "Say whether everything works here, and what helps if not.",
        "config": "Show your settings, and the file that they stand in.",
        "completion": "Print the script that completes fairdeck's words in your shell.",
    },
}

SUMMARIES = {name: line for group in GROUPS.values() for name, line in group.items()}

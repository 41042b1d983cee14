"""58 Pa. Code 810a.5: the longest list of tests, at 95 %."""

from fairdeck.lab.standards import CHAINS, EVERY, Demand, Standard

STANDARD = Standard(
    name="pa95",
    title="58 Pa. Code § 810a.5, Random number generator standards (read as of August 2024)",
    authority="Pennsylvania Gaming Control Board",
    level="“the desired confidence level of 95%” (c)",
    alpha=0.05,
    demands=(
        Demand(
            "Chi-square test (1)", ("positions: all cards at all places", "positions: by suit", "positions: by rank")
        ),
        Demand("Equi-distribution (frequency) test (2)", ("positions",)),
        Demand(
            "Gap test (3)",
            note="how long until the same card is at the same place again, for as many decks back as are compared",
            relative=("positions",),
        ),
        Demand(
            "Overlaps test (4)",
            ("neighbours", "chain of order 1", "chain of order 2"),
            "overlapping pairs of cards; up to 5 cards also overlapping runs of whole decks",
        ),
        Demand("Poker test (5)", ("poker hands",), "the kinds of five-card hands"),
        Demand(
            "Coupon collectors test (6)",
            ("different top cards", "different bottom cards"),
            "the different cards that come to one place in n decks of n cards",
        ),
        Demand("Permutation test (7)", ("every order", "inversions", "major index")),
        Demand(
            "Kolmogorov-Smirnov test (8)",
            ("rank histogram",),
            "asked of ranges, not of the largest gap: is the order's number in the dictionary uniform?",
        ),
        Demand(
            "Adjacency criterion tests (9)",
            ("neighbours", "successions", "predecessions", "neighbours of one suit", "neighbours of one rank"),
        ),
        Demand("Order statistic test (10)", ("order", "records from the bottom", "records from the top")),
        Demand(
            "Runs tests (patterns of occurrences should not be recurrent) (11)",
            ("runs up and down", "descents", "rising sequences", "colour runs"),
        ),
        Demand("Interplay correlation test (12)", ("order", "top pairs", "bottom pairs", "differences")),
        Demand(
            "Serial correlation test (outcomes should be independent of the previous game) (13)",
            CHAINS,
            "each deck relative to the ones before it",
            relative=EVERY,
        ),
        Demand(
            "Tests on subsequences (14)",
            ("longest increasing subsequence", "longest decreasing subsequence", "hand from the top", "lower half"),
            "parts of the deck by themselves",
        ),
        Demand(
            "Poisson distribution (15)",
            ("repeats", "fixed points"),
            "equal decks against the Poisson law; cards in their old place, whose exact law is nearly Poisson's",
        ),
        Demand("Cryptographically strong (a)", note="not answered here: review of the generator and its seeding"),
        Demand(
            "Shown by data analysis and a source code read (a)",
            note="not answered here: source review",
        ),
        Demand(
            "The scaling method must preserve the distribution (d)",
            note="not answered by decks alone: run “fairdeck scaling” on the function that draws the numbers",
        ),
    ),
    seen="text read in a public copy of the Pennsylvania Code, not in the official edition; (d) in part",
    first_hand=True,
    least=20_000,
    remarks=(
        "At 95 % a perfect shuffle fails once in 20 runs: this level is the rule's, not fairdeck's.",
        "The rule leaves the choice of tests to the laboratory and names no number of decks. "
        "Here it takes 20,000, so that every test can be made on 52 cards.",
    ),
)

"""25 CFR 547.14: what the law of the United States asks of class II games."""

from fairdeck.lab.standards import CHAINS, EVERY, Demand, Standard

STANDARD = Standard(
    name="cfr547",
    title="25 CFR 547.14, Electronic random number generation (read as of October 2024)",
    authority="National Indian Gaming Commission, United States",
    level="“must pass the statistical tests for randomness to a 99% confidence level” (b)(2)",
    alpha=0.01,
    demands=(
        Demand(
            "Statistically random individually and in the permutations and combinations used (b)(1)",
            ("positions", "fixed points", "order", "neighbours", "every order", "top pairs", "bottom pairs"),
        ),
        Demand("Chi-square test", ("positions: all cards at all places", "positions: by suit", "positions: by rank")),
        Demand(
            "Runs test (patterns of occurrences must not be recurrent)",
            ("runs up and down", "descents", "rising sequences", "colour runs"),
        ),
        Demand(
            "Serial correlation test (outcomes must be independent from the previous game)",
            CHAINS,
            "each deck relative to the ones before it",
            relative=EVERY,
        ),
        Demand("Equi-distribution (frequency) test", ("positions: one card at one place",)),
        Demand(
            "Gap test",
            note="how long until the same card is at the same place again, for as many decks back as are compared",
            relative=("positions",),
        ),
        Demand("Poker test", ("poker hands",), "the kinds of five-card hands"),
        Demand(
            "Coupon collector's test",
            ("different top cards", "different bottom cards"),
            "the different cards that come to one place in n decks of n cards",
        ),
        Demand(
            "Permutation test",
            ("every order", "rank histogram", "inversions", "major index"),
            "each whole order of small decks; of large ones, ranges of the order's number in the dictionary",
        ),
        Demand("Spectral test", note="not answered here: it is about the raw numbers of a generator, not about decks"),
        Demand(
            "Test on subsequences",
            ("longest increasing subsequence", "longest decreasing subsequence", "hand from the top", "lower half"),
            "parts of the deck by themselves",
        ),
        Demand("Unpredictability (c)", note="not answered here: review of the generator and its seeding"),
        Demand(
            "Non-repeatability (d)",
            ("repeats",),
            "in part: whole decks that come again; how each instance is seeded is for review",
        ),
        Demand(
            "An unbiased scaling algorithm",
            note="not answered by decks alone: run “fairdeck scaling” on the function that draws the numbers",
        ),
    ),
    seen="text read in public copies of the Code of Federal Regulations, not in the official edition; "
    "the paragraph on scaling not seen",
    first_hand=True,
    least=20_000,
    remarks=(
        "The section says that the tests “may include” ten; nine have an answer here, the spectral test has none.",
        "It names no number of decks. Here it takes 20,000, so that every test can be made on 52 cards.",
    ),
)

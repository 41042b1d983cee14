"""GLI-19: what most jurisdictions ask of online games."""

from fairdeck.lab.standards import CHAINS, EVERY, Demand, Standard

STANDARD = Standard(
    name="gli19",
    title="GLI-19, Interactive Gaming Systems, version 3.0 (17 July 2020), sections 3.2 to 3.4",
    authority="Gaming Laboratories International",
    level="“evaluated, collectively, at a 99% confidence level” (3.2.2)",
    alpha=0.01,
    demands=(
        Demand(
            "Total distribution or chi-square test",
            ("positions", "fixed points", "every order"),
            "each card at each place, by suit, by rank and by quarter; for small decks each whole order",
        ),
        Demand(
            "Overlaps test",
            ("neighbours", "successions", "predecessions", "chain of order 1", "chain of order 2"),
            "overlapping pairs: each card with the next one; up to 5 cards also overlapping runs of whole decks",
        ),
        Demand(
            "Coupon collector's test",
            ("different top cards", "different bottom cards"),
            "the different cards that come to one place in n decks of n cards",
        ),
        Demand("Runs test", ("runs up and down", "descents", "rising sequences", "colour runs", "peaks")),
        Demand(
            "Interplay correlation test",
            ("order", "top pairs", "bottom pairs", "differences"),
            "within one deck: which card lies above which, and the cards at pairs of places",
        ),
        Demand(
            "Serial correlation test",
            CHAINS,
            "each deck relative to the ones before it, which is fair as well if decks are independent",
            relative=EVERY,
        ),
        Demand("Duplicates test", ("repeats",), "whole decks that come again"),
        Demand(
            "All possible outcomes are available; the period is large enough (3.2.3 to 3.2.5)",
            ("repeats",),
            "in part: the fewest different decks that the shuffle must be able to make; the rest is source review",
        ),
        Demand(
            "Unbiased scaling (3.2.3)",
            note="not answered by decks alone: run “fairdeck scaling” on the function that draws the numbers",
        ),
        Demand("Source code review of scaling and shuffling (3.2.1)", note="not answered here: source review"),
        Demand("Not seeded from a time value alone (3.3.2)", note="not answered here: review of seeding"),
        Demand("No adaptive behaviour (4.5.2)", note="not answered here: review of the game that uses the shuffle"),
    ),
    seen="primary text not seen; quoted second-hand, from public summaries that agree with one another",
    first_hand=False,
    least=20_000,
    remarks=(
        "The tests are suggestions of the standard; the laboratory chooses which apply. Here all seven do.",
        "3.4.2 asks for at least 10,000 outcomes of a mechanical shuffler and names no number for programs. "
        "Here it takes 20,000 decks of any shuffle, so that every test can be made on 52 cards.",
    ),
)

"""AGCO 21.1: what Ontario asks of random numbers in electronic games."""

from fairdeck.lab.standards import CHAINS, EVERY, Demand, Standard

STANDARD = Standard(
    name="agco",
    title="Electronic gaming technical standards, 21.1 Software Random Number Generator (1 December 2018)",
    authority="Alcohol and Gaming Commission of Ontario",
    level="“statistics that lie within the 99% confidence interval” (21.1.2)",
    alpha=0.01,
    demands=(
        Demand(
            "All values have an equal chance; frequency test (21.1.1, 21.1.2)",
            ("positions", "fixed points", "every order"),
        ),
        Demand("Runs test (21.1.2)", ("runs up and down", "descents", "rising sequences", "colour runs")),
        Demand("Serial correlation test (21.1.2)", CHAINS, "each deck relative to the ones before it", relative=EVERY),
        Demand(
            "Statistically independent: tests that match how numbers form outcomes (21.1.1, 21.1.2)",
            ("order", "neighbours", "top pairs", "bottom pairs", "hand from the top"),
            "which cards lie together, and what a hand holds",
        ),
        Demand(
            "Capable of generating all possible game outcomes (21.1.3)",
            ("repeats",),
            "in part: the fewest different decks that the shuffle must be able to make; the rest is source review",
        ),
        Demand(
            "No detectable patterns or correlation with any previous output (21.1.4)",
            ("repeats",),
            "whole decks that come again, and decks that lie alike",
            relative=EVERY,
        ),
        Demand(
            "Unpredictable; seeds cannot be determined (21.1.1, 21.1.6)", note="not answered here: review of seeding"
        ),
        Demand(
            "Not dependent on the amount wagered or the style of play (21.1.5)",
            note="not answered here: review of the game",
        ),
    ),
    seen="text read in a copy of the Commission's own web page",
    first_hand=True,
    least=20_000,
    remarks=("It names no number of decks. Here it takes 20,000, so that every test can be made on 52 cards.",),
)

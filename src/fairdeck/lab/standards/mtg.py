"""Magic: The Gathering, tournament rules on shuffling: no player may know anything."""

from fairdeck.lab.standards import CHAINS, EVERY, Demand, Standard

STANDARD = Standard(
    name="mtg",
    title="Magic: The Gathering Tournament Rules 3.10, Card Shuffling (read as of September 2021)",
    authority="Wizards of the Coast",
    level="none stated: the rule is in words; 99 % is taken here",
    alpha=0.01,
    demands=(
        Demand("No information regarding the position of cards", ("positions", "fixed points", "half the footrule")),
        Demand(
            "No information regarding the order of cards",
            ("order", "neighbours", "inversions", "rising sequences", "longest increasing subsequence", "successions"),
            "what riffles, overhand shuffles and piles leave",
        ),
        Demand(
            "... in any portion of the deck",
            ("top pairs", "bottom pairs", "hand from the top", "hand from the bottom", "lower half"),
        ),
        Demand(
            "... that a player could use",
            ("guesser of the card underneath", "guesser of the longest packet", "guesser who learns"),
            "players who guess the next card from what they saw",
        ),
        Demand(
            "Decks must be randomized at the start of every game",
            CHAINS,
            "each deck relative to the ones before it; test with “--start carried”, as decks are used",
            relative=EVERY,
        ),
        Demand("Pile shuffling alone is not sufficiently random", note="not a test: a rule of how to shuffle"),
        Demand("Presented to the opponent, who may shuffle again", note="not a test: a rule of how to shuffle"),
    ),
    seen="text read in the annotated edition of the magic judges' site, a copy",
    first_hand=True,
    remarks=(
        "The rule says what players may know, and names no statistics: fairdeck chose the tests.",
        "Nobody records thousands of decks by hand. This is for programs, machines and models of hands.",
    ),
)

"""The practice that iTech Labs described on certificates of 2008 and 2009."""

from fairdeck.lab.standards import Demand, Standard

STANDARD = Standard(
    name="itech",
    title="Chi-square tests of shuffled decks, as on the iTech Labs certificate of 11 April 2008",
    authority="iTech Labs, Australia: the published practice of a laboratory, not a regulation",
    level="none stated; 99 % is taken here, as regulators do",
    alpha=0.01,
    demands=(
        Demand("Chi-squared test of suits 1-4", ("positions: by suit",)),
        Demand("Chi-squared test of ranks 1-13", ("positions: by rank",)),
        Demand(
            "Chi-squared test of cards 1-52",
            (
                "positions: all cards at all places",
                "positions: one card at one place",
                "positions: by quarter",
                "positions: by hand",
                "positions: by parity",
            ),
        ),
        Demand(
            "Card sequences are unpredictable and non-repeatable",
            ("repeats",),
            "in part: whole decks that come again; predicting a generator is for source review",
        ),
        Demand("“Diehard” tests of the raw numbers", note="not answered here: they test a generator's bits, not decks"),
        Demand("Source code evaluation: seeding, scaling, shuffling", note="not answered here: source review"),
    ),
    seen="read on a copy of the certificate of 2008 on the client's site; what the laboratory does today was not seen",
    first_hand=True,
    least=1_000_001,
    sizes=(52,),
    lags=0,
    remarks=(
        "As the laboratory did: the tests, the decks without jokers, and the number, more than a million decks in all.",
        "Not as the laboratory did: it took samples of 1,000 to 50,000 decks, each judged by itself. Here one run "
        "counts all decks, with interim analyses at 16, 32, ... decks, among them 1,024 to 32,768, which share the "
        "level. All decks together show smaller faults than a sample, but show one bad batch less clearly.",
        "Its chi-square tests of eight decks shuffled together are not offered: here all cards differ.",
    ),
)

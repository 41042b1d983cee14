"""COMAR 36.05.02.17: what Maryland asks of a machine that shuffles cards."""

from fairdeck.lab.standards import Demand, Standard

STANDARD = Standard(
    name="md-shuffler",
    title="COMAR 36.05.02.17, Dealing shoes and automated card shuffling devices (as read in a copy without date)",
    authority="Maryland State Lottery and Gaming Control Agency",
    level="“a 95 percent confidence level” (F)",
    alpha=0.05,
    demands=(
        Demand(
            "A standard chi-squared test for goodness of fit (F)",
            ("positions", "neighbours", "every order"),
            "the rule does not say of what; here of cards to places, of cards to neighbours, and of the "
            "whole orders of small decks",
        ),
        Demand(
            "No information that aids in projecting the outcome (G, in part)",
            note="not answered here: review of the device",
        ),
    ),
    seen="text read in a public copy of the Code of Maryland Regulations, not in the official edition; (G) in part",
    first_hand=True,
    lags=0,
    remarks=(
        "At 95 % a perfect shuffle fails once in 20 runs: this level is the rule's, not fairdeck's.",
        "The rule does not ask whether decks depend on the deck before, which is how machines fail most often. "
        "“fairdeck test --start carried” without a standard does.",
        "It names no number of decks; a machine that deals a hundred decks an hour needs ten hours for 1,000.",
    ),
)

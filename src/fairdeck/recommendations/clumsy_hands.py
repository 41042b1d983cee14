"""Hands whose riffle was measured, and is clumsier than the model's or fails a check: no law is known for it.

More riffles, in proportion to what was measured, are no remedy: simulated decks show more than that promises.
"""

from dataclasses import replace

from fairdeck.recommendations.answer import Recommendation
from fairdeck.recommendations.request import Request

CLUMSY = "your own riffle is not the model's, and no law is known for it"


def as_these_hands_riffle(way: Recommendation, request: Request, remark: str = "") -> Recommendation:
    """Return a way of riffles as it is; without the law of the model and with a remark, if the hands are clumsy.

    Args:
        way: what it is for riffles as the model has them.
        request: says how these hands riffle.
        remark: what clumsy hands are told instead of all remarks of the way; empty to add that no law is known.
    """
    if not request.clumsy:
        return way
    return replace(way, total_variation=None, exact=False, remark=remark or f"{way.remark}; {CLUMSY}")

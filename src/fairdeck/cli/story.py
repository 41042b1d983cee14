"""`--trace`: a deal as arrays, with the place of every card before, between and after the passes."""

from collections.abc import Iterator, Sequence

from fairdeck.dealing.plan import Plan, outcomes
from fairdeck.permutation import inverse


def story(plan: Plan, arrangement: Sequence[int] | None) -> Iterator[str]:
    """Yield the arrays as lines; the order to reach comes first if it is known."""
    labels = plan.mat.labels
    yield "Cards are named by where they start, 0 at the bottom. Every array is written bottom first."
    yield f"initial       {_array(range(plan.cards))}"
    if arrangement is not None:
        yield f"randomised    {_array(arrangement)}"
        yield f"destinations  {_array(inverse(arrangement))}"
    for number, (step, outcome) in enumerate(zip(plan.passes, outcomes(plan, range(plan.cards)), strict=True), 1):
        yield f"pass {number}, dealt from the {'bottom' if step.from_bottom else 'top'} to"
        yield f"    spaces    {' '.join(labels[space] for space in step.deal)}"
        for label, pile in zip(labels, outcome.piles, strict=True):
            if pile:
                yield f"    {label:<8}  {_array(pile)}"
        for pile in outcome.finished:
            yield f"  finished    {_array(pile)}"
        if step.stack:
            yield f"  gathered    {_array(outcome.deck)}"
            yield f"    bottom up   {' '.join(labels[space] for space in step.stack)}"
            yield f"final         {_array(outcome.deck)}" if number == len(plan.passes) else ""


def _array(cards: Sequence[int]) -> str:
    return " ".join(map(str, cards))

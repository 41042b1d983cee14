"""A source of choices that tries every one: what a random procedure can do, counted, not sampled."""

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TypeVar

Result = TypeVar("Result", bound=Hashable)


class _Script:
    """Gives the choices of a script, then first choices; notes what else could have been chosen."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        place = len(self.bounds)
        self.bounds.append(bound)
        if place == len(self.script):
            self.script.append(0)
        return self.script[place]


def law_of(procedure: Callable[[_Script], Result]) -> dict[Result, Fraction]:
    """Return the exact law of what `procedure` returns when its choices are fair."""
    law: Counter[Result] = Counter()
    script: list[int] = []
    while True:
        choices = _Script(script)
        result = procedure(choices)
        chance = Fraction(1)
        for bound in choices.bounds:
            chance /= bound
        law[result] += chance  # type: ignore[assignment]
        while script and script[-1] == choices.bounds[len(script) - 1] - 1:
            script.pop()
        if not script:
            return dict(law)  # type: ignore[arg-type]
        script[-1] += 1

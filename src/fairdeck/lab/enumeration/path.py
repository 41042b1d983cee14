"""One path through the tree of everything that a shuffle can draw.

The shuffle is played again and again. Each time it gets the choices of the path; where they end, it
gets the first option. Then the path advances like the odometer of a car.
"""

from fairdeck.errors import FairdeckError


class CannotEnumerate(BaseException):
    """The shuffle does something that enumeration cannot follow; the message says what.

    Not an `Exception`: a shuffle that catches every error must not catch this one.
    """


class Pruned(BaseException):
    """The path has become too unlikely to be followed to its end."""


class Recurrence(BaseException):
    """After `depth` choices the program was in the same state as now: from here on everything repeats."""

    def __init__(self, depth: int) -> None:
        super().__init__(depth)
        self.depth = depth


class OverBudget(FairdeckError):
    """There are more paths than may be followed."""


class TreePath:
    """The choices of one replay and their options; `advance` turns them into those of the next one.

    A choice is an index. Its options are a number m, for m equally likely ones, or a tuple of whole
    weights. A draw calls `below` or `weigh`; the order of the calls must follow from the choices alone.

    Args:
        most: the number of paths that may be followed; one choice may not have more options either.
        at_once: draws from this many numbers or fewer are decided at once, others when they are used.
    """

    def __init__(self, most: int, at_once: int) -> None:
        self.most = most
        self.at_once = at_once
        self.least = 0.0
        self.choices: list[int] = []
        self.options: list[int | tuple[int, ...]] = []
        self.serials: list[int] = []  # of the oldest draw that each choice says something about
        self.masses: list[tuple[int, int]] = [(1, 1)]  # the probability before each choice, and after the last
        self.depth = 0
        self.serial = 0
        self.refusal: BaseException | None = None
        self.notes: set[str] = set()

    def begin(self) -> None:
        """Start the replay anew."""
        self.depth = self.serial = 0
        self.refusal = None

    def below(self, bound: int, serial: int) -> int:
        """Choose one of 0..bound-1, each equally likely."""
        return 0 if bound == 1 else self._next(bound, bound, serial)

    def weigh(self, weights: tuple[int, ...], serial: int) -> int:
        """Choose an index in proportion to its weight; all weights are positive."""
        return self._next(weights, len(weights), serial)

    def _next(self, options: int | tuple[int, ...], count: int, serial: int) -> int:
        at = self.depth
        if at == len(self.choices):
            self._grow(options, count, serial)
        elif self.options[at] != options:
            raise self.diverged()
        self.depth = at + 1
        return self.choices[at]

    def _grow(self, options: int | tuple[int, ...], count: int, serial: int) -> None:
        self.demand_budget(count)
        number, all_ = self.masses[-1]
        if number < self.least * all_:
            self.refusal = Pruned()
            raise self.refusal
        self.choices.append(0)
        self.options.append(options)
        self.serials.append(serial)
        self.masses.append((0, 0))
        self._weigh_last()

    def demand_budget(self, count: int) -> None:
        """Raise `OverBudget` if one choice among `count` options is too much already."""
        if count > self.most:
            self.refusal = OverBudget(
                f"one draw alone has {count:,} outcomes that the shuffle tells apart, more than {self.most:,} paths "
                "(--leaves): this can only be sampled, as fairdeck test does"
            )
            raise self.refusal

    def refuse(self, message: str) -> CannotEnumerate:
        """Return what to raise where enumeration cannot follow; a shuffle that catches it is stopped at its end."""
        self.refusal = CannotEnumerate(message)
        return self.refusal

    def diverged(self) -> CannotEnumerate:
        """Return what to raise where two replays of the same draws differ."""
        return self.refuse(
            "two replays of the same draws differ: it keeps something from one deck to the next, or uses "
            "randomness that cannot be intercepted (numpy, the clock, the order of a set of texts, a generator of its "
            "own); give it a parameter rng, a random.Random, and draw from that"
        )

    def take(self, choices: list[int], options: list[int | tuple[int, ...]]) -> None:
        """Take the choices of a path that was followed before, to play it once more."""
        self.choices, self.options = choices.copy(), options.copy()
        self.serials, self.masses = [0] * len(choices), [(1, 1)] * (len(choices) + 1)

    def advance(self) -> bool:
        """Go on to the next path; False if this was the last."""
        while self.choices:
            if self.choices[-1] + 1 < self.width(-1):
                self.choices[-1] += 1
                self._weigh_last()
                return True
            for each in (self.choices, self.options, self.serials, self.masses):
                each.pop()
        return False

    def width(self, at: int) -> int:
        """Return how many options a choice has."""
        options = self.options[at]
        return options if isinstance(options, int) else len(options)

    def _weigh_last(self) -> None:
        number, all_ = self.masses[-2]
        options = self.options[-1]
        if isinstance(options, int):
            self.masses[-1] = (number, all_ * options)
        else:
            self.masses[-1] = (number * options[self.choices[-1]], all_ * sum(options))

    def done(self) -> float:
        """Return the probability of all paths before this one."""
        share = 0.0
        for (number, all_), options, choice in zip(self.masses, self.options, self.choices, strict=False):
            if isinstance(options, int):
                share += number / all_ * choice / options
            else:
                share += number / all_ * sum(options[:choice]) / sum(options)
        return share

    def says(self) -> str:
        """Return the choices in words."""
        if not self.depth:
            return "before any draw"
        words = [
            f"{choice} of {options}" if isinstance(options, int) else f"option {choice + 1} of {len(options)}"
            for choice, options in zip(self.choices[: self.depth], self.options, strict=False)
        ]
        more = ", ..." if len(words) > 12 else ""
        return f"after the draws {', '.join(words[:12])}{more}"

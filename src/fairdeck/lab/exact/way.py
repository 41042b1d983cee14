"""One way through the tree of everything that a shuffle can draw.

A shuffle is played again and again; each time the choices of the way are made for it, up to its
last one, where the first option is taken. Then the way advances like the odometer of a car.
"""

from fairdeck.errors import FairdeckError


class Refused(BaseException):
    """The shuffle does something that cannot be seen through; the message says what.

    Not an `Exception`: a shuffle that catches whatever goes wrong must not catch this.
    """


class Pruned(BaseException):
    """The way has become too unlikely to be followed to its end."""


class Looped(BaseException):
    """The way is where it was before, after `depth` choices: from here on everything repeats itself."""

    def __init__(self, depth: int) -> None:
        super().__init__(depth)
        self.depth = depth


class OverBudget(FairdeckError):
    """There are more ways than may be tried."""


class Way:
    """The choices of one replay, and what each was among; `advance` turns it into the next one.

    A choice is an index. Its options are a number m for m equally likely ones, or a tuple of whole
    weights. Whoever draws calls `below` and `weigh`; the order of the calls must follow from the
    choices alone.

    Args:
        most: the number of ways that may be tried, so also of the options of one choice.
        at_once: draws from so many numbers or fewer are decided at once; others when they are looked at.
    """

    def __init__(self, most: int, at_once: int) -> None:
        self.most = most
        self.at_once = at_once
        self.least = 0.0
        self.choices: list[int] = []
        self.options: list[int | tuple[int, ...]] = []
        self.serials: list[int] = []  # the oldest draw that each choice told something about
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
        if bound == 1:
            return 0
        return self._next(bound, bound, serial)

    def weigh(self, weights: tuple[int, ...], serial: int) -> int:
        """Choose an index in proportion to its weight; all weights are positive."""
        return self._next(weights, len(weights), serial)

    def _next(self, options: int | tuple[int, ...], count: int, serial: int) -> int:
        at = self.depth
        if at < len(self.choices):
            if self.options[at] != options:
                raise self.stray()
        else:
            self.room_for(count)
            number, all_ = self.masses[at]
            if number < self.least * all_:
                self.refusal = Pruned()
                raise self.refusal
            self.choices.append(0)
            self.options.append(options)
            self.serials.append(serial)
            self.masses.append((0, 0))
            self._weigh_last()
        self.depth = at + 1
        return self.choices[at]

    def room_for(self, count: int) -> None:
        """Make sure that one choice among so many is not too much already.

        Raises:
            OverBudget: it is.
        """
        if count > self.most:
            self.refusal = OverBudget(
                f"one draw alone has {count:,} outcomes that the shuffle tells apart, more than {self.most:,} ways "
                "(--leaves): this can only be sampled, as fairdeck test does"
            )
            raise self.refusal

    def refuse(self, message: str) -> Refused:
        """Return what to raise where the shuffle cannot be seen through; a shuffle that catches it is found out."""
        self.refusal = Refused(message)
        return self.refusal

    def stray(self) -> Refused:
        """Return what to raise where a replay of the same draws goes another way."""
        return self.refuse(
            "two replays of the same draws go different ways: it keeps something from one deck to the next, or has "
            "randomness that cannot be seen (numpy, the clock, the order of a set of texts)"
        )

    def advance(self) -> bool:
        """Go on to the next way; False if this was the last."""
        while self.choices:
            options = self.options[-1]
            if self.choices[-1] + 1 < (options if isinstance(options, int) else len(options)):
                self.choices[-1] += 1
                self._weigh_last()
                return True
            for each in (self.choices, self.options, self.serials, self.masses):
                each.pop()
        return False

    def _weigh_last(self) -> None:
        number, all_ = self.masses[-2]
        options = self.options[-1]
        if isinstance(options, int):
            self.masses[-1] = (number, all_ * options)
        else:
            self.masses[-1] = (number * options[self.choices[-1]], all_ * sum(options))

    def done(self) -> float:
        """Return the share of all ways, by probability, that lie before this one."""
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
            f"{choice} of {options}" if isinstance(options, int) else f"way {choice + 1} of {len(options)}"
            for choice, options in zip(self.choices[: self.depth], self.options, strict=False)
        ]
        more = ", ..." if len(words) > 12 else ""
        return f"after the draws {', '.join(words[:12])}{more}"

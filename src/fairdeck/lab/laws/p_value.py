"""A p-value, and the test statistic that it was read from."""

from typing import Self

CHI_SQUARE = "chi-square"
COUNT = "count"  # binomial
PAIRS = "pairs"  # Poisson
VALUE = "value"  # of a single deck, by its exact law
Z = "z"  # standard deviations from the mean


class PValue(float):
    """The chance, 0 to 1, that fair decks give something as odd.

    Attributes:
        name: what the test statistic is: one of the constants above.
        score: its value.
        degrees: its degrees of freedom; None where its law has none.

    >>> PValue(0.25, Z, 1.15), PValue(0.25, Z, 1.15).score
    (0.25, 1.15)
    """

    name: str
    score: float
    degrees: float | None

    def __new__(cls, p_value: float, name: str, score: float, degrees: float | None = None) -> Self:
        """Return the p-value of one test."""
        made = super().__new__(cls, p_value)
        made.name, made.score, made.degrees = name, float(score), degrees
        return made

    def __getnewargs__(self) -> tuple[float, str, float, float | None]:  # type: ignore[override]
        """Return what a copy in another process is made from."""
        return float(self), self.name, self.score, self.degrees

    def of_many(self, tests: int) -> "PValue":
        """Return the p-value of the oddest of several tests (Bonferroni)."""
        return PValue(min(1.0, tests * self), self.name, self.score, self.degrees)

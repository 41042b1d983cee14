"""What can go wrong, as far as a caller can treat it differently."""


class FairdeckError(ValueError):
    """Something asked for cannot be done; the message names the value and the remedy."""


class UnsoundPlan(FairdeckError):
    """A plan that cannot be dealt as it is written: truncated, doctored or contradictory."""

"""What can go wrong, as far as a caller can treat it differently."""


class FairdeckError(ValueError):
    """Something asked for cannot be done; the message names the value and the remedy."""


class MissingTool(FairdeckError):
    """A package or program that only this task needs is not installed; the message says how to install it."""


class UnsoundPlan(FairdeckError):
    """A plan that cannot be dealt as it is written: truncated, doctored or contradictory."""

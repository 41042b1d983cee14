"""The errors that a caller can handle."""


class FairdeckError(ValueError):
    """A request that cannot be fulfilled; the message names the value and the remedy."""


class MissingTool(FairdeckError):
    """A package or program that only some tasks need is missing; the message says how to install it."""


class Terminated(SystemExit):
    """A signal ends the process: it goes through code that catches what the shuffle under test raises."""


class UnsoundPlan(FairdeckError):
    """A plan that cannot be dealt as written: truncated, altered or contradictory."""

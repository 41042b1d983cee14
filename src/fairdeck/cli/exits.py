"""The exit codes every command shares."""

FINE = 0
DOES_NOT_HOLD = 1
BAD_INPUT = 2
MISSING_TOOL = 69
INTERNAL_ERROR = 70
INTERRUPTED = 130

"""The exit codes that every command shares."""

FINE = 0
DOES_NOT_HOLD = 1
BAD_INPUT = 2
MISSING_TOOL = 69
INTERNAL_ERROR = 70
INTERRUPTED = 130

MEANINGS = {
    FINE: "success",
    DOES_NOT_HOLD: "the shuffle is not fair, what was verified does not hold, an attempt of a draw is void, or a "
    "deal was left unfinished",
    BAD_INPUT: "bad input or usage; one line names the value and the remedy",
    MISSING_TOOL: "a package or program that this command needs is missing; the message says how to install it",
    INTERNAL_ERROR: "an error inside fairdeck; please report it with the output of FAIRDECK_TRACEBACK=1",
    INTERRUPTED: "Ctrl-C",
}

"""Where the command `fairdeck` begins: apart from the package, so that Ctrl-C is quiet while that is loaded."""

INTERRUPTED = 130


def main() -> int:
    """Load the command line, run it and return its exit code."""
    try:
        from fairdeck.cli import main as run

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED

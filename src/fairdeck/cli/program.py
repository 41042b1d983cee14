"""How the person here calls fairdeck: a command that a hint names must be found by their shell."""

import re
import sys

from fairdeck.cli.commands import SUMMARIES

NAME = "fairdeck"
NAMED = re.compile(rf"(?<![\w./-]){NAME} (?=(?:{'|'.join(SUMMARIES)}|--help)\b)")


def as_called(text: str) -> str:
    """Return a text in which each command begins as this one did: with `.venv/bin/fairdeck`, for example.

    It stays `fairdeck` where the shell finds this same program by that name.
    """
    return NAMED.sub(lambda _: f"{_words()} ", text)


def _words() -> str:
    import shlex  # only for hints: every command would wait for these
    import shutil
    from pathlib import Path

    called = sys.orig_argv[1:]
    while called and called[0].startswith("-") and called[0] != "-m":
        del called[0]  # options of Python itself
    module = called[:1] == ["-m"]
    script = Path(called[1] if module and len(called) > 1 else called[0]) if called else Path()
    if not script.name.startswith(NAME):
        return NAME  # called by another program, not by a person in a shell
    found = Path(shutil.which(NAME) or "").resolve()
    if found == script.resolve() or found.parent == Path(sys.executable).parent.resolve():
        return NAME
    if module or script.suffix == ".pyz":
        return shlex.join([sys.orig_argv[0], *(["-m"] if module else []), str(script)])
    return shlex.quote(str(script))

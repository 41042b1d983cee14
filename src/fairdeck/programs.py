"""Programs in files: how each is started, by the ending of its name; and the words of a command line.

Words are parted and joined as the shell of the system does: Windows has other quotes, and a backslash there is part of
a path.
"""

import shlex
import sys
from collections.abc import Iterable

# Of those that are compiled first, the file without its ending is started.
COMPILED = (".c", ".cc", ".cpp", ".cs", ".d", ".exe", ".f90", ".hs", ".kt", ".ml", ".nim", ".pas", ".rs")
STARTERS = {
    **dict.fromkeys((*COMPILED, ".scala", ".swift", ".zig"), ""),
    **dict.fromkeys((".js", ".mjs", ".cjs"), "node"),
    **dict.fromkeys((".sh", ".bash"), "sh"),
    ".class": "java",
    ".exs": "elixir",
    ".go": "go run",
    ".jar": "java -jar",
    ".java": "java",
    ".jl": "julia",
    ".kts": "kotlin",
    ".lua": "lua",
    ".php": "php",
    ".pl": "perl",
    ".ps1": "pwsh",
    ".py": "python3",
    ".r": "Rscript",
    ".rb": "ruby",
    ".tcl": "tclsh",
    ".ts": "npx tsx",
}


def started(file: str) -> str:
    """Return the command line that starts a program.

    >>> started("mine.js"), started("my deck.rb"), started("main.rs"), started("Main.class")
    ('node mine.js', "ruby 'my deck.rb'", './main', 'java -cp . Main')
    """
    bare, dot, ending = file.rpartition(".")
    if (dot + ending).lower() == ".class":
        folder, _, name = bare.rpartition("/")
        return f"java -cp {shlex.quote(folder or '.')} {shlex.quote(name)}"
    if starter := STARTERS.get((dot + ending).lower()):
        return f"{starter} {shlex.quote(file)}"
    return shlex.quote(bare if bare.startswith("/") else f"./{bare}")


def joined(words: Iterable[str]) -> str:
    """Return words as a command that the shell parts into the same words.

    >>> joined(["node", "my shuffle.js"]) in ("node 'my shuffle.js'", 'node "my shuffle.js"')
    True
    """
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)


def parted(command: str) -> list[str]:
    """Return the words of a command.

    Raises:
        ValueError: a quote has no end.

    >>> parted('node "my shuffle.js" 52')
    ['node', 'my shuffle.js', '52']
    """
    if sys.platform == "win32":
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)

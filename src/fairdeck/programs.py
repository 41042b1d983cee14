"""Programs in files: how each is started, by the ending of its name."""

import shlex

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

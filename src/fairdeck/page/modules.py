"""The scripts of the page: ES modules, joined into one so that the page stays one file.

A module's name says which it is: the first of the folders that has it counts. Each module comes after those that it
imports. What only tools need is left out: import lines, the word `export`, and comments that open with `/** @`, which
hold types. All else stays as it was written, so a name may stand for one thing only, and no module may import itself by
way of others.
"""

import re
from collections import Counter
from collections.abc import Sequence
from importlib import resources
from importlib.resources.abc import Traversable

SCRIPTS = resources.files(__package__) / "scripts"
BUILT = "built"
IMPORT = re.compile(r'^import \{ ((?:[\w$]+, )*[\w$]+) \} from "\.[./\w]*/(\w+)\.js";\n', re.M)
FOR_TOOLS = re.compile(r"^ */\*\* @(?:.|\n)*?\*/\n|^export (?=async|class|const|function|let)", re.M)
COMMENT_LINE = re.compile(r"^ *//.*\n", re.M)
DECLARED = re.compile(r"^(?:const|let|class|(?:async )?function\*?) ([\w$]+)", re.M)
TOP_LEVEL = re.compile(r"^(?=[^\s})\]])", re.M)
FUNCTION = re.compile(
    r"(?:async )?function\*? ([\w$]+)|const ([\w$]+) = (?:async )?(?:\([^)]*\)|\w+) =>|class ([\w$]+)"
)
MORE_CONSTANTS = re.compile(r", ([A-Z][A-Z_\d]*) =")


def imported(name: str, folders: Sequence[Traversable] = (SCRIPTS,)) -> list[str]:
    """Return the modules that a module imports."""
    return [found[2] for found in IMPORT.finditer(_source(name, folders))] if name != BUILT else []


def ordered(*entries: str, folders: Sequence[Traversable] = (SCRIPTS,)) -> list[str]:
    """Return these modules and all that they import, each after those that it imports.

    >>> ordered("advice")
    ['planner', 'eulerian', 'advice']
    """
    found: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise ValueError(f"modules import each other in a circle: {' -> '.join((*path, name))}")
        if name not in found:
            for other in imported(name, folders):
                visit(other, (*path, name))
            found.append(name)

    for entry in entries:
        visit(entry, ())
    return found


def joined(*entries: str, built: str = "", folders: Sequence[Traversable] = (SCRIPTS,)) -> str:
    """Return one script of these modules and all that they import; `built` is the module that the builder makes."""
    names = ordered(*entries, folders=folders)
    script = "\n".join(built if name == BUILT else stripped(name, folders) for name in names)
    declared = DECLARED.findall(script)
    for line in re.findall(r"^const [A-Z].*", script, re.M):
        declared += MORE_CONSTANTS.findall(line)
    if twice := sorted({name for name in declared if declared.count(name) > 1}):
        raise ValueError(f"two modules declare {', '.join(twice)}: rename one of each two")
    return script


def lean(script: str) -> str:
    r"""Return a script without the lines that are comments: a tenth of a page's weight.

    >>> lean("// Why.\nlet a = 1; // One.\n")
    'let a = 1; // One.\n'
    """
    return COMMENT_LINE.sub("", script)


def needed(script: str) -> str:
    r"""Return a script without the functions and classes that nothing in it names.

    >>> needed("function b() {\n  a();\n}\nconst c = () => b();\nconst d = (n) => {\n  e();\n};\nd(1);\n")
    'const d = (n) => {\n  e();\n};\nd(1);\n'
    """
    parts = TOP_LEVEL.split(script)
    while True:
        words = [set(re.findall(r"[\w$]+", part)) for part in parts]
        counts = Counter(word for found in words for word in found)
        kept = [
            part for part in parts if not (found := FUNCTION.match(part)) or counts[found[found.lastindex or 0]] > 1
        ]
        if len(kept) == len(parts):
            return script
        parts, script = kept, "".join(kept)


def stripped(name: str, folders: Sequence[Traversable] = (SCRIPTS,)) -> str:
    """Return a module without what only tools need."""
    code = FOR_TOOLS.sub("", IMPORT.sub("", _source(name, folders)))
    if left := re.search(r"^(?:import|export)\b.*", code, re.M):
        raise ValueError(f'{name}.js: {left[0]}: write imports as import {{ name }} from "./module.js";')
    return re.sub(r"\n{3,}", "\n\n", code).lstrip("\n")


def _source(name: str, folders: Sequence[Traversable]) -> str:
    files = [folder / f"{name}.js" for folder in folders]
    return next((file for file in files if file.is_file()), files[0]).read_text(encoding="utf-8")

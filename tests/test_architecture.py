"""The house rules that imports can show."""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import fairdeck

ROOT = Path(fairdeck.__file__).parent
# The rooms, each above what it uses: imports point up in this list.
CORE = [
    *("errors", "document", "numbers", "doors", "extras"),
    *("programs", "permutation", "randomness", "cards", "dealing"),
]
MODELS = [
    "words",
    "folders",
    "steps",
    "own_lists",
    "shuffles",
    "packets",
    "advice",
    "trust",
]  # the standard library only
NUMERIC = ["bulk", "lab"]  # numpy, numba and scipy from here on
LAB = [
    *("kinds", "sizes", "blocks", "usercode", "observations", "sources", "laws", "view", "statistics", "counts"),
    *("judging", "causes", "experiments", "enumeration", "standards", "inquiry", "several", "strata"),
    *("runs", "watching"),
    "testing",
]
EDGES = ["show", "page", "explore", "deals", "paper", "cli", "pytest_plugin"]
INSIDE = {
    "cards": ["text", "cells", "names", "languages", "lists", "decks", "bridge_hands", "boards", "logs"],
    "dealing": [
        *("mat", "goal", "plan", "instructions", "planner", "equal_cards", "share_code", "eulerian", "pace", "outlook"),
        *("slips", "face_up"),
    ],
}
CORE_MODULES = {
    *(f"fairdeck.{room}" for room in CORE),
    *(f"fairdeck.{room}.{name}" for room in INSIDE for name in INSIDE[room]),
}
FORBIDDEN_CALLS = {"open", "print", "input"}
FORBIDDEN_MODULES = {"time", "datetime", "random", "secrets", "pathlib", "io", "sys", "socket", "subprocess"}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def named(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the modules that import statements name."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@cache
def imports(path: Path) -> set[str]:
    """Return what a file imports anywhere, in functions and for types as well."""
    return named(ast.walk(parsed(path)))


def top_level_imports(path: Path) -> set[str]:
    """Return what importing the file imports: the import statements outside of functions and type checks."""
    return named(parsed(path).body)


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


def core_files() -> list[Path]:
    return [path for room in CORE for path in [ROOT / f"{room}.py", *(ROOT / room).rglob("*.py")] if path.exists()]


def place(module: str) -> tuple[int, ...]:
    """Return where a module of the core stands, its room, its place in the room, and how deep it lies there."""
    names = module.split(".")
    inside = INSIDE[names[1]].index(names[2]) if names[1] in INSIDE and names[2:] else -1
    return CORE.index(names[1]), inside, len(names)


def test_every_room_has_its_place_in_the_order():
    rooms = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms == {*CORE, *MODELS, *NUMERIC, *EDGES, "__init__", "__main__"}


def test_the_core_imports_upwards_and_from_the_standard_library_only():
    for path in core_files():
        name = name_of(path)
        for module in imports(path):
            if module.startswith("fairdeck."):
                assert module.split(".")[1] in CORE, f"{name} imports {module}"
                assert place(module) < place(name), f"{name} imports {module}"
            else:
                assert module.partition(".")[0] in sys.stdlib_module_names, f"{name} imports {module}"


def test_the_core_opens_nothing_prints_nothing_and_reads_no_clock():
    for path in core_files():
        called = [node.func for node in ast.walk(parsed(path)) if isinstance(node, ast.Call)]
        assert not {each.id for each in called if isinstance(each, ast.Name)} & FORBIDDEN_CALLS, path
        modules = {module.partition(".")[0] for module in imports(path)}
        if path.stem != "extras":  # it looks for packages where the program runs
            assert not modules & FORBIDDEN_MODULES, path
            assert path.stem == "randomness" or "os" not in modules, path


def test_the_shuffles_load_the_standard_library_and_the_core_only():
    allowed = {"fairdeck.shuffles", *CORE_MODULES}
    allowed |= {f"fairdeck.shuffles.{path.stem}" for path in (ROOT / "shuffles").glob("*.py")}
    for path in (ROOT / "shuffles").glob("*.py"):
        for module in top_level_imports(path):
            assert module in allowed or module.partition(".")[0] in sys.stdlib_module_names, f"{path} imports {module}"
        modelled = {"libraries", "names", "seeds"}  # models of clocks and modules, and the search for files
        assert path.stem in modelled or not imports(path) & FORBIDDEN_MODULES - {"random"}, path


def test_bulk_imports_nothing_from_the_lab_or_the_edges():
    for path in (ROOT / "bulk").glob("*.py"):
        for module in imports(path):
            room = module.removeprefix("fairdeck.").partition(".")[0]
            assert not module.startswith("fairdeck.") or room in {*CORE, *MODELS, "bulk"}, f"{path} imports {module}"


def room_of(module: str) -> str:
    """Return the room of a module; inside the lab, the room in it."""
    names = module.split(".")[1:]
    return ".".join(names[:2]) if names[:1] == ["lab"] else ".".join(names[:1])


def rooms_used(path: Path) -> Iterator[str]:
    """Yield the rooms that importing the file loads directly."""
    for node in parsed(path).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fairdeck"):
            package = node.module in ("fairdeck", "fairdeck.lab")
            yield from {room_of(f"{node.module}.{name.name}" if package else node.module) for name in node.names}


def test_imports_point_up_between_all_rooms():
    order = [*CORE, *MODELS, "bulk", *(f"lab.{room}" for room in LAB), "lab", *EDGES]
    for path in ROOT.rglob("*.py"):
        room = room_of(name_of(path))
        for used in set(rooms_used(path)) - {room, ""}:
            if room in order and used in order:
                assert order.index(used) < order.index(room), f"{path} imports {used}"


def house() -> dict[str, set[str]]:
    """Return for each module those that its file imports anywhere: in functions and for types as well."""
    modules = {name_of(path): path for path in ROOT.rglob("*.py")}
    found: dict[str, set[str]] = {name: set() for name in modules}
    for name, path in modules.items():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Import):
                used = {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                longer = {f"{node.module}.{each.name}" for each in node.names}
                used = {full if full in modules else node.module or "" for full in longer}
            else:
                continue
            # The package itself has the version, which any room may ask for.
            found[name] |= (used & modules.keys()) - {name, "fairdeck"}
    return found


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Return modules that import each other in a circle; empty if none do."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_imports_form_no_circle():
    assert circle(house()) == []


def test_every_room_of_the_lab_has_its_place_in_the_order():
    found = {path.stem for path in (ROOT / "lab").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert found == {*LAB, "__init__"}


def test_each_fast_count_is_that_of_a_statistic_and_stands_once():
    from fairdeck.lab import counts, statistics

    counted = []
    for file in (ROOT / "lab" / "counts").glob("*.py"):
        if file.stem not in ("__init__", "values"):
            listed = vars(import_module(f"{counts.__name__}.{file.stem}"))
            found = [*listed.get("COUNTS", {}), *listed.get("NUMBERS", {})]
            assert found, file.stem
            counted += found
    assert len(set(counted)) == len(counted)
    assert set(counted) <= {each.name for each in statistics.catalogue()}


def test_no_room_imports_the_command_line():
    for path in ROOT.rglob("*.py"):
        if "cli" not in path.parts and path.name != "__main__.py":
            assert not any(module.startswith("fairdeck.cli") for module in imports(path)), path


def test_importing_the_core_stays_light():
    heavy = ["numpy", "scipy", "numba", "asyncio", "http", "email", "ssl", "decimal", "statistics", "random"]
    code = f"import sys, fairdeck; fairdeck.deal; print([m for m in {heavy} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_the_public_names_are_there():
    assert fairdeck.__all__ == sorted(fairdeck.__all__, key=lambda x: (not x.isupper(), not x[0].isupper(), x))
    assert all(hasattr(fairdeck, name) for name in fairdeck.__all__)


def packages(package=fairdeck):
    """Yield the package and all packages in it."""
    yield package
    for each in iter_modules(package.__path__, f"{package.__name__}."):
        if each.ispkg:
            yield from packages(import_module(each.name))


def test_no_name_of_a_package_hides_a_module_in_it():
    for package in packages():
        for each in iter_modules(package.__path__):
            if each.name != "__main__":  # importing it runs the command line
                module = import_module(f"{package.__name__}.{each.name}")
                assert getattr(package, each.name) is module, f"{package.__name__}.{each.name}"


def test_the_rooms_that_docstrings_name_can_be_reached():
    code = "import fairdeck; print(fairdeck.permutation.rank((2, 1, 0)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "5\n"

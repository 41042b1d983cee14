"""The house rules that imports can show."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import fairdeck

ROOT = Path(fairdeck.__file__).parent
CORE = [
    "errors",
    "frame",
    "reading",
    "permutation",
    "randomness",
    "mat",
    "goal",
    "plan",
    "instructions",
    "planner",
    "code",
    "eulerian",
    "pace",
    "advice",
]
# The standard library only, but they may know `random` and, inside a function, numpy.
MODELS = ["shuffles", "mixing", "packets", "ways"]
LAB = ["lab"]  # numpy and scipy from here on
HOUSE = ["extras"]  # knows where the program runs; asked when a package is missing
EDGES = ["page", "paper", "sound", "cli", "pytest_plugin"]
FORBIDDEN_CALLS = {"open", "print", "input"}
FORBIDDEN_MODULES = {"time", "datetime", "random", "secrets", "pathlib", "io", "sys", "socket", "subprocess"}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_every_module_has_its_place_in_the_order():
    rooms = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms == {*CORE, *HOUSE, *MODELS, *LAB, *EDGES, "__init__", "__main__"}


@pytest.mark.parametrize("name", CORE)
def test_the_core_imports_upwards_and_from_the_standard_library_only(name):
    above = {f"fairdeck.{room}" for room in CORE[: CORE.index(name)]}
    for module in imports(ROOT / f"{name}.py"):
        assert module in above or module.partition(".")[0] in sys.stdlib_module_names, f"{name} imports {module}"


@pytest.mark.parametrize("name", CORE)
def test_the_core_opens_nothing_prints_nothing_and_reads_no_clock(name):
    tree = ast.parse((ROOT / f"{name}.py").read_text(encoding="utf-8"))
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not calls & FORBIDDEN_CALLS
    modules = {module.partition(".")[0] for module in imports(ROOT / f"{name}.py")}
    assert not modules & FORBIDDEN_MODULES
    assert name == "randomness" or "os" not in modules


def top_level_imports(path: Path) -> set[str]:
    """Return what importing the file imports: the import statements outside of functions and type checks."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_the_shuffles_load_the_standard_library_and_the_core_only():
    allowed = {"fairdeck.shuffles", *(f"fairdeck.{room}" for room in CORE)}
    allowed |= {f"fairdeck.shuffles.{path.stem}" for path in (ROOT / "shuffles").glob("*.py")}
    for path in (ROOT / "shuffles").glob("*.py"):
        for module in top_level_imports(path):
            assert module in allowed or module.partition(".")[0] in sys.stdlib_module_names, f"{path} imports {module}"


def test_the_laws_of_mixing_load_the_standard_library_the_core_and_the_shuffles_only():
    allowed = {"fairdeck.shuffles", "fairdeck.mixing", *(f"fairdeck.{room}" for room in CORE)}
    allowed |= {f"fairdeck.shuffles.{path.stem}" for path in (ROOT / "shuffles").glob("*.py")}
    allowed |= {f"fairdeck.mixing.{path.stem}" for path in (ROOT / "mixing").glob("*.py")}
    for path in (ROOT / "mixing").glob("*.py"):
        for module in top_level_imports(path):
            assert module in allowed or module.partition(".")[0] in sys.stdlib_module_names, f"{path} imports {module}"
        assert not imports(path) & FORBIDDEN_MODULES - {"random"}, path


def test_no_room_imports_the_command_line():
    for path in ROOT.rglob("*.py"):
        if "cli" not in path.parts and path.name != "__main__.py":
            assert not any(module.startswith("fairdeck.cli") for module in imports(path)), path


def test_importing_the_core_stays_light():
    heavy = ["numpy", "scipy", "numba", "asyncio", "http", "email", "ssl", "decimal", "statistics", "random"]
    code = f"import sys, fairdeck; print([m for m in {heavy} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_the_public_names_are_there():
    assert fairdeck.__all__ == sorted(
        fairdeck.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    assert all(hasattr(fairdeck, name) for name in fairdeck.__all__)


def packages(package=fairdeck):
    """Yield the package and all packages in it."""
    yield package
    for each in iter_modules(package.__path__, f"{package.__name__}."):
        if each.ispkg:
            yield from packages(import_module(each.name))


@pytest.mark.parametrize("package", list(packages()), ids=lambda package: package.__name__)
def test_no_name_of_a_package_hides_a_module_in_it(package):
    for each in iter_modules(package.__path__):
        if each.name != "__main__":  # importing it runs the command line
            module = import_module(f"{package.__name__}.{each.name}")
            assert getattr(package, each.name) is module, f"{package.__name__}.{each.name}"


def test_the_rooms_that_docstrings_name_can_be_reached():
    code = "import fairdeck; print(fairdeck.permutation.rank((2, 1, 0)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "5\n"

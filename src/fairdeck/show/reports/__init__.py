"""The forms of a lab report: one file each, found by itself.

``HELP`` says what the form is, and ``render(report)`` returns its text. ``CHARTS`` tells whether it has charts, which
need some thousand decks.
"""

import ast
from functools import cache
from importlib import import_module, resources
from pkgutil import iter_modules
from types import ModuleType


def names() -> list[str]:
    """Return the names of all forms, without loading what they need."""
    return sorted(module.name for module in iter_modules(__path__))


def about(name: str) -> str:
    """Return what a form is, the constant ``HELP`` of its file, without loading what the form needs."""
    said = _constant(name, "HELP")
    if not said:
        raise LookupError(f'show/reports/{name}.py does not say what it is: add HELP = "..."')
    return str(said)


def has_charts(name: str) -> bool:
    """Tell whether a form has charts, the constant ``CHARTS`` of its file, without loading what the form needs."""
    return bool(_constant(name, "CHARTS"))


@cache
def _tree(name: str) -> ast.Module:
    return ast.parse((resources.files(__name__) / f"{name}.py").read_text(encoding="utf-8"))


def _constant(name: str, constant: str) -> object:
    for each in _tree(name).body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and each.targets[0].id == constant:
            return ast.literal_eval(each.value)
    return None


def forms() -> dict[str, ModuleType]:
    """Return every form by its name."""
    return {name: import_module(f"{__name__}.{name}") for name in names()}

"""The forms of a lab report: one file each, found by itself.

``HELP`` says what the form is, and ``render(report)`` returns its text.
"""

import re
from importlib import import_module, resources
from pkgutil import iter_modules
from types import ModuleType


def names() -> list[str]:
    """Return the names of all forms, without loading what they need."""
    return sorted(module.name for module in iter_modules(__path__))


def about(name: str) -> str:
    """Return what a form is, the constant ``HELP`` of its file, without loading what the form needs."""
    source = (resources.files(__name__) / f"{name}.py").read_text(encoding="utf-8")
    said = re.search(r'^HELP = "(.+)"$', source, re.MULTILINE)
    if not said:
        raise LookupError(f'show/reports/{name}.py does not say what it is: add HELP = "..."')
    return said[1]


def forms() -> dict[str, ModuleType]:
    """Return every form by its name."""
    return {name: import_module(f"{__name__}.{name}") for name in names()}

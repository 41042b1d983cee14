"""Every public name says what it is, and the reference says what of it may change."""

import dataclasses
import inspect
import re
import sys
from functools import cached_property
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "site"))

from staging import PACKAGES, source_of  # noqa: E402 - it is a folder of documents, not a package

REFERENCE = (ROOT / "docs" / "reference" / "api" / "index.md").read_text(encoding="utf-8")


def public(package):
    module = import_module(package)
    return {name: getattr(module, name) for name in module.__all__}


def told(value):
    """Yield each thing of a public name that needs words: its name, its words, its parameters or fields."""
    if not inspect.isclass(value):
        yield "", inspect.getdoc(value), list(inspect.signature(value).parameters)
        return
    fields = dataclasses.fields(value) if dataclasses.is_dataclass(value) else ()
    yield "", inspect.getdoc(value), [field.name for field in fields if not field.name.startswith("_")]
    for each in value.__mro__:
        for name, member in vars(each).items() if each.__module__.startswith("fairdeck") else ():
            if name.startswith("_"):
                continue
            if isinstance(member, property | cached_property):
                function = member.fget if isinstance(member, property) else member.func
                yield name, inspect.getdoc(function), []
            elif isinstance(member, classmethod | staticmethod) or inspect.isfunction(member):
                function = getattr(member, "__func__", member)
                # What a model overrides has the words of `Model`: getattr finds them along the classes.
                words = inspect.getdoc(getattr(value, name))
                yield name, words, [x for x in inspect.signature(function).parameters if x not in ("self", "cls")]


def unsaid(value):
    """Return what a public name leaves unsaid, a line for each."""
    missing = []
    for name, words, parameters in told(value):
        first = (words or "").split("\n\n")[0]
        if not re.search(r"[.:]$", first):
            missing.append(f"{name or 'itself'}: no sentence says what it is")
        missing += [f"{name or 'itself'}: {each}" for each in parameters if not re.search(rf"\b{each}\b", words or "")]
    return missing


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_says_what_it_is_and_what_it_takes(package):
    for name, value in public(package).items():
        if inspect.isclass(value) or inspect.isroutine(value) or hasattr(value, "__wrapped__"):
            assert not unsaid(value), f"{package}.{name}"
            continue
        file = Path(import_module(source_of(package, name)).__file__)
        assert re.search(rf"^#: .*\n{name}\b", file.read_text("utf-8"), re.M), f"{name} has no comment '#: ...'"


def test_what_is_left_unsaid_is_noticed():
    def silent(cards):
        return cards

    def vague(cards):
        """Return something."""
        return cards

    class Known:
        """A shuffle."""

        def decks(self):
            return ()

    assert unsaid(silent) == ["itself: no sentence says what it is", "itself: cards"]
    assert unsaid(vague) == ["itself: cards"]
    Known.__module__ = "fairdeck.somewhere"
    assert unsaid(Known) == ["decks: no sentence says what it is"]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_reference_says_of_each_public_name_whether_it_may_change(package):
    _, _, after = REFERENCE.partition(f"**`{package}`**\n")
    table = re.split(r"^\*\*", after, maxsplit=1, flags=re.M)[0]
    rows = re.findall(r"^\| (`.*`) \| (stable|open)\b", table, re.M)
    named = [name for names, _ in rows for name in re.findall("`([^`]+)`", names)]
    assert sorted(named) == sorted(import_module(package).__all__)

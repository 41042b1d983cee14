"""The errors that a caller can handle, and what they say of a name that nobody knows: the nearest known one."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class FairdeckError(ValueError):
    """A request that cannot be fulfilled; the message names the value and the remedy."""


class MissingTool(FairdeckError):
    """A package or program that only some tasks need is missing; the message says how to install it."""


class Terminated(SystemExit):
    """A signal ends the process: it goes through code that catches what the shuffle under test raises."""


class UnsoundPlan(FairdeckError):
    """A plan that cannot be dealt as written: truncated, altered or contradictory."""


@contextmanager
def naming(what: str) -> Iterator[None]:
    """Begin what a FairdeckError says with the name of that which is being read: of a file, say."""
    try:
        yield
    except FairdeckError as error:
        raise FairdeckError(f"{what}: {error}") from None


def nearest(word: str, known: Iterable[str]) -> str:
    """Return "did you mean", with the `known` word nearest to `word`; or nothing if none is near.

    >>> nearest("dael", ["check", "deal"]), nearest("xyz", ["check", "deal"])
    ("; did you mean 'deal'?", '')
    """
    from difflib import get_close_matches  # slow to import, and needed for errors only

    spelt = {each.lower().lstrip("-"): each for each in known}  # dashes alone make nothing alike
    close = get_close_matches(word.strip().lower().lstrip("-"), spelt, 1)
    return f"; did you mean {spelt[close[0]]!r}?" if close else ""


def nearest_or_all(word: str, known: Iterable[str]) -> str:
    """Return "did you mean" with the nearest of the `known` words; if none is near, all of them.

    >>> nearest_or_all("xyz", ["check", "deal"])
    '; choose one of check, deal'
    """
    words = list(known)
    return nearest(word, words) or f"; choose one of {', '.join(words)}"


def system_reason(error: Exception) -> str:
    """Return why something failed: in the system's words, if the error has them."""
    return getattr(error, "strerror", None) or str(error)


def legible(raw: str) -> str:
    r"""Return a text with characters that do not print (controls, lone surrogates) written out.

    >>> print(legible("a" + chr(7)))
    a\x07
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in raw)

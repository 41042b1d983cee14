"""Reading what people type: blanks, and names, with the nearest known one."""

import re
from collections.abc import Iterable

# What a browser takes for blanks: not what Python does, which counts separators of old files and leaves out U+FEFF.
BLANKS = re.compile("[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def without_blanks(text: str) -> str:
    r"""Return a text without its blanks, as the pages leave them out.

    >>> without_blanks("f1.52\n .5x2")
    'f1.52.5x2'
    """
    return BLANKS.sub("", text)


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

"""The sentences of all that is printed, in the languages of the dealing page: one file for each in ``texts/``."""

import json
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data

from fairdeck.errors import FairdeckError, nearest_or_all

LANGUAGES = ("en", "de", "es", "fr")


class Words:
    """The sentences of one language.

    A text with ``|`` has several forms: for a number `n` of one, of two and so on; the last is for all other numbers.

    >>> Words("de").say("nCards", n=1), Words("de").say("nCards", n=52)
    ('1 Karte', '52 Karten')
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise FairdeckError(f"language {language!r} is not known{nearest_or_all(language, LANGUAGES)}")
        self.texts = texts(language)

    def say(self, key: str, **fields: object) -> str:
        """Return a text with its fields filled in."""
        forms = self.texts[key].split("|")
        number = fields.get("n")
        at = number - 1 if isinstance(number, int) and 0 < number < len(forms) else -1
        return forms[at].format_map(fields)

    def cards(self, number: int) -> str:
        """Return "1 card", "2 cards"."""
        return self.say("nCards", n=number)

    def listed(self, parts: list[str]) -> str:
        """Return "a", "a and b" or "a, b and c"."""
        return self.say("and").join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


@cache
def texts(language: str) -> Mapping[str, str]:
    """Return the texts of a language by their keys."""
    read: dict[str, str] = json.loads(get_data(__name__, f"texts/{language}.json") or b"")
    return read

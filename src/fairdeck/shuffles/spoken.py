"""The names that people use for shuffles by hand, and how they say how often: ``Riffle 7``, ``7 riffles``, smoosh."""

import re
from collections.abc import Container

SAME = {
    "dovetail": "riffle",
    "gsr": "riffle",
    "table-riffle": "riffle",
    "weave": "mash",
    "push-through": "mash",
    "smoosh": "wash",
    "smush": "wash",
    "scramble": "wash",
    "scrambling": "wash",
    "washing": "wash",
    "chemmy": "wash",
    "faro": "faro-out",
    "perfect-shuffle": "faro-out",
    "out-shuffle": "faro-out",
    "in-shuffle": "faro-in",
    "stripping": "strip",
    "running-cuts": "strip",
    "kenchi": "hindu",
    "boxing": "box",
    "piles": "pile",
    "pile-counting": "pile",
    "riffling": "riffle",
    "mashing": "mash",
}
OFTEN = re.compile(r"(?P<before>\d+)(?: times| ?x)? (?P<name>\D.*)|(?P<same>.*?\D) (?:x ?)?(?P<after>\d+)(?: times)?")
NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ENDINGS = ("", "s", "es", "-shuffle", "-shuffles", "-shuffling")


def understood(text: str, known: Container[str]) -> tuple[str, str] | None:
    """Return the known name that somebody means, and how often, in digits; None if it is none.

    >>> understood("Riffle Shuffle", {"riffle"}), understood("7x riffle", {"riffle"}), understood("Smoosh", {"wash"})
    (('riffle', '1'), ('riffle', '7'), ('wash', '1'))
    """
    text = " ".join(str(NUMBERS.index(word) + 1) if word in NUMBERS else word for word in text.lower().split())
    often = OFTEN.fullmatch(text)
    name, times = (text, "1") if often is None else (often["name"] or often["same"], often["before"] or often["after"])
    name = name.replace(" ", "-")
    for ending in ENDINGS:
        if name.endswith(ending):
            bare = name.removesuffix(ending)
            for candidate in (bare, SAME.get(bare, "")):
                if candidate in known:
                    return candidate, times
    return None

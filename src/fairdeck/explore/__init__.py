"""The pages that explain: each shows one idea, and is one HTML file that needs nothing else.

A page is a folder here: `page.html` (the middle of the document), `style.css`, a script of the folder's name, and
`texts/` in each language, where `title` names the page and `about` says in a line what it shows; `picture.svg` stands
above these on the overview, unless that draws a deck there. `document.html` surrounds them all. They share scripts and
look with the dealing page. The texts of `texts/` here are for all pages; those of a page replace them. A shared script
may have a style of its name beside it, and HTML that stands in the gap of its name. A page holds only the rules,
functions and texts that it uses. A page whose script imports `sandbox_door` holds the frame in which code of its
visitors runs. What a page shows of the rest of fairdeck is in `SHOWN`: constants that its scripts import from `built`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from importlib import resources

from fairdeck.explore.packet_schemes import flows, titles
from fairdeck.page import shared_style
from fairdeck.page import site as dealing_site
from fairdeck.page.document import (
    LANGUAGES,
    PARTS,
    Words,
    asked,
    built,
    filled,
    folded,
    numbered,
    read,
    shared_sheet,
    texts,
    used,
    worn,
    written_in,
)
from fairdeck.page.modules import SCRIPTS, joined, lean, needed, ordered
from fairdeck.page.shortening import shorter
from fairdeck.show import look
from fairdeck.shuffles.distances import NEAR_RANDOM
from fairdeck.shuffles.interleavings import entropy_wanted
from fairdeck.shuffles.measured import NEATNESS, RIFFLES
from fairdeck.shuffles.riffle import gsr_riffles, usual_riffles
from fairdeck.trust.agreement import PRODUCT, SEED
from fairdeck.trust.states import TABLE

HERE = resources.files(__name__)  # not a path where fairdeck runs from one file
# As a visitor is led through them: the overview, then what shows one idea, what is played, what is used.
OVERVIEW = "why"
GROUPS = {
    "see": ("random", "loop", "riffle", "sort"),
    "play": ("guess",),
    "use": ("fair", "together", "two", "packets"),
}
ORDER = (OVERVIEW, *(page for group in GROUPS.values() for page in group), "class")
PAGES = tuple(
    sorted(
        (folder.name for folder in HERE.iterdir() if (folder / "page.html").is_file()),
        key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name),
    )
)
LESSON = ("guess", "riffle", "loop", "fair", "sort", "random", "two")
SANDBOX, PASTED = "sandbox_door", "pasted_worker"
READABLE = "check"  # has its script as it was written, for strangers who want to read what draws and plans the order
OPEN_TO_WORKERS = "; worker-src blob:"
SHOWN: Mapping[str, Callable[[], Mapping[str, object]]] = {
    OVERVIEW: lambda: {
        "GROUPS": {**GROUPS, "class": ("class",)},
        "PAGES": _beside("title"),
        "ABOUT": _beside("about"),
        "PICTURES": _pictures(),
    },
    "class": lambda: {"PAGES": _beside("title", LESSON)},
    "riffle": lambda: {"NEEDED": riffles_needed()},
    "packets": lambda: {"FLOWS": flows(), "TITLES": titles()},
    "together": lambda: _draws(SEED),
    "two": lambda: _draws(PRODUCT),
}


def explaining(name: str, *, alone: bool = False) -> str:
    """Return a page as one HTML document, or all of it but the letters and the style that its site keeps beside it.

    Args:
        name: one of `PAGES`.
        alone: whether no other page will lie beside it; then it links to none.

    >>> "default-src 'none'" in explaining("sort")
    True
    """
    own = HERE / name
    folders = (own, HERE / "scripts", SCRIPTS)
    inside = [read(own / "sandbox.js")] if SANDBOX in ordered(name, folders=folders) else []
    # The page ends the held script with its visitor's code, which calls `runPasted`.
    worker = needed(f"{lean(joined(PASTED, folders=folders))}runPasted;\n") if inside else ""
    held = {PASTED: worker, "sandbox": inside[0]} if inside else {}
    data = "\n".join(f'<script type="text/plain" id="{key}">{text}</script>' for key, text in held.items())
    main = {"main": read(own / "page.html").rstrip(), "held": data, "shell": read(PARTS / "shell.html").rstrip()}
    shared = {
        file.name[:-5]: read(file).rstrip() for file in (HERE / "scripts").iterdir() if file.name.endswith(".html")
    }
    html = filled(filled(read(HERE / "document.html"), main), shared)
    shown = {"BESIDE": None if alone else _before_and_after(name), **SHOWN.get(name, dict)()}
    # The names of refusals are texts as well.
    refusals = [json.dumps(shown.get(table)) for table in ("STATES", "ROLES")]
    parts = (html, needed(lean(joined(name, folders=folders))), *refusals)
    borrowed = asked({language: texts(language) for language in LANGUAGES}, *parts)
    own_words = used({language: _words(name, language) for language in LANGUAGES}, *parts)
    words = {language: borrowed[language] | own_words[language] for language in LANGUAGES}
    html = written_in(filled(html, {"title": words[LANGUAGES[0]]["title"]}), words)
    whole = needed(joined(name, built=built(words, shown), folders=folders))
    beside_scripts = [HERE / "scripts" / f"{module}.css" for module in ordered(name, folders=folders)]
    own_style = "".join(read(file) for file in (*beside_scripts, own / "style.css") if file.is_file())
    style, sheet = (_shared_style() + own_style, "") if alone else (own_style, shared_sheet(_shared_style()))
    style, script = worn(style, html, lean(whole)), whole
    if name != READABLE:
        script, html = numbered(words, whole, html)
        script = shorter(script)
    opened = OPEN_TO_WORKERS if inside else ""
    noscript = read(HERE / "noscript.html")
    return folded(html, style, script, noscript=noscript, opened=opened, inside=inside, sheet=sheet)


def _shared_style() -> str:
    return shared_style() + read(HERE / "style.css")


def riffles_needed() -> dict[str, object]:
    """Return how many riffles hands of each neatness need, as the page `riffle` shows it."""
    return {
        "target": float(NEAR_RANDOM),
        "neatness": NEATNESS,
        "ideal": {cards: usual_riffles(cards) for cards in RIFFLES},
        "riffles": RIFFLES,
        "bits": {
            cards: round(entropy_wanted(cards, float(gsr_riffles(cards, usual_riffles(cards)).total_variation or 0)), 3)
            for cards in RIFFLES
        },
    }


def _draws(way: str) -> dict[str, object]:
    return {"WAY": way, "STATES": TABLE[way], "ROLES": TABLE["roles"]}


def site(voices: Sequence[str] = ("en",)) -> dict[str, bytes]:
    """Return the files of a site: the dealing page, and these pages beside it.

    Args:
        voices: as for `fairdeck.page.build`.
    """
    pages = {f"{name}.html": explaining(name).encode() for name in PAGES}
    shared = {look.LETTERS: look.letters(), look.SHEET: shared_sheet(_shared_style()).encode()}
    return dealing_site(voices, shared | pages)


def _words(name: str, language: str) -> dict[str, str]:
    folders = (HERE / "texts", HERE / name / "texts")
    return {key: text for folder in folders for key, text in texts(language, folder).items()}


def _beside(key: str, names: Sequence[str] = ()) -> Words:
    """Return a text of some pages, or of every page but the overview, by the page, in each language."""
    names = names or [name for name in PAGES if name != OVERVIEW]
    return {language: {name: _words(name, language)[key] for name in names} for language in LANGUAGES}


def _pictures() -> dict[str, str]:
    """Return the small pictures on the overview; it draws those of other pages itself, each from a deck."""
    pictures = {name: HERE / name / "picture.svg" for name in ORDER}
    return {name: read(file).strip() for name, file in pictures.items() if file.is_file()}


def _before_and_after(name: str) -> dict[str, list[tuple[str, str]]]:
    """Return the pages before and after this one, with their titles, in each language; the dealing page comes first."""
    at = PAGES.index(name)
    after = PAGES[(at + 1) % len(PAGES)]
    return {
        language: [
            (f"{PAGES[at - 1]}.html", _words(PAGES[at - 1], language)["title"])
            if at
            else ("./", texts(language)["title"]),
            (f"{after}.html", _words(after, language)["title"]),
        ]
        for language in LANGUAGES
    }

"""Deck lists of card games: a count and a name a line, under headings.

Clients and sites for Magic (Arena, MTGO, Moxfield, Archidekt), Pokémon TCG Live, arkhamdb, marvelcdb, FaBrary and
Hearthstone (``# 2x (1) Name``) write them:
``4 Name``, ``4x Name (SET) 12 *F* #tag``, ``SB: 1 Name``; headings such as ``Deck``, ``Sideboard``, ``Creatures (12)``
or ``Pokémon: 17``, in any language where the number is that of the cards below; comments after ``//`` or ``#``. Of
``A // B`` both are one card. Sets, numbers and tags are no part of a name, so two printings of a card are equal cards.
"""

import re
from dataclasses import dataclass, field

from fairdeck.cards import LARGEST_DECK
from fairdeck.cards.lists import ASIDE, DeckList, Entry, Source, unquoted
from fairdeck.cards.text import Line, excerpt, tidied
from fairdeck.errors import FairdeckError

TURN, CALLED = 80, "a deck list"
COUNT = re.compile(  # "4 of Cups" is a card
    r"((?:SB|sb|Sb):\s*)?(\d+)(?:\s*[xX×]\s+|[x×](?=[A-Z])|\s+)(?!(?:of|de|di|von)\s)(\S.*)"
)
TOTAL = re.compile(r"(\d{1,7}) (?:total )?(?:cards?|kart(?:en|e)|cart(?:es?|as?))(?: total|, \d+ XP)?", re.IGNORECASE)
TWO_COUNTS = re.compile(r"(?:SB:\s*|[x×]\s?(?=\d))?\d+\s*(?:[x×*]\s|[.):,;]|\s)|.*,\s*\d+\s", re.IGNORECASE)
HEARTHSTONE = re.compile(r"^#(\s+)(\d+x)\s+\(\d+\)(?=\s)")  # further in: what a card holds beside the deck
# The last is a deck's code.
COMMENT = re.compile(r"//|#|Made with love at |See the full deck @ |AA[A-Za-z\d+/]{20,}={0,2}$")
CODE = r"(?:[A-Z0-9]{2,6}|(?!(?:red|yellow|blue)\))[a-z0-9]{2,6})"  # of a colour there are other cards of that name
PRINTING = re.compile(
    rf"\s+(?:\({CODE}\)|\[[A-Z0-9]{{2,6}}\])(?:\s+[A-Za-z]{{0,4}}-?\d+[A-Za-z★†]*)?(?=\s|$)(?P<more>.*)"
    r"|\s+(?=\*[A-Z]{1,3}\*|#|\[[A-Z][a-z]|\^)(?P<tags>.*)"
)
TAGS = re.compile(r"(?:\s*(?:\*[A-Z]{1,3}\*|#\S.*|\[[^\]]*\]|\^[^^]*\^|F))*\s*")
LIVE = re.compile(r"\s+[A-Z][A-Z0-9-]{1,6}\s+[A-Z]{0,4}\d{1,3}[a-z]?(?:\s+PH)?$")
HEADING = re.compile(r"(?://\s*)?\[?([^\d:()\[\]]+?)\]?\s*(?:\((\d{1,7})\)|:\s*(\d{0,7}))?")
MAIN = frozenset({"deck", "deck cards", "main", "mainboard", "main deck", "mazo", "mazzo"})
KINDS = frozenset(
    (
        *("artifact", "battle", "creature", "enchantment", "instant", "land", "planeswalker", "sorcerie", "spell"),
        *("pokémon", "pokemon", "trainer", "energy", "asset", "event", "skill", "treacherie", "treachery", "ally"),
        *("allie", "upgrade", "support", "hero", "obligation", "permanent", "sorcery", "monster", "trap"),
    )
)
LARGEST_SIDE = 15


@dataclass(slots=True)
class _Sheet:
    entries: list[Entry] = field(default_factory=list)
    bare: list[Line] = field(default_factory=list)
    gaps: dict[int, int] = field(default_factory=dict)  # entries before an empty line without a heading: its number
    heads: list[int] = field(default_factory=list)  # entries before each heading
    sums: list[tuple[Line, int, int]] = field(default_factory=list)  # unknown headings: line, number, entries before
    part: str = ""
    headed: bool = False
    live: bool = False
    total: Line | None = None


def fits(source: Source) -> bool:
    """Return whether any line has a count."""
    return any(_counts(_uncommented(line.text)) for line in source.rows)


def read(source: Source) -> DeckList:
    """Return the list."""
    sheet = _Sheet()
    about = False
    for line in source.lines:
        text = _uncommented(re.sub(r"^(\d+)\s*[,;]", r"\1 ", line.text) if source.named else line.text)
        about = text.lower() == "about" or (about and text.lower().startswith("name "))
        if not text:
            if sheet.entries:
                sheet.gaps.setdefault(len(sheet.entries), line.at)
        elif total := TOTAL.fullmatch(text):
            sheet.total = Line(line.at, total[1])
        elif not about and not _entered(sheet, Line(line.at, text)) and not _headed(sheet, text, line.at):
            sheet.bare.append(Line(line.at, text))
    if not sheet.entries:
        raise FairdeckError(f"line {source.rows[0].at}: {excerpt(source.rows[0].text)} has no number of cards")
    sheet.bare = sorted(sheet.bare + [line for line, said, start in sheet.sums if not _is_sum(sheet, said, start)])
    titles = _titles(sheet)
    if not source.named and not sheet.headed:
        _demand_one_reading(sheet)
    entries = [entry._replace(name=_named(entry.name, sheet.live)) for entry in sheet.entries]
    main, aside = (tuple([e for e in entries if bool(e.part) == beside]) for beside in (False, True))
    found = DeckList("counts", main, aside, notes=titles)
    if sheet.total and int(sheet.total.text) not in (found.cards, found.with_aside().cards):
        raise FairdeckError(
            f"line {sheet.total.at} says {sheet.total.text} cards, the list has {found.cards}: correct one"
        )
    return found


def _uncommented(text: str) -> str:
    return tidied(HEARTHSTONE.sub(lambda found: f"{'SB: ' * (len(found[1]) > 1)}{found[2]}", text, count=1))


def _counts(text: str) -> re.Match[str] | None:
    found = COUNT.fullmatch(tidied(text))
    return found if found and not found[3].isdigit() else None


def _entered(sheet: _Sheet, line: Line) -> bool:
    """Enter a line that has a count."""
    found = _counts(line.text)
    if not found:
        return False
    side, count, name = found.groups()
    if len(count) > len(str(LARGEST_DECK)):
        raise FairdeckError(
            f"line {line.at}: {count[:20]} is no number of copies; a deck has at most {LARGEST_DECK:,} cards"
        )
    if unquoted(name) is None and TWO_COUNTS.match(name):
        raise FairdeckError(
            f"line {line.at}: {excerpt(line.text)} has two numbers: write one card a line, and a name that begins with "
            f'a number in quotation marks, such as 4 "10 Foxes"'
        )
    sheet.headed |= bool(side)
    part = "sideboard" if side else "commander" if "*CMDR*" in name else _category(name, sheet.part)
    sheet.entries.append(Entry(int(count), name, line.at, part))
    return True


def _category(name: str, part: str) -> str:
    """Return the part that Archidekt names behind a card; ``{noDeck}`` tells that it is none of the deck's own."""
    found = re.search(r"\s\[([A-Za-z ]+)([^\]]*)\]", name)
    known = ASIDE.get(found[1].lower(), "") if found else ""
    if found and "{noDeck}" in found[2]:
        return known or "maybeboard"
    return part if known == "token" else known or part  # Tokens without it are cards that make tokens


def _is_sum(sheet: _Sheet, said: int, start: int) -> bool:
    """Return whether a heading says how many cards, or lines, follow up to the next one; or, as the last, the total."""
    end = next((head for head in sheet.heads if head > start), len(sheet.entries))
    counts = [entry.copies for entry in sheet.entries[start:end] or sheet.entries]
    return said in (sum(counts), len(counts) if start < end else 0)


def _headed(sheet: _Sheet, text: str, at: int) -> bool:
    """Note a heading or a comment; return whether the line is one."""
    found = HEADING.fullmatch(text)
    word = found[1].strip().lower() if found else ""
    said = (found[2] or found[3]) if found else None
    if word in ("total cards", "total") and said:
        sheet.total = Line(at, said)
    elif word in ASIDE or word in MAIN:
        sheet.heads.append(len(sheet.entries))
        sheet.part, sheet.headed = ASIDE.get(word, ""), True
    elif (known := word.removesuffix("s") in KINDS) or (said and not COMMENT.match(text)):
        sheet.heads.append(len(sheet.entries))
        sheet.gaps.pop(len(sheet.entries), None)
        sheet.live |= word in ("pokémon", "pokemon") and found is not None and found[3] is not None
        if not known and said:
            sheet.sums.append((Line(at, text), int(said), len(sheet.entries)))
    else:
        return COMMENT.match(text) is not None
    return True


def _titles(sheet: _Sheet) -> tuple[str, ...]:
    """Return notes on lines before the first count; a line among the others that has none is asked about."""
    first = sheet.entries[0].line
    if asked := [line for line in sheet.bare if line.at >= first - 1 or line.text[0].isdigit()]:
        line = asked[0]
        raise FairdeckError(
            f"line {line.at}: {excerpt(line.text)} has no number, and line {first} has one: write 1 "
            f"before it; take it out, if it is no card; or put line {first} in quotation marks, if each is one card"
        )
    return tuple([f"line {line.at}, {excerpt(line.text)}, taken as a title" for line in sheet.bare])


def _demand_one_reading(sheet: _Sheet) -> None:
    """Raise a FairdeckError where numbers may be places, or an empty line may begin a sideboard."""
    counts = [entry.copies for entry in sheet.entries]
    if len(counts) > 1 and counts == [*range(1, len(counts) + 1)]:
        raise FairdeckError(
            f"line {sheet.entries[0].line}: are 1 to {len(counts)} numbers of copies, or places from the top? "
            "Say --as counts or --as numbered"
        )
    if gaps := [(before, at) for before, at in sheet.gaps.items() if before < len(counts)]:
        before, at = gaps[-1]
        main, rest = sum(counts[:before]), sum(counts[before:])
        if rest <= LARGEST_SIDE < main:
            raise FairdeckError(
                f"line {at}: does this empty line begin a sideboard? With it the deck has {main} cards, without it "
                f"{main + rest}: write Sideboard there, or say --as counts"
            )


def _named(text: str, live: bool) -> str:
    if (name := unquoted(text)) is not None:
        return name
    found = PRINTING.search(text)
    if found and TAGS.fullmatch(found["more"] or found["tags"] or ""):
        text = text[: found.start()]
    return (LIVE.sub("", text) if live else text).rstrip(",; ")

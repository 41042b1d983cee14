"""Rulebooks against the law, as lines for a terminal: a table of all rules, or some in full with their words."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from shutil import get_terminal_size
from textwrap import wrap

from fairdeck.rulebooks import CUT, MASH, NEAR, NOT_SEEN, PILES, Guesses, Law, Verdict, quarter
from fairdeck.shuffles.measured import CONFIDENCE

WIDEST, NARROWEST = 110, 60
NEARLY_ONE = 0.9995  # from here on a distance is told as "above"
LEFT = ("rule", "it also allows")  # columns of words

ENOUGH = f"{float(NEAR):g}"
MEANING = (
    "Total variation is the most that a bet on any event gains over a fair deck. At 0.41 the best bet wins 41 "
    "percentage points more often than it should; 0 is fair, 1 is no shuffle."
)
COLUMNS = (
    "Top quarter: the chance that the card that was on top is still there (in a fair deck). Neighbours: how many pairs "
    "lie as they lay, on average; about 1 in a fair deck. Enough: the fewest riffles with a total variation of "
    f"{ENOUGH} or less."
)
GUESSES = (
    "Guesses: about how many cards a player gets right who guesses each before it is dealt face up (in a fair deck)."
)
ASSUMED = (
    "The numbers are exact for ideal riffles from a known order of different cards. Real hands are seldom so good "
    "(measure yours: fairdeck hands), and mashing is far worse. Where cards count as equal, fewer riffles are enough: "
    "fairdeck mix --like."
)
DEALT = (
    "A deck dealt as fairdeck deal says is fair, and fits casual tables, clubs and judges' desks. It is no substitute "
    "in sanctioned matches where dealing onto piles does not count as shuffling, as in Magic."
)


def table(found: Sequence[Verdict], guesses: Guesses | None) -> Iterator[str]:
    """Yield one line for each deck of each rule, and what the numbers mean."""
    named = [(each, each.law) for each in found if each.law]
    enough = [each for each, law in named if law.total_variation <= NEAR]
    naming, all_ = (len({each.rule.name for each in some}) for some in ([each for each, _ in named], found))
    yield from _wrapped(
        f"Of {all_} rules, {naming} name a number of shuffles. With ideal riffles, {len(enough) or 'none'} of these "
        f"numbers brings a deck within {ENOUGH} of fair (total variation)."
    )
    yield ""
    yield from _columns([_named(each, law, guesses) for each, law in named])
    yield ""
    for text in (MEANING, f"{COLUMNS} If mashed: a lower bound.", *_simulated(guesses), ASSUMED):
        yield from _wrapped(text)
    yield ""
    yield "Rules that name no number, and how many ideal riffles bring the deck within one half and near fair:"
    yield ""
    yield from _columns([_unnamed(each) for each in found if not each.law])
    yield ""
    for text in (DEALT, f"Not seen, so not quoted: {'; '.join(NOT_SEEN)}."):
        yield from _wrapped(text)
    yield "The words of the rules, with place and date: fairdeck rules NAME."


def in_full(found: Sequence[Verdict], guesses: Guesses | None) -> Iterator[str]:
    """Yield each rule with its words, and a sentence or several for each of its decks."""
    last = None
    for each in found:
        if each.rule != last:
            last = each.rule
            yield f"{last.name}: {last.game}"
            yield from _wrapped(f'"{last.quote}"', "    ")
            read = "Second hand, from" if last.second_hand else "Read in"
            yield from _wrapped(f"{read}: {last.document}; {last.date}", "  ")
            yield f"  {last.address}"
            yield from _wrapped(last.remark, "  ")
        for sentence in sentences(each, guesses):
            yield from _wrapped(sentence, "  ")
        yield ""
    for text in (MEANING, *_simulated(guesses), ASSUMED, DEALT):
        yield from _wrapped(text)


def sentences(each: Verdict, guesses: Guesses | None) -> Iterator[str]:
    """Yield what the law says of one deck of a rule."""
    wanted = f"{each.halfway} ideal riffles bring the total variation to one half or less, {each.near} to {ENOUGH}"
    if each.law is None:
        yield (
            f"{each.cards} cards: the rule names no number to judge; {wanted}."
            if each.near
            else (f"{each.cards} tiles: the rule names no number that the law can judge.")
        )
    else:
        yield f"{each.cards} cards, {each.law.riffles} riffles: {_judged(each.law)}; {wanted}."
        if guesses:
            right, fair = guesses.of(each.law)
            yield f"A player who guesses each card is right about {right:.1f} times; {fair:.2f} times in a fair deck."
    if each.mash_at_least is not None:
        yield (
            f"Mashed as often: total variation {each.mash_at_least:.2f} or more, {CONFIDENCE:.1%} sure, by simulation "
            "of a model: a third of the deck is pushed into the rest, four cards at a time."
        )
    if each.piles is not None:
        yield f"Dealt onto piles in turn: always the same order; total variation 1 - 1/{each.cards}!."
    if each.cut_at_least is not None:
        yield f"Only cut: at most {each.cards} orders can come; total variation 1 - {each.cards}/{each.cards}! or more."


def _judged(law: Law) -> str:
    top = quarter(law.cards)
    return (
        f"total variation {_distance(law.total_variation)} ({_gained(law.total_variation)}); "
        f"the card that was on top is among the top {top} in "
        f"{float(law.top_quarter):.1%} of decks (of fair decks: {top / law.cards:.1%}); "
        f"{float(law.kept_neighbours):.2f} pairs of neighbours lie as they lay (in fair decks: {1 - 1 / law.cards:.2f})"
    )


def _gained(distance: Fraction) -> str:
    if distance >= NEARLY_ONE:
        return "a player who knows the old order can tell this deck from a fair one"
    return f"the best bet wins {100 * float(distance):.0f} percentage points more often than on a fair deck"


def _simulated(guesses: Guesses | None) -> tuple[str, ...]:
    return (f"{GUESSES} They are simulated (seed {guesses.seed:x}).",) if guesses else ()


def _named(each: Verdict, law: Law, guesses: Guesses | None) -> dict[str, str]:
    mashed = each.mash_at_least
    row = {
        "rule": each.rule.name,
        "cards": str(each.cards),
        "shuffles": str(law.riffles),
        "total variation": _distance(law.total_variation),
        "if mashed": "" if mashed is None else f">= {mashed:.2f}",
        "top quarter": f"{float(law.top_quarter):.1%} ({quarter(each.cards) / each.cards:.1%})",
        "neighbours": f"{float(law.kept_neighbours):.2f}",
        "enough": str(each.near),
    }
    return row | ({"guesses": "{:.1f} ({:.2f})".format(*guesses.of(law))} if guesses else {})


def _unnamed(each: Verdict) -> dict[str, str]:
    ways = {MASH: "mashing", PILES: "piles in turn: always the same order", CUT: f"a cut alone: {each.cards} orders"}
    return {
        "rule": each.rule.name,
        "cards": str(each.cards),
        "to 0.5": str(each.halfway or "-"),
        f"to {ENOUGH}": str(each.near or "-"),
        "it also allows": ", ".join(ways[way] for way in each.rule.allows),
    }


def _columns(rows: Sequence[Mapping[str, str]]) -> Iterator[str]:
    for row in ({name: name for name in rows[0]}, *rows):
        widths = {name: max(len(name), *(len(each[name]) for each in rows)) for name in row}
        cells = (f"{cell:{'<' if name in LEFT else '>'}{widths[name]}}" for name, cell in row.items())
        yield "  ".join(cells).rstrip()


def _distance(distance: Fraction) -> str:
    return f"{float(distance):.4f}" if distance < NEARLY_ONE else f"above {NEARLY_ONE}"


def _wrapped(text: str, indent: str = "") -> Iterator[str]:
    width = min(WIDEST, max(NARROWEST, get_terminal_size().columns))
    yield from wrap(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)

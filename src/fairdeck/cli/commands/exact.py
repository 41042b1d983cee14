"""Say exactly how likely each order is after a shuffle of a few cards.

Every way that the shuffle can go is followed to its end and counted, so the answer is a fraction, not
an estimate. SHUFFLE is a registered name (see fairdeck shuffles), package.module:function or
path/to/file.py:function. A function is called as f(deck) with the list 0..n-1, f(deck, rng) with a
random.Random, or f(n), by its parameters; it changes the list or returns the deck. Its randomness is
taken over: rng, the modules random and secrets, generators made by random.Random(). Exit code 1 says
that the orders are not equally likely.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import factorial, lcm

from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.progress import Progress
from fairdeck.errors import FairdeckError
from fairdeck.instructions import counted
from fairdeck.lab.exact import EPS, LEAVES, MOST_CARDS, TIMEOUT, OrderLaw, is_carried, order_law
from fairdeck.lab.exact.measures import (
    cannot_be_fair,
    chi_square_distance,
    decks_needed,
    even_orders,
    kl_bits,
    least,
    likeliest,
    positions,
    separation,
    total_variation,
)
from fairdeck.permutation import Permutation
from fairdeck.reading import whole_number

ROWS = 24
MOST_LEAVES = 10**9
MOST_DIGITS = 12
PLAIN = Fraction(1, 10**6)  # rarer chances are no percentages that anybody can picture
LARGEST_SHARE = 10**6  # so many parts can be pictured; beyond it is said as one time in so many
EVERY = 4096  # ways between two looks at whether to show progress


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shuffle", metavar="SHUFFLE", help="a registered name, module:function or file.py:function")
    parser.add_argument("--cards", default="4", metavar="N", help=f"cards of the deck, 1 to {MOST_CARDS} (default: 4)")
    parser.add_argument("--takes", choices=["deck", "n"], help="what the function takes, where its parameters mislead")
    parser.add_argument(
        "--leaves", default=str(LEAVES), metavar="N", help=f"give up after so many ways (default: {LEAVES:,})"
    )
    parser.add_argument(
        "--eps",
        default=str(EPS),
        metavar="P",
        help=f"leave at most so much probability unresolved, where it can draw without end (default: {EPS})",
    )
    parser.add_argument(
        "--timeout",
        default=str(TIMEOUT),
        metavar="SECONDS",
        help=f"give up on a function that makes no deck for so long (default: {TIMEOUT:g})",
    )
    parser.add_argument("--all", action="store_true", help=f"show all orders, not only {ROWS}")
    parser.add_argument("--json", action="store_true", help="the same as JSON")


def run(args: Namespace) -> int:
    """Enumerate and write."""
    cards = whole_number(args.cards, "cards", 1, MOST_CARDS)
    progress = Progress()
    try:
        law = order_law(
            args.shuffle,
            cards,
            takes=args.takes,
            leaves=whole_number(args.leaves.replace(",", "").replace("_", ""), "leaves", 1, MOST_LEAVES),
            eps=_decimal(args.eps, "eps", 1e-30, 0.5),
            timeout=_decimal(args.timeout, "timeout", 0.1, 86_400),
            progress=_telling(progress) if progress.shown else None,
        )
    finally:
        progress.done()
    if args.json:
        print(json.dumps(_fields(args.shuffle, law)))
    else:
        print(*_lines(args.shuffle, law, args.all), sep="\n")
    return FINE if _fair(law) else DOES_NOT_HOLD


def _decimal(text: str, what: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not low <= value <= high:
        raise FairdeckError(f"{what}: {text[:40]!r} will not do; write a number from {low:g} to {high:g}")
    return value


def _telling(progress: Progress) -> Callable[[int, Callable[[], float]], None]:
    from time import monotonic

    shown = [monotonic()]

    def show(ways: int, done: Callable[[], float]) -> None:
        now = monotonic()
        if now - shown[0] > 0.2:
            shown[0] = now
            progress.say(f"{ways:,} ways, {done():.0%} of all")

    return show


def _fair(law: OrderLaw) -> bool:
    """Say whether the orders are equally likely, as far as they are resolved."""
    return total_variation(law) <= law.unresolved


def _fields(shuffle: str, law: OrderLaw) -> dict[str, object]:
    return {
        "shuffle": shuffle,
        "cards": law.cards,
        "fair": _fair(law),
        "exact": not law.unresolved,
        "unresolved": str(law.unresolved),
        "orders": {_word(order): str(chance) for order, chance in law.orders.items()},
        "total_variation": str(total_variation(law)),
        "separation": str(separation(law)),
        "kl_bits": kl_bits(law),
        "chi_square_distance": str(chi_square_distance(law)),
        "likeliest": _word(likeliest(law)[0]),
        "least_likely": _word(least(law)[0]),
        "even_orders": str(even_orders(law)),
        "positions": [[str(chance) for chance in row] for row in positions(law)],
        "leaves": law.leaves,
        "grain": None if law.grain is None else str(law.grain),
        "cannot_be_fair": cannot_be_fair(law),
        "decks_needed": decks_needed(law),
        "notes": _notes(shuffle, law),
    }


def _lines(shuffle: str, law: OrderLaw, everything: bool) -> Iterator[str]:
    yield _verdict(shuffle, law)
    yield from _notes(shuffle, law)
    yield ""
    yield from _measures(law)
    yield ""
    yield from _orders(law, everything)
    yield ""
    yield from _positions(law)


def _verdict(shuffle: str, law: OrderLaw) -> str:
    """Return the sentence for someone who reads only one."""
    all_ = factorial(law.cards)
    deck = f"with {counted(law.cards, 'card')}"
    if len(law.orders) == 1 and not law.unresolved:
        if law.cards == 1:
            return f"{shuffle}: one card has one order, so there is nothing to shuffle."
        order = next(iter(law.orders))
        return f"{shuffle} is not fair: {deck} it always gives the order {_word(order)}; nothing is left to chance."
    if _fair(law):
        each = f"each of the {all_:,} orders comes 1 time in {all_:,}"
        if law.unresolved:
            return f"{shuffle} is fair {deck} as far as it was followed: {each}, within {float(law.unresolved):.1g}."
        return f"{shuffle} is fair {deck}: {each}, exactly."
    (_, most), (_, fewest) = likeliest(law), least(law)
    fair = f"1 in {all_:,}{_percent(Fraction(1, all_))}"
    if not fewest:
        never = all_ - len(law.orders)
        comes = f"{never:,} of the {all_:,} orders never {'comes' if never == 1 else 'come'}"
        return (
            f"{shuffle} is not fair: {deck} {comes}, and the likeliest comes "
            f"{_times(most)}{_percent(most)}; a fair shuffle gives each order {fair}."
        )
    together = lcm(most.denominator, fewest.denominator)
    if together <= LARGEST_SHARE:
        often, seldom = (f"{int(chance * together):,}" for chance in (most, fewest))
        said = f"{often} times in {together:,}{_percent(most)}", f"{_counted_times(seldom)}{_percent(fewest)}"
    else:
        said = _times(most), _times(fewest)
    return (
        f"{shuffle} is not fair: {deck} the likeliest order comes {said[0]}, the least likely {said[1]}; "
        f"a fair shuffle gives each order {fair}."
    )


def _counted_times(number: str) -> str:
    return "once" if number == "1" else f"{number} times"


def _percent(chance: Fraction) -> str:
    """Return a chance in brackets, as one compares it; nothing where so few digits would say nothing.

    >>> _percent(Fraction(5, 27)), _percent(Fraction(1, 10**9))
    (' (18.5%)', '')
    """
    return f" ({float(100 * chance):.3g}%)" if chance > PLAIN else ""


def _times(chance: Fraction) -> str:
    if chance.denominator <= LARGEST_SHARE:
        return f"{chance.numerator:,} in {chance.denominator:,}"
    return f"1 time in {float(1 / chance):,.8g}"


def _notes(shuffle: str, law: OrderLaw) -> list[str]:
    notes = list(law.notes)
    if ":" not in shuffle and is_carried(shuffle):
        notes.append("Its decks depend on those before them; these figures are for the first one.")
    if law.unresolved:
        notes.append(
            f"It can draw without end: {float(law.unresolved):.1e} of all probability was not followed further, so "
            "every figure is good to about that."
        )
    if cannot_be_fair(law) and law.grain is not None:
        grain = f"{law.grain:,}" if law.grain < 10**MOST_DIGITS else f"about {float(law.grain):.3g}"
        notes.append(
            f"Arithmetic alone rules it out: every chance is a whole number of parts in {grain}, which the "
            f"{factorial(law.cards):,} orders cannot share evenly."
        )
    notes.append(f"This says nothing of decks of more than {counted(law.cards, 'card')}: see fairdeck test.")
    return notes


def _measures(law: OrderLaw) -> Iterator[str]:
    at_least = "at least " if law.unresolved else ""
    yield f"ways followed      {law.leaves:,}"
    yield f"total variation    {at_least}{_number(total_variation(law))}"
    yield f"separation         {_number(separation(law))}"
    yield f"lost entropy       {kl_bits(law):.6g} bits"
    yield f"chi-square         {_number(chi_square_distance(law))} a deck"
    for name, (order, chance) in (("likeliest", likeliest(law)), ("least likely", least(law))):
        yield f"{name:<18} {_word(order)}: {_number(chance)}"
    if law.cards > 1:
        yield f"even orders        {_number(even_orders(law))}"
    needed = {name: decks for name, decks in decks_needed(law).items() if decks is not None}
    if needed and not _fair(law):
        yield ""
        yield "Decks that a test needs to see this, 99 times of 100, with a false alarm in a million:"
        for name, decks in sorted(needed.items(), key=lambda item: item[1]):
            yield f"    {name:<18} {decks:,}" if decks < 10**15 else f"    {name:<18} {decks:.1e}"


def _orders(law: OrderLaw, everything: bool) -> Iterator[str]:
    shown = list(law.orders.items())
    rest = 0 if everything else max(0, len(shown) - ROWS)
    if rest:
        shown = sorted(shown, key=lambda item: (-item[1], item[0]))[:ROWS]
    width = max(len("order, base first"), 2 * law.cards)
    yield f"{'order, base first':<{width}}  probability"
    for order, chance in shown:
        yield f"{_word(order):<{width}}  {_number(chance)}"
    if rest:
        yield f"... and {counted(rest, 'order')} less likely or as likely: --all shows them"
    never = factorial(law.cards) - len(law.orders)
    if never:
        yield f"{'the other order never comes' if never == 1 else f'the other {never:,} orders never come'}"


def _positions(law: OrderLaw) -> Iterator[str]:
    rows = [[_short(chance) for chance in row] for row in positions(law)]
    width = max(4, *(len(cell) for row in rows for cell in row))
    yield f"How likely each place (from the base, 0) holds each card; fair is 1/{law.cards}:"
    yield "place " + " ".join(f"{f'#{card}':>{width}}" for card in range(law.cards))
    for place, row in enumerate(rows):
        yield f"{place:>5} " + " ".join(f"{cell:>{width}}" for cell in row)


def _word(order: Permutation) -> str:
    return ",".join(map(str, order))


def _number(chance: Fraction) -> str:
    """Return a fraction with its decimal value; only that where the fraction is long."""
    if chance.denominator == 1:
        return str(chance)
    if len(str(chance.denominator)) > MOST_DIGITS:
        return f"{float(chance):.9g}"
    return f"{chance} = {float(chance):.6g}"


def _short(chance: Fraction) -> str:
    return str(chance) if len(str(chance)) <= MOST_DIGITS - 3 else f"{float(chance):.6f}"

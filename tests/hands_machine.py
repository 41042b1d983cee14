"""A machine that reads the steps that fairdeck prints, and does them forwards on cards that have a face and a way up.

State: place -> cards, top first; a card is (name, turned). `law` gives the exact chance of each state after the steps.
The reader knows no step from fairdeck's code, only from its words: a word that it cannot do is an error.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, combinations, pairwise, permutations, product
from math import comb, factorial

from fairdeck import Mat
from fairdeck.dealing.goal import parse_goal
from fairdeck.dealing.planner import Task, plan_for

Card = tuple[int, bool]
State = dict[str, tuple[Card, ...]]
Step = Callable[[State], Iterator[tuple[Fraction, State]]]
ONE = Fraction(1)
DECK, CUT_OFF = "deck", "cut off"


def cut(place: str, aside: str) -> Step:
    """The upper part goes aside; each card is above the cut as in the ideal riffle: the number is binomial."""

    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        cards = state.get(place, ())
        assert not state.get(aside), f"{aside} is not empty"
        for above in range(len(cards) + 1):
            yield Fraction(comb(len(cards), above), 2 ** len(cards)), {aside: cards[:above], place: cards[above:]}

    return do


def turn(place: str) -> Step:
    """End for end: each card is turned, the order stays."""
    return lambda state: iter([(ONE, {place: tuple((name, not turned) for name, turned in state.get(place, ()))})])


def riffle(place: str, other: str) -> Step:
    """All ways in which two parts can lie between each other are equally likely."""

    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        one, two = state.get(place, ()), state.get(other, ())
        size = len(one) + len(two)
        for chosen in combinations(range(size), len(one)):
            parts, own = (iter(one), iter(two)), set(chosen)
            yield (
                Fraction(1, comb(size, len(one))),
                {place: tuple(next(parts[at not in own]) for at in range(size)), other: ()},
            )

    return do


def riffles(place: str, times: int) -> list[Step]:
    return [cut(place, CUT_OFF), riffle(place, CUT_OFF)] * times


def split(place: str, packets: list[str]) -> Step:
    """Cut into packets of about the same size; the first is the upper one."""

    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        cards, many = state[place], len(packets)
        ends = [len(cards) * at // many for at in range(many + 1)]
        yield ONE, {place: ()} | {name: cards[ends[at] : ends[at + 1]] for at, name in enumerate(packets)}

    return do


def count_off(place: str, sizes: list[int]) -> Step:
    """Take hands off the top, one after another; the other cards stay."""

    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        ends = list(accumulate(sizes, initial=0))
        hands = {f"hand {at}": state[place][start:end] for at, (start, end) in enumerate(pairwise(ends))}
        yield ONE, {place: state[place][ends[-1] :]} | hands

    return do


def stack(packets: list[str], place: str) -> Step:
    """The first named goes on top."""

    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        cards = tuple(card for name in packets for card in state.get(name, ()))
        yield ONE, dict.fromkeys(packets, ()) | {place: cards}

    return do


def cut_at(place: str, parts: list[tuple[str, int]]) -> Step:
    """Cut into parts of these sizes, from the top; each is laid at its place, which must be empty."""

    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        cards, found = state[place], {place: ()}
        assert sum(size for _, size in parts) == len(cards), f"{place} has {len(cards)} cards"
        for name, size in parts:
            assert not state.get(name)
            found[name], cards = cards[:size], cards[size:]
        yield ONE, found

    return do


def coins(place: str) -> Step:
    """Deal onto one pile, a coin for each card: on heads it is turned."""

    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        cards = state[place]
        for heads in product((False, True), repeat=len(cards)):
            pile: list[Card] = []
            for (name, turned), head in zip(cards, heads, strict=True):
                pile.insert(0, (name, turned ^ head))
            yield Fraction(1, 2 ** len(cards)), {place: tuple(pile)}

    return do


def shelves(place: str, many: int) -> Step:
    """Each card to a random shelf, on top of the cards there or beneath; the shelves are taken up in turn."""

    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        cards = state[place]
        for choice in product(range(2 * many), repeat=len(cards)):
            piles: list[list[Card]] = [[] for _ in range(many)]
            for card, chosen in zip(cards, choice, strict=True):
                shelf, beneath = divmod(chosen, 2)
                piles[shelf].insert(len(piles[shelf]) if beneath else 0, card)
            yield Fraction(1, (2 * many) ** len(cards)), {place: tuple(card for pile in piles for card in pile)}

    return do


def in_turn(place: str, piles: list[str], *, stacked: bool) -> Step:
    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        made: dict[str, list[Card]] = {name: [] for name in piles}
        for at, card in enumerate(state[place]):
            made[piles[at % len(piles)]].insert(0, card)
        if stacked:
            yield ONE, {place: tuple(card for pile in made.values() for card in pile)}
        else:
            yield ONE, {place: ()} | {name: tuple(pile) for name, pile in made.items()}

    return do


def planned(command: str, *, heeds_the_end: bool, heeds_turns: bool = False) -> Step:
    """A deal as the plan says: every order is drawn equally often, and its plan is dealt card by card.

    `heeds_the_end`: the words say that a plan may be dealt from the bottom; else it is dealt from the top.
    `heeds_turns`: they say that cards are turned where the plan says so.
    """
    words = command.replace(" --turn", "").split()
    options = dict(zip(words[3::2], words[4::2], strict=True))
    cards = int(words[2])
    mat, goal = Mat.parse(options["--mat"]), parse_goal(options.get("--goal", "deck"), cards)
    task = Task(cards, mat, goal, int(options.get("--dealers", 1)), bottom=options.get("--bottom", "pass"))
    task = replace(task, turn=" --turn" in command)
    coins = [*product((0, 1), repeat=cards * task.turn)]

    def do(state: State) -> Iterator[tuple[Fraction, State]]:
        for arrangement, turn in product(permutations(range(cards)), coins):
            deck, lying = list(state[DECK]), {}
            for step in plan_for(task, arrangement, turn=turn).passes:
                if step.turn and heeds_turns:
                    order = turn[::-1] if step.from_bottom and heeds_the_end else turn
                    deck = [(name, was ^ bool(now)) for (name, was), now in zip(deck, order, strict=True)]
                piles: dict[int, list[Card]] = {}
                for share in step.shares():  # dealer 1's pile of a space below those of the others
                    held, deck = deck[: len(share)], deck[len(share) :]
                    for space, pile in piles_of(
                        held[:: -1 if step.from_bottom and heeds_the_end else 1], share
                    ).items():
                        piles[space] = [*pile, *piles.get(space, [])]
                lying |= {f"hand {space}": tuple(piles.pop(space)) for space in step.finished()}
                for pile, onto in step.moves():
                    piles[onto] = [*piles.pop(pile), *piles[onto]]
                assert len(piles) <= 1
                deck = next(iter(piles.values()), [])
            yield Fraction(1, factorial(cards) * len(coins)), {DECK: tuple(deck)} | lying

    return do


def piles_of(cards: list[Card], spaces: tuple[int, ...]) -> dict[int, list[Card]]:
    """Return the piles, top first, that these cards make if each is dealt onto its space."""
    piles: dict[int, list[Card]] = {}
    for card, space in zip(cards, spaces, strict=True):
        piles.setdefault(space, []).insert(0, card)
    return piles


def law(start: State, steps: list[Step]) -> dict[tuple[tuple[str, tuple[Card, ...]], ...], Fraction]:
    """Return the chance of each state after the steps."""

    def key(state: State) -> tuple[tuple[str, tuple[Card, ...]], ...]:
        return tuple(sorted((place, cards) for place, cards in state.items() if cards))

    number = sum(map(len, start.values()))
    now = {key(start): ONE}
    for step in steps:
        after: dict[tuple[tuple[str, tuple[Card, ...]], ...], Fraction] = {}
        for state, chance in now.items():
            for likely, places in step(dict(state)):
                reached = key(dict(state) | places)
                after[reached] = after.get(reached, Fraction(0)) + chance * likely
        assert all(sum(len(cards) for _, cards in state) == number for state in after), "cards were lost"
        now = after
    assert sum(now.values()) == 1
    return now


def times(said: str) -> int:
    return {"once": 1, "twice": 2, "three times": 3, "four times": 4}.get(said) or int(said.split()[0])


TIMES = r"once|twice|three times|four times|\d+ times"
PLANNED = r"(fairdeck deal [-\w:,+ ]*?)(?: --follow| --pdf plan\.pdf)"
A_RIFFLE = (
    r"Cut the deck about in the middle, and riffle the halves together so that cards fall one or two at a time, not in "
    r"clumps\. Square the deck\. That is one riffle\. Do it (" + TIMES + r")\. Count aloud: it is easy to stop too "
    r"early\."
)
TURNING = (
    r"about in the middle, turn (?:the|its) upper part round, end for end, and riffle the two parts together once\."
)
NOTHING = (
    r"It draws a new order each time: never use a plan twice\.",
    r"Leave room for [^.]*\.",
    r"Lay the mat down[^.]*\.",
    r"Each player's place is a space: [^.]*\.",
    r"A\d+ is for the (?:cards|tiles) left over\.",
    r"Tiles need no towers: a pile may be a row, in which each new tile goes in front of the last\.",
    r": a sheet for each dealer\. Or write --html deal\.html instead, and open that page on each dealer's phone\.",
    r", or a printed plan\.",
    r"Turn no card before or after that\.",
    r"The piles are the hands: all take up theirs\.",
)


class Reader:
    """Reads the sentences of a way one after another, and collects what they tell hands to do."""

    def __init__(self, cards: int, machine: int = 0) -> None:
        self.cards, self.machine = cards, machine
        self.steps: list[Step] = []
        self.command = ""
        self.rules: list[tuple[str, Callable[[re.Match[str]], None]]] = [
            (A_RIFFLE, lambda said: self.add(*riffles(DECK, times(said[1])))),
            (
                r"First the reversals: deal the deck onto one pile, and toss a coin for each card\. On heads, turn the "
                r"card round, end for end, before you lay it down\. After that, turn no card\.",
                lambda _: self.add(coins(DECK)),
            ),
            (rf"Last the reversals: cut the deck {TURNING}", lambda _: self.add(*self.turning(DECK))),
            (
                rf"Last the reversals: cut the deck into (\d+) packets\. Cut each packet {TURNING} Stack the packets\.",
                self.packets_turned,
            ),
            (rf"(?:Start|Print) {PLANNED}", self.remember),
            (
                r"Cut the deck into \d+ packets, as the plan says; dealer 1 takes the top packet\.|"
                r"Share the tiles among \d+ dealers, as many for each as the plan says\.",
                lambda _: None,
            ),
            (
                r"Face down, deal every (?:card from the top(, or from the bottom if the plan says so,)?|"
                r"tile, in any order,) onto the space that the plan names\. "
                r"(Where it has ↻, turn the card end for end before you lay it down\. )?"
                r"(?:The first pass deals the hands: hand them out\. )?"
                r"(?:Gather the piles in the order that the plan names|That gives the (?:other )?tiles an order: the "
                r"row that the plan puts on top comes first, each row from its front|(?=The piles are the hands))"
                r"(?:, dealer 1's pile of a space below those of the others)?\.?",
                self.dealt,
            ),
            (r" ?Then deal (?:and gather|them) again(?: in that order)?: \d+ passes in all\.", lambda _: None),
            (
                r", or a printed plan, and deal every card onto the pile that it names\. It draws a new order each "
                r"time: never use a plan twice\.",
                lambda _: self.add(planned(self.command, heeds_the_end=False)),
            ),
            (
                rf"Riffle each pile by itself ({TIMES})(?:: share the piles among you)?\. Stack the piles\.",
                self.piles_riffled,
            ),
            (
                r"Load all \d+ cards at once and start the machine\. Do not load part of them: parts that were "
                r"shuffled apart are not mixed with each other\.",
                lambda _: self.add(shelves(DECK, self.machine)),
            ),
            (
                r"Take the cards out, do not cut or sort them, load them again: (\d+) passes in all\.",
                lambda said: self.add(*[shelves(DECK, self.machine)] * (int(said[1]) - 1)),
            ),
            (
                r"Deal onto the piles in turn, and stack them\.",
                lambda _: self.add(in_turn(DECK, ["a", "b", "c"], stacked=True)),
            ),
            (r"Count (.*) off the top of the deck, a whole hand at a time(?:; [\w ]+)?\.", self.counted),
            *((words, lambda _: None) for words in NOTHING),
        ]

    def add(self, *steps: Step) -> None:
        self.steps += steps

    def turning(self, place: str) -> list[Step]:
        return [cut(place, CUT_OFF), turn(CUT_OFF), riffle(place, CUT_OFF)]

    def packets_turned(self, said: re.Match[str]) -> None:
        packets = [f"packet {number}" for number in range(int(said[1]))]
        self.add(split(DECK, packets))
        for packet in packets:
            self.add(*self.turning(packet))
        self.add(stack(packets, DECK))

    def remember(self, said: re.Match[str]) -> None:
        self.command = said[1]

    def dealt(self, said: re.Match[str]) -> None:
        self.add(planned(self.command, heeds_the_end=bool(said[1]), heeds_turns=bool(said[2])))

    def counted(self, said: re.Match[str]) -> None:
        runs = re.findall(r"(\d+) hands? of (\d+)", said[1])
        self.add(count_off(DECK, [int(size) for number, size in runs for _ in range(int(number))]))

    def piles_riffled(self, said: re.Match[str]) -> None:
        piles = [f"hand {space}" for space in range(self.cards)]
        for pile in piles:
            self.add(*riffles(pile, times(said[1])))
        self.add(stack(piles, DECK))

    def read(self, do: tuple[str, ...]) -> list[Step]:
        """Return the steps that these sentences tell."""
        text = " ".join(do)
        while text:
            rule = next(((found, act) for words, act in self.rules if (found := re.match(words, text))), None)
            assert rule, f"what do hands do here? {text[:120]!r}"
            rule[1](rule[0])
            text = text[rule[0].end() :].strip()
        return self.steps


def performed(do: tuple[str, ...], cards: int, machine: int = 0, top: int | None = None) -> dict[object, Fraction]:
    """Return the law of what lies there after these sentences: a deck, or its top, or hands whose cards have no order.

    Args:
        do: the sentences.
        cards: of the deck.
        machine: the shelves of the machine that they name.
        top: how many cards of the deck are looked at, from the top; None for all.
    """
    start = {DECK: tuple((card, False) for card in range(cards))}
    found: dict[object, Fraction] = {}
    for state, chance in law(start, Reader(cards, machine).read(do)).items():
        key = tuple((place, pile[:top] if place == DECK else frozenset(pile)) for place, pile in state)
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def away(found: dict[object, Fraction], results: int) -> Fraction:
    """Return the total variation from uniform on so many results."""
    return sum((max(Fraction(0), chance - Fraction(1, results)) for chance in found.values()), Fraction(0))


class Sheets:
    """The sheets of a packet procedure, in English: each player does what their own sheet says, with their own cards.

    A place is a player and what lies there: a packet, or the part of one that has come from the packet of this name.
    """

    def __init__(self, opening: str) -> None:
        sizes = re.findall(r"packet (\w+) \((\d+) cards\)", opening)
        self.holder = {name: who for who, names in re.findall(r"Player (\w+) (?:has|begins with) packets? ([\w, ]+)\.",
                       opening) for name in names.split(", ")}  # fmt: skip
        self.steps = [cut_at(DECK, [(f"{self.holder[name]}: packet {name}", int(size)) for name, size in sizes])]

    def read(self, who: str, sentence: str) -> None:
        """Do one sentence of a player's sheet."""
        if sentence == "Wait: the others work.":
            return
        if cut := re.fullmatch(r"Cut packet (\w+) \(\d+ cards\): (.*)\.", sentence):
            pieces = [self._piece(who, cut[1], part) for part in re.split(r", (?=the )", cut[2])]
            self.steps.append(cut_at(f"{who}: packet {cut[1]}", pieces))
            return
        made = re.fullmatch(r"(?:New packet (\w+): )?(.*)\.", sentence)
        assert made
        new = made[1] or who
        packet = f"{who}: packet {new}"
        does = made[2][0].lower() + made[2][1:]
        if own := re.fullmatch(rf"riffle packet \w+ ({TIMES})", does):
            self.steps += riffles(packet, times(own[1]))
            return
        parts = [f"{who}: from {name} for {new}" for name in re.findall(r"the \d+ cards from (\w+)", does)]
        if does.startswith("stack, from the top, "):
            more = re.search(rf", and riffle them ({TIMES})$", does)
            self.steps.append(stack(parts, packet))
        else:
            assert len(parts) == 2 and " into each other" in does, does
            more = re.search(rf", then riffle that packet ({TIMES}) more$", does)
            self.steps += [riffle(*parts), stack(parts[:1], packet)]
        self.steps += riffles(packet, times(more[1]) if more else 0)

    def _piece(self, who: str, packet: str, said: str) -> tuple[str, int]:
        """Return where a part of a packet lies afterwards, and how many cards it has."""
        given = r"for new packet (\w+)(?: \(give them to player (\w+)\))?"
        words = re.fullmatch(rf"the (?:top|next|bottom) (\d+) (?:stay|go to (\w+)|{given})", said)
        assert words, said
        to = words[2] or words[4] or who
        return f"{to}: from {packet} for {words[3] or to}", int(words[1])

    def end(self, ending: str) -> list[Step]:
        """Return all steps, with the packets stacked at last."""
        first, others = re.fullmatch(r"Stack the packets: packet (\w+) on top, then ([\w, ]+)\.", ending).groups()
        players = sorted({*self.holder.values(), *"ABCD1234"})
        places = [f"{who}: packet {name}" for name in (first, *others.split(", ")) for who in players]
        return [*self.steps, stack(places, DECK)]

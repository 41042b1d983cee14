"""The spoken deal as a timeline: what each dealer of a plan hears, and at which second.

Every card has its beat: its label begins there, and a click if clicks are wanted. A count of three
comes before the first card of a pass. After every twenty cards the deal rests for some whole beats: the voice
says how many cards are dealt, and counts in the next card by two. So the beat continues without a change, no
label is talked over, and slow hands catch up. Several dealers' timelines stay in step, so that they can be played
together.

Nothing here makes a sound; `Manner.length` says how long each sound is.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, inf
from pkgutil import get_data
from string import Formatter

from fairdeck.dealing.plan import Pass, Plan
from fairdeck.dealing.planner import Task
from fairdeck.errors import FairdeckError

QUICKEST, SLOWEST, USUAL = 0.4, 2.0, 0.9  # seconds a card, as on the page
COUNT_IN, RESUME = 3, 2  # beats counted down to a pass's first card, and after a rest
EVERY = 20  # cards from one count to the next
FASTEST_SPEECH = 1.4  # at most: a label that is longer than its beat is spoken faster
JOINT = 0.12  # seconds between the parts of a sentence
STOP = 0.4  # after a sentence
SET_OUT = 2.5  # before the count of three
CUT = 8.0  # the same where the deck must be cut first
COMPARE = (0.7, 0.3)  # to look at a pile, and to count one of its cards
MOVE = (1.5, 1.5)  # to put a pile on another: seconds, and beats, because slow hands are slow at this too
HAND_OUT = 4.0  # each hand
STEP = 8.0  # to square the deck
TAIL = 1.0
LONGEST = 12 * 3600.0  # the most that a WAV file can hold is not much longer


@dataclass(frozen=True, slots=True)
class Label:
    """A label or a number, called out."""

    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence, or a part of one."""

    text: str


@dataclass(frozen=True, slots=True)
class Click:
    """The beat; higher where the label is the same as before."""

    again: bool


Utterance = Label | Words | Click


@dataclass(frozen=True, slots=True)
class Sound:
    """What begins `at` some second, and the most seconds that it may take."""

    at: float
    said: Utterance
    limit: float = inf


@dataclass(frozen=True, slots=True)
class Timeline:
    """What one dealer hears.

    Attributes:
        sounds: in the order of their beginnings.
        chapters: the second at which each part of the deal begins, and its title.
        seconds: the length.
    """

    sounds: tuple[Sound, ...]
    chapters: tuple[tuple[float, str], ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Manner:
    """How a deal is spoken.

    Attributes:
        sentences: the sentences by their keys, from `sentences`.
        length: returns how many seconds an utterance takes.
        tempo: seconds a card.
        clicks: whether there is a click on each beat.
        given: whether the order is a given one, and not drawn.
        of_board: whether it is one of the two lists of a board.
    """

    sentences: Mapping[str, str]
    length: Callable[[Utterance], float]
    tempo: float = USUAL
    clicks: bool = True
    given: bool = False
    of_board: bool = False


def sentences(language: str) -> dict[str, str]:
    """Return every sentence of the spoken deal in a language, by its key.

    >>> sentences("en")["put"]
    '{pile} on {onto}'
    """
    written: dict[str, dict[str, str]] = json.loads(get_data(__package__, "sentences.json") or b"")
    return written[language]


def phrase(sentence: str, fields: Mapping[str, object]) -> list[Label | Words]:
    """Return `sentence` with its fields filled in, as parts to speak: labels and words apart.

    >>> phrase("Put {pile} on {place}.", {"pile": Label("B2"), "place": 7})
    [Words(text='Put'), Label(text='B2'), Words(text='on 7.')]
    """
    parts: list[Label | Words] = []
    words = ""
    for text, name, _, _ in Formatter().parse(sentence):
        words += text
        value = fields[name] if name else ""
        labels = value if isinstance(value, tuple) else (value,) if isinstance(value, Label) else ()
        if labels:
            parts += [Words(words.strip())] if words.strip() else []
            parts += labels
            words = ""
        else:
            words += str(value)
    return parts + ([Words(words.strip())] if words.strip() else [])


def demand_tempo(labels: Sequence[str], manner: Manner) -> None:
    """Raise a FairdeckError unless every label can be said within a beat.

    A label that is cut short could be mistaken for another: W26 begins with W2.
    """
    lengths = {label: manner.length(Label(label)) for label in labels}
    longest = max(lengths, key=lengths.__getitem__)
    least = ceil(100 * lengths[longest] / FASTEST_SPEECH) / 100
    if least > manner.tempo and least <= SLOWEST:
        raise FairdeckError(f"tempo {manner.tempo:g}: label {longest!r} takes longer to say: use {least:g} or more")
    if least > SLOWEST:
        raise FairdeckError(f"label {longest!r} takes longer to say than the slowest beat, {SLOWEST:g} s: shorten it")


def demand_length(task: Task, tempo: float) -> None:
    """Raise a FairdeckError if a deal of the task could take longer than `LONGEST`, whatever order is drawn.

    If the refusal depended on the order drawn, people would draw again, and long deals would come up too rarely.
    """
    if task.mat.spaces == 1:
        return  # such a mat orders two cards at most
    passes = len(task.shape(task.gathered, task.gathered).radices) if task.gathered else 1
    a_card = 1.2 * tempo + COMPARE[1] + 0.2  # its beat, its part of a count, and counting it in its pile
    a_space = 10 + (MOVE[0] + MOVE[1] * tempo) * task.dealers  # named, looked at, joined and gathered
    seconds = passes * (task.cards * a_card + min(task.mat.spaces, task.cards) * a_space + 90)
    if seconds > LONGEST:
        raise FairdeckError(
            f"{task.cards} cards in up to {passes} passes could take {seconds / 3600:,.0f} hours to speak, and a "
            f"recording lasts at most {LONGEST / 3600:g}: deal fewer cards, on a larger mat, or faster"
        )


def timelines(plan: Plan, manner: Manner) -> tuple[Timeline, ...]:
    """Return what each dealer of `plan` hears, the first dealer's timeline first; all are equally long."""
    tracks = [_Track(plan, manner, dealer) for dealer in range(1, plan.dealers + 1)]
    for number, step in enumerate(plan.passes, 1):
        for track in tracks:
            track.open(number, step)
        _in_step(tracks)
        for track, share in zip(tracks, step.shares(), strict=True):
            track.deal(share)
        _in_step(tracks)
        for track, share in zip(tracks, step.shares(), strict=True):
            track.check(number, share)
        _in_step(tracks)
        for track in tracks:
            track.gather(step) if track.dealer == 1 else track.say("wait")
        _in_step(tracks)
    for track in tracks:
        track.close()
    return tuple(Timeline(tuple(track.sounds), tuple(track.chapters), track.now) for track in tracks)


def _in_step(tracks: "Sequence[_Track]") -> None:
    """Let all wait for the latest."""
    latest = max(track.now for track in tracks)
    for track in tracks:
        track.now = latest


@dataclass(slots=True)
class _Track:
    """One dealer's timeline as it grows: the next sound begins `now`."""

    plan: Plan
    manner: Manner
    dealer: int
    now: float = 0.0
    sounds: list[Sound] = field(default_factory=list)
    chapters: list[tuple[float, str]] = field(default_factory=list)

    def say(self, key: str, **fields: object) -> None:
        for part in phrase(self.manner.sentences[key], fields):
            self.sounds.append(Sound(self.now, part))
            self.now += self.manner.length(part) + JOINT
        self.now += STOP - JOINT

    def chapter(self, key: str, **fields: object) -> None:
        """Begin a chapter with a sentence, whose beginning is the title."""
        self.chapters.append((self.now, self.manner.sentences[key].format(**fields).partition(".")[0]))
        self.say(key, **fields)

    def label(self, space: int) -> Label:
        return Label(self.plan.mat.labels[space])

    def open(self, number: int, step: Pass) -> None:
        self.chapter("pass", number=number, passes=len(self.plan.passes))
        if step.packets:
            self.say("cut", parts=", ".join(self._parts(step)), dealer=self.dealer)
        else:
            self.say("bottom" if step.from_bottom else "top")
        self.now += CUT if step.packets else SET_OUT

    def _parts(self, step: Pass) -> list[str]:
        told = self.manner.sentences
        return [
            told["topPart" if dealer == 1 else "nextPart"].format(dealer=dealer, count=count)
            for dealer, count in enumerate(step.packets, 1)
        ]

    def deal(self, share: Sequence[int]) -> None:
        if not share:
            return self.say("none")
        self._count_in(COUNT_IN)
        for dealt, space in enumerate(share, 1):
            self._beat(self.label(space), again=dealt > 1 and space == share[dealt - 2])
            if dealt % EVERY == 0 and dealt < len(share):
                self._rest(dealt)
        return None

    def _count_in(self, beats: int) -> None:
        for number in range(beats, 0, -1):
            self._beat(Label(str(number)))

    def _beat(self, label: Label, *, again: bool = False) -> None:
        if self.manner.clicks:
            self.sounds.append(Sound(self.now, Click(again)))
        self.sounds.append(Sound(self.now, label, self.manner.tempo))
        self.now += self.manner.tempo

    def _rest(self, dealt: int) -> None:
        begun = self.now
        self.say("cards", count=dealt)
        self.now = begun + self.manner.tempo * ceil((self.now - begun) / self.manner.tempo)
        # Spoken, because there may be no clicks.
        self._count_in(RESUME)

    def check(self, number: int, share: Sequence[int]) -> None:
        if not share:
            return
        self.chapter("dealt", number=number)
        self.say("check")
        # After a mistake the deck still depends on the order drawn: the same deal once more would not make it random.
        # A given order starts from a known one, so it can be dealt again from there.
        alone = "misplacedBoard" if self.manner.of_board else "misplacedGiven" if self.manner.given else "misplaced"
        self.say(alone if self.plan.dealers == 1 else "misplacedTogether")
        for space, count in enumerate(Pass(tuple(share), ()).counts(self.plan.mat.spaces)):
            if count:
                self._call(self.label(space), Label(str(count)))
                self.now += COMPARE[0] + COMPARE[1] * count

    def _call(self, *labels: Label) -> None:
        for label in labels:
            self.sounds.append(Sound(self.now, label))
            self.now += self.manner.length(label) + JOINT

    def gather(self, step: Pass) -> None:
        """Join the dealers' piles, hand out the finished ones, and put the others together."""
        a_move = MOVE[0] + MOVE[1] * self.manner.tempo
        if step.packets:
            self.say("join")
            self.now += a_move * len(set(step.deal)) * (len(step.packets) - 1)
        self._hand_out(step)
        if step.moves():
            self.chapter("gather")
        for pile, onto in step.moves():
            self.say("put", pile=self.label(pile), onto=self.label(onto))
            self.now += a_move
        if len(step.stack) == 1:
            self.say("take", pile=self.label(step.stack[0]))
        self.now += STEP if step.stack else 0

    def _hand_out(self, step: Pass) -> None:
        piles = tuple(map(self.label, step.finished()))
        hands = piles[:-1] if self.plan.goal.rest else piles
        if hands:
            self.say("hands", piles=hands)
            self.now += HAND_OUT * len(hands)
        if piles != hands:
            self.say("rest", pile=piles[-1])

    def close(self) -> None:
        goal, cards = self.plan.goal, self.plan.cards
        count = cards - goal.loose(cards)
        if self.manner.given:
            self.say("doneGiven")
        elif goal.piles:
            self.say("doneHands")
            if sum(goal.piles) < cards:
                self.say("stock")
        elif count < cards:
            self.say("doneTopOne" if count == 1 else "doneTop", count=count)
        else:
            self.say("done")
        self.now += TAIL

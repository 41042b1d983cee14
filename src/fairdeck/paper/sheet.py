"""The sheet of one deal: labels in groups of five to tick off, pile heights, gathering.

A sheet is for one dealer. It is set in the largest type in which it fits on one page. If the smallest type does not
fit either, it takes as few pages as that type needs, in the largest type that needs no more.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import groupby
from math import cos, pi, sin
from typing import TypeAlias

from fairdeck.dealing.goal import Hands, Strata
from fairdeck.dealing.instructions import used_spaces
from fairdeck.dealing.plan import Pass, Plan
from fairdeck.paper.fitting import MARGIN, TEXT, Section, fitted, lines, stacked, text_scale
from fairdeck.paper.lettering import breadth, fitting, middle
from fairdeck.paper.marks import BLACK, GREY, Mark, Page, Rectangle, Stroke, Text, placed
from fairdeck.paper.sizes import Size
from fairdeck.paper.small_mat import small_mat
from fairdeck.words import Words

FIVE = 5
LONG = 6  # cards: so many in a row onto one space are written once, with their number
WIDE = 10  # columns: of a wider mat only the used columns are drawn, over the whole width of the sheet
TURN = 0.75  # of the size of a label: the sign behind it for a card to turn, with what follows
LABEL, TITLE = 4.6, 5.0  # sizes at scale 1, in millimetres; capitals of the smallest labels are 2 mm high
ROW, ROOMY = 1.45, 1.0  # of the size of a label: from row to row; and how much more if there is room
WIDER = 1.6  # how far labels move apart across the page, if there is room
QUIET = 4  # white dots round a code
CODE = 34.0  # millimetres: a code at scale 1
FINEST = 0.35  # millimetres: the smallest dot that phones and printers resolve
MANY = 40  # spaces: more are not listed by label
Dots: TypeAlias = Sequence[Sequence[bool]]


@dataclass(frozen=True, slots=True)
class Group:
    """Labels with one box to tick: up to five cards, or `times` cards in a row onto one space."""

    first: int  # the number of its first card, from 1
    spaces: tuple[int, ...]  # where its cards go; one space if they all go to the same
    times: int = 0  # how many cards, if they all go to the same space; else 0
    turn: tuple[int, ...] = ()  # for each space 1 if its card is turned end for end; empty if no card is


def groups(share: Sequence[int], turn: Sequence[int] = ()) -> list[Group]:
    """Return a dealer's cards in groups; where cards are turned, each has its label.

    >>> [(group.first, group.spaces, group.times) for group in groups([1, 0, *[2] * 12, 0])]
    [(1, (1, 0), 0), (3, (2,), 12), (15, (0,), 0)]
    """
    if turn:
        return [replace(each, turn=tuple(turn[each.first - 1 :][:FIVE])) for each in _fives(share, 0, len(share))]
    found: list[Group] = []
    open_from = at = 0
    for space, same in groupby(share):
        times = len(list(same))
        if times >= LONG:
            found += _fives(share, open_from, at)
            found.append(Group(at + 1, (space,), times))
            open_from = at + times
        at += times
    return [*found, *_fives(share, open_from, at)]


def _fives(share: Sequence[int], start: int, end: int) -> Iterator[Group]:
    for first in range(start, end, FIVE):
        yield Group(first + 1, tuple(share[first : min(first + FIVE, end)]))


@dataclass(frozen=True)
class Sheet:
    """The sheet of one dealer."""

    plan: Plan  # what to deal
    dealer: int  # the dealer that the sheet is for, 0 to ``plan.dealers - 1``
    paper: Size  # width and height of a page, in millimetres
    language: str = "en"  # one of `fairdeck.words.LANGUAGES`
    # of several deals printed together, the number of this one, and how many they are
    shuffle: tuple[int, int] | None = None
    day: date | None = None  # the date to print
    dots: Dots = ()  # a QR code for phones, as rows of dots, true where dark, without its quiet zone; may be empty
    name: str = ""  # of the deal, printed first; may be empty
    given: bool = False  # whether the order is a given one, and not drawn
    of_board: bool = False  # whether it is one of the two lists of a board
    start: str = ""  # how the deck must lie before the deal; may be empty

    def pages(self) -> list[Page]:
        """Return the pages of the sheet."""
        return fitted(self.sections, self.head, self.paper)

    @cached_property
    def width(self) -> float:
        """What a line may take."""
        return self.paper[0] - 2 * MARGIN

    @cached_property
    def words(self) -> Words:
        """The sentences, in the language."""
        return Words(self.language)

    @cached_property
    def groups(self) -> list[list[Group]]:
        """The groups of this dealer, pass by pass."""
        return [groups(step.shares()[self.dealer], step.shares(step.turn)[self.dealer]) for step in self.plan.passes]

    # --- words

    def head(self, scale: float, number: int, pages: int) -> Section:
        """Return the top of a page: what is dealt, which sheet this is, and which page of it."""
        size, width = TEXT * text_scale(scale), self.width if number > 1 else self.beside_code(scale)
        which = " · ".join([*self.which(), self.words.say("pageOf", number=number, all=pages)])
        if number > 1:
            line = f"{self.goal()} · {which}"
            at = fitting(line, width, size)
            return Section(size * 2.4, (Text(0, size, line, at, colour=GREY),))
        title = lines(self.goal(), TITLE * text_scale(scale), width, bold=True)
        at = fitting(which, width, size)
        return stacked([title, Section(size * 1.9, (Text(0, size, which, at),))])

    def goal(self) -> str:
        """Return the goal in words."""
        say, goal, cards = self.words.say, self.plan.goal, self.plan.cards
        if isinstance(goal, Strata) and not self.given:
            return say("goalSpecial", parts=self.runs("goalStrata", goal.sizes))
        if isinstance(goal, Hands):
            sizes = Counter(goal.sizes)
            hands = self.words.listed(
                [say("goalHands", n=times, cards=self.words.cards(size)) for size, times in sizes.items()]
            )
            if goal.stock:
                return say("goalStock", hands=hands, cards=self.words.cards(goal.stock))
            return say("goalRest", hands=hands, cards=self.words.cards(goal.rest)) if goal.rest else hands
        ordered = cards - goal.loose(cards)
        if self.given:
            return say("goalGiven")
        return say("goalTop", n=ordered) if ordered < cards else say("goalDeck")

    def which(self) -> Iterator[str]:
        """Yield what tells this sheet from others."""
        say, plan = self.words.say, self.plan
        if self.name:
            yield self.name
        if self.shuffle:
            yield say("shuffleOf", number=self.shuffle[0], all=self.shuffle[1])
        yield say("onMat", cards=self.words.cards(plan.cards), mat=plan.mat)
        if plan.dealers > 1:
            yield say("dealerOf", number=self.dealer + 1, all=plan.dealers)
        if self.day:
            yield say("date", year=self.day.year, month=self.day.month, day=self.day.day)

    def done(self) -> str:
        """Return what is random when the plan is dealt, or that the cards lie in the order given."""
        say, plan = self.words.say, self.plan
        if self.given:
            return say("doneGiven")
        if isinstance(plan.goal, Strata):
            return say("doneStrata", sizes=", ".join(map(str, plan.goal.sizes)))
        if plan.goal.piles:
            stock = plan.cards - sum(plan.goal.piles)
            told = say("doneHands")
            return f"{told} {say('doneStock', cards=self.words.cards(stock))}" if stock else told
        loose = plan.goal.loose(plan.cards)
        return say("doneTop", n=plan.cards - loose) if loose else say("doneDeck")

    def runs(self, key: str, sizes: Sequence[int]) -> str:
        """Return hands or parts in words, in their order."""
        runs = [(size, len(list(same))) for size, same in groupby(sizes)]
        return self.words.listed([self.words.say(key, n=times, cards=self.words.cards(size)) for size, times in runs])

    def counting(self) -> str:
        """Return how to count the hands off the deck at the end; empty if they are handed out, or there are none."""
        if not self.plan.counted_off or not isinstance(self.plan.goal, Hands):
            return ""
        told = self.words.say("countOff", hands=self.runs("goalHands", self.plan.goal.sizes))
        return f"{told} {self.words.say('restLeft')}" if self.plan.goal.rest else told

    def labels(self, spaces: Sequence[int]) -> str:
        """Return the labels of spaces, with blanks between."""
        return " ".join(self.plan.mat.labels[space] for space in spaces)

    # --- sections

    def sections(self, scale: float) -> list[Section]:
        """Return the whole sheet below its head."""
        size = TEXT * text_scale(scale)
        found = [self.opening(scale)]
        for number, (step, told) in enumerate(zip(self.plan.passes, self.groups, strict=True), 1):
            name = self.words.say("passOf", number=number, all=len(self.plan.passes))
            again = lines(self.words.say("continued", **{"pass": name}), size, self.width, bold=True)
            found.append(self.title(step, name, scale))
            found += [replace(row, again=again) for row in self.rows(told, scale)]
            if not told:
                found.append(lines(self.words.say("none"), size, self.width))
            found.append(replace(self.after(step, scale), again=again))
        if self.dealer == 0 and (counting := self.counting()):
            found.append(lines(counting, size, self.width))
        turned = f" {self.words.say('doneTurned')}" if self.plan.passes[0].turn else ""
        return [*found, lines(self.done() + turned, size, self.width, bold=True)]

    def opening(self, scale: float) -> Section:
        """Return what to know before the first pass, and beside it the code for phones."""
        say, size, plan = self.words.say, TEXT * text_scale(scale), self.plan
        free = self.beside_code(scale)
        spaces = used_spaces(plan)
        labels = f" ({self.labels(spaces)})" if len(spaces) <= MANY else ""
        work = say(
            "work", passes=say("nPasses", n=len(plan.passes)), spaces=say("nSpaces", n=len(spaces)), labels=labels
        )
        told = [work, say("deal")]
        run = next((each for told in self.groups for each in told if each.times), None)
        if run:
            told.append(say("runs", label=plan.mat.labels[run.spaces[0]], n=run.times))
        if plan.passes[0].turn:
            told.append(say("turn"))
        start = self.start
        if isinstance(plan.goal, Strata) and not self.given:
            start = say("startStrata", n=len(plan.goal.sizes))
        before = [lines(start, size, free)] if start else []
        text = stacked([*before, lines(" ".join(told), size, free), lines(say("once"), size, free, bold=True)])
        if not self.dots:
            return text
        # The code begins beside the head, above this section.
        side, up = self.side(scale), -self.head(scale, 1, 1).height
        code = _code(self.dots, side)
        below = lines(say("scan"), size * 0.75, side - 2, colour=GREY)
        down = up + side
        marks = (*text.marks, *placed(code, free + 4, up), *placed(below.marks, free + 5, down))
        return Section(max(text.height, down + below.height), marks)

    def side(self, scale: float) -> float:
        """Return the side of the code for phones, in millimetres; 0 without a code."""
        return max(CODE * text_scale(scale), (len(self.dots) + 2 * QUIET) * FINEST) if self.dots else 0.0

    def beside_code(self, scale: float) -> float:
        """Return how wide text beside the code may be."""
        return self.width - (self.side(scale) + 4 if self.dots else 0)

    def title(self, step: Pass, name: str, scale: float) -> Section:
        """Return the heading of a pass: how to hold the deck."""
        size = TEXT * text_scale(scale)
        fields = {"pass": name, "sizes": ", ".join(map(str, step.packets))}
        text = self.words.say("cut" if step.packets else "dealBottom" if step.from_bottom else "dealTop", **fields)
        told = lines(text, size * 1.15, self.width, bold=True)
        rule = Stroke(((0, size * 0.3), (self.width, size * 0.3)), 0.3, GREY)
        return Section(told.height + size * 0.9, (rule, *placed(told.marks, 0, size * 0.4)), leads=True)

    def rows(self, told: Sequence[Group], scale: float) -> Iterator[Section]:
        """Yield rows of groups; a row begins with the number of its first card, a group with a box to tick."""
        if not told:
            return
        labels, text = self.plan.mat.labels, TEXT * text_scale(scale)
        longest = max(breadth(labels[space], 1.0, bold=True) for group in told for space in group.spaces)
        numbers = breadth(str(told[-1].first), text) + 2
        # Of the size of a label: the box and what follows it, a label with what follows it, the gap between groups.
        box, cell, gap = 0.75, longest + (0.3 + TURN if told[0].turn else 0.3), 0.5
        group = box + 0.3 + FIVE * cell + gap
        size = min(LABEL * scale, (self.width - numbers) / (group - gap))
        height = ROW * size
        count = max(1, int((self.width - numbers + gap * size) / (group * size)))
        # What is left of the width goes between the labels and between the groups.
        solid = count * (box + 0.3)
        wider = min(WIDER, ((self.width - numbers) / size - solid) / (count * (FIVE * cell + gap) - gap))
        cell, gap = cell * wider, gap * wider
        group = (box + 0.3 + FIVE * cell + gap) * size
        for start in range(0, len(told), count):
            row = told[start : start + count]
            y = middle(height / 2, size)
            marks: list[Mark] = [
                Text(numbers - 2, middle(height / 2, text), str(row[0].first), text, "right", colour=GREY)
            ]
            for at, each in enumerate(row):
                x = numbers + at * group
                marks.append(Rectangle(x, (height - box * size) / 2, box * size, box * size, line_width=0.25))
                x += (box + 0.3) * size
                marks += placed(self.group(each, size, cell * size), x, y)
            yield Section(height, tuple(marks), gives=ROOMY * size)

    def group(self, group: Group, size: float, cell: float) -> Iterator[Mark]:
        """Yield the labels of a group, their baseline at 0."""
        mat = self.plan.mat
        for at, space in enumerate(group.spaces):
            text = mat.labels[space]
            if group.times:
                text = f"{text} ×{group.times}"
                size = fitting(text, FIVE * cell, size, bold=True)
            yield Text(at * cell, 0, text, size, bold=True)
            if group.turn and group.turn[at]:
                yield from _turn(at * cell + breadth(text, size, bold=True), size)

    def after(self, step: Pass, scale: float) -> Section:
        """Return the heights of the piles, and beside or below them how to gather the piles."""
        say, columns, share = self.words.say, self.columns(), step.shares()[self.dealer]
        drawn: list[tuple[str, dict[int, str], list[int]]] = [(say("check"), _heights(share), [])]
        if self.dealer == 0 and self.plan.dealers > 1:
            drawn.append((say("joined"), _heights(step.deal), []))
        if self.dealer == 0 and step.stack:
            path = list(reversed(step.stack))
            drawn.append((say("gatherMap"), {space: str(at) for at, space in enumerate(path, 1)}, path))
        beside = 2 if columns <= WIDE and (len(drawn) > 1 or self.plan.dealers > 1) else 1
        type_scale, width = text_scale(scale), (self.width - 8 * (beside - 1)) / beside
        size = TEXT * type_scale
        parts = [
            stacked(
                [
                    lines(title, size, width, bold=True),
                    small_mat(self.plan.mat, columns, written, path, type_scale, width),
                ]
            )
            for title, written, path in drawn
        ]
        free = len(parts) % beside  # what is left beside the last picture holds the notes
        said = stacked([lines(note, size, width if free else self.width) for note in self.notes(step)])
        if free:
            parts.append(said)
        marks: list[Mark] = []
        height = 0.4 * size
        for start in range(0, len(parts), beside):
            line = parts[start : start + beside]
            for at, part in enumerate(line):
                marks += placed(part.marks, at * (width + 8), height)
            height += max(part.height for part in line)
        if not free:
            marks += placed(said.marks, 0, height)
            height += said.height
        return Section(height + 0.4 * size, tuple(marks))

    def notes(self, step: Pass) -> Iterator[str]:
        """Yield what to do after a pass."""
        say, labels, several = self.words.say, self.plan.mat.labels, self.plan.dealers > 1
        mismatch = say("mismatchBoard" if self.of_board else "mismatchGiven" if self.given else "mismatch")
        yield f"{mismatch} {say('tellOthers')}" if several else mismatch
        if several:
            yield say("join")
        if self.dealer:
            return
        if finished := step.finished():
            rest = bool(self.plan.goal.rest)
            out = say("handOut", labels=self.labels(finished[:-1] if rest else finished))
            yield f"{out} {say('restOn', label=labels[finished[-1]])}" if rest else out
        if len(step.stack) > MANY:
            yield say("gatherMany")
        elif len(step.stack) > 1:
            moves = [say("move", pile=labels[pile], onto=labels[onto]) for pile, onto in step.moves()]
            yield say("gatherMoves", moves=say("then").join(moves))
        elif step.stack:
            yield say("take", label=labels[step.stack[0]])

    def columns(self) -> int:
        """Return how many columns of the mat are drawn: of a wide mat only those that are used."""
        columns = self.plan.mat.columns
        used = max(space % columns for space in used_spaces(self.plan)) + 1
        return columns if columns <= WIDE else max(WIDE, used)


def _turn(x: float, size: float) -> Iterator[Mark]:
    """Yield the sign for a card to turn: three quarters of a circle with the head of an arrow, behind a label."""
    radius, steps = 0.28 * size, 12
    across, up = x + 0.12 * size + radius, -0.36 * size
    angles = [pi * (1.5 * step / steps - 0.25) for step in range(steps + 1)]
    around = tuple((across + radius * cos(angle), up + radius * sin(angle)) for angle in angles)
    yield Stroke(around, 0.09 * size)
    (end, top), head = around[0], 0.24 * size
    yield Stroke(((end - head, top), (end, top), (end, top - head)), 0.09 * size)


def _heights(deal: Sequence[int]) -> dict[int, str]:
    return {space: str(count) for space, count in sorted(Counter(deal).items())}


def _code(dots: Dots, side: float) -> Iterator[Mark]:
    """Yield the dots, in runs, with a quiet zone of four around them."""
    dot = side / (len(dots) + 2 * QUIET)
    for row, line in enumerate(dots):
        for dark, run in groupby(range(len(line)), line.__getitem__):
            if dark:
                first, *others = run
                at = (first + QUIET) * dot, (row + QUIET) * dot
                yield Rectangle(*at, (1 + len(others)) * dot, dot, fill=BLACK, line=None)

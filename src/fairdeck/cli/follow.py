"""Stepping through a deal, or other instructions, in the terminal: one key, one card.

The screen depends only on the plan and the number of the step; undo subtracts one from the number. A terminal that
obeys no escape sequences gets one screen below the other. In a narrow one, lines are broken, and a mat that is too wide
is left out: the label of the space says enough.
"""

import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import accumulate
from textwrap import wrap
from typing import TypeAlias

from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.slips import find_slip
from fairdeck.cli.streams import tell
from fairdeck.cli.terminal import columns, somebody_there, takes_colours, takes_escapes
from fairdeck.dealing.instructions import ending, finished_note, first_note, height_table, last_note, marked, pass_note
from fairdeck.dealing.plan import Pass, Plan
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError

NEXT, BACK, LEAVE, OTHER = "next", "back", "leave", ""
CLOSED = "\x04"  # instead of a key: the terminal was closed
KEYS = {" ": NEXT, "\r": NEXT, "\n": NEXT, "n": NEXT, "\x1b[C": NEXT, "\x1b[B": NEXT, "\x1b[6~": NEXT}
KEYS |= {"u": BACK, "b": BACK, "\x7f": BACK, "\b": BACK, "\x1b[D": BACK, "\x1b[A": BACK, "\x1b[5~": BACK}
KEYS |= {"q": LEAVE, "\x1b": LEAVE, "\x03": LEAVE, "\x04": LEAVE}
Aside: TypeAlias = Callable[[Callable[[], str]], None]
FRESH_SCREEN, OLD_SCREEN, CLEAR = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l", "\x1b[H\x1b[2J"
MARKED, BRIGHT = re.compile(r"\[[^]]+\]"), "\x1b[1;7m\\g<0>\x1b[0m"  # what stands in brackets: the space to deal onto
MARGIN = "  "


class Drawn(str):
    """A line of a picture: where it is too wide, the picture is left out, and not broken."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Steps:
    """A plan as numbered steps: for each pass an opening, each card, the check of heights, each move; then the end."""

    plan: Plan
    given: bool = False
    ends: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        sizes = (len(step.deal) + len(step.moves()) + 2 for step in self.plan.passes)
        object.__setattr__(self, "ends", tuple(accumulate(sizes)))

    def __len__(self) -> int:
        return self.ends[-1] + 1

    def checked(self, at: int) -> int | None:
        """Return the number of the pass whose heights step `at` checks, from 0; None at other steps."""
        number = bisect_right(self.ends, at)
        if number == len(self.ends):
            return None
        return number if at == self.ends[number] - 1 - len(self.plan.passes[number].moves()) else None

    def screen(self, at: int) -> list[str]:
        """Return the lines to show at step `at`."""
        number = bisect_right(self.ends, at)
        if number == len(self.ends):
            note = last_note(self.plan)
            return ["Done", "", *[note] * bool(note), _sentence(ending(self.plan, given=self.given))]
        within = at - (self.ends[number - 1] if number else 0) - 1
        step = self.plan.passes[number]
        title = f"Pass {number + 1} of {len(self.plan.passes)}"
        if within < 0:
            note = "" if number or self.given else first_note(self.plan)
            return [title, "", *[note] * bool(note), "Hold the deck face down.", _sentence(pass_note(step))]
        if within < len(step.deal):
            return self._card(step, within, title)
        if within == len(step.deal):
            return self._heights(step, title)
        return self._move(step, within - len(step.deal) - 1, title)

    def _card(self, step: Pass, card: int, title: str) -> list[str]:
        labels, space = self.plan.mat.labels, step.deal[card]
        coming = step.deal[card + 1 : card + 3]
        again = "  again" if card and step.deal[card - 1] == space else ""
        turned = "  turn it end for end" if step.turn and step.turn[card] else ""
        names = ", ".join(marked(self.plan, coming, step.turn[card + 1 : card + 3]))
        then = f"      then {names}" if coming else ""
        dealer = f"    dealer {bisect_right(list(accumulate(step.packets)), card) + 1}" if step.packets else ""
        bottom = "    from the BOTTOM" if step.from_bottom else ""
        return [
            f"{title}    card {card + 1} of {len(step.deal)}{dealer}{bottom}",
            "",
            f"     [{labels[space]}]{turned}{again}{then}",
            "",
            *self._mat(step, space, coming[0] if coming else None),
        ]

    def _heights(self, step: Pass, title: str) -> list[str]:
        shown = [
            f"{title}    check",
            "",
            "Is your hand empty? Compare every pile. If a pile does not match, press d, or leave and draw a new order:",
        ]
        for dealer, share in enumerate(step.shares(), 1):
            shown += ["", f"    dealer {dealer}:"] if step.packets else [""]
            shown += ["    " + row for row in height_table(self.plan, share)]
        if step.packets:
            shown += ["", "Join the piles space by space: dealer 1's at the bottom, the last dealer's on top."]
        if note := finished_note(self.plan, step):
            shown += ["", note]
        return shown

    def _move(self, step: Pass, move: int, title: str) -> list[str]:
        moves, labels = step.moves(), self.plan.mat.labels
        pile, onto = moves[move]
        return [
            f"{title}    gather {move + 1} of {len(moves)}",
            "",
            f"      Put {labels[pile]} on {labels[onto]}",
            "",
            *self._mat(step, onto, pile),
        ]

    def _mat(self, step: Pass, marked: int, other: int | None) -> Iterator[str]:
        """Yield the rows of the mat: one space in brackets, another in round ones, a dot for those without cards."""
        mat, used = self.plan.mat, set(step.deal)
        width = max(map(len, mat.labels))
        columns = max(space % mat.columns for space in used) + 1
        for row in range(max(used) // mat.columns + 1):
            cells = []
            for space in range(row * mat.columns, row * mat.columns + columns):
                left, right = "[]" if space == marked else "()" if space == other else "  "
                cells.append(f"{left}{mat.labels[space] if space in used else '.':^{width}}{right}")
            yield Drawn("      " + " ".join(cells))


def follow(deal: Deal) -> int:
    """Show the plan of `deal` step by step, controlled by keys; return the exit code."""
    steps = Steps(deal.plan, deal.given)

    def differs(at: int) -> Aside | None:
        number = steps.checked(at)
        return None if number is None else lambda read: find_slip(deal, number, read, _show)

    return walk(
        len(steps),
        steps.screen,
        ask=["Leave this deal?", "", "Its order is not stored: the deck must be dealt again from the beginning."],
        unfinished="The deal was left unfinished: the deck is not random yet. Deal it again.",
        end=_sentence(ending(deal.plan)),
        differs=differs,
    )


def walk(
    screens: int,
    screen: Callable[[int], list[str]],
    *,
    ask: list[str],
    unfinished: str,
    end: str,
    differs: Callable[[int], Aside | None] = lambda _at: None,
) -> int:
    """Show one of the screens after another, controlled by keys, and return the exit code; the last is the end.

    `ask` is asked before an early end, which prints `unfinished` on standard error; `end` is printed when all is done.
    The key d starts what `differs` returns at a screen, if anything; that is given the keys.
    """
    at = 0
    with _keys() as read:
        while True:
            aside = differs(at)
            _show(
                screen(at), f"space, enter: next    u, backspace: undo{'    d: differs' if aside else ''}    q: leave"
            )
            typed = read()
            pressed = KEYS.get(typed, OTHER)
            if pressed == NEXT:
                if at == screens - 1:
                    break
                at += 1
            elif pressed == BACK:
                at = max(0, at - 1)
            elif typed == "d" and aside:
                aside(read)
            elif pressed == LEAVE and (at == screens - 1 or _confirmed(read, ask)):
                break
    if at < screens - 1:
        tell(unfinished)
        return DOES_NOT_HOLD
    print(end)
    return FINE


def demand_terminal(option: str = "--follow", instead: str = "leave it out for the whole list") -> None:
    """Raise a FairdeckError unless keys can be read and screens shown."""
    if not somebody_there():
        raise FairdeckError(f"{option} needs a terminal: {instead}")


def _confirmed(read: Callable[[], str], ask: list[str]) -> bool:
    _show(ask, "q: leave    any other key: stay")
    return KEYS.get(read(), OTHER) == LEAVE


def _show(lines: list[str], help_line: str) -> None:
    shown = [MARGIN + line for line in fitted([*lines, "", help_line], columns() - len(MARGIN))]
    if takes_colours():
        shown = [MARKED.sub(BRIGHT, line) for line in shown]
    _write((CLEAR if takes_escapes() else "\r\n") + "\r\n".join(["", *shown, ""]))


def fitted(lines: list[str], width: int) -> list[str]:
    """Return the lines of a screen, broken where they are too wide.

    >>> fitted(["Pass 1 of 2    card 7 of 60", "Hold the deck"], 14)
    ['Pass 1 of 2', 'card 7 of 60', 'Hold the deck']
    """
    pictures = [line for line in lines if isinstance(line, Drawn)]
    indent = min((len(line) - len(line.lstrip(" ")) for line in pictures), default=0)
    spare = max(0, max(map(len, pictures), default=0) - width)
    shown: list[str] = []
    for line in lines:
        if isinstance(line, Drawn):
            if spare <= indent:
                shown.append(line[spare:])
        elif len(line) <= width:
            shown.append(line)
        else:
            shown += wrap(line.strip(), max(width, 1), break_long_words=False, break_on_hyphens=False)
    return shown


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _switch(screen: str) -> None:
    if takes_escapes():
        _write(screen)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


@contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """Give a function that waits for a key and returns what it sends; restore the terminal afterwards."""
    if sys.platform == "win32":
        import msvcrt

        arrows = {"M": "\x1b[C", "P": "\x1b[B", "Q": "\x1b[6~", "K": "\x1b[D", "H": "\x1b[A", "I": "\x1b[5~"}

        def key() -> str:
            typed = msvcrt.getwch()
            return arrows.get(msvcrt.getwch(), OTHER) if typed in "\x00\xe0" else typed

        _switch(FRESH_SCREEN)
        try:
            yield key
        finally:
            _switch(OLD_SCREEN)
    else:
        import termios
        import tty

        number = sys.stdin.fileno()
        before = termios.tcgetattr(number)
        waiting = ""

        def key() -> str:
            # Quick typing and arrow keys both send several characters at once: the longest known key comes first, so
            # that an escape alone is the escape key.
            nonlocal waiting
            typed = waiting or os.read(number, 64).decode("ascii", "replace")
            known = next((typed[:size] for size in (4, 3, 1) if typed[:size] in KEYS), typed[:1])
            waiting = typed[len(known) :]
            return known or CLOSED

        _switch(FRESH_SCREEN)
        tty.setraw(number)
        try:
            yield key
        finally:
            with suppress(termios.error):  # the terminal was closed
                termios.tcsetattr(number, termios.TCSADRAIN, before)
            with suppress(OSError):
                _switch(OLD_SCREEN)

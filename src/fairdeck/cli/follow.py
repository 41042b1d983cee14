"""Stepping through a deal, or other instructions, in the terminal: one key, one card.

The screen depends only on the plan and the number of the step; undo subtracts one from the number. A terminal that
obeys no escape sequences gets one screen below the other. In a narrow one, lines are broken, and a mat that is too wide
is left out: the label of the space says enough.
"""

import os
import re
import signal
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TypeAlias

from fairdeck.cli.exits import DOES_NOT_HOLD, FINE
from fairdeck.cli.slips import find_slip
from fairdeck.cli.terminal import columns, somebody_there, takes_colours, takes_escapes
from fairdeck.dealing.instructions import ending, finished_note, heights, pass_note
from fairdeck.dealing.plan import Pass, Plan
from fairdeck.deals import Deal
from fairdeck.errors import FairdeckError

NEXT, BACK, LEAVE, STOP, OTHER = "next", "back", "leave", "stop", ""
NOTHING, CLOSED = "", "\x04"  # instead of a key: the program continues after a stop; the terminal was closed
KEYS = {" ": NEXT, "\r": NEXT, "\n": NEXT, "n": NEXT, "\x1b[C": NEXT, "\x1b[B": NEXT, "\x1b[6~": NEXT}
KEYS |= {"u": BACK, "b": BACK, "\x7f": BACK, "\b": BACK, "\x1b[D": BACK, "\x1b[A": BACK, "\x1b[5~": BACK}
KEYS |= {"q": LEAVE, "\x1b": LEAVE, "\x03": LEAVE, "\x04": LEAVE, "\x1a": STOP}
Aside: TypeAlias = Callable[[Callable[[], str]], None]
BOLD, DIM, REVERSE, UNDERLINE, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[7m", "\x1b[4m", "\x1b[0m"
FRESH_SCREEN, OLD_SCREEN, CLEAR = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l", "\x1b[H\x1b[2J"


STYLES = re.compile(r"\x1b\[[\d;]*m")
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

    def screen(self, at: int, paint: Callable[[str, str], str]) -> list[str]:
        """Return the lines to show at step `at`."""
        number = bisect_right(self.ends, at)
        if number == len(self.ends):
            return ["Done", "", _sentence(ending(self.plan, given=self.given))]
        within = at - (self.ends[number - 1] if number else 0) - 1
        step = self.plan.passes[number]
        title = f"Pass {number + 1} of {len(self.plan.passes)}"
        if within < 0:
            return [title, "", "Hold the deck face down.", _sentence(pass_note(step))]
        if within < len(step.deal):
            return self._card(step, within, title, paint)
        if within == len(step.deal):
            return self._heights(step, title)
        return self._move(step, within - len(step.deal) - 1, title, paint)

    def _card(self, step: Pass, card: int, title: str, paint: Callable[[str, str], str]) -> list[str]:
        labels = self.plan.mat.labels
        coming = ", ".join(labels[space] for space in step.deal[card + 1 : card + 3])
        then = f"      {paint(f'then {coming}', DIM)}" if coming else ""
        again = "  again" if card and step.deal[card - 1] == step.deal[card] else ""
        after = step.deal[card + 1] if card + 1 < len(step.deal) else None
        bottom = "    from the BOTTOM" if step.from_bottom else ""
        return [
            f"{title}    card {card + 1} of {len(step.deal)}{self._dealer(step, card)}{bottom}",
            "",
            f"      {paint(labels[step.deal[card]], BOLD + REVERSE)}{again}{then}",
            "",
            *self._mat(step, {step.deal[card]: "[]", after: "()"}, paint),
        ]

    def _dealer(self, step: Pass, card: int) -> str:
        if not step.packets:
            return ""
        dealer = bisect_right(list(accumulate(step.packets)), card)
        return f"    dealer {dealer + 1}"

    def _heights(self, step: Pass, title: str) -> list[str]:
        shown = [
            f"{title}    check",
            "",
            "Is your hand empty? Compare every pile. If a pile does not match, press d, or leave and draw a new order:",
        ]
        for dealer, share in enumerate(step.shares(), 1):
            shown += ["", f"    dealer {dealer}:"] if step.packets else [""]
            shown += ["    " + row for row in heights(self.plan, share)]
        if step.packets:
            shown += ["", "Join the piles space by space: dealer 1's at the bottom, the last dealer's on top."]
        if note := finished_note(self.plan, step):
            shown += ["", note]
        return shown

    def _move(self, step: Pass, move: int, title: str, paint: Callable[[str, str], str]) -> list[str]:
        moves = step.moves()
        pile, onto = moves[move]
        labels = self.plan.mat.labels
        return [
            f"{title}    gather {move + 1} of {len(moves)}",
            "",
            f"      Put {paint(f'{labels[pile]} on {labels[onto]}', BOLD)}",
            "",
            *self._mat(step, {pile: "()", onto: "[]"}, paint),
        ]

    def _mat(self, step: Pass, marks: dict[int | None, str], paint: Callable[[str, str], str]) -> Iterator[str]:
        mat = self.plan.mat
        width = max(map(len, mat.labels))
        used = set(step.deal)
        columns = max(space % mat.columns for space in used) + 1
        for row in range(max(used) // mat.columns + 1):
            cells = []
            for space in range(row * mat.columns, row * mat.columns + columns):
                mark = marks.get(space, "  ")
                style = {"[]": BOLD + REVERSE, "()": UNDERLINE}.get(mark, "" if space in used else DIM)
                label = mat.labels[space] if space in used else "."
                cells.append(paint(f"{mark[0]}{label:^{width}}{mark[1]}", style))
            yield Drawn("      " + " ".join(cells))


def follow(deal: Deal) -> int:
    """Show the plan of `deal` step by step, controlled by keys; return the exit code."""
    steps = Steps(deal.plan, deal.given)
    paint = _styled if takes_colours() else _plain

    def differs(at: int) -> Aside | None:
        number = steps.checked(at)
        return None if number is None else lambda read: find_slip(deal, number, read, _show)

    return walk(
        len(steps),
        lambda at: steps.screen(at, paint),
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
    """Show one screen after another, controlled by keys.

    Args:
        screens: how many there are; the last is the end.
        screen: returns the lines of a screen.
        ask: the question before an early end.
        unfinished: the message on standard error after an early end.
        end: the message when all is done.
        differs: returns what the key d starts at a screen, if anything; it is given the keys.

    Returns:
        The exit code.
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
        print(unfinished, file=sys.stderr)
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
    _write((CLEAR if takes_escapes() else "\r\n") + "\r\n".join(["", *shown, ""]))


def fitted(lines: list[str], width: int) -> list[str]:
    """Return the lines of a screen, broken where they are too wide.

    >>> fitted(["Pass 1 of 2    card 7 of 60", "Hold the deck"], 14)
    ['Pass 1 of 2', 'card 7 of 60', 'Hold the deck']
    """
    pictures = [line for line in lines if isinstance(line, Drawn)]
    indent = min((len(line) - len(line.lstrip(" ")) for line in pictures), default=0)
    spare = max(0, max((_width(line) for line in pictures), default=0) - width)
    shown: list[str] = []
    for line in lines:
        if not isinstance(line, Drawn):
            shown += _broken(line, width)
        elif spare <= indent:
            shown.append(line[spare:])
    return shown


def _broken(line: str, width: int) -> list[str]:
    """Return a line as several that fit: broken at wide gaps where there are any, else between words."""
    if _width(line) <= width:
        return [line]
    words = line.lstrip(" ")
    indent = " " * min(len(line) - len(words), max(0, width - len(words)), width // 4)
    gap = "   " if "   " in words else " "
    made: list[str] = []
    for piece in re.split(" {3,}" if gap != " " else " ", words):
        for part in _broken(piece, width - len(indent)) if gap != " " else [piece]:
            if made and _width(made[-1]) + len(gap) + _width(part) <= width:
                made[-1] += gap + part
            else:
                made.append(indent + part)
    return made


def _width(text: str) -> int:
    return len(STYLES.sub("", text))


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _switch(screen: str) -> None:
    if takes_escapes():
        _write(screen)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _styled(text: str, style: str) -> str:
    return f"{style}{text}{PLAIN}" if style else text


def _plain(text: str, _style: str) -> str:
    return text


@contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """Give a function that waits for a key and returns what it sends; restore the terminal afterwards."""
    if sys.platform == "win32":
        import msvcrt

        arrows = {"M": "\x1b[C", "P": "\x1b[B", "Q": "\x1b[6~", "K": "\x1b[D", "H": "\x1b[A", "I": "\x1b[5~"}

        def key() -> str:
            typed = msvcrt.getwch()
            return arrows.get(msvcrt.getwch(), NOTHING) if typed in "\x00\xe0" else typed

        _switch(FRESH_SCREEN)
        try:
            yield key
        finally:
            _switch(OLD_SCREEN)
    else:
        terminal = _Terminal()
        terminal.enter()
        try:
            with terminal.stopping():
                yield terminal.key
        finally:
            terminal.leave()


class _Continued(Exception):
    """The program continues after a stop."""


if sys.platform != "win32":
    import termios
    import tty

    class _Terminal:
        """The terminal in raw mode, on a screen of its own, also after Ctrl-Z and ``fg``."""

        def __init__(self) -> None:
            self._number = sys.stdin.fileno()
            self._before = termios.tcgetattr(self._number)
            self._typed = ""
            self._waits = self._continued = False

        def enter(self) -> None:
            _switch(FRESH_SCREEN)
            tty.setraw(self._number)

        def leave(self) -> None:
            with suppress(termios.error):  # the terminal was closed
                termios.tcsetattr(self._number, termios.TCSADRAIN, self._before)
            with suppress(OSError):
                _switch(OLD_SCREEN)

        def key(self) -> str:
            """Wait for a key and return what it sends; after a stop return at once, to show the screen again."""
            # Quick typing and arrow keys both send several characters at once: the longest known key comes first,
            # so that an escape alone is the escape key.
            try:
                self._waits = True
                if self._continued:
                    raise _Continued
                typed = self._typed or os.read(self._number, 64).decode("ascii", "replace")
            except _Continued:
                self._continued = False
                return NOTHING
            finally:
                self._waits = False
            known = next((typed[:size] for size in (4, 3, 1) if typed[:size] in KEYS), typed[:1])
            self._typed = typed[len(known) :]
            if KEYS.get(known) == STOP:
                os.kill(0, signal.SIGTSTP)  # to all programs in the foreground, as the terminal does it
                return NOTHING
            return known or CLOSED

        @contextmanager
        def stopping(self) -> Iterator[None]:
            """Leave the terminal as it was while the program is stopped."""

            def stop(number: int, _frame: object) -> None:
                self.leave()
                signal.signal(number, signal.SIG_DFL)
                os.kill(os.getpid(), number)  # stops here, until SIGCONT
                signal.signal(number, stop)
                resume(number, None)

            def resume(_number: int, _frame: object) -> None:
                self.enter()
                self._continued = True
                if self._waits:
                    raise _Continued

            before = [(each, signal.getsignal(each)) for each in (signal.SIGTSTP, signal.SIGCONT)]
            try:
                signal.signal(signal.SIGTSTP, stop)
                signal.signal(signal.SIGCONT, resume)
                yield
            finally:
                for each in before:
                    signal.signal(*each)

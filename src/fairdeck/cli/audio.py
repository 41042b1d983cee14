"""`fairdeck deal --audio`: the spoken deal as sound files. All options are checked before an order is drawn."""

import sys
from argparse import Namespace, _ActionsContainer
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fairdeck.cli.apart import claim
from fairdeck.cli.progress import Progress
from fairdeck.cli.settings import language_argument, language_from
from fairdeck.dealing.plan import Plan
from fairdeck.dealing.planner import Task
from fairdeck.errors import FairdeckError
from fairdeck.numbers import decimal_number

if TYPE_CHECKING:
    from fairdeck.sound.speech import Speaker
    from fairdeck.sound.timeline import Manner

# fairdeck.sound loads NumPy, so it is imported in functions: other deals need not wait for it.


def audio_arguments(
    parser: _ActionsContainer, files: str = "several dealers get FILE-1.ogg, FILE-2.ogg, to start together"
) -> None:
    """Declare the options of the spoken deal; `files` says which files are written."""
    parser.add_argument(
        "--audio",
        metavar="FILE.ogg",
        help=f"write the spoken deal, one label on every beat: .ogg, .mp3 or .wav, up to 12 hours; {files}. Anyone who "
        "hears it can work out the order. Needs espeak-ng and the extra sound",
    )
    parser.add_argument(
        "--tempo",
        metavar="SECONDS",
        help="with --audio: seconds a card, 0.4 to 2 (default: 0.9); one that is too fast for a label is refused",
    )
    language_argument(parser, "with --audio or --pdf")
    parser.add_argument("--no-click", action="store_true", help="with --audio: no click on the beat")


@dataclass(frozen=True, slots=True)
class Audio:
    """The sound files to write, one for each dealer, and how the deal is spoken in them."""

    paths: tuple[Path, ...]
    speaker: "Speaker"
    manner: "Manner"

    def write(self, plan: Plan) -> None:
        """Write the spoken `plan` into the files, with progress on a terminal."""
        from fairdeck.sound.recording import write
        from fairdeck.sound.timeline import timelines

        progress = Progress()
        try:
            progress.say("speaking ...")
            told = timelines(plan, self.manner)
            files = list(zip(self.paths, told, strict=True))
            write(files, self.speaker.samples, _telling(progress, sum(each.seconds for each in told)))
        finally:
            progress.done()
        names = " and ".join(map(str, self.paths)) if len(self.paths) < 3 else f"{self.paths[0]} to {self.paths[-1]}"
        together = "; start them together" if len(self.paths) > 1 else ""
        minutes, seconds = divmod(round(told[0].seconds), 60)
        print(
            f"wrote {names} ({minutes} min {seconds} s{together}). Use once, then delete: it reveals the deck",
            file=sys.stderr,
        )


def audio_from(args: Namespace, task: Task, *, given: bool = False, of_board: bool = False) -> Audio | None:
    """Return the sound files that the arguments ask for, or None.

    `given`: the order is given, not drawn. `of_board`: it is one of the two lists of a board.

    Raises:
        FairdeckError: they cannot be written as asked; the refusal does not depend on the order drawn.
        MissingTool: a program or package for them is not installed.
    """
    if args.audio is None:
        _demand_no_manner(args)
        return None
    if args.booklet is not None:
        raise FairdeckError(f"--audio speaks one deal and --booklet {args.booklet} prints several: leave out one")
    language = language_from(args)
    from fairdeck.sound.recording import demand_kind, demand_place
    from fairdeck.sound.speech import Speaker
    from fairdeck.sound.timeline import QUICKEST, SLOWEST, USUAL, Manner, demand_length, demand_tempo, sentences

    tempo = USUAL if args.tempo is None else decimal_number(args.tempo, "tempo", QUICKEST, SLOWEST)
    demand_kind(args.audio)
    paths = _paths(args.audio, task.dealers)
    for path in paths:
        claim(str(path), "--audio")
        demand_place(path)
    demand_length(task, tempo)
    speaker = Speaker(language)
    manner = Manner(
        sentences(language), speaker.length, tempo, clicks=not args.no_click, given=given, of_board=of_board
    )
    speaker.demand_distinct(task.mat.labels)
    demand_tempo(task.mat.labels, manner)
    return Audio(paths, speaker, manner)


def _demand_no_manner(args: Namespace) -> None:
    if args.language is not None and args.pdf is None:
        raise FairdeckError("--language works only with --pdf or --audio: name the file, such as --pdf deal.pdf")
    for option, given in (("--tempo", args.tempo), ("--no-click", args.no_click)):
        if given:
            raise FairdeckError(f"{option} works only with --audio: name the sound file, such as --audio deal.ogg")


def _paths(name: str, dealers: int) -> tuple[Path, ...]:
    """Return one file for each of `dealers`.

    >>> [str(path) for path in _paths("deal.ogg", 2)]
    ['deal-1.ogg', 'deal-2.ogg']
    """
    path = Path(name)
    if dealers == 1:
        return (path,)
    return tuple(path.with_name(f"{path.stem}-{dealer}{path.suffix}") for dealer in range(1, dealers + 1))


def _telling(progress: Progress, seconds: float) -> Callable[[float], None]:
    return lambda done: progress.tell(min(round(done), round(seconds)), round(seconds), "seconds")

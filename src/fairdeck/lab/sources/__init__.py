"""Where the lab's decks come from: a function, a program in any language, a file.

Each becomes a `Source` of blocks of checked decks, bottom first. Use it in a ``with``, which closes its
processes and files:

    with open_function("random:shuffle", 52, seed=1) as source:
        for block in source.blocks([1000, 1000]):
            block.decks
"""

from fairdeck.lab.blocks import LEAD, Block, Broken, Decks, Source
from fairdeck.lab.sources.start import Start, Takes

__all__ = ["LEAD", "Block", "Broken", "Decks", "Source", "Start", "Takes", "open_file", "open_function", "open_program"]

TIMEOUT = 10.0


def open_function(
    function: str,
    cards: int,
    *,
    seed: int | None = None,
    stream: int = 0,
    start: Start = "sorted",
    takes: Takes | None = None,
    timeout: float = TIMEOUT,
) -> Source:
    """Return the decks of a Python function, called again and again in a process of its own.

    Args:
        function: ``package.module:function`` or ``path/to/file.py:function``. It takes a deck (a
            list, shuffled in place or returned) or the number of cards, and, if it has a parameter
            for one, a ``random.Random``.
        cards: the cards of a deck.
        seed: makes the run a function of `seed` and `stream`, if the function draws from the generator
            that it is given, from the module `random`, or from NumPy's global generator.
        stream: the number of this source among others of the same seed.
        start: the deck for each call: the sorted deck, always the same scrambled deck, or the deck that the
            last call left. A card of a scrambled deck is named by its place in it.
        takes: ``deck`` or ``n``, where the signature does not tell.
        timeout: seconds without a deck after which the function is `Broken`.

    Raises:
        FairdeckError: now or with the first block: the function cannot be found or called.
    """
    from fairdeck.lab.sources.function import FunctionSource

    return FunctionSource(function, cards, seed=seed, stream=stream, start=start, takes=takes, timeout=timeout)


def open_program(
    command: str,
    cards: int,
    *,
    layout: str = "text",
    seed: int | None = None,
    start: Start = "sorted",
    timeout: float = TIMEOUT,
) -> Source:
    """Return the decks that a program writes to its standard output; it is started again when it ends.

    Args:
        command: as it is typed. The shell runs it if it needs the shell (a pipe, a redirection, a
            variable); else it is started directly.
        cards: the cards of a deck; they also replace ``{cards}`` in the command.
        layout: ``text``, a deck on each line, or ``u8``, ``u16``, ``u32``: little-endian integers from 0.
        seed: for the program, in ``FAIRDECK_SEED``.
        start: ``scrambled`` writes a start deck to its standard input, a line of numbers from 0; else
            standard input is empty.
        timeout: seconds without a deck after which the program is `Broken`.

    Raises:
        FairdeckError: now or with the first block: the program cannot be started, or gives no deck.
    """
    from fairdeck.lab.sources.program import ProgramSource

    return ProgramSource(command, cards, layout=layout, seed=seed, start=start, timeout=timeout)


def open_file(path: str, cards: int | None = None, *, order: str | None = None) -> Source:
    """Return the decks of a file: text, CSV, JSON or npy.

    Args:
        path: of the file; ``-`` is standard input.
        cards: the cards of a deck; None takes the size of the first one.
        order: the names of the cards in the order of the start deck, if they are words.

    Raises:
        FairdeckError: it cannot be read, or does not begin with a deck of this size.
    """
    from fairdeck.lab.sources.file import file_source

    return file_source(path, cards, order)

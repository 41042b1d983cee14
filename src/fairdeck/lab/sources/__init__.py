"""Where the lab's decks come from: a function, a program of any language, a file.

Each becomes a `Source` of blocks of decks, base first, every one of them checked. Use it in a
``with``, so that no process and no file stays behind:

    with open_function("random:shuffle", 52, seed=1) as source:
        for block in source.blocks([1000, 1000]):
            block.decks
"""

from fairdeck.lab.sources.block import LEAD, Block, Broken, Decks, Source
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
    """Return the decks that a Python function gives, called again and again in a process of its own.

    Args:
        function: ``package.module:function`` or ``path/to/file.py:function``. It takes a deck (a
            list, shuffled in place or returned) or the number of cards, and, if it has a parameter
            for one, a ``random.Random``.
        cards: the cards of a deck.
        seed: makes the run a function of `seed` and `stream`, as far as the function draws from
            what it is handed, from the module `random`, or from the old generator of numpy.
        stream: the number of this source among others of the same seed.
        start: what each call is given: the sorted deck, always the same scrambled one, or the deck
            that the last call left. Decks from a scrambled start name each card by its place in it.
        takes: ``deck`` or ``n``, where the signature does not tell.
        timeout: seconds; a function that gives no deck for so long is `Broken`.

    Raises:
        FairdeckError: now or with the first block: the function cannot be found, or not be called.
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
    """Return the decks that a program writes to its standard output; started again whenever it ends.

    Args:
        command: as it is typed. The shell runs it if it holds anything that is the shell's (a pipe,
            a redirection, a variable); else its words are started as they are.
        cards: the cards of a deck; also in place of ``{cards}`` in the command.
        layout: ``text``, a deck a line, or ``u8``, ``u16``, ``u32``: little-endian integers from 0.
        seed: handed on in ``FAIRDECK_SEED``.
        start: ``scrambled`` writes a start deck to its standard input, a line of numbers from 0;
            else that is empty.
        timeout: seconds; a program that gives no deck for so long is `Broken`.

    Raises:
        FairdeckError: now or with the first block: the program cannot be started, or gives no deck.
    """
    from fairdeck.lab.sources.program import ProgramSource

    return ProgramSource(command, cards, layout=layout, seed=seed, start=start, timeout=timeout)


def open_file(path: str, cards: int | None = None, *, order: str | None = None) -> Source:
    """Return the decks of a file: text, CSV, JSON or npy.

    Args:
        path: of the file; ``-`` is standard input.
        cards: the cards of a deck, if the first deck is not to tell.
        order: the names of the cards in the order in which the deck starts, if they are words.

    Raises:
        FairdeckError: it cannot be read, or begins with no deck of so many cards.
    """
    from fairdeck.lab.sources.file import file_source

    return file_source(path, cards, order)

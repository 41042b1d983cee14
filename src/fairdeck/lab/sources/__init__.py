"""Where the lab's decks come from: a function, a program in any language, a file.

Each becomes a `Source` of blocks of checked decks, bottom first. Use it in a ``with``, which closes its
processes and files:

    with FunctionSource("random:shuffle", 52, seed=1) as source:
        for block in source.blocks([1000, 1000]):
            block.decks

Sources come from `function.FunctionSource`, `program.ProgramSource`, `file.open_file`, `table.table_source` and
`simulated.Simulated`.
"""

from fairdeck.lab.blocks import LEAD, Block, Broken, Decks, Source
from fairdeck.lab.sources.start import Start, Takes

__all__ = ["LEAD", "Block", "Broken", "Decks", "Source", "Start", "Takes"]

"""`fairdeck --help`: all commands in their groups, and where to begin. It fits narrow terminals, and has no colours."""

from shutil import get_terminal_size
from textwrap import fill

from fairdeck.cli.commands import GROUPS, START

NARROWEST, WIDEST = 20, 100
NAMES = 10  # letters of the longest name of a command
LINE = "    "  # before a line that is kept as it is


def overview() -> str:
    """Return the help of fairdeck itself."""
    width = min(WIDEST, max(NARROWEST, get_terminal_size().columns))
    parts = [
        "usage: fairdeck COMMAND [options]",
        filled("Fully random decks: dealt by hand, checked by machine.", width),
        "Start with one of these:\n" + _listed(START, width),
        *(f"{title}:\n{_listed(commands, width)}" for title, commands in GROUPS.items()),
        filled("More about a command: fairdeck help COMMAND. The version: fairdeck --version.", width),
    ]
    return "\n\n".join(parts) + "\n"


def _listed(words: dict[str, str], width: int) -> str:
    """Return words with what they mean: beside them if all fit there, else under them."""
    column = 2 + max(NAMES, max(map(len, words))) + 2
    lines = []
    for word, about in words.items():
        if column > width // 2:
            lines += [f"  {word}", fill(about, width, initial_indent=" " * 6, subsequent_indent=" " * 6)]
        else:
            lines.append(fill(about, width, initial_indent=f"  {word:{column - 2}}", subsequent_indent=" " * column))
    return "\n".join(lines)


def filled(text: str, width: int, indent: str = "") -> str:
    """Return text whose paragraphs, parted by blank lines, fill the width.

    Lines that are indented stay as they are; a paragraph of lines that begin with "- " is a list.
    """
    return "\n\n".join(_paragraph(block, width, indent) for block in text.replace("`", "").strip("\n").split("\n\n"))


def _paragraph(block: str, width: int, indent: str) -> str:
    if block.startswith(LINE):
        return "\n".join(_line(line[2:], width, indent) for line in block.splitlines())
    items = [f"- {item}" for item in f"\n{block}".split("\n- ")[1:]] if block.startswith("- ") else [block]
    return "\n".join(_flow(" ".join(item.split()), width, indent, "  " * item.startswith("- ")) for item in items)


def _line(line: str, width: int, indent: str) -> str:
    """Return a line of an example; what it is for, which stands deeper, is broken where the window is narrow."""
    deeper = " " * (len(line) - len(line.lstrip()))
    return _flow(line.strip(), width, indent + deeper) if len(deeper) > len(LINE) else indent + line


def _flow(text: str, width: int, indent: str, hanging: str = "") -> str:
    return fill(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_on_hyphens=False,
        break_long_words=False,
    )

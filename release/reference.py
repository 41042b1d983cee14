"""Writes the reference of the command line, which is made of what the commands say of themselves.

``make reference`` runs this; a test says when the page that is committed is another one.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from os.path import relpath
from pathlib import Path

from fairdeck.cli.commands import GROUPS, SUMMARIES
from fairdeck.cli.exits import MEANINGS
from release.commit import ROOT
from release.described import Argument, Described, command

DOCS = ROOT / "docs"
PAGE = DOCS / "reference" / "cli.md"

# The pages that say more about a command, by their names; the folder of a page is looked up.
MORE: Mapping[str, Mapping[str, str]] = {
    "deal": {
        "deal#bring-your-files": "which files can be brought",
        "table": "at the table",
        "plan": "the format of a plan",
        "page#one-deal-as-a-file": "the page of one deal",
    },
    "advise": {"shuffles": "what is known of each shuffle"},
    "together": {"together": "how people draw together, and who sends what when", "draw": "every byte"},
    "boards": {"boards": "how to use the lists, and what they give"},
    "mat": {"table": "mats and sheets"},
    "page": {"page": "what the page does", "explore": "the pages that explain"},
    "serve": {"page": "what the page does"},
    "mix": {"mixing": "how many are enough", "shuffles": "what is known of each shuffle, with sources"},
    "hands": {"mixing#your-own-hands": "how that works"},
    "packets": {"packets": "the schemes, their numbers, the notation", "cluster": "many machines"},
    "rank": {"explore": "the page random shows ranks in both directions"},
    "test": {
        "test-your-shuffle": "your own shuffle, step by step",
        "read-a-report": "what a report says",
        "report": "its fields as JSON",
        "lab#how-the-level-is-kept": "how the level is kept",
        "runs": "runs that are kept",
        "cluster": "many machines",
        "cluster#functions-and-programs": "what a run in parts cannot see",
    },
    "exact": {"exact": "which functions can be followed"},
    "monitor": {"monitor": "what the level means; systemd, cron and psql"},
    "runs": {"runs": "what a store is"},
    "verify": {
        "plan": "the format of a plan",
        "runs#verify-it": "what it shows and does not show",
        "trust#what-a-transcript-shows": "what a transcript shows",
    },
}

HEAD = """# The command line

<!-- Made by `make reference` of what `fairdeck COMMAND --help` says; change it there. -->

Every command has `--help`: `fairdeck deal --help`, or `fairdeck help deal`. `fairdeck help` lists the commands. In a
terminal, `fairdeck` alone asks how many cards there are, how many people deal, and what they deal onto. Then it deals,
card by card or as a list, and says which command does the same next time. If you mistype a name, the answer proposes
the nearest one that exists.
"""

COMMON = """## Exit codes

| exit code | meaning |
|---|---|
"""

AFTER = """
## Output and files

- **Results** go to standard output, everything else to standard error.
- **Terminals.** If `NO_COLOR` is set, the output has no colours. A terminal without escape sequences (`TERM=dumb`, a
  console of Windows before 2016) gets none. Lines fit the width of the terminal, or `COLUMNS`. If a code page lacks a
  sign, fairdeck writes letters (`AS` for `A♠`) or an escape.
- **Files** are written completely or not at all. If the name of a file is a link, fairdeck writes the file to which the
  link leads.
- **Secrets.** Only you can read files that reveal the deck; see [deal](#deal) for those that the shell writes.
- **Extras** are packages that only some commands need. If one is missing, the command says what to type here.
"""

SHARED = """## Options of several commands

| option | | commands |
|---|---|---|
"""

JSON = """## The formats of `--json`

Each object that `--json` prints has a field `format`. A later fairdeck may add fields to a format; if the name or the
meaning of a field changes, the number at its end does. An order is written bottom first, as `"0,1,2"`; exact numbers as
`"4/27"`. Each command lists its formats and their fields.
"""


def page(docs: Path = DOCS, at: Path = PAGE) -> str:
    """Return the reference as Markdown, with links from `at` to the pages in the folder `docs`."""
    codes = "".join(f"| {code} | {says} |\n" for code, says in MEANINGS.items())
    parts = [HEAD]
    for title, commands in GROUPS.items():
        listed = "".join(f"| [{name}](#{name}) | {_text(says)} |\n" for name, says in commands.items())
        parts.append(f"| {title} | |\n|---|---|\n{listed}")
    parts.append(COMMON + codes + AFTER)
    rows = "".join(f"{row} {', '.join(f'[{name}](#{name})' for name in names)} |\n" for row, names in shared().items())
    parts.append(SHARED + rows)
    for commands in GROUPS.values():
        parts += [_section(command(name), docs, at) for name in commands]
    return "\n".join([*parts, JSON])


@cache
def shared() -> dict[str, list[str]]:
    """Return the rows that several commands or steps have, and which commands: each row stands once on the page."""
    users: dict[str, list[str]] = {}
    for known in map(command, SUMMARIES):
        for argument in (argument for each in (known, *known.steps) for argument in each.arguments):
            if argument.options and "--help" not in argument.options:
                users.setdefault(_row(argument), []).append(known.name)
    return {row: list(dict.fromkeys(names)) for row, names in users.items() if len(names) > 1}


def _section(about: Described, docs: Path, at: Path) -> str:
    lines = [f"## {about.name}", "", _text(about.summary), ""]
    lines += [*_paragraphs(about.paragraphs), f"    {about.usage}", ""]
    if more := MORE.get(about.name):
        told = "; ".join(f"[{says}]({_link(target, docs, at)})" for target, says in more.items())
        lines += [f"More: {told}.", ""]
    lines += _tables(about)
    for step in about.steps:
        lines += [f"### {step.name}", "", _text(step.summary), "", *_paragraphs(step.paragraphs)]
        lines += [f"    {step.usage}", "", *_tables(step)]
    lines += ["Examples:", "", *(f"    {line}  # {says}" for line, says in about.examples.items()), ""]
    return "\n".join(lines)


def _link(target: str, docs: Path, at: Path) -> str:
    name, mark, heading = target.partition("#")
    (found,) = docs.rglob(f"{name}.md")
    return Path(relpath(found, at.parent)).as_posix() + mark + heading


def _paragraphs(paragraphs: Iterable[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        if paragraph.startswith("- "):
            yield from (f"- {_text(' '.join(item.split()))}" for item in f"\n{paragraph}".split("\n- ")[1:])
            yield ""
        else:
            yield from (_text(" ".join(paragraph.split())), "")


def _tables(about: Described) -> Iterator[str]:
    for title, arguments in about.groups.items():
        rows = [_row(each) for each in arguments if "--help" not in each.options]
        if own := [row for row in rows if row not in shared()]:
            yield from (f"| {title} | |", "|---|---|", *own, "")
    rows = [_row(each) for each in about.arguments]
    if others := [row.split(" | ")[0].removeprefix("| ") for row in rows if row in shared()]:
        yield from (f"Also [of several commands](#options-of-several-commands): {', '.join(others)}.", "")


def _row(argument: Argument) -> str:
    return f"| {_written(argument)} | {_text(argument.says)} |"


def _written(argument: Argument) -> str:
    value = argument.value.replace("|", "\\|")
    if not argument.options:
        return f"`{value}`"
    *short, last = argument.options
    value = f"[{value}]" if argument.may_lack and value else value
    return ", ".join([*(f"`{each}`" for each in short), f"`{last} {value}`" if value else f"`{last}`"])


OPTION = r"--[a-z][a-z-]*(?: (?:[A-Z0-9][\w.]*|[a-z]+:[\w+]+))?"  # with its value
CODE = re.compile(
    r"`[^`]+`"  # as it is marked
    rf"|\bfairdeck (?:{'|'.join(SUMMARIES)})\b(?: {OPTION})*"
    rf"|(?<![\w-]){OPTION}"
    r"|\bfairdeck-[a-z-]+/\d"  # a format
    r"|\b[a-z]+(?:_[a-z]+)+\b"  # a field
)


def _text(text: str) -> str:
    r"""Return the words of a help as Markdown: options, fields and commands are marked as code.

    >>> print(_text("with --pdf: top_quarter < 5, see fairdeck deal; a*b"))
    with `--pdf`: `top_quarter` \< 5, see `fairdeck deal`; a\*b
    """
    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [_escaped(text[end : code.start()]), "`" + code[0].strip("`").replace("|", "\\|") + "`"]
        end = code.end()
    return "".join([*parts, _escaped(text[end:])])


def _escaped(text: str) -> str:
    return re.sub(r"([*_<|\[\]~])", r"\\\1", text)


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    print(f"wrote {PAGE}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

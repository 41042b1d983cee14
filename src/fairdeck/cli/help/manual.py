"""The man pages, in the language of man(7), made of what the commands say of themselves."""

import re
from collections.abc import Iterable, Iterator

from fairdeck import __version__
from fairdeck.cli.commands import GROUPS, START
from fairdeck.cli.help.described import Argument, Described, command, described

EXIT_CODES = {
    0: "success",
    1: "the shuffle is not fair, the plan does not reach its order, what was verified does not hold, an attempt of a "
    "ceremony is void, or a deal was left unfinished",
    2: "bad input or usage; one line names the value and the remedy",
    69: "a package or program that this command needs is missing; the message says how to install it",
    70: "an error inside fairdeck; please report it with the output of FAIRDECK_TRACEBACK=1",
    130: "Ctrl-C",
}
ABOUT = (
    "Fairdeck makes decks of cards fully random: a computer draws an order, and people deal the deck into it. It also "
    "tests shuffles. Results go to standard output, everything else to standard error. If NO_COLOR is set, the output "
    "has no colours."
)


def manuals() -> dict[str, str]:
    """Return all man pages by the names of their files. This imports all commands."""
    pages = {f"fairdeck-{each.name}.1": _page(each) for each in described()}
    return {"fairdeck.1": manual(), **pages}


def manual(name: str = "") -> str:
    """Return the man page of a command; of fairdeck itself if the name is empty."""
    return _page(command(name)) if name else _own()


def _own() -> str:
    lines = [
        *_head("fairdeck", "fully random decks, dealt by hand, checked by machine"),
        *(".SH SYNOPSIS", r"\fBfairdeck\fR \fICOMMAND\fR [options]", ".SH DESCRIPTION", _text(ABOUT)),
        *("More about a command: man fairdeck\\-COMMAND, or fairdeck help COMMAND.", ".SH EXAMPLES"),
        *_listed(START.items()),
    ]
    for title, commands in GROUPS.items():
        lines += [f".SH COMMANDS: {title.upper()}", *_listed(commands.items())]
    lines += [".SH EXIT STATUS", *_listed((str(code), says) for code, says in EXIT_CODES.items())]
    return "\n".join(lines) + "\n"


def _page(about: Described) -> str:
    lines = [
        *_head(f"fairdeck-{about.name}", about.summary.removesuffix(".")),
        *(".SH SYNOPSIS", f"\\fB{_text(about.usage)}\\fR"),
        *(".SH DESCRIPTION", *_paragraphs(about.paragraphs or (about.summary,), first=True)),
        *_arguments(about, ".SH"),
    ]
    for step in about.steps:
        title = f"fairdeck {step.name}".upper()
        lines += [f".SH {title}", f"\\fB{_text(step.usage)}\\fR", ".PP", _text(step.summary)]
        lines += [*_paragraphs(step.paragraphs), *_arguments(step, ".SS")]
    lines += [".SH EXAMPLES", *_listed(about.examples.items())]
    lines += [".SH SEE ALSO", r"\fBfairdeck\fR(1)"]
    return "\n".join(lines) + "\n"


def _head(name: str, says: str) -> list[str]:
    return [
        f'.TH "{_text(name).upper()}" 1 "" "fairdeck {_text(__version__)}" "fairdeck"',
        *(".nh", ".ad l", ".SH NAME", f"{_text(name)} \\- {_text(says[:1].lower() + says[1:])}"),
    ]


def _arguments(about: Described, level: str) -> Iterator[str]:
    for title, arguments in about.groups.items():
        yield f"{level} {_text(title).upper() if level == '.SH' else _text(title)}"
        for each in arguments:
            yield from (".TP", _written(each), _text(each.says))


def _written(argument: Argument) -> str:
    """Return an argument in bold, and its value in italics."""
    value = f"\\fI{_text(argument.value)}\\fR" if argument.value else ""
    if argument.options and argument.may_lack:
        value = f"[{value}]"
    return " ".join(filter(None, (", ".join(f"\\fB{_text(each)}\\fR" for each in argument.options), value)))


def _paragraphs(paragraphs: Iterable[str], *, first: bool = False) -> Iterator[str]:
    """Yield paragraphs; `first`: whether they begin a section."""
    for at, paragraph in enumerate(paragraphs):
        if paragraph.startswith("- "):
            for item in f"\n{paragraph}".split("\n- ")[1:]:
                yield from (r".IP \(bu 2", _text(" ".join(item.split())))
        else:
            yield from ([] if first and not at else [".PP"])
            yield _text(" ".join(paragraph.split()))


def _listed(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    for word, says in pairs:
        yield from (".TP", f"\\fB{_text(word)}\\fR", _text(says))


def _text(text: str) -> str:
    r"""Return text as troff reads it; what stands in backticks is bold.

    >>> print(_text(r"type `a-b`, or c:\d"))
    type \fBa\-b\fR, or c:\ed
    """
    safe = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("~", r"\(ti")
    safe = safe.replace("^", r"\(ha").replace('"', r"\(dq")
    safe = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", safe)
    safe = re.sub(r"[^\x00-\x7f]", lambda letter: f"\\[u{ord(letter[0]):04X}]", safe)
    return r"\&" + safe if safe.startswith(".") else safe

"""Print the script that completes fairdeck's words in your shell.

It completes commands, steps, options, the values of options where these are few, shuffles, schemes and standards, and
the names of files. The script asks fairdeck itself what fits, by `fairdeck completion bash =deal =--pa`, so it stays
right after an update.

To load it in each new shell (make the folder first, with `mkdir -p`, if it is not there):

- bash: `fairdeck completion bash > ~/.local/share/bash-completion/completions/fairdeck`; without the package
  bash-completion: `echo 'eval "$(fairdeck completion bash)"' >> ~/.bashrc`
- zsh: `fairdeck completion zsh > ~/.zfunc/_fairdeck`, with ~/.zfunc in fpath before compinit
- fish: `fairdeck completion fish > ~/.config/fish/completions/fairdeck.fish`
"""

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from fairdeck.cli.arguments import ROOT_OPTIONS, command_parser, options, steps_of
from fairdeck.cli.commands import SUMMARIES
from fairdeck.cli.exits import FINE
from fairdeck.cli.files import A_FILE, A_FOLDER
from fairdeck.errors import FairdeckError

MARK = "="  # stands before each word that is completed, so that none is read as an option of this command
EXAMPLES = {
    "fairdeck completion bash": "print the script",
    'eval "$(fairdeck completion bash)"': "use it in this shell only",
}
SHELLS = {
    "bash": r"""_fairdeck() {
    local IFS=$'\n' typed=("${COMP_WORDS[@]:1:COMP_CWORD}")
    COMPREPLY=($("$1" completion bash "${typed[@]/#/=}" 2>/dev/null))
    [[ -e ${COMPREPLY[0]} ]] && type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
}
complete -F _fairdeck fairdeck
""",
    "zsh": r"""#compdef fairdeck
_fairdeck() {
    local -a typed wanted
    typed=("${(@)words[2,CURRENT]}")
    wanted=("${(@f)$("${words[1]}" completion zsh "${(@)typed/#/=}" 2>/dev/null)}")
    compadd -S '' -- ${(M)wanted:#*/}
    compadd -- ${wanted:#(|*/)}
}
if [ "$funcstack[1]" = _fairdeck ]; then _fairdeck "$@"; else compdef _fairdeck fairdeck; fi
""",
    "fish": r"""function __fairdeck
    fairdeck completion fish (string replace -r '^' = -- (commandline -opc)[2..-1] (commandline -ct)) 2>/dev/null
end
complete -c fairdeck -f -a '(__fairdeck)'
""",
}


# What stands for the value of an argument, by the name of the value: a module, and what it has, or returns.
KINDS = {
    "SHUFFLE": ("fairdeck.shuffles", "registry"),
    "RECIPE": ("fairdeck.shuffles", "registry"),
    "SCHEME": ("fairdeck.packets", "schemes"),
    "STANDARD": ("fairdeck.lab.standards", "registry"),
    "LANG": ("fairdeck.words", "LANGUAGES"),
    "LIST": ("fairdeck.words", "LANGUAGES"),
    "PAPER": ("fairdeck.paper.sizes", "PAPERS"),
    "CARD": ("fairdeck.paper.sizes", "CARDS"),
    "WHAT": ("fairdeck.advice", "HANDFULS"),
    "PATTERN": ("fairdeck.shuffles.repeated_cards", "SCENARIOS"),
}
ALSO_FILES = ("SHUFFLE", "RECIPE", "SCHEME")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(SHELLS), help="your shell")
    told = "the words after fairdeck, each behind =, the last as far as it is typed; print what fits, not the script"
    options(parser, {"words* WORD": told})


def run(args: Namespace) -> int:
    if words := [word.removeprefix(MARK) for word in args.words]:
        print(*(f"{word}\n" for word in fitting(words)), sep="", end="")
    else:
        print(SHELLS[args.shell], end="")
    return FINE


def fitting(words: Sequence[str]) -> list[str]:
    """Return what can stand in place of the last word, of which only the beginning is typed."""
    *before, begun = words
    return [word for word in _possible(before, begun) if word.startswith(begun)]


def _possible(before: Sequence[str], begun: str) -> Iterable[str]:
    """Return the words that a place takes; some do not begin as they should."""
    if not before:
        return ROOT_OPTIONS if begun.startswith("-") else [*SUMMARIES, "help"]
    if before[0] not in SUMMARIES:
        return SUMMARIES if list(before) == ["help"] else ()
    parser, given = command_parser(before[0]), list(before[1:])
    if given and given[0] in (steps := steps_of(parser)):
        parser = steps[given.pop(0)]
    places, option = [action for action in parser._actions if not action.option_strings], None
    for word in given:
        if option is None and word.startswith("-") and word != "-":
            option = parser._option_string_actions.get(word)
            option = None if option is not None and option.nargs == 0 else option
        elif option is None and places and places[0].nargs not in ("*", "+"):
            del places[0]
        else:
            option = None
    if option is not None:
        return _values(option, begun)
    if begun.startswith("-"):
        return parser._option_string_actions
    return _values(places[0], begun) if places else ()


def _values(action: Action, begun: str) -> Iterable[str]:
    """Return what can be the value of an argument: its choices, words of a kind, names of files."""
    if action.choices is not None:
        return map(str, action.choices)
    name = str(action.metavar)
    words: list[str] = []
    with suppress(FairdeckError, ImportError):  # what needs the lab completes nothing without it
        if name in KINDS:
            module, attribute = KINDS[name]
            known = getattr(import_module(module), attribute)
            words += [word for word in (known() if callable(known) else known) if " " not in word]
    if name in ALSO_FILES or name == A_FOLDER or A_FILE.match(name):
        words += _paths(begun, folders_only=name == A_FOLDER)
    return words


def _paths(begun: str, *, folders_only: bool) -> Iterator[str]:
    """Yield the files and folders in the folder that the beginning of a name is in."""
    last = begun.rpartition("/")[2]
    folder = begun.removesuffix(last)
    with suppress(OSError, ValueError):
        for path in sorted(Path(folder or ".").iterdir()):
            if path.is_dir() or not folders_only:
                yield f"{folder}{path.name}{'/' * path.is_dir()}"

"""The scripts that complete a command line in bash, zsh and fish, made of what the commands say of themselves.

What can stand somewhere is known by the name of the value, such as ``FILE.pdf`` or ``PAPER``. A script holds three
functions of plain cases: the options at a place, the values of an option, and the arguments at a place. A place is a
command, or a command and its step.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from textwrap import shorten

from fairdeck.cli.apart import A_FILE, A_FOLDER
from fairdeck.cli.arguments import ROOT_OPTIONS
from fairdeck.cli.commands import SUMMARIES
from fairdeck.cli.help.described import Argument, Described, described

FILES, FOLDERS, FREE = "@files", "@folders", "@free"
LONGEST = 60  # letters of what is said of an option


def values_of(argument: Argument) -> str:
    """Return the words that can be the value of an argument, with blanks between; `FILES`, `FOLDERS`, `FREE` are kinds.

    Raises:
        LookupError: nobody has said what stands for such a value.
    """
    if argument.choices:
        return " ".join(argument.choices)
    value = argument.value
    if value in KINDS:
        return " ".join(word for word in KINDS[value]() if " " not in word)
    if A_FILE.match(value):
        return FILES
    if value == A_FOLDER:
        return FOLDERS
    if value in FREE_VALUES:
        return FREE
    raise LookupError(f"say in cli/help/completion.py what completes {value!r} of {argument.written!r}")


def _shuffles() -> list[str]:
    from fairdeck.shuffles import registry

    return [*registry(), FILES]  # a function can be in a file


def _schemes() -> list[str]:
    from fairdeck.packets import schemes

    return [*schemes(), FILES]


def _standards() -> list[str]:
    if find_spec("numpy") is None or find_spec("scipy") is None:
        return [FREE]
    from fairdeck.lab.standards import registry

    return list(registry())


def _languages() -> list[str]:
    from fairdeck.words import LANGUAGES

    return list(LANGUAGES)


def _papers() -> list[str]:
    from fairdeck.paper.sizes import PAPERS

    return list(PAPERS)


def _cards() -> list[str]:
    from fairdeck.paper.sizes import CARDS

    return list(CARDS)


def _rules() -> list[str]:
    from fairdeck.rulebooks import NAMES

    return list(NAMES)


def _kinds_of_cards() -> list[str]:
    from fairdeck.advice import HANDFULS

    return list(HANDFULS)


def _settings() -> list[str]:
    from fairdeck.cli.config_file import SETTINGS

    return list(SETTINGS)


def _patterns() -> list[str]:
    from fairdeck.shuffles.repeated_cards import SCENARIOS

    return list(SCENARIOS)


# What stands for the value of an argument, by the name of the value.
KINDS: dict[str, Callable[[], list[str]]] = {
    "SHUFFLE": _shuffles,
    "RECIPE": _shuffles,
    "SCHEME": _schemes,
    "STANDARD": _standards,
    "LANG": _languages,
    "LIST": lambda: [*_languages(), "none"],
    "PAPER": _papers,
    "CARD": _cards,
    "RULE": _rules,
    "WHAT": _kinds_of_cards,
    "PATTERN": _patterns,
    "SETTING": _settings,
}
# Numbers, names and texts of the user's own.
FREE_VALUES = frozenset(
    [
        "N",
        "P",
        "S",
        "K",
        "M",
        "J",
        "V",
        "HEX",
        "CARDS",
        "CxR",
        "A,B,...",
        "GOAL",
        "SECONDS",
        "ADDRESS",
        "NAME",
        "MESSAGE",
        "TEXT",
        "TIME",
        "BEACON",
        "VALUE",
        "I/K",
        "SHELVES",
        "TV",
        "HANDS",
        "RIFFLE",
        "ORDER",
        "RANK",
        "LABELS",
        "COMMAND",
        "FUNCTION",
    ]
) | {"N | ITEM", "CARDS | FIRST SECOND", "MESSAGE MESSAGE", "STATISTIC,..."}


def script(shell: str) -> str:
    """Return the script for a shell of `SHELLS`."""
    return "\n".join([f"# Completion of fairdeck in {shell}; made by: fairdeck completion {shell}", *SHELLS[shell]()])


def _places() -> Iterator[Described]:
    for each in described():
        yield from (each, *each.steps)


def _positional(place: Described) -> list[Argument]:
    return [argument for argument in place.arguments if not argument.options]


def _said(text: str) -> str:
    """Return the beginning of a help, without signs that mean something to a shell."""
    plain = re.split(r"[.:;(]", text)[0]
    return shorten(re.sub(r"[^\w ,%-]", "", plain), LONGEST, placeholder=" ...")


def _cases(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the cases of a function that answers with words; places with the same answer share one."""
    places: dict[str, list[str]] = {}
    for place, words in pairs:
        places.setdefault(words, []).append(f"'{place}'")
    for words, where in places.items():
        yield f"    {'|'.join(where)}) echo '{words}' ;;"


def _data() -> Iterator[str]:
    """Yield the functions that bash and zsh share."""
    options, values, arguments = [], [], []
    for place in _places():
        options.append((place.name, " ".join(each for argument in place.arguments for each in argument.options)))
        values += [
            (f"{place.name} {option}", values_of(argument))
            for argument in place.arguments
            if argument.value
            for option in argument.options
        ]
        if place.steps:
            arguments.append((f"{place.name} 1", " ".join(step.name.split()[1] for step in place.steps)))
        positional = _positional(place)
        for at, argument in enumerate(positional, 1):
            last = at == len(positional) and argument.several
            arguments.append((f"{place.name} {'*' if last else at}", values_of(argument)))
    commands = " ".join([*SUMMARIES, "help"])
    for name, pairs in (("options", options), ("values", values), ("arguments", arguments)):
        yield from (f"_fairdeck_{name}() {{", '    case "$1" in', *_cases(pairs), "    esac", "}")
    yield from ("_fairdeck_commands() {", f"    echo '{commands}'", "}")
    steps = [place.name for place in _places() if place.steps]
    yield from ("_fairdeck_has_steps() {", f'    case "$1" in {"|".join(steps)}) return 0 ;; esac', "    return 1", "}")
    yield WALK


# Which words are wanted after the words that are given: all but the one at the cursor, which is the last argument.
WALK = f"""_fairdeck_wanted() {{
    local place=$1 option= count=0 word cursor=${{!#}} found
    if [ $# -eq 1 ]; then
        case $1 in -*) echo '{" ".join(ROOT_OPTIONS)}' ;; *) _fairdeck_commands ;; esac
        return
    fi
    if [ "$place" = help ]; then
        [ $# -eq 2 ] && _fairdeck_commands
        return
    fi
    shift
    if _fairdeck_has_steps "$place" && [ $# -gt 1 ]; then
        place="$place $1"
        shift
    fi
    while [ $# -gt 1 ]; do
        word=$1
        shift
        if [ -n "$option" ]; then
            option=
        elif [ "${{word#-}}" != "$word" ] && [ "$word" != - ]; then
            [ -n "$(_fairdeck_values "$place $word")" ] && option=$word
        else
            count=$((count + 1))
        fi
    done
    if [ -n "$option" ]; then
        _fairdeck_values "$place $option"
    elif [ "${{cursor#-}}" != "$cursor" ]; then
        _fairdeck_options "$place"
    else
        found=$(_fairdeck_arguments "$place $((count + 1))")
        [ -n "$found" ] || found=$(_fairdeck_arguments "$place *")
        echo "$found"
    fi
}}"""


def _bash() -> Iterator[str]:
    yield from _data()
    yield r"""_fairdeck() {
    local cursor=${COMP_WORDS[COMP_CWORD]} wanted word words=
    wanted=$(_fairdeck_wanted "${COMP_WORDS[@]:1:COMP_CWORD}")
    COMPREPLY=()
    for word in $wanted; do
        case $word in
            @files|@folders)
                local kind=-f
                [ "$word" = @folders ] && kind=-d
                while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$kind" -- "$cursor")
                type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
                ;;
            @free) ;;
            *) words="$words $word" ;;
        esac
    done
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$cursor")
}
complete -F _fairdeck fairdeck
"""


def _zsh() -> Iterator[str]:
    yield "#compdef fairdeck"
    yield from (line.replace("${!#}", "${@[-1]}") for line in _data())
    yield r"""_fairdeck() {
    local word
    local -a wanted
    wanted=(${=$(_fairdeck_wanted "${(@)words[2,CURRENT]}")})
    for word in $wanted; do
        case $word in
            @files) _files ;;
            @folders) _files -/ ;;
        esac
    done
    compadd -- ${wanted:#@*}
}
compdef _fairdeck fairdeck
"""


def _fish() -> Iterator[str]:
    yield """function __fairdeck_at
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last
    and test "$words[2..$last]" = "$argv"
end
complete -c fairdeck -f"""
    first = "complete -c fairdeck -n 'test (count (commandline -opc)) -eq 1'"
    for name, says in SUMMARIES.items():
        yield f"{first} -a {name} -d '{_said(says)}'"
    yield f"{first} -a help -d 'Say more about a command'"
    yield f"{first} -l help -s h -d 'Show the commands'"
    yield f"{first} -l version -d 'Show the version'"
    yield f"complete -c fairdeck -n '__fairdeck_at help' -a '{' '.join(SUMMARIES)}'"
    for place in _places():
        here = f"complete -c fairdeck -n '__fairdeck_at {place.name}'"
        for step in place.steps:
            name = step.name.split()[1]
            yield f"{here} -n 'test (count (commandline -opc)) -eq 2' -a {name} -d '{_said(step.summary)}'"
        for argument in place.arguments:
            yield f"{here}{_fish_argument(argument)}"
    yield ""


def _fish_argument(argument: Argument) -> str:
    options = "".join(f" -l {each[2:]}" if each.startswith("--") else f" -s {each[1:]}" for each in argument.options)
    words = values_of(argument).split() if argument.value else []
    takes = " -x" if words and argument.options and not argument.may_lack else ""
    if FILES in words:
        takes = takes.replace("x", "r") + " -F"
    elif FOLDERS in words:
        takes += " -a '(__fish_complete_directories)'"
    if plain := [word for word in words if not word.startswith("@")]:
        takes += f" -a '{' '.join(plain)}'"
    if not (options or takes):
        return " -f"
    return f"{options}{takes}" + (f" -d '{_said(argument.says)}'" if options else "")


SHELLS: dict[str, Callable[[], Iterator[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}

"""Print the script that completes fairdeck's words in your shell.

It completes commands, steps, options, the values of options where these are few, shuffles, schemes and standards, and
the names of files. It is made of the words that this fairdeck knows: print it again after an update.

To load it in each new shell (make the folder first, with `mkdir -p`, if it is not there):

- bash: `fairdeck completion bash > ~/.local/share/bash-completion/completions/fairdeck`; without the package
  bash-completion: `echo 'eval "$(fairdeck completion bash)"' >> ~/.bashrc`
- zsh: `fairdeck completion zsh > ~/.zfunc/_fairdeck`, with ~/.zfunc in fpath before compinit
- fish: `fairdeck completion fish > ~/.config/fish/completions/fairdeck.fish`
"""

from argparse import ArgumentParser, Namespace

from fairdeck.cli.exits import FINE
from fairdeck.cli.help.completion import SHELLS, script

EXAMPLES = {
    "fairdeck completion bash": "print the script",
    'eval "$(fairdeck completion bash)"': "use it in this shell only",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(SHELLS), help="your shell")


def run(args: Namespace) -> int:
    print(script(args.shell), end="")
    return FINE

"""Fuzzing: every reader of fairdeck gets inputs that no person would write, and must refuse them in one line.

    make fuzz                                               a short run of every reader, guided by coverage
    python -m tests.fuzz run plan code --inputs 1000000     some readers, up to so many inputs each
    python -m tests.fuzz run all --seconds 600 --record     and write docs/reference/measured/fuzzing.md
    python -m tests.fuzz keep plan "a huge number" FILE     keep an input that found a fault
    python -m tests.fuzz grow plan                          keep some inputs of the last run that reached new code

What a reader may do with an input: return, or raise a FairdeckError. A command line may end with exit code 0, 1, 2 or
69. Any other exception, five seconds, or one GiB more than at the start is a fault.

    readers         the registry, and the contract
    texts, lab, stores, command_lines       the readers, by what they read
    pages           the pages' scripts beside Python: both must say the same
    choices         values made of bytes
    mutations       what is done to an input, to JSON as well
    corpus          the inputs that are kept: corpora/NAME.json
    guided          one reader in a process of its own, guided by coverage (Atheris)
    __main__        the runner
"""

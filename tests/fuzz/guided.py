"""One reader in a process of its own, guided by coverage: python -m tests.fuzz.guided NAME FOLDER [LIBFUZZER OPTIONS].

The first input that breaks the contract ends the process; libFuzzer writes it into FOLDER.
"""

import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import atheris

# Numba compiles these itself, and cannot compile what counts its own steps.
COMPILED = ("fairdeck.bulk", "fairdeck.lab.counts", "fairdeck.lab.sources.digits", "fairdeck.lab.usercode")

LATEST = 60  # seconds by the clock: an input that never ends; `Reader.attempt` counts the processor's time


def main(name: str, folder: str, options: list[str]) -> None:
    """Fuzz until the options say that it is enough."""
    with atheris.instrument_imports(include=["fairdeck"], exclude=list(COMPILED)):
        from tests.fuzz.readers import limit_memory, reader_called

        reader = reader_called(name)
    from tests.fuzz.corpus import kept
    from tests.fuzz.mutations import mutated

    inputs = Path(folder, "inputs")
    inputs.mkdir(parents=True, exist_ok=True)
    words = [word.encode("utf-8", "surrogatepass") for word in reader.words]
    for data in (b"", *kept(name).values()):  # what is made at first use belongs to the start
        with suppress(Exception):  # it is found again below, and written down
            reader.attempt(data)

    def changed(data: bytes, most: int, seed: int) -> bytes:
        chance = Random(seed)
        if chance.random() < (0.3 if reader.is_json else 0.6):
            return atheris.Mutate(data, most)
        return mutated(data, chance, words, min(most, reader.longest), is_json=reader.is_json)

    def attempt(data: bytes) -> None:
        reader.attempt(data)

    limit_memory()
    given = [f"-artifact_prefix={folder}/", f"-max_len={reader.longest}", f"-timeout={LATEST}"]
    quiet = ["-rss_limit_mb=0", "-len_control=0", "-print_final_stats=1", "-reload=0", "-detect_leaks=0"]
    atheris.Setup([sys.argv[0], *given, *quiet, *options, str(inputs)], attempt, custom_mutator=changed)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])

"""One reader under Atheris, guided by coverage: python -m tests.fuzz READER [LIBFUZZER OPTIONS].

The first input that breaks the contract ends the process; libFuzzer writes it into build/fuzz/READER.
"""

import sys
from contextlib import suppress
from pathlib import Path

import atheris

FOLDER = Path(__file__).parents[2] / "build" / "fuzz"
# Numba compiles these itself, and cannot compile what counts its own steps.
COMPILED = ("fairdeck.bulk", "fairdeck.lab.counts", "fairdeck.lab.sources.name_kernel", "fairdeck.lab.usercode")
LONGEST = 6_000  # bytes of an input
LATEST = 60  # seconds by the clock: an input that never ends; `attempt` counts the processor's time


def main(name: str, options: list[str]) -> None:
    """Fuzz until the options say that it is enough."""
    with atheris.instrument_imports(include=["fairdeck"], exclude=list(COMPILED)):
        from tests.fuzz.readers import READERS, attempt, limit_memory
    from tests.fuzz.corpus import kept

    inputs, read = FOLDER / name / "inputs", READERS[name]
    inputs.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(kept(name).values()):
        (inputs / f"kept-{number}").write_bytes(data)
        with suppress(Exception):  # what is made at first use belongs to the start; a fault is found again below
            attempt(read, data)
    limit_memory()
    given = [f"-artifact_prefix={FOLDER / name}/fault-", f"-max_len={LONGEST}", f"-timeout={LATEST}"]
    quiet = ["-rss_limit_mb=0", "-len_control=0", "-print_final_stats=1", "-reload=0", "-detect_leaks=0"]
    atheris.Setup([sys.argv[0], *given, *quiet, *options, str(inputs)], lambda data: attempt(read, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

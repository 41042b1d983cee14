"""The runner: see `tests.fuzz`."""

import argparse
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.readers import READERS

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "fuzz"
GRACE = 180  # seconds that a process may take to start and to end


def run(name: str, seconds: int, seed: int) -> bool:
    """Fuzz one reader in a process of its own; return whether it kept the contract."""
    folder = BUILT / name
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(folder)]
    with (folder / "log").open("wb") as log:
        try:
            ran = subprocess.run(
                [*command, f"-max_total_time={seconds}", f"-seed={seed}"],
                cwd=ROOT,
                stdout=log,
                stderr=log,
                timeout=seconds + GRACE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
    return ran.returncode == 0


def main() -> int:
    """Read the command line, fuzz, and name the readers that broke the contract."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("readers", nargs="*", metavar="READER", default=list(READERS), help=f"of {', '.join(READERS)}")
    parser.add_argument("--seconds", type=int, default=10, help="for each reader (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="0: another one in each run")
    options = parser.parse_args()
    if find_spec("atheris") is None:
        parser.error("Atheris is not installed: make fuzz installs it, or: pip install atheris (Linux only)")
    if unknown := [name for name in options.readers if name not in READERS]:
        parser.error(f"there is no reader {unknown[0]!r}; choose of {', '.join(READERS)}")
    faulty = []
    for name in options.readers:
        print(f"{name} ...", flush=True)
        if not run(name, options.seconds, options.seed):
            print(f"    broke the contract: {BUILT.relative_to(ROOT) / name} has the input and the log")
            faulty.append(name)
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())

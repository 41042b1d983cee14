"""Build the wheel and the source archive of the last commit into ``dist/``."""

import os
import subprocess
import sys
from pathlib import Path

from release.commit import ARCHIVE, DIST, WHEEL, epoch, files, uncommitted


def build(into: Path) -> list[Path]:
    """Build the wheel and the source archive into a folder, and return both.

    hatchling sorts the files and normalises their permissions; the time of the commit replaces the time of every file.
    """
    into.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}
    with files() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-d", str(into.resolve())]
        subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    return [into / WHEEL, into / ARCHIVE]


def warn() -> None:
    """Say which changes are not in what is built."""
    if changed := uncommitted():
        print(f"Built from the last commit; {len(changed)} uncommitted changes are not in it:", file=sys.stderr)
        print(*changed[:5], *(["..."] if changed[5:] else []), sep="\n", file=sys.stderr)


if __name__ == "__main__":
    for built in build(DIST):
        print(f"wrote {built}", file=sys.stderr)
    warn()

"""Install the wheel with one extra and nothing else, in an environment of its own, and use what the extra promises.

    python -m release.alone                    every extra, with this Python
    python -m release.alone /path/to/python3.14 lab paper

``dist/`` holds the wheel: run ``python -m release.build`` first.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from release.commit import DIST, WHEEL

# Every value that quicknet signs is checked with the extra; this is one that it published.
VALUE = "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92"
BEACON = f"""
from fairdeck.trust.beacon import randomness
assert randomness(123, bytes.fromhex("{VALUE}"))
"""
BULK = "from fairdeck.bulk import permutations; assert permutations(1000, 52, seed=1).shape == (1000, 52)"
LIBRARY = "import fairdeck; assert fairdeck.deal(60, mat='5x2').plan.cards == 60"

# What each extra promises: words after `fairdeck`, or Python where it begins with "-c"; and the exit code.
PROMISES: dict[str, list[tuple[list[str], int]]] = {
    "": [
        (["deal", "60", "--mat", "5x2"], 0),
        (["check", "150"], 0),
        (["page", "-o", "deal.html"], 0),
        (["exact", "naive", "--cards", "3"], 1),
        (["mix", "riffle*7", "--cards", "52"], 0),
        (["mat", "5x2", "-o", "mat.svg"], 0),
        (["deal", "60", "--pdf", "deal.pdf"], 69),
        (["test", "naive"], 69),
        (["hands", "RRBRBBRBRRBBRBRB", "RBBRRBRBRBBRRBBR", "BRBRRBBRBRBRBRRB"], 69),
        (["-c", LIBRARY], 0),
    ],
    "lab": [
        (["hands", "RRBRBBRBRRBBRBRB", "RBBRRBRBRBBRRBBR", "BRBRRBBRBRBRBRRB"], 0),
        (["test", "naive", "--seed", "1", "--html", "report.html"], 1),
        (["test", "fisher-yates", "--decks", "20000", "--seed", "1", "--store", "run.db"], 0),
        (["verify", "run.db"], 0),
        (["histogram", "naive", "--decks", "100000", "--html", "histogram.html"], 0),
        (["mix", "overhand*10 + riffle*3", "--decks", "2000"], 0),
    ],
    "fast": [(["-c", BULK], 0)],
    "cluster": [(["test", "fisher-yates", "--decks", "20000", "--seed", "1", "--cluster", "local:2"], 0)],
    "beacon": [(["-c", BEACON], 0)],
    "paper": [
        (["deal", "60", "--pdf", "deal.pdf", "--qr", "http://192.168.1.7:8000/"], 0),
        (["mat", "5x2", "-o", "mat.pdf"], 0),
    ],
}


def check(python: str, extra: str, wheel: Path) -> list[str]:
    """Return what does not work with one extra alone; an empty list if everything does.

    Args:
        python: the interpreter that the environment is made for.
        extra: its name; empty for fairdeck by itself.
        wheel: the file to install.
    """
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve()
        subprocess.run([python, "-m", "venv", str(folder / "env")], check=True)
        programs = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
        asked = f"fairdeck[{extra}] @ {wheel.resolve().as_uri()}" if extra else str(wheel.resolve())
        subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", asked], check=True)
        return [problem for words, code in PROMISES[extra] if (problem := _problem(programs, words, code, folder))]


def _problem(programs: Path, words: list[str], code: int, folder: Path) -> str:
    start = [str(programs / "python"), "-I"] if words[0] == "-c" else [str(programs / "fairdeck")]
    done = subprocess.run([*start, *words], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode == code:
        return ""
    last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
    return f"{' '.join(words)}: exit code {done.returncode}, not {code}: {''.join(last)}"


def main(words: list[str]) -> int:
    """Check the extras that are named, or all; return how many do not keep their promise."""
    python = words.pop(0) if words and words[0] not in PROMISES else sys.executable
    failed = 0
    for extra in words or PROMISES:
        problems = check(python, extra, DIST / WHEEL)
        print(f"{extra or 'no extra'}: {'works' if not problems else 'does not work'}", *problems, sep="\n  ")
        failed += bool(problems)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The inputs that are kept, one file a reader: a JSON object of names and inputs.

An input is a text whose letters are its bytes (Latin-1), so that texts can be read; or ``base64:`` and letters, where
most bytes are none that a person can read. Names of inputs that found a fault say what it was; the others are numbers.

python -m tests.fuzz.corpus READER NAME FILE      keep an input
"""

import json
import sys
from base64 import b64decode, b64encode
from pathlib import Path

CORPORA = Path(__file__).with_name("corpora")
MARK = "base64:"


def kept(name: str) -> dict[str, bytes]:
    """Return the inputs that are kept for a reader."""
    held = json.loads((CORPORA / f"{name}.json").read_text("utf-8"))
    return {label: _bytes(text) for label, text in held.items()}


def keep(name: str, label: str, data: bytes) -> None:
    """Keep an input for a reader."""
    held = {each: _text(one) for each, one in (kept(name) | {label: data}).items()}
    (CORPORA / f"{name}.json").write_text(json.dumps(held, indent=0) + "\n", "utf-8")


def _bytes(text: str) -> bytes:
    return b64decode(text.removeprefix(MARK)) if text.startswith(MARK) else text.encode("latin-1")


def _text(data: bytes) -> str:
    readable = sum(each in b"\n\t" or 32 <= each < 127 for each in data)
    if data.startswith(MARK.encode()) or 4 * readable < 3 * len(data):
        return MARK + b64encode(data).decode()
    return data.decode("latin-1")


if __name__ == "__main__":
    reader, label, file = sys.argv[1:]
    keep(reader, label, Path(file).read_bytes())

"""Write every measured page again from the results that are there; nothing is measured.

python -m bench.pages
"""

import json
import tomllib
from pathlib import Path
from typing import Any

from bench import __main__ as speed
from bench import battery, calibration, exactness, observations, perft, scoreboard
from bench.libraries import page as libraries
from bench.mutants import page as mutants
from bench.peers import page as peers
from bench.peers.picture import picture
from bench.rivals import page as rivals

ROOT = Path(__file__).parents[1]
MEASURED, IMAGES = ROOT / "docs" / "reference" / "measured", ROOT / "docs" / "images"


def results(name: str) -> Any:
    """Return what was measured, as ``bench`` keeps it."""
    return json.loads((ROOT / "bench" / f"{name}.json").read_text(encoding="utf-8"))


def pages() -> dict[Path, str]:
    """Return each page and picture, by its file."""
    reasons = tomllib.loads((ROOT / "bench" / "mutants" / "reasons.toml").read_text(encoding="utf-8"))
    texts = {
        "speed": speed.page(results("results")),
        "kernels": peers.page_of(results("peers")),
        "battery": battery.page(results("battery")),
        "scoreboard": scoreboard.page(results("scoreboard")),
        "rivals": rivals.page(results("rivals")),
        "libraries": libraries.page(results("libraries")),
        "calibration": calibration.page(results("calibration")),
        "observations": observations.page(results("observations")),
        "exactness": exactness.page(results("exactness")),
        "mutants": mutants.page(results("mutants"), reasons),
    }
    return {
        **{MEASURED / f"{name}.md": text for name, text in texts.items()},
        perft.PAGE: perft.page(perft.rows_of(results("perft"))),
        IMAGES / "kernels.svg": picture(peers.jobs_of(results("peers"))),
        IMAGES / "scoreboard.svg": scoreboard.picture(results("scoreboard")),
        IMAGES / "calibration.svg": calibration.picture(results("calibration")),
    }


if __name__ == "__main__":
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")

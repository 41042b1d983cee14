"""The verdict on a draw function as text for a terminal and as JSON."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from math import log2

from fairdeck.lab.experiments.scaling import COARSE, Scaling
from fairdeck.lab.judging.sentences import about, oddity
from fairdeck.lab.laws.tails import LEAST_EACH

ROWS = 5


def headline(result: Scaling) -> str:
    """Return the first sentence."""
    if result.outcome == "fail":
        return f"{result.name} is not fair: {result.findings[0].says}."
    if result.outcome == "pass":
        return f"{result.name} shows no fault in {result.draws:,} draws below each bound from 2 to {result.most}."
    return (
        f"Too few draws to judge {result.name}: {result.draws:,} below each bound, {oddity(result.p_value)}; "
        f"ask for {LEAST_EACH * result.most:,} or more."
    )


def lines(result: Scaling, command: str) -> Iterator[str]:
    """Yield the verdict and a table for a terminal."""
    yield headline(result)
    yield ""
    yield f"verdict   {result.outcome.upper()}, p = {result.p_value:.2g} over all {len(result.tests)} tests"
    if result.draws:
        yield f"drawn     {result.draws:,} numbers below each bound from 2 to {result.most}"
    for note in result.notes:
        yield f"note      {note}"
    for finding in result.findings[1:ROWS]:
        yield f"also      {finding.says}"
    if result.outcome == "pass":
        yield (
            f"seen      99 of 100 runs would have seen a number below {result.most} that comes too often by "
            f"{result.smallest:.2g} of its share"
        )
    if result.outcome == "pass" and result.finest and result.grain is None:
        yield f"grain     scaled from more than {result.finest} random bits, or by rejection; more bits were not probed"
    if result.grain is not None and result.grain > COARSE:
        yield (
            f"grain     scales {result.grain} random bits, as a float does: below {result.most} some numbers come too "
            f"often by 1 in {about(2**result.grain / result.most)}; too little to matter for cards"
        )
    yield ""
    if result.draws:
        yield from _table(result)
        yield ""
    yield f"again     {command}"


def _table(result: Scaling) -> Iterator[str]:
    p_values = _p_values(result)
    counts = sorted((count for count in result.counts if not count.probe), key=lambda count: p_values[count.bound])
    yield "  bound   p-value  least often  most often     fair  bits each  least"
    for count in counts[:ROWS]:
        cells, drawn = count.cells["number"], sum(count.cells["number"]) or 1
        bits = "" if count.bits is None else f"{count.bits / count.draws:.3f}"
        yield (
            f"{count.bound:>7} {p_values[count.bound]:>9.2g} {min(cells) / drawn:>12.3%} {max(cells) / drawn:>11.3%} "
            f"{1 / count.bound:>8.3%} {bits:>10} {log2(count.bound):>6.3f}"
        )
    if len(counts) > ROWS:
        yield f"{'':>7} and {len(counts) - ROWS} more bounds with larger p-values: --json"


def _p_values(result: Scaling) -> dict[int, float]:
    """Return the smallest p-value of each bound; 0 where numbers were out of range."""
    found = {count.bound: 0.0 if count.outside else 1.0 for count in result.counts}
    for test in result.tests:
        if test.bound:
            found[test.bound] = min(found[test.bound], test.p_value)
    return found


def as_json(result: Scaling, command: str = "") -> str:
    """Return everything that is known, on one line; seeds are hexadecimal."""
    p_values = _p_values(result)
    fields = {
        "format": "fairdeck-scaling/1",
        "function": result.name,
        "most": result.most,
        "draws": result.draws,
        "alpha": result.alpha,
        "verdict": result.outcome,
        "p_value": result.p_value,
        "findings": [asdict(finding) for finding in result.findings],
        "headline": headline(result),
        "grain": result.grain,
        "finest": result.finest,
        "smallest": result.smallest if result.draws else None,
        "bounds": [
            {
                "bound": count.bound,
                "draws": count.draws,
                "p_value": p_values[count.bound],
                "outside": count.outside,
                "bits": None if count.bits is None else count.bits / count.draws,
                "least_bits": log2(count.bound),
                "counts": {name: list(cells) for name, cells in count.cells.items()},
            }
            for count in result.counts
        ],
        "notes": list(result.notes),
        "seed": None if result.seed is None else f"{result.seed:x}",
        "command": command,
    }
    return json.dumps(fields, allow_nan=False)

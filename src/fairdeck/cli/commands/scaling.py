"""Find out whether numbers below a bound are drawn fairly: fairdeck's dice, or a function of yours.

A shuffle is as fair as the numbers it draws. For every bound up to the deck's size many numbers are
drawn and counted; a few large bounds show how finely random bits are scaled. The function takes the
bound, or the bound and a `random.Random`. Exit code 1: it is not fair; 2: too few draws to tell.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from fairdeck.cli.exits import BAD_INPUT, DOES_NOT_HOLD, FINE
from fairdeck.cli.laboratory import command_line, level, need_lab, seed_argument, seed_from
from fairdeck.cli.progress import Progress
from fairdeck.reading import whole_number

if TYPE_CHECKING:
    from fairdeck.lab.drawing import Count
    from fairdeck.lab.scaling import Scaling

USUAL_MOST, LARGEST_MOST = 52, 1_000
USUAL_DRAWS, MOST_DRAWS = 100_000, 10**9
ROWS = 5


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "function",
        nargs="?",
        metavar="FUNCTION",
        help="package.module:function or file.py:function, from a bound k to one of 0..k-1 (default: fairdeck's dice)",
    )
    parser.add_argument("--most", metavar="N", help=f"the largest bound, the deck's cards (default: {USUAL_MOST})")
    parser.add_argument("--draws", metavar="N", help=f"numbers to draw below each bound (default: {USUAL_DRAWS:,})")
    parser.add_argument("--alpha", metavar="P", help="fail a fair draw with at most this chance (default: 1e-6)")
    parser.add_argument("--timeout", metavar="S", help="give up when nothing came for so many seconds (default: 60)")
    seed_argument(parser)
    parser.add_argument("--json", action="store_true", help="everything, as JSON")


def run(args: Namespace) -> int:
    """Draw, judge and write."""
    need_lab()
    from fairdeck.lab import drawing, scaling
    from fairdeck.lab.verdict import DEFAULT_ALPHA
    from fairdeck.randomness import seeded_words, system_words

    most = USUAL_MOST if args.most is None else whole_number(args.most, "most", 2, LARGEST_MOST)
    draws = USUAL_DRAWS if args.draws is None else whole_number(args.draws, "draws", 1, MOST_DRAWS)
    timeout = 60.0 if args.timeout is None else float(whole_number(args.timeout, "timeout", 1, 86_400))
    alpha = DEFAULT_ALPHA if args.alpha is None else level(args.alpha)
    seed = seed_from(args)
    told: int | None = seed
    notes: tuple[str, ...] = ()
    if args.function is not None:
        name = args.function
        counts = scaling.of_function(name, seed, most, draws, timeout)
    elif args.seed is not None:
        name = scaling.DICE
        counts = drawing.of_dice(seeded_words(f"{seed:x}".encode()), most, draws)
    else:
        name, told, notes = scaling.DICE, None, ("words from the operating system: every run is another one",)
        counts = drawing.of_dice(system_words(), most, draws)
    progress = Progress()
    result = scaling.judge(name, _watched(counts, most, progress), alpha, notes)
    progress.done()
    again = _again(args, told)
    if args.json:
        print(json.dumps(_fields(result, told, again), allow_nan=False))
    else:
        print(*_lines(result, again), sep="\n")
    return {"fail": DOES_NOT_HOLD, "pass": FINE, "insufficient": BAD_INPUT}[result.outcome]


def _watched(counts: "Iterable[Count]", most: int, progress: Progress) -> "Iterator[Count]":
    for count in counts:
        progress.tell(min(count.bound, most), most, "bounds")
        yield count


def _lines(result: "Scaling", again: str) -> Iterator[str]:
    from fairdeck.lab.scaling import COARSE

    yield result.headline
    yield ""
    yield f"verdict   {result.outcome.upper()}, p = {result.p_value:.2g}, all {len(result.tests)} tests counted"
    yield f"drawn     {result.draws:,} numbers below each bound from 2 to {result.most}"
    for note in result.notes:
        yield f"note      {note}"
    for finding in result.findings[1:ROWS]:
        yield f"besides   {finding.says}"
    if result.outcome == "pass":
        yield (
            f"seen      a number below {result.most} that comes too often by {result.smallest:.2g} of its share "
            "would have been seen in 99 of 100 runs"
        )
    if result.outcome == "pass" and result.finest and result.grain is None:
        yield f"grain     scaled from more than {result.finest} random bits, or by rejection; finer was not asked"
    if result.grain is not None and result.grain > COARSE:
        yield (
            f"grain     scales {result.grain} random bits, as a float has: below {result.most} some numbers come too "
            f"often by 1 in {2**result.grain // result.most:.1e}; too little for cards, but not nothing"
        )
    yield ""
    yield from _table(result)
    yield ""
    yield f"again     {again}"


def _table(result: "Scaling") -> Iterator[str]:
    """Yield the bounds that look oddest, with the random bits that a number took."""
    from fairdeck.lab.scaling import least_bits

    p_values = _p_values(result)
    counts = sorted((count for count in result.counts if not count.probe), key=lambda count: p_values[count.bound])
    yield "  bound   p-value  least often  most often     fair  bits each  least"
    for count in counts[:ROWS]:
        cells, drawn = count.cells["number"], sum(count.cells["number"]) or 1
        bits = "" if count.bits is None else f"{count.bits / count.draws:.3f}"
        yield (
            f"{count.bound:>7} {p_values[count.bound]:>9.2g} {min(cells) / drawn:>12.3%} {max(cells) / drawn:>11.3%} "
            f"{1 / count.bound:>8.3%} {bits:>10} {least_bits(count.bound):>6.3f}"
        )
    if len(counts) > ROWS:
        yield f"{'':>7} and {len(counts) - ROWS} bounds more with larger p-values: --json"


def _p_values(result: "Scaling") -> dict[int, float]:
    """Return the smallest p-value of each bound by itself; 0 where numbers were out of range."""
    found = {count.bound: 0.0 if count.outside else 1.0 for count in result.counts}
    for test in result.tests:
        if test.bound:
            found[test.bound] = min(found[test.bound], test.p_value)
    return found


def _fields(result: "Scaling", seed: int | None, again: str) -> dict[str, object]:
    from fairdeck.lab.scaling import least_bits

    p_values = _p_values(result)
    return {
        "function": result.name,
        "most": result.most,
        "draws": result.draws,
        "alpha": result.alpha,
        "verdict": result.outcome,
        "p_value": result.p_value,
        "findings": [asdict(finding) for finding in result.findings],
        "headline": result.headline,
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
                "least_bits": least_bits(count.bound),
                "counts": {name: list(cells) for name, cells in count.cells.items()},
            }
            for count in result.counts
        ],
        "notes": list(result.notes),
        "seed": None if seed is None else f"{seed:x}",
        "command": again,
    }


def _again(args: Namespace, seed: int | None) -> str:
    words = ["fairdeck", "scaling", *([args.function] if args.function else [])]
    for name in ("most", "draws", "alpha", "timeout"):
        if getattr(args, name) is not None:
            words += [f"--{name}", getattr(args, name)]
    return command_line([*words, *([] if seed is None else ["--seed", f"{seed:x}"])])

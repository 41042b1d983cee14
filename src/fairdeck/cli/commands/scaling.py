"""Test whether random integers below a bound are fair.

A shuffle is only as fair as the numbers it draws. For every bound up to the deck's size many numbers are drawn and
counted; a few large bounds show how many random bits are scaled. The command tests fairdeck's own random integers, or
your function, which takes the bound, or the bound and a random.Random. Exit code 0: no fault was found; 1: it is not
fair; 2: too few draws to tell. In Python: `fairdeck.lab.scaling("mine.py:below")`.
"""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack

from fairdeck import lab
from fairdeck.cli.exits import BAD_INPUT, DOES_NOT_HOLD, FINE
from fairdeck.cli.help.formats import json_argument
from fairdeck.cli.laboratory import (
    command_line,
    counting,
    level,
    need_lab,
    seed_from,
    workers_argument,
)
from fairdeck.cli.progress import Progress
from fairdeck.errors import FairdeckError
from fairdeck.lab.experiments.bounded_integers import LARGEST_MOST, MOST_DRAWS, USUAL_DRAWS, USUAL_MOST, Count
from fairdeck.numbers import whole

EXAMPLES = {
    "fairdeck scaling --draws 10000": "fairdeck's own",
    "fairdeck scaling mine.py:below": "your function",
}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "function",
        nargs="?",
        metavar="FUNCTION",
        help="package.module:function or file.py:function; it takes a bound k and returns one of 0..k-1 "
        "(default: fairdeck's own)",
    )
    parser.add_argument(
        "--most",
        metavar="N",
        help=f"the largest bound: the cards of a deck, 2 to {LARGEST_MOST} (default: {USUAL_MOST})",
    )
    parser.add_argument("--draws", metavar="N", help=f"numbers to draw below each bound (default: {USUAL_DRAWS:,})")
    parser.add_argument(
        "--alpha", metavar="P", help="the largest probability that a fair function fails (default: 1e-6)"
    )
    parser.add_argument("--timeout", metavar="S", help="give up after this many seconds without a count (default: 60)")
    parser.add_argument(
        "--seed",
        metavar="HEX",
        help="repeat the run that showed this seed (default: a new one; fairdeck's own come from the operating system)",
    )
    parser.add_argument(
        "--in-parts",
        action="store_true",
        help="draw in pieces of a million numbers, in all workers, each by a new process with its own random stream "
        "(with --cluster always so)",
    )
    workers_argument(parser)
    json_argument(
        parser,
        "fairdeck-scaling/1",
        fields="function, most, draws, alpha, verdict, p_value, findings, headline, bounds, and more",
    )


def run(args: Namespace) -> int:
    need_lab()
    if (args.function or "").isdigit():
        raise FairdeckError(
            f"{args.function!r} is not a function; for bounds up to {args.function}, write --most {args.function}"
        )
    from fairdeck.lab.judging.verdict import DEFAULT_ALPHA
    from fairdeck.output.scaling import lines

    most = USUAL_MOST if args.most is None else whole("most", args.most, 2, LARGEST_MOST)
    progress = Progress()

    def tell(count: Count) -> None:
        progress.tell(min(count.bound, most), most, "bounds")

    in_parts = _in_parts(args)
    with ExitStack() as leaving:
        result = lab.scaling(
            args.function,
            most=most,
            draws=USUAL_DRAWS if args.draws is None else whole("draws", args.draws, 1, MOST_DRAWS),
            alpha=DEFAULT_ALPHA if args.alpha is None else level(args.alpha),
            seed=None if args.seed is None else seed_from(args),
            timeout=60.0 if args.timeout is None else float(whole("timeout", args.timeout, 1, 86_400)),
            in_parts=in_parts,
            map=leaving.enter_context(counting(args, progress)) if in_parts else map,
            progress=tell,
        )
    progress.done()
    command = _again(args, result.seed)
    print(result.to_json(command) if args.json else "\n".join(lines(result, command)))
    return {"fail": DOES_NOT_HOLD, "pass": FINE, "insufficient": BAD_INPUT}[result.outcome]


def _in_parts(args: Namespace) -> bool:
    if args.workers is not None and not args.in_parts:
        raise FairdeckError(
            f"--workers {args.workers!r} works only with --in-parts: one stream of numbers has one process"
        )
    return args.in_parts or args.cluster is not None


def _again(args: Namespace, seed: int | None) -> str:
    words = ["fairdeck", "scaling", *([args.function] if args.function else [])]
    for name in ("most", "draws", "alpha", "timeout"):
        if getattr(args, name) is not None:
            words += [f"--{name}", getattr(args, name)]
    words += ["--in-parts"] * _in_parts(args)
    return command_line([*words, *([] if seed is None else ["--seed", f"{seed:x}"])])

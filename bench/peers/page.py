"""The page: a table for each job, and where we lose, worked out from the figures."""

from collections.abc import Iterable

from bench.peers.build import COMMON
from bench.peers.contenders import CPP, NUMPY, OURS
from bench.peers.measure import Job, Measured, Threads
from bench.peers.older import Older

INTRODUCTION = """# The speed of shuffling, compared with others

`make peers` wrote this page from `bench/peers.json`: {rounds} rounds, contenders in turns, medians. {about}. {tools}.
The figures are processor time, with the time of all threads added. They leave out the first call, which compiles
fairdeck's kernels.

![Decks a second, beside C++, Rust, NumPy and Python](../../images/kernels.svg)

Every contender is exactly uniform if its generator is. The benchmark checks each one first: each deck is a
permutation, and the 120 orders of five cards come equally often in 200,000 decks. C++ is compiled with `{common}`,
and once more without the vectorizer that joins neighbouring statements; the table shows the faster build. The last
two columns compare each row with the fastest C++ contender and with the usual way in NumPy: 2 means twice as fast.
mt19937_64, wyrand, SmallRng, SFC64 and fairdeck's seeded streams are generators for simulation: do not play for money
with their decks. Rust's `rand` is Debian's version, 0.8; later versions draw faster. How to call fairdeck's
functions: [bulk.md](../../how-to/bulk.md).
"""


def page(jobs: list[Job], threads: list[Threads], older: list[Older], left_out: list[str], said: dict[str, str]) -> str:
    """Return the page.

    Args:
        jobs: what was measured.
        threads: what `measure.two_threads` returned.
        older: what `older.older` returned.
        left_out: which contenders could not take part, and why.
        said: ``rounds``, and what measured: ``about`` and ``tools``.
    """
    parts = [INTRODUCTION.format(common=" ".join(COMMON), **said)]
    if left_out:
        parts.append("Left out here: " + "; ".join(left_out) + ".\n")
    parts += [_section(job) for job in jobs]
    if threads:
        parts.append(_threads(threads))
    if older:
        parts.append(_older(older, jobs))
    parts.append("## Where we lose\n\n" + "\n".join(f"- {line}" for line in where_we_lose(jobs)) + "\n")
    return "\n".join(parts)


def shown(job: Job) -> list[Measured]:
    """Return the figures that are shown, fastest first: the faster build for every method and compiler."""
    best: dict[tuple[str, str, str], Measured] = {}
    for each in job.measured:
        key = each.family, each.name, each.made.partition(" ")[0]
        if key not in best or each.median < best[key].median:
            best[key] = each
    return sorted(best.values(), key=lambda each: each.median)


def fastest(measured: Iterable[Measured], family: str) -> Measured | None:
    """Return the fastest of a family; None if it did not take part."""
    return min((each for each in measured if each.family == family), key=lambda each: each.median, default=None)


def where_we_lose(jobs: list[Job]) -> list[str]:
    """Return a sentence for each job in which a peer is faster than one of ours, or we do not take part."""
    found = []
    for job in jobs:
        our = [each for each in shown(job) if each.family == OURS]
        if not our:
            found.append(f"{job.title}: we do not take part.")
        for each in our:
            better = [peer for peer in shown(job) if peer.family != OURS and peer.median < each.median]
            if better:
                first = better[0]
                overlap = max(first.nanoseconds) >= min(each.nanoseconds)
                found.append(
                    f"{job.title}: {first.family} ({first.name}) is {each.median / first.median:.2f} times as fast as "
                    f"`{each.name}`"
                    + (f"; faster than that one are {len(better)} in all" if len(better) > 1 else "")
                    + (", though the rounds overlap." if overlap else ".")
                )
    slowest = max((each for job in jobs for each in job.measured if each.family == OURS), key=_first, default=None)
    other = max((each for job in jobs[:1] for each in job.measured if each.family == CPP), key=_first, default=None)
    if slowest and other and slowest.first > other.first:
        found.append(
            f"The first call: `{slowest.name}` returned after {slowest.first:.2f} s, because it is compiled or "
            f"loaded then; no C++ contender took more than {other.first:.3f} s for the first decks."
        )
    return found or ["Nowhere among these."]


def _first(measured: Measured) -> float:
    return measured.first


def _section(job: Job) -> str:
    rows = shown(job)
    cpp, plain = fastest(rows, CPP), next((each for each in rows if each.plain), None)
    numpy = f"× {plain.name.partition('.')[2].partition(';')[0]}" if plain else f"× {NUMPY}"
    lines = [
        f"## {job.title}",
        "",
        _remark(job),
        "",
        f"| what | built with | ns a {job.unit} | least to most | × C++ | {numpy} |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for each in rows:
        mark = "**" if each.family == OURS else ""
        layout = "" if each.layout == "rows" else f" (decks in {each.layout})"
        lines.append(
            f"| {mark}{each.family}{mark}: {each.name}{layout} | {_made(each)} | {mark}{digits(each.median)}{mark} "
            f"| {digits(min(each.nanoseconds))} to {digits(max(each.nanoseconds))} "
            f"| {_times(cpp, each)} | {_times(plain, each)} |"
        )
    return "\n".join(lines) + "\n"


def _remark(job: Job) -> str:
    if job.title.startswith("Top"):
        return "Each hand is a row. *Then sliced*: whole decks are shuffled, and their top cards are read."
    return "Decks in batches that fit in the second-level cache. Each deck is a row, unless the table says otherwise."


def _made(measured: Measured) -> str:
    return " ".join(word for word in measured.made.split() if word not in COMMON)


def _times(reference: Measured | None, measured: Measured) -> str:
    return digits(reference.median / measured.median) if reference else ""


def digits(value: float) -> str:
    """Return three digits of a figure, without an exponent.

    >>> digits(1234.5), digits(12.345), digits(0.012345)
    ('1,230', '12.3', '0.0123')
    """
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:.3g}"


def _threads(threads: list[Threads]) -> str:
    lines = [
        "## Two threads",
        "",
        "52 cards, nanoseconds a deck of real time, the least of many short rounds at the beginning, in the middle and",
        "at the end of the run. Other programs on the machine disturb the figures, and two processors of one core",
        "share its vector units. So compare the gains of the two programs with each other.",
        "",
        "| what | one thread | two threads | gain |",
        "|---|---:|---:|---:|",
    ]
    for each in threads:
        one, two = min(each.one), min(each.two)
        lines.append(f"| {each.family}: {each.name} | {digits(one)} | {digits(two)} | {one / two:.2f} |")
    return "\n".join(lines) + "\n"


def _older(older: list[Older], jobs: list[Job]) -> str:
    codes = [each.code for each in older]
    lines = [
        "## On processors with shorter vectors",
        "",
        "fairdeck's functions on the same machine, compiled for processors with shorter vectors. The decks are the",
        "same, bit for bit. The other contenders are as above.",
        "",
        f"| what | as it is | {' | '.join(f'{code}, ns | × C++ | × NumPy' for code in codes)} |",
        f"|---|---:|{'---:|---:|---:|' * len(codes)}",
    ]
    for job in jobs:
        cpp, plain = fastest(job.measured, CPP), next((each for each in job.measured if each.plain), None)
        for each in (one for one in job.measured if one.family == OURS and job.title in older[0].nanoseconds):
            row = [f"{job.title}: {each.name}", digits(each.median)]
            for code in older:
                found = code.nanoseconds[job.title][each.name]
                row += [digits(found), *(digits(peer.median / found) if peer else "" for peer in (cpp, plain))]
            lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines) + "\n"

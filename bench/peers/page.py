"""The page: the fastest build of each method, and where we lose, worked out from the figures."""

from collections.abc import Iterable
from typing import Any

from bench.about import said as about_said
from bench.peers.build import COMMON
from bench.peers.contenders import CPP, OURS
from bench.peers.measure import Job, Measured, Threads
from bench.peers.older import Older

INTRODUCTION = """# The speed of shuffling, compared with others

`make peers` wrote this page; `bench/peers.json` has every round and every compiler. {rounds} rounds, contenders in
turns, medians. {about}. {tools}. The figures are nanoseconds of processor time, with the time of all threads added.
They leave out the first call, which compiles fairdeck's kernels.

![Decks a second, beside C++, Rust, NumPy and Python](../../images/kernels.svg)

Every contender is exactly uniform if its generator is. The benchmark checks each one first: each deck is a
permutation, and the 120 orders of five cards come equally often in 200,000 decks. C++ is compiled with `{common}`,
by two compilers, also without the vectorizer that joins neighbouring statements; the table shows the fastest build.
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
    parts += [_table(title, wanted) for title, wanted in _together(jobs)]
    if threads:
        parts.append(_threads(threads))
    if older:
        parts.append(_older(older, jobs))
    lost = [*where_we_lose(jobs), *(f"With {each.code}: {where}." for each in older if (where := _slower(each, jobs)))]
    lost.append("The first call compiles for seconds ([how long](battery.md)); the C++ programs are compiled before.")
    parts.append("## Where we lose\n\n" + "\n".join(f"- {line}" for line in lost) + "\n")
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


def _slower(older: Older, jobs: list[Job]) -> str:
    """Return what is slower than the fastest C++, compiled for an older processor."""
    return ", ".join(
        f"`{name}` of {job.title}"
        for job in jobs
        if (cpp := fastest(job.measured, CPP))
        for name, nanoseconds in older.nanoseconds.get(job.title, {}).items()
        if nanoseconds > cpp.median
    )


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
    return found or ["Nowhere among these on this machine."]


def jobs_of(results: dict[str, Any]) -> list[Job]:
    """Return the jobs of the results as ``bench/peers.json`` keeps them."""
    return [Job(**each | {"measured": [Measured(**one) for one in each["measured"]]}) for each in results["jobs"]]


def page_of(results: dict[str, Any]) -> str:
    """Return the page of the results."""
    threads = [Threads(**each) for each in results["threads"]]
    tools = "; ".join(version for version in results["tools"].values() if version)
    words = {"rounds": str(results["rounds"]), "about": about_said(results), "tools": tools}
    older = [Older(**each) for each in results["older"]]
    return page(jobs_of(results), threads, older, results["left_out"], words)


def _together(jobs: list[Job]) -> list[tuple[str, list[Job]]]:
    """Return the jobs that share a table, because the same contenders take part: whole decks, and each other job."""
    decks = [job for job in jobs if job.title.endswith("cards") and not job.title.startswith("Top")]
    found = [("Whole decks: nanoseconds a deck", decks)] if decks else []
    return found + [(f"{job.title}: nanoseconds a {job.unit}", [job]) for job in jobs if job not in decks]


def _table(title: str, jobs: list[Job]) -> str:
    heads = [job.title if len(jobs) > 1 else "ns" for job in jobs]
    lines = [f"## {title}", "", f"| what | {' | '.join(heads)} |", f"|---|{'---:|' * len(jobs)}"]
    best = [{(each.family, _method(each)): each for each in reversed(shown(job))} for job in jobs]
    for family, method in dict.fromkeys(key for found in best for key in reversed(found)):
        cells = [found.get((family, method)) for found in best]
        mark = "**" if family == OURS else ""
        figures = (f"{mark}{digits(each.median)}{mark}" if each else "" for each in cells)
        lines.append(f"| {mark}{family}{mark}: {method} | {' | '.join(figures)} |")
    return "\n".join(lines) + "\n"


def _method(measured: Measured) -> str:
    return measured.name + ("" if measured.layout == "rows" else f" (decks in {measured.layout})")


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
        "52 cards, nanoseconds a deck of real time, the least of many short rounds. Two processors of one core share",
        "its vector units, so compare the gains of the two programs with each other.",
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
        "fairdeck's functions on the same machine, compiled for shorter vectors. The decks are the same, bit for bit.",
        "*× C++* and *× NumPy*: how many times as fast as the fastest C++ above and the usual way in NumPy.",
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

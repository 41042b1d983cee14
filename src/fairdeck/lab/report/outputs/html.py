"""The report as one web page, with pictures.

The page is one file that asks for nothing else: its policy lets no script run and nothing be
fetched. It can be read on a phone, in the dark, on paper and by a screen reader.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairdeck.frame import document, text
from fairdeck.lab.arrays import Counts, Floats
from fairdeck.lab.law import mean_of
from fairdeck.lab.report import ODD, UNKNOWN, Report, odds
from fairdeck.lab.report.pictures import (
    Dot,
    groups,
    joined,
    matrix,
    neighbour_off,
    order_off,
    p_values,
    position_off,
    scalar,
    spectrum,
)
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.statistics.rank_histogram import bin_chances
from fairdeck.lab.tally import Member
from fairdeck.lab.verdict import Weighed

HELP = "one web page with pictures, which works offline and prints"
ROWS_OPEN = 40  # of the table of all tests; the others are folded

BADGES = {"fail": "Not fair", "pass": "No fault seen", "insufficient": "Too few decks to tell"}
MOST_FINDINGS = 8
MOST_LAWS = 12
MOST_RELATIVE_LAWS = 3
MOST_NAMED = 3
BEYOND_THREE = 0.0027  # of a normal law


def render(report: Report) -> str:
    """Return the page."""
    parts = [
        *_meaning(report),
        *_findings(report),
        *_limits(report),
        *_pictures(report),
        *_table(report),
        *_repeating(report),
    ]
    verdict = report.verdict
    badge = f'<p><span class="badge {verdict.outcome}">{BADGES[verdict.outcome]}</span></p>'
    return document(report.headline, badge, "".join(parts))


def number(p_value: float) -> str:
    """Return a p-value in digits.

    >>> number(0.25), number(1.2345e-9), number(0.0)
    ('0.25', '1.2e-09', '< 1e-300')
    """
    # What a float cannot hold is not impossible for that.
    return "< 1e-300" if p_value < 1e-300 else f"{p_value:.2g}" if p_value >= 0.001 else f"{p_value:.1e}"


def _p(p_value: float) -> str:
    return f'<span class="p">{_equals(p_value).replace("<", "&lt;")}</span>'


def _equals(p_value: float) -> str:
    return f"p {number(p_value)}" if p_value < 1e-300 else f"p = {number(p_value)}"


def _meaning(report: Report) -> Iterator[str]:
    verdict, tests = report.verdict, len(report.verdict.evidence)
    yield "<h2>What this means</h2>"
    fair = (
        "A fair shuffle makes every order of the cards equally likely, and no deck depends on the ones before it."
        if report.battery.lags
        else "A fair shuffle makes every order of the cards equally likely."
    )
    if verdict.outcome == "fail" and verdict.findings[0].at_gate:
        meant = "What came from this one was not even a deck, so there is nothing to be lenient about: mend that first."
    elif verdict.outcome == "fail":
        meant = (
            f"This one does not. A fair one would look as odd as this {_chance(report)}, so it was no bad luck. "
            "Whoever knows the fault can foresee more of the cards than luck allows."
        )
    elif verdict.outcome == "pass":
        meant = (
            f"{tests:,} tests looked at {verdict.looked_at:,} decks of this one, and none saw anything that a fair "
            "shuffle would not show. That is no proof, for no test can give one: a fault smaller than those listed "
            "below may still be there."
        )
    else:
        seen = (
            f"What has been seen so far is odd: a fair one looks so {_chance(report)}. But so few decks prove nothing"
            if verdict.p_value < ODD
            else "Nothing odd has been seen so far, but so few decks hardly show anything"
            if verdict.looked_at
            else "The tests have not looked at so few decks"
        )
        meant = f"{seen}: this is neither a pass nor a fail. Test again with more decks."
    yield f"<p>{fair} {text(meant)}</p>"
    facts = {
        "Verdict": BADGES[verdict.outcome],
        "A fair one looks as odd": f"{_chance(report)[:1].upper()}{_chance(report)[1:]}",
        "Decks": f"{verdict.decks:,}",
        "Cards": f"{report.battery.cards:,}",
        "Tests": f"{tests:,}",
    }
    if report.chosen:
        facts["Asked only for"] = ", ".join(report.chosen)
    if report.seconds:
        facts["Took"] = f"{report.seconds:,.1f} seconds"
    cells = "".join(f"<div><dt>{name}</dt><dd>{text(fact)}</dd></div>" for name, fact in facts.items())
    yield f'<dl class="facts">{cells}</dl>'
    yield (
        f'<p class="soft">The chance (the family-wise {_p(verdict.p_value)}) counts everything that was '
        "looked at, and how often, so that more tests do not make a false alarm more likely. The level is "
        f"{_level(verdict.alpha)}: of fair shuffles tested so, one in {1 / verdict.alpha:,.0f} is failed at most.</p>"
    )


def _level(alpha: float) -> str:
    return f"{alpha:f}".rstrip("0") if alpha >= 1e-4 else f"{alpha:g}".replace("e-0", "e-")


def _chance(report: Report) -> str:
    verdict = report.verdict
    if verdict.findings and verdict.findings[0].at_gate:
        return "never: what came was no deck"
    if verdict.p_value <= 0:
        return "less than once in 1e300 fair shuffles"  # smaller than a float can be, but not impossible
    if verdict.p_value > 0.5:
        return "in most fair shuffles"
    return odds(verdict.p_value)


def _findings(report: Report) -> Iterator[str]:
    findings = report.verdict.findings
    if not findings:
        return
    yield f"<h2>{'What is wrong' if len(findings) == 1 else f'What is wrong: {len(findings)} findings'}</h2>"
    items = []
    for each in findings[:MOST_FINDINGS]:
        if each.at_gate:
            chance = "no shuffle may do this"
        else:
            words = f" ({odds(each.p_value)})" if each.p_value > 1e-15 else ""
            chance = f"{_p(each.p_value)}{words} in this test alone"
        items.append(f"<li><b>{text(each.says)}</b><small>{text(each.statistic)}; {chance}</small></li>")
    yield f'<ol class="findings">{"".join(items)}</ol>'
    if len(findings) > MOST_FINDINGS:
        yield f"<p>{len(findings) - MOST_FINDINGS:,} more are told in the table of all tests below.</p>"


def _limits(report: Report) -> Iterator[str]:
    if report.verdict.outcome != "pass":
        return
    yield "<h2>What would have been seen</h2>"
    if not report.verdict.limits:
        yield f"<p>{UNKNOWN}</p>"
        return
    yield "<p>Had one of these been there, it would very likely (99&nbsp;%) have been seen:</p>"
    yield f"<ul>{''.join(f'<li>{text(limit.says)}</li>' for limit in report.verdict.limits)}</ul>"


@dataclass(frozen=True)
class _Counted:
    """A member of the battery with what it counted and the smallest of its p-values, if it has any."""

    member: Member
    counts: Counts
    cards: int
    decks: int
    evidence: tuple[Weighed, ...]

    @property
    def p_value(self) -> float:
        return min((each.evidence.p_value for each in self.evidence), default=1.0)

    @property
    def certain(self) -> float:
        return min((each.adjusted for each in self.evidence), default=1.0)


def _counted(report: Report) -> list[_Counted]:
    if report.tally is None:
        return []
    return [
        _Counted(
            member,
            counts,
            report.battery.cards,
            report.tally.seen[member.lag],
            tuple(
                each
                for each in report.verdict.evidence
                if each.lag == member.lag and each.evidence.test.startswith(f"{member.statistic.name}: ")
            ),
        )
        for member, counts in zip(report.battery.members, report.tally.counts, strict=True)
    ]


def _pictures(report: Report) -> Iterator[str]:
    counted = [each for each in _counted(report) if each.decks]
    figures = [*_matrices(report, counted), *_spectra(counted), *_plot(report)]
    if figures:
        yield f'<h2>Pictures</h2><div class="pictures">{"".join(figures)}</div>'
        yield from _laws(counted)


def _figure(title: str, picture: str, caption: str) -> str:
    return f"<figure><h3>{title}</h3>{picture}<figcaption>{caption}</figcaption></figure>"


# What is drawn of each matrix: its function, the rows, the columns, and the title.
MATRICES = {
    "positions": (position_off, "card (where it started)", "place (0 is the base)", "Which card lies where"),
    "order": (order_off, "this card ...", "... lies below this one", "Which card lies below which"),
    "neighbours": (neighbour_off, "this card ...", "... has this one directly above it", "Which card lies on which"),
}


def _matrices(report: Report, counted: Sequence[_Counted]) -> Iterator[str]:
    """Yield the position matrix, and the matrices that a fault was found in; of each the surest lag."""
    alpha = report.verdict.alpha
    drawn: set[tuple[str, bool]] = set()
    known = [each for each in counted if each.member.statistic.name in MATRICES]
    known.sort(key=lambda each: (each.member.lag > 0, each.member.statistic.name != "positions", each.certain))
    for each in known:
        name, lag = each.member.statistic.name, each.member.lag
        always = name == "positions" and not lag
        if (name, lag > 0) not in drawn and (always or each.certain <= alpha):
            drawn.add((name, lag > 0))
            yield _matrix(each)


def _matrix(each: _Counted) -> str:
    name, lag, n = each.member.statistic.name, each.member.lag, len(each.counts)
    deviations, rows, columns, title = MATRICES[name]
    if lag:
        title += f", compared with the deck {'before' if lag == 1 else f'{lag} before'}"
        rows = rows.replace("card (where it started)", "place in the earlier deck")
        rows, columns = rows.replace("card ...", "place ..."), columns.replace("this one", "this")
    starts, indicator = groups(n)
    off = deviations(each.counts, each.decks, indicator)
    sizes = np.abs(off[np.isfinite(off)])
    beyond = int(np.count_nonzero(sizes >= 3))
    fair = BEYOND_THREE * len(sizes)
    joins = f" Cells join {starts[1]} by {starts[1]} of {n} by {n}." if len(starts) < n else ""
    caption = (
        f"Each cell compares a count with what is fair, about {_about(each, indicator)}. Orange came too often, blue "
        f"too seldom. {beyond:,} of {len(sizes):,} cells are off by 3 standard deviations or more; "
        f"{'less than 1' if fair < 1 else f'about {fair:,.0f}'} would be fair. Patches or stripes of one colour are a "
        f"fault; scattered specks are not.{joins}"
    )
    description = f"{len(off)} by {len(off)} cells, {beyond} of them off by 3 standard deviations or more."
    if len(sizes):
        worst = np.unravel_index(int(np.nanargmax(np.abs(off))), off.shape)
        row, column = (starts[int(at)] for at in worst)
        description += f" The oddest: row {row}, column {column}, {off[worst]:+.1f} standard deviations."
    key = f"{name}-{lag}"
    return _figure(title, matrix(key, off, (title, description), (rows, columns), starts), caption)


def _about(each: _Counted, indicator: Floats) -> str:
    """Return the count that is fair for a cell."""
    size = int(indicator[:, 0].sum())
    share = 0.5 if each.member.statistic.name == "order" else 1 / len(each.counts)
    fair = each.decks * share * size * size
    return f"{fair:,.3g}" if fair < 100 else f"{fair:,.0f}"


def _spectra(counted: Sequence[_Counted]) -> Iterator[str]:
    """Yield the histogram of ranks, or of all orders where there are few of them."""
    for name, title in (("rank histogram", "All orders, in bins"), ("every order", "Every order")):
        found = [each for each in counted if each.member.statistic.name == name and not each.member.lag]
        for each in found:
            if each.counts.ndim != 1 or len(each.counts) < 2:
                continue
            bins = len(each.counts)
            fair_shares = bin_chances(each.cards, bins) if name == "rank histogram" else np.full(bins, 1 / bins)
            counts, chances = joined(each.counts, fair_shares)
            fair = float(chances[0]) * each.decks
            caption = (
                "Each bar counts decks; from left to right the orders as in a dictionary, the card at the base first. "
                f"A fair shuffle gives {fair:,.4g} in each (the line), within the band 99 times of 100. What sticks "
                "out of the band on one side for long is a fault."
            )
            description = (
                f"{len(counts)} bars of {int(counts.min()):,} to {int(counts.max()):,} decks; "
                f"{fair:,.4g} would be fair."
            )
            picture = spectrum("ranks", counts, chances, (title, description), ("first order", "last order"))
            yield _figure(title, picture, caption)
            return


def _laws(counted: Sequence[_Counted]) -> Iterator[str]:
    """Yield small pictures of whole numbers against their laws: the most surprising, most of them of decks alone."""
    scalars = [each for each in counted if isinstance(each.member.statistic, Scalar) and each.counts.sum()]
    scalars.sort(key=lambda each: each.p_value)
    relative = [each for each in scalars if each.member.lag][:MOST_RELATIVE_LAWS]
    alone = [each for each in scalars if not each.member.lag][: MOST_LAWS - len(relative)]
    shown = sorted([*alone, *relative], key=lambda each: each.p_value)
    if not shown:
        return
    items = "".join(_law(at, each) for at, each in enumerate(shown))
    yield (
        "<figure><h3>Numbers measured on each deck, and their laws</h3><figcaption>Bars are what was "
        "counted; the line is the exact law of a fair shuffle. The most surprising come first; p is the smallest of "
        f'the tests of that number alone.</figcaption><ul class="small">{items}</ul></figure>'
    )


def _law(at: int, each: _Counted) -> str:
    statistic, lag = each.member.statistic, each.member.lag
    assert isinstance(statistic, Scalar)  # noqa: S101 - `_laws` picked them
    law = statistic.law(each.cards)
    title = statistic.name + (f", lag {lag}" if lag else "")
    mean = f"mean {mean_of(law, each.counts):,.4g}, fair {law.mean:,.4g}"
    picture = scalar(f"law-{at}", law, each.counts, (title, f"{mean}; {_equals(each.p_value)}"))
    return f'<li><h4>{text(title)}</h4>{picture}<p class="soft">{mean}<br>{_p(each.p_value)}</p></li>'


def _plot(report: Report) -> Iterator[str]:
    evidence = report.verdict.evidence
    if len(evidence) < 5:
        return
    ranked = sorted(evidence, key=lambda each: each.evidence.p_value)
    named = [each for each in ranked if each.adjusted <= report.verdict.alpha][:MOST_NAMED] or ranked[:1]
    names = {id(each): str(at) for at, each in enumerate(named, 1)}
    dots = [Dot(each.evidence.p_value, names.get(id(each), "")) for each in evidence]
    least = ranked[0]
    title = "All p-values together"
    description = f"{len(evidence)} p-values; the smallest is {number(least.evidence.p_value)}: {least.name}."
    legend = "".join(f"<br>{at}: {text(each.name)}, {_p(each.evidence.p_value)}" for at, each in enumerate(named, 1))
    caption = (
        "Each dot is a test, the smallest p-value on the right. On fair decks the dots keep near the line, nearly all "
        f"in the band. Dots far above it are faults; 1e-15 and less is drawn as 1e-15.{legend}"
    )
    yield _figure(title, p_values("p-values", dots, (title, description)), caption)


def _table(report: Report) -> Iterator[str]:
    evidence = sorted(report.verdict.evidence, key=lambda each: (each.adjusted, each.evidence.p_value))
    if not evidence:
        return
    yield '<h2 id="tests">All tests</h2>'
    yield (
        '<p class="soft">Smallest first. p: the chance of something as odd in this one test. Adjusted: the same '
        "with all tests and looks counted (weighted Holm); a fault where it is "
        f"{_level(report.verdict.alpha)} or less.</p>"
    )
    yield _tests_table("The first of them", evidence[:ROWS_OPEN], report.verdict.alpha)
    if rest := evidence[ROWS_OPEN:]:
        more = f"{len(rest)} more"
        yield f"<details><summary>{more}</summary>{_tests_table(more, rest, report.verdict.alpha)}</details>"


def _tests_table(name: str, evidence: Sequence[Weighed], alpha: float) -> str:
    rows = []
    for each in evidence:
        fault = each.adjusted <= alpha
        rows.append(
            f'<tr class="{"fault" if fault else "fine"}"><th scope="row">{text(each.name)}</th>'
            f'<td>{text(each.family)}</td><td class="number">{text(number(each.evidence.p_value))}</td>'
            f'<td class="number">{text(number(each.adjusted))}</td></tr>'
        )
        if fault:
            rows.append(f'<tr class="says"><td colspan="4">{text(each.fault)}</td></tr>')
    return (
        f'<div class="scroll" role="region" aria-label="{text(name)}" tabindex="0">'
        f"<table><caption>{text(name)}</caption>"
        '<thead><tr><th scope="col">Test</th><th scope="col">Family</th><th scope="col" class="number">p</th>'
        f'<th scope="col" class="number">Adjusted</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _repeating(report: Report) -> Iterator[str]:
    yield "<h2>How to repeat it</h2>"
    if report.command:
        yield f"<pre><code>{text(report.command)}</code></pre>"
        again = "The same versions give the same figures, digit for digit, on any number of cores."
        if report.seed is None:
            again = "It counts new decks, unless what makes them takes its randomness from FAIRDECK_SEED."
        yield f'<p class="soft">{again}</p>'
    for note in report.remarks:
        yield f"<p>Note: {text(note)}</p>"
    made = {
        "shuffle": report.shuffle,
        "seed": "none: the decks came from elsewhere" if report.seed is None else f"{report.seed:x}",
        "each deck starts": report.start or "as whatever makes it decides",
        "lags": str(report.battery.lags),
        **({"standard": f"{report.standard.title} ({report.standard.name})"} if report.standard else {}),
        **report.environment,
    }
    cells = "".join(f"<dt>{text(name)}</dt><dd><code>{text(value)}</code></dd>" for name, value in made.items())
    yield f'<dl class="made">{cells}</dl>'

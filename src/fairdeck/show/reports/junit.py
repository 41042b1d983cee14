"""The report as JUnit XML, for a build server.

One suite: a case for each family of tests, and the case ``verdict``. A family fails if a fault was
found in it, and is skipped if the decks were too few for its tests. Too few decks for a verdict are an
error, not a skip: a build must not pass with a shuffle that could not be judged.
"""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fairdeck.errors import legible
from fairdeck.lab.judging.families import FAMILIES
from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.sentences import odds
from fairdeck.lab.judging.verdict import Finding

HELP = "JUnit XML for a build server"

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
VERDICT = "verdict"


def render(report: Report) -> str:
    """Return one XML document."""
    suite = Element("testsuite", name=legible(f"fairdeck: {report.shuffle}"))
    facts = {
        "shuffle": report.shuffle,
        "cards": str(report.battery.cards),
        "decks": str(report.verdict.decks),
        "alpha": f"{report.verdict.alpha:g}",
        "p_value": f"{report.verdict.p_value:.2g}",
        "seed": "" if report.seed is None else f"{report.seed:x}",
        "start": report.start,
        "command": report.command,
        **report.environment,
    }
    properties = SubElement(suite, "properties")
    for name, value in facts.items():
        SubElement(properties, "property", name=legible(name), value=legible(value))
    found = _by_family(report)
    tested = {each.family for each in report.verdict.evidence}
    asked = {member.family for member in report.battery.members}
    for family in (family for family in FAMILIES if family in asked):
        case = _case(suite, report, f"{family} (only {', '.join(report.chosen)})" if report.chosen else family)
        if found.get(family):
            _failure(case, report, found[family])
        elif family not in tested:
            SubElement(case, "skipped", message=f"too few decks for this family: {report.verdict.decks:,}")
    _verdict(_case(suite, report, VERDICT, report.seconds), report)
    SubElement(suite, "system-out").text = legible(
        " ".join(
            [report.headline, *(f"Would have been seen: {report.says(limit)}." for limit in report.verdict.limits)]
        )
    )
    root = Element("testsuites")
    root.append(suite)
    for element in (root, suite):
        element.set("tests", str(len(suite.findall("testcase"))))
        for count, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            element.set(count, str(len(suite.findall(f"testcase/{kind}"))))
        element.set("time", f"{report.seconds:.3f}")
    indent(root)
    return f"{DECLARATION}{tostring(root, encoding='unicode')}\n"


def _by_family(report: Report) -> dict[str, list[Finding]]:
    """Return the findings of each family, the plainest first."""
    found: dict[str, list[Finding]] = {}
    for finding in report.verdict.findings:
        found.setdefault(finding.family or VERDICT, []).append(finding)
    return found


def _case(suite: Element, report: Report, name: str, seconds: float = 0.0) -> Element:
    # Build servers show class names as a tree cut at dots; a shuffle's own dots stay out of it.
    classname = legible(f"fairdeck.{report.shuffle.replace('.', '_')}")
    return SubElement(suite, "testcase", classname=classname, name=name, time=f"{seconds:.3f}")


def _failure(case: Element, report: Report, found: list[Finding]) -> None:
    failure = SubElement(case, "failure", message=legible(report.says(found[0])), type="unfair")
    lines = (f"{each.statistic}: p = {each.p_value:.2g}: {report.says(each)}" for each in found)
    failure.text = "\n".join(map(legible, lines))


def _verdict(case: Element, report: Report) -> None:
    verdict = report.verdict
    if verdict.outcome == "fail":
        failure = SubElement(case, "failure", message=legible(report.headline), type="unfair")
        chance = f"p = {verdict.p_value:.2g}, corrected for all tests and analyses: {odds(verdict.p_value)}"
        failure.text = "what came was not a deck" if verdict.at_gate else f"{chance}; level {verdict.alpha:g}"
    elif verdict.outcome == "insufficient":
        SubElement(case, "error", message=legible(report.headline), type="insufficient")

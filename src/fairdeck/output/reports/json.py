"""The report as JSON, for programs."""

import json
from dataclasses import asdict
from typing import Any

from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.verdict import Weighed
from fairdeck.lab.statistics import Numbers

HELP = "everything, as JSON"


def fields(report: Report) -> dict[str, Any]:
    """Return the report as plain values; `docs/reference/report.md` says what each means."""
    verdict = report.verdict
    return {
        "format": "fairdeck-report/1",
        "shuffle": report.shuffle,
        "cards": report.battery.cards,
        "decks": verdict.decks,
        "counted": report.counted,
        "announced": verdict.announced,
        "analysed": verdict.analysed,
        "alpha": verdict.alpha,
        "verdict": verdict.outcome,
        "p_value": verdict.p_value,
        "findings": [
            {
                "statistic": each.statistic,
                "p_value": each.p_value,
                "says": report.says(each),
                **({"seen_in": each.first_decks} if each.first_decks else {}),
            }
            for each in verdict.findings
        ],
        "headline": report.headline,
        "causes": [asdict(each) for each in report.causes],
        "limits": [
            {
                "family": each.family,
                "test": each.name,
                "lag": each.lag,
                "size": each.size,
                "expected": each.expected,
                "says": report.says(each),
            }
            for each in verdict.limits
        ],
        "standard": report.standard.name if report.standard else None,
        "notes": list(report.remarks),
        "seed": None if report.seed is None else f"{report.seed:x}",
        "start": report.start,
        "lags": report.battery.lags,
        "seconds": round(report.seconds, 3),
        "command": report.command,
        "run": asdict(report.record) if report.record else None,
        "environment": report.environment,
        "tests": tests(report),
    }


def tests(report: Report) -> list[dict[str, Any]]:
    """Return every test of the last interim analysis as plain values."""
    return [_test(report, each) for each in report.verdict.evidence]


def _test(report: Report, each: Weighed) -> dict[str, Any]:
    evidence = each.evidence
    p_value = evidence.p_value
    return {
        "statistic": each.name,
        "family": each.family,
        "lag": each.lag,
        "p_value": float(p_value),
        "adjusted": float(each.adjusted),
        "score": p_value.score,
        "score_is": p_value.name,
        "degrees": p_value.degrees,
        "seen": evidence.seen,
        "expected": evidence.expected,
        "about_cards": _listed(evidence.cards),
        "about_places": _listed(evidence.places),
        "says": report.says(each),
    }


def _listed(numbers: Numbers) -> list[int | list[int]]:
    return [each if isinstance(each, int) else list(each) for each in numbers]


def render(report: Report) -> str:
    """Return one JSON object."""
    return json.dumps(fields(report), allow_nan=False)

"""The report as JSON, for programs."""

import json
from dataclasses import asdict
from typing import Any

from fairdeck.lab.report import Report

HELP = "everything, as JSON"


def fields(report: Report) -> dict[str, Any]:
    """Return the report as plain values; `docs/lab.md` says what each means."""
    verdict = report.verdict
    return {
        "shuffle": report.shuffle,
        "cards": report.battery.cards,
        "decks": verdict.decks,
        "announced": verdict.announced,
        "looked_at": verdict.looked_at,
        "alpha": verdict.alpha,
        "verdict": verdict.outcome,
        "p_value": verdict.p_value,
        "findings": [asdict(finding) for finding in verdict.findings],
        "headline": report.headline,
        "limits": [asdict(limit) for limit in verdict.limits],
        "standard": report.standard.name if report.standard else None,
        "notes": list(report.remarks),
        "seed": None if report.seed is None else f"{report.seed:x}",
        "start": report.start,
        "lags": report.battery.lags,
        "seconds": round(report.seconds, 3),
        "command": report.command,
        "environment": report.environment,
        "tests": [
            {
                "statistic": each.name,
                "family": each.family,
                "lag": each.lag,
                "p_value": each.evidence.p_value,
                "adjusted": each.adjusted,
                "says": each.seen,
            }
            for each in verdict.evidence
        ],
    }


def render(report: Report) -> str:
    """Return one JSON object."""
    return json.dumps(fields(report), allow_nan=False)

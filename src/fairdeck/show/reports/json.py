"""The report as JSON, for programs."""

from fairdeck.lab.judging.report import Report

HELP = "everything, as JSON"


def render(report: Report) -> str:
    """Return one JSON object."""
    return report.to_json()

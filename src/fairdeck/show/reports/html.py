"""The report as one web page, with charts.

The page is one file that loads nothing else: its policy allows no request, and no script but the one that tells the
values of the charts. It can be read on a phone, in the dark, on paper and by a screen reader.
"""

from fairdeck.lab.judging.report import Report
from fairdeck.lab.judging.report_document import document
from fairdeck.show.page import page

HELP = "one web page with charts, which works offline and prints"


def render(report: Report) -> str:
    """Return the page."""
    return page(document(report))

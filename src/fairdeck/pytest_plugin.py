"""A fixture for people's own tests: ``def test_my_shuffle(assert_fair): assert_fair(my_shuffle)``."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fairdeck.lab.judging.report import Report


@pytest.fixture
def assert_fair(request: pytest.FixtureRequest) -> "Callable[..., Report]":
    """Give `fairdeck.lab.assert_fair`; a note of what was counted goes into the JUnit report of pytest."""
    from fairdeck import lab

    def asserted(function: Callable[..., Any], **options: Any) -> "Report":
        __tracebackhide__ = True
        report = lab.assert_fair(function, **options)
        verdict = report.verdict
        told = f"{verdict.decks} decks, p = {verdict.p_value:.3g}, alpha = {verdict.alpha:g}"
        request.node.user_properties.append(("fairdeck", told))
        return report

    return asserted

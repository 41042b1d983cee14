"""A fixture for people's own tests: ``def test_my_shuffle(assert_fair): assert_fair(my_shuffle)``."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fairdeck.lab.report import Report


@pytest.fixture
def assert_fair(record_property: Callable[[str, object], None]) -> "Callable[..., Report]":
    """Give `fairdeck.lab.assert_fair`; what was counted goes into pytest's JUnit report as well."""
    from fairdeck import lab

    def asserted(function: Callable[..., Any], **wishes: Any) -> "Report":
        report = lab.assert_fair(function, **wishes)
        verdict = report.verdict
        record_property("fairdeck", f"{verdict.decks} decks, p = {verdict.p_value:.3g}, alpha = {verdict.alpha:g}")
        return report

    return asserted

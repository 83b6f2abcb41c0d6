"""Words that several shells share."""

from __future__ import annotations

import pytest

from app.domain.words import duration


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.25, "0.2 s"), (59.0, "59.0 s"), (90, "1.5 min"), (5400, "1.5 h"), (129_600, "1.5 d")]
)
def test_durations_are_told_in_the_unit_that_fits(seconds, shown):
    assert str(duration(seconds)) == shown

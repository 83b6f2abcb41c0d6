"""Places as they are shown (G2.3)."""

import pytest

from app.domain.entries import Place


@pytest.mark.parametrize(
    ("second", "shown"),
    [(None, ""), (0, "0:00"), (59, "0:59"), (754, "12:34"), (3599, "59:59"), (3600, "1:00:00"), (360_061, "100:01:01")],
)
def test_a_second_is_shown_as_a_player_does(second: int | None, shown: str) -> None:
    assert Place(second=second).time == shown

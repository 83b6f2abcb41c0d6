"""Sentences as columns: what they name is said in the language of whoever reads them (G4.4)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from app.domain.text import Text, msg
from app.domain.words import day_words
from app.store.rows import text_column, text_of


def test_a_reason_names_the_kind_and_the_day() -> None:
    stored = text_column(
        msg("Cancelled by the {kind} “{title}” of {date}", kind="mail", title="Berlin", date="2025-05-12")
    )
    reason = text_of(stored)
    assert str(reason) == "Cancelled by the mail “Berlin” of 12 May 2025"
    assert reason is not None
    assert isinstance(reason.values["kind"], Text), "a shell translates it"
    assert isinstance(reason.values["date"], Text)


@pytest.mark.parametrize("value", ["2025-13-45", "soon", "2025-05-12T10:00", "٢٠٢٥-٠٥-١٢", "", "9" * 100])
def test_what_is_no_day_stays_as_it_is(value: str) -> None:
    assert str(text_of(text_column(msg("Until {date}", date=value)))) == f"Until {value}"


def test_every_month_has_its_words() -> None:
    days = [date(2025, 1, 31) + timedelta(days=30 * month) for month in range(12)]
    assert all(str(day_words(day)) == f"{day.day} {day:%B} {day.year}" for day in days)
    assert text_of(None) is None
    assert text_column(None) is None

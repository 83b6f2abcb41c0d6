"""Reviews are kept whole, one a period (G7)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from app.domain.metrics import Review, ReviewKind
from app.store import review_rows


def test_a_review_comes_back_and_a_new_one_takes_its_place(database, now):
    first = Review(0, ReviewKind.WEEKLY, date(2025, 5, 5), date(2025, 5, 11), now, "# 第一周\n")
    later = replace(first, made_at=now + timedelta(hours=1), text="# Anew\n")
    other = replace(first, kind=ReviewKind.MONTHLY, first_day=date(2025, 4, 1), last_day=date(2025, 4, 30))
    with database.write() as tx:
        one = review_rows.put_review(tx, first, "zh_CN")
        two = review_rows.put_review(tx, other, "en")
        assert review_rows.put_review(tx, later, "en") == one
    with database.reader() as reader:
        assert review_rows.review(reader, one) == replace(later, review_id=one)
        assert [(row.review_id, row.text) for row in review_rows.reviews(reader)] == [(one, ""), (two, "")]
        assert review_rows.review(reader, 99) is None
        assert review_rows.has_review(reader, ReviewKind.WEEKLY, date(2025, 5, 5), later.made_at)
        assert not review_rows.has_review(reader, ReviewKind.WEEKLY, date(2025, 5, 12), now)
        # one that was written within its week is not the whole week's
        assert not review_rows.has_review(reader, ReviewKind.WEEKLY, date(2025, 5, 5), now + timedelta(hours=2))

"""Metrics: how well Famulus works, the reviews of it, and the marks that ranking is tuned by (G7, G7.2)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from app.domain.text import msg
from app.ui.pages.metrics.marking import MarkingSection
from app.ui.pages.metrics.rates import RatesSection
from app.ui.pages.metrics.reviews import ReviewsSection
from app.ui.pages.sections import SectionedPage

if TYPE_CHECKING:
    from app.ui.desk import Desk


class MetricsPage(SectionedPage):
    """Three sections: rates, reviews, marking."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            desk,
            msg("Metrics"),
            msg("How well Famulus serves you, counted on this device from what was asked, read and used."),
            {
                "rates": (msg("Rates"), partial(RatesSection, desk)),
                "reviews": (msg("Reviews"), partial(ReviewsSection, desk)),
                "marking": (msg("Marking"), partial(MarkingSection, desk)),
            },
        )

    @property
    def rates(self) -> RatesSection:
        """See `rates`."""
        return cast("RatesSection", self.section("rates"))

    @property
    def reviews(self) -> ReviewsSection:
        """See `reviews`."""
        return cast("ReviewsSection", self.section("reviews"))

    @property
    def marking(self) -> MarkingSection:
        """See `marking`."""
        return cast("MarkingSection", self.section("marking"))

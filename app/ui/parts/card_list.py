"""A list of cards of which the first are made, and more on wish: a thousand at once would hold the window up.

What a card shows, and when it must be made anew, is told by who owns the list. A field above it narrows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar

from PySide6.QtWidgets import QWidget

from app.domain.text import msg
from app.ui.parts.buttons import button
from app.ui.parts.filter_field import NOTHING_FITS
from app.ui.parts.labels import plain, said
from app.ui.parts.layouts import at_once, beside, column
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from app.ui.wording import Wording

K = TypeVar("K", bound="Hashable")
V = TypeVar("V")
C = TypeVar("C", bound=QWidget)

AT_ONCE: Final = 30


class CardList(QWidget, Generic[K, V, C]):
    """`cards` has those that are made, by the keys of what they show.

    Args:
        make: makes the card of something.
        keep: whether a card may stay for what is there by now under its key; it may bring the card up to date.
        fits: whether what somebody looks for is in it.
    """

    def __init__(
        self, wording: Wording, make: Callable[[V], C], keep: Callable[[C, V], bool], fits: Callable[[V], bool]
    ) -> None:
        super().__init__()
        self._wording, self._make, self._keep, self._fits = wording, make, keep, fits
        self._items: Mapping[K, V] = {}
        self._limit = AT_ONCE
        self._shown, self._fitting = 0, 0
        self.cards: dict[K, C] = {}
        self.nothing = said(wording, NOTHING_FITS, "hint")
        self._column = column(gap=GAP)
        self._told = plain(role="hint", is_wrapping=True)
        self.more_button = button(wording, msg("Show more"), self._show_more, role="link")
        self._below = QWidget()
        self._below.setLayout(beside(self._told, self.more_button, gap=GAP))
        self._whole = column(gap=GAP)
        self._whole.addWidget(self.nothing)
        self._whole.addLayout(self._column)
        self._whole.addWidget(self._below)
        self.setLayout(self._whole)
        self.nothing.hide()
        self._below.hide()
        wording.changed.connect(self._tell)

    def show_items(self, items: Mapping[K, V]) -> None:
        """List these, in their order; cards that may stay do, with what somebody writes in them."""
        self._items = items
        for key, card in list(self.cards.items()):
            if key not in items or not self._keep(card, items[key]):
                del self.cards[key]
                card.hide()
                card.deleteLater()
        self._fill()

    def narrow(self) -> None:
        """Show what fits now, from its beginning."""
        self._limit = AT_ONCE
        self._fill()

    def _fill(self) -> None:
        fitting = [key for key, item in self._items.items() if self._fits(item)]
        wanted = set(fitting[: self._limit])
        # one that is made costs nothing more, and somebody may be writing in it
        wanted |= self.cards.keys() & set(fitting)
        with at_once(self._whole):
            self._put(wanted)
        self._shown, self._fitting = len(wanted), len(fitting)
        self.nothing.setVisible(bool(self._items) and not fitting)
        self._tell()

    def _put(self, wanted: set[K]) -> None:
        """Make what is missing, and show what is wanted."""
        place = 0
        for key, item in self._items.items():
            if key in wanted and key not in self.cards:
                self.cards[key] = self._make(item)
                self._column.insertWidget(place, self.cards[key])
            if key in self.cards:
                self.cards[key].setVisible(key in wanted)
                place += 1

    def _tell(self) -> None:
        number = self._wording.number
        told = msg("The first {count} of {all} are shown.", count=number(self._shown), all=number(self._fitting))
        self._told.setText(self._wording.say(told))
        self._below.setVisible(self._shown < self._fitting)

    def _show_more(self) -> None:
        self._limit = max(self._limit, self._shown) + AT_ONCE
        self._fill()

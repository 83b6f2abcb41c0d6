"""A list of cards makes the first of them, and more on wish; what is looked for is found wherever it stands."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from app.ui.parts.card_list import AT_ONCE, CardList
from app.ui.parts.layouts import at_once
from app.ui.wording import Wording


class Cards(CardList[int, str, QPushButton]):
    """Cards that are buttons; `looked_for` is what the field above would hold."""

    def __init__(self) -> None:
        self.looked_for = ""
        super().__init__(Wording("en"), QPushButton, lambda card, text: card.text() == text, self._has)

    def _has(self, text: str) -> bool:
        return self.looked_for in text

    def seen(self) -> list[str]:
        """What stands on the screen, from its top."""
        shown = [card for card in self.cards.values() if card.isVisibleTo(self)]
        return [card.text() for card in sorted(shown, key=QWidget.y)]


def many(count: int) -> dict[int, str]:
    return {number: f"agent {number:04}" for number in range(count)}


def shown(count: int) -> Cards:
    made = Cards()
    made.show_items(many(count))
    made.show()
    QApplication.processEvents()
    return made


def test_a_few_are_all_there(qapp):
    cards = shown(3)
    assert cards.seen() == list(many(3).values())
    assert not cards.more_button.isVisible()


def test_of_a_thousand_the_first_are_made_and_more_on_wish(qapp):
    cards = shown(1000)
    assert cards.seen() == list(many(AT_ONCE).values())
    assert "The first 30 of 1,000 are shown." in cards._told.text()
    cards.more_button.click()
    QApplication.processEvents()
    assert cards.seen() == list(many(2 * AT_ONCE).values())
    assert "The first 60 of 1,000 are shown." in cards._told.text()


def test_the_last_one_is_found_by_looking_for_it(qapp):
    cards = shown(1000)
    cards.looked_for = "0999"
    cards.narrow()
    QApplication.processEvents()
    assert cards.seen() == ["agent 0999"]
    assert not cards.more_button.isVisible()
    cards.looked_for = "nobody"
    cards.narrow()
    assert cards.nothing.isVisible()
    assert not cards.seen()


def test_what_changed_is_made_anew_and_the_rest_stays(qapp):
    cards = shown(3)
    kept = cards.cards[0]
    cards.show_items({-1: "newcomer", 0: "agent 0000", 1: "renamed"})
    QApplication.processEvents()
    assert cards.seen() == ["newcomer", "agent 0000", "renamed"]
    assert cards.cards[0] is kept


def test_one_in_which_somebody_writes_stays_while_others_come_before_it(qapp):
    cards = shown(AT_ONCE)
    last = cards.cards[AT_ONCE - 1]
    cards.show_items({-1: "newcomer", **many(AT_ONCE)})
    QApplication.processEvents()
    assert last.isVisible()
    assert cards.seen() == ["newcomer", *many(AT_ONCE).values()]


def test_many_that_come_are_laid_out_once(qapp):
    """Qt would lay all out anew for each card that shows itself: seconds for a hundred."""
    laid_out = []

    class Counted(QVBoxLayout):
        def setGeometry(self, area: QRect) -> None:  # noqa: N802 - Qt's name
            laid_out.append(area)
            super().setGeometry(area)

    holder = QWidget()
    inside = Counted()
    holder.setLayout(inside)
    holder.show()
    QApplication.processEvents()
    laid_out.clear()
    with at_once(inside):
        for number in range(50):
            inside.addWidget(QPushButton(str(number)))
    QApplication.processEvents()
    assert all(button.isVisible() for button in holder.findChildren(QPushButton))
    assert len(laid_out) < 5
